/* SPDX-License-Identifier: Apache-2.0 */
/* Work that threads share: parts of it, one behind the other, of which each writes what no other one reads or writes. */
#ifndef SPW_CONVERT_SHARE_H
#define SPW_CONVERT_SHARE_H

#include "../core/threads.h"

#include <stdbool.h>
#include <stdint.h>

/* Work is shared where threads gain by it. A build for tests and fuzzing (SPW_SMALL_PARTS) has parts of any work but the
 * smallest, and where it has no threads does one after the other: what tells parts apart is the same. */
#ifdef SPW_SMALL_PARTS
#define SPW_HAS_PARTS true
#define SPW_OR_SMALL(usual, small) (small)
#else
#ifdef _OPENMP
#define SPW_HAS_PARTS true
#else
#define SPW_HAS_PARTS false
#endif
#define SPW_OR_SMALL(usual, small) (usual)
#endif

/* Before a loop over parts, whose number is in `parts`. */
#ifdef _OPENMP
#define SPW_SHARE _Pragma("omp parallel for num_threads((int)parts) schedule(static, 1) if (parts > 1)")
/* The same, and `sum`, of whole numbers, is that of what all of them add to it. */
#define SPW_SHARE_SUM(sum) \
  SPW_SHARE_PRAGMA(omp parallel for num_threads((int)parts) schedule(static, 1) if (parts > 1) reduction(+ : sum))
#define SPW_SHARE_PRAGMA(...) _Pragma(#__VA_ARGS__)
#else
#define SPW_SHARE
#define SPW_SHARE_SUM(sum)
#endif

/* In how many parts `threads` threads do work on so many elements: each part is worth a thread. 1 where the library has
 * been built without threads. */
int64_t spw_parts_of_work(int64_t elements, int threads);

/* Where part i begins, of n elements in so many parts; part `parts` begins at the end. */
static inline int64_t spw_part_at(int64_t n, int64_t i, int64_t parts)
{
  return n / parts * i + n % parts * i / parts;
}

/* Of `size` kinds, each part has a count of its elements: those of the kinds from .. to - 1 become the places at which the
 * parts' elements start, where kind `from` starts at `sum`; kind by kind, and part by part in each. */
static inline void spw_counts_to_starts(int64_t *counts, int64_t parts, int64_t size, int64_t from, int64_t to, int64_t sum)
{
  for (int64_t j = from; j < to; j++)
    for (int64_t t = 0; t < parts; t++) {
      const int64_t count = counts[t * size + j];
      counts[t * size + j] = sum;
      sum += count;
    }
}

#endif
