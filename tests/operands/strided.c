/* SPDX-License-Identifier: Apache-2.0 */
#include "strided.h"

#include "../../fuzz/inputs/values.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

static int64_t elements_of(const spw_array *a)
{
  int64_t n = 1;
  for (int64_t d = 0; d < a->ndim; d++) n *= a->shape[d];
  return n;
}

/* Strides in a random order of dimensions, with gaps; of an operand some may be 0. */
static void lay_out(strided *x, bool repeats, dice *d)
{
  int64_t order[STRIDED_DIMS], step = 1, last = 0;
  const int64_t n = x->array.ndim;
  x->array.shape = x->shape;
  x->array.strides = x->strides;
  for (int64_t i = 0; i < n; i++) order[i] = n - 1 - i;
  if (roll_below(d, 3) == 0)
    for (int64_t i = n - 1; i > 0; i--) {
      const int64_t j = roll_below(d, i + 1), swapped = order[i];
      order[i] = order[j];
      order[j] = swapped;
    }
  const int64_t gap = roll_below(d, 3) ? 0 : 1 + roll_below(d, 3);
  if (roll_below(d, 6) == 0) step = 2;
  for (int64_t i = 0; i < n; i++) {
    const int64_t k = order[i];
    x->strides[k] = repeats && roll_below(d, 12) == 0 ? 0 : step;
    step = step * (x->shape[k] > 0 ? x->shape[k] : 1) + gap;
    last += (x->shape[k] - 1) * x->strides[k];
  }
  x->array.offset = roll_below(d, 3) ? 0 : roll_below(d, 4);
  x->array.length = elements_of(&x->array) == 0 ? x->array.offset : x->array.offset + last + 1;
}

void strided_make(strided *x, spw_dtype dtype, int64_t classes, bool repeats, dice *d)
{
  const int64_t size = spw_dtype_size(dtype);
  x->array.dtype = dtype;
  lay_out(x, repeats, d);
  x->bytes = x->array.length * size;
  x->data = malloc((size_t)x->bytes + 1);
  x->before = malloc((size_t)x->bytes + 1);
  if (!x->data || !x->before) abort();
  for (int64_t k = 0; k < x->array.length; k++)
    for (int64_t w = 0; w < fuzz_words(dtype); w++) {
      const uint64_t word = fuzz_draw(dtype, classes, roll(d));
      memcpy(x->data + k * size + 8 * w, &word, size < 8 ? (size_t)size : 8);
    }
  memcpy(x->before, x->data, (size_t)x->bytes);
}

void strided_free(strided *x)
{
  free(x->data);
  free(x->before);
}

bool strided_gaps_hold(const strided *x)
{
  const int64_t size = spw_dtype_size(x->array.dtype), n = elements_of(&x->array);
  char *const reached = calloc((size_t)x->array.length + 1, 1);
  bool hold = true;
  if (!reached) abort();
  for (int64_t k = 0; k < n; k++) {
    int64_t place = x->array.offset, number = k;
    for (int64_t i = x->array.ndim - 1; i >= 0; i--) {
      place += number % x->shape[i] * x->strides[i];
      number /= x->shape[i];
    }
    reached[place] = 1;
  }
  for (int64_t k = 0; k < x->array.length; k++)
    hold = hold && (reached[k] || memcmp(x->data + k * size, x->before + k * size, (size_t)size) == 0);
  free(reached);
  return hold;
}

spw_factors draw_factors(spw_dtype dtype, uint64_t numbers[4], dice *d)
{
  spw_factors how = {0};
  for (int i = 0; i < 4; i++)
    numbers[i] = fuzz_draw(dtype, 1 << FUZZ_ZERO | 1 << FUZZ_MINUS_ZERO | 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER, roll(d));
  if (roll_below(d, 2)) how.alpha = numbers;
  if (roll_below(d, 2)) how.beta = numbers + 2;
  how.threads = (int)roll_below(d, 5);
  return how;
}

bool strided_small(const strided *x)
{
  int64_t n = 1;
  for (int64_t d = 0; d < x->array.ndim; d++) {
    if (x->shape[d] < 0 || x->shape[d] > MOST) return false;
    n *= x->shape[d] > 0 ? x->shape[d] : 1;
    if (n > MOST) return false;
  }
  return true;
}
