/* SPDX-License-Identifier: Apache-2.0 */
/* Elements of COO of any number of sparse dimensions, anywhere and more than once. */
#ifndef SPW_TESTS_SCATTERED_H
#define SPW_TESTS_SCATTERED_H

#include "../../src/sparsewright_convert.h"

enum { SCATTERED_DIMS = 7, SCATTERED_NSE = 900, SCATTERED_ALONG = 3, SCATTERED_OFFSET = 5,
       SCATTERED_MET = 7, /* positions of each batch that is spread out */
       SCATTERED_ENTRIES = SCATTERED_OFFSET + 2 * SCATTERED_DIMS * SCATTERED_NSE };

/* Of `dims` sparse dimensions, and of one dense one where that is said. */
typedef struct scattered {
  int64_t dims, size[SCATTERED_DIMS + 1], shape[2], strides[2], values_shape[2], values_strides[2], wide[SCATTERED_ENTRIES];
  int32_t narrow[SCATTERED_ENTRIES];
  _Alignas(16) char values[SCATTERED_NSE * SCATTERED_ALONG * 16];
  spw_tensor tensor;
} scattered;

/* Which numbers are drawn from now on. */
void scattered_begin(uint64_t seed);
uint64_t scattered_draw(void);

/* Every coordinate is the first or the last one, or, now and then, any other; storage may have gaps and any order. */
void scattered_make(scattered *s, int64_t dims, const int64_t *size, spw_dtype dtype, bool wide, bool dense);

/* Coordinate d of element k; and it is set. */
int64_t scattered_get(const scattered *s, int64_t d, int64_t k);
void scattered_put(scattered *s, int64_t d, int64_t k, int64_t coordinate);

/* Elements of all batches by turns, at as many positions in each, others in each, `shift` behind those of the batch before; in
 * batch `poor` at one less. */
void scattered_spread(scattered *s, int64_t shift, int64_t poor);

/* The proved certifier says that c is what s comes to. */
void scattered_expect(const scattered *s, const spw_tensor *c, spw_combine how);

#endif
