/* SPDX-License-Identifier: Apache-2.0 */
#include "transpose_lines.h"
#include "instances/transpose.h"
#include "indices/partition/count_bands.h"
#include "../core/size.h"

/* A band of minor indices has about so many bytes of the result: they stay in a second-level cache. */
#define BAND_BYTES SPW_OR_SMALL(131072, 64)
/* Below that the whole result is near enough. */
#define WORTH_ELEMENTS SPW_OR_SMALL(400000, 12)
/* The sample: runs of elements, and a table of the minor indices that were met lately. */
#define RUNS 4
#define RUN SPW_OR_SMALL(8192, 3)
#define TABLE SPW_OR_SMALL(8192, 8)

int spw_wants_transpose_room(int64_t n)
{
  return n >= WORTH_ELEMENTS;
}

static int64_t most_bands(int64_t n)
{
  const int64_t bands = n / (BAND_BYTES / 16);
  return bands > 0 ? bands : 1;
}

/* In how many parts elements go straight to their lines: each part has a start for every line. */
static int64_t parts_of_lines(int64_t n, int64_t minor_size, int threads)
{
  const int64_t parts = spw_parts_of_work(n, threads), most = minor_size > 0 ? spw_mul_saturated(n / minor_size, 2) : 1;
  return parts < most ? parts : most < 1 ? 1 : most;
}

int64_t spw_transpose_starts(int64_t n, int64_t minor_size, int threads)
{
  const int64_t parts = parts_of_lines(n, minor_size, threads);
  const int64_t of_lines = parts > 1 ? spw_mul_saturated(parts, spw_add_saturated(minor_size, 1)) : 0;
  const int64_t of_bands = spw_wants_transpose_room(n) ? spw_mul_saturated(spw_parts_of_work(n, threads), most_bands(n)) : 0;
  return of_lines > of_bands ? of_lines : of_bands;
}

int spw_is_transposed_by_parts(int64_t n, int64_t minor_size, int threads)
{
  return spw_parts_of_work(n, threads) > 1 && spw_transpose_starts(n, minor_size, threads) > 0;
}

static int64_t sum_of_counts(const int64_t *counts, int64_t parts, int64_t size, int64_t from, int64_t to)
{
  int64_t sum = 0;
  for (int64_t t = 0; t < parts; t++)
    for (int64_t j = from; j < to; j++) sum += counts[t * size + j];
  return sum;
}

#define SPW_TEMPLATE "../convert/choose_bands.inc"
#include "../core/each_index_type.h"

#define SPW_VALUE_TEMPLATE "../convert/transpose_lines.inc"
#define SPW_TEMPLATE "each_value_width.h"
#include "../core/each_index_type.h"
#undef SPW_VALUE_TEMPLATE
