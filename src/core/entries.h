/* SPDX-License-Identifier: Apache-2.0 */
/* Yes or no about the entries of a shape. */
#ifndef SPW_CORE_ENTRIES_H
#define SPW_CORE_ENTRIES_H

#include "size.h"

/* Are two shapes of n entries equal? */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(a + (0 .. n - 1)) &&
      \valid_read(b + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> equal(a, b, n); */
int spw_entries_equal(const int64_t *a, const int64_t *b, int64_t n);

/* Is none of n entries negative? */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(a + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures verdict: \result == 0 || \result == 1;
    ensures exact: \result == 1 <==> non_negative(a, n); */
int spw_entries_non_negative(const int64_t *a, int64_t n);

#endif
