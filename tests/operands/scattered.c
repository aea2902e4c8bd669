/* SPDX-License-Identifier: Apache-2.0 */
#include "scattered.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { NSE = SCATTERED_NSE, ALONG = SCATTERED_ALONG, OFFSET = SCATTERED_OFFSET };

static uint64_t state;

void scattered_begin(uint64_t seed)
{
  state = seed;
}

uint64_t scattered_draw(void)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return state >> 20; /* what is below is not random */
}

static int64_t length_of(const scattered *s)
{
  return s->dims == 0 ? OFFSET : OFFSET + (s->dims - 1) * s->strides[0] + (NSE - 1) * s->strides[1] + 1;
}

static int64_t place_of(const scattered *s, int64_t d, int64_t k)
{
  return OFFSET + d * s->strides[0] + k * s->strides[1];
}

int64_t scattered_get(const scattered *s, int64_t d, int64_t k)
{
  return s->wide[place_of(s, d, k)];
}

void scattered_put(scattered *s, int64_t d, int64_t k, int64_t coordinate)
{
  const int64_t at = place_of(s, d, k);
  s->wide[at] = coordinate;
  s->narrow[at] = (int32_t)coordinate;
}

void scattered_make(scattered *s, int64_t dims, const int64_t *size, spw_dtype dtype, bool wide, bool dense)
{
  memset(s, 0, sizeof *s);
  s->dims = dims;
  for (int64_t d = 0; d < dims; d++) s->size[d] = size[d];
  s->size[dims] = ALONG;
  const bool turned = scattered_draw() % 2;
  s->shape[0] = dims;
  s->shape[1] = NSE;
  s->strides[0] = turned ? 1 : 2 * NSE;
  s->strides[1] = turned ? 2 * dims : 1 + (int64_t)(scattered_draw() % 2);
  for (int64_t d = 0; d < dims; d++)
    for (int64_t k = 0; k < NSE; k++) {
      const int64_t any = (int64_t)(scattered_draw() % (uint64_t)size[d]);
      scattered_put(s, d, k, scattered_draw() % 4 == 0 ? any : scattered_draw() % 2 ? size[d] - 1 : 0);
    }
  const uint64_t numbers = dtype == SPW_BOOL ? 2 : 256;
  for (size_t i = 0; i < sizeof s->values; i++) s->values[i] = (char)(scattered_draw() % numbers);
  const int64_t along = dense ? ALONG : 1;
  s->values_shape[0] = NSE;
  s->values_shape[1] = ALONG;
  s->values_strides[0] = along;
  s->values_strides[1] = 1;
  spw_tensor *const t = &s->tensor;
  *t = (spw_tensor){.layout = SPW_COO, .has_size = true, .ndim = dims + dense, .size = s->size, .coalesced = SPW_CLAIM_NO};
  t->plain.array = (spw_array){wide ? SPW_INT64 : SPW_INT32, 2, s->shape, s->strides, OFFSET, length_of(s)};
  t->plain.i64 = wide ? s->wide : NULL;
  t->plain.i32 = wide ? NULL : s->narrow;
  t->values = (spw_value_array){{dtype, 1 + dense, s->values_shape, s->values_strides, 0, NSE * along}, s->values};
}

void scattered_spread(scattered *s, int64_t shift, int64_t poor)
{
  const int64_t dims = s->dims, rows = s->size[dims - 2], columns = s->size[dims - 1];
  int64_t batches = 1;
  for (int64_t d = 0; d < dims - 2; d++) batches *= s->size[d];
  for (int64_t k = 0; k < NSE; k++) {
    const int64_t b = k % batches, met = b == poor ? SCATTERED_MET - 1 : SCATTERED_MET, turn = k / batches;
    const int64_t one = turn < met ? turn : (int64_t)(scattered_draw() % (uint64_t)met);
    const int64_t place = (11 * one + shift * b) % (rows * columns);
    int64_t rest = b;
    for (int64_t d = dims - 3; d >= 0; rest /= s->size[d], d--) scattered_put(s, d, k, rest % s->size[d]);
    scattered_put(s, dims - 2, k, place / columns);
    scattered_put(s, dims - 1, k, place % columns);
  }
}

void scattered_expect(const scattered *s, const spw_tensor *c, spw_combine how)
{
  const spw_tensor *const a = &s->tensor;
  size_t bytes = 0;
  bool same = false;
  cr_assert_eq(spw_certify_coalesced_size(a, c, &bytes, NULL), SPW_OK);
  void *const work = malloc(bytes + 1);
  const spw_status told = spw_certify_coalesced(a, c, how, work, bytes, &same, NULL);
  cr_assert_eq(told, SPW_OK, "status %d, %lld dimensions", (int)told, (long long)s->dims);
  cr_assert(same, "%lld dimensions, type %d, duplicates %d", (long long)s->dims, (int)a->values.array.dtype,
            (int)how);
  free(work);
}
