/* SPDX-License-Identifier: Apache-2.0 */
/* Which elements of a dense matrix are kept. */
#include "semi.h"
#include "kernels/prune.h"
#include "kernels/tile.h"

#include <string.h>

/* Bits that are larger the larger the magnitude is; all NaNs are the largest. */
static uint32_t float_key(uint32_t bits, uint32_t sign, uint32_t infinity)
{
  const uint32_t magnitude = bits & (sign - 1);
  return magnitude > infinity ? UINT32_MAX : magnitude;
}

static uint32_t key_of(spw_dtype dtype, const char *element)
{
  uint32_t v = 0;
  switch ((int)dtype) {
  case SPW_UINT8: return (uint8_t)*element;
  case SPW_INT8: return (uint32_t)((signed char)*element < 0 ? -(signed char)*element : *element);
  /* It has no infinity, and 0x7f is NaN. */
  case (int)SPW_FLOAT8_E4M3FN: return float_key((uint8_t)*element, 0x80, 0x7e);
  case (int)SPW_FLOAT8_E5M2: return float_key((uint8_t)*element, 0x80, 0x7c);
  case SPW_FLOAT16: memcpy(&v, element, 2); return float_key(v, 0x8000, 0x7c00);
  case SPW_BFLOAT16: memcpy(&v, element, 2); return float_key(v, 0x8000, 0x7f80);
  default: memcpy(&v, element, 4); return float_key(v, 0x80000000, 0x7f800000);
  }
}

/* ---- Groups ------------------------------------------------------------------------------------- */

static void prune_group(spw_dtype dtype, const spw_semi_kind *kind, const char *x, char *out)
{
  uint32_t key[4] = {0, 0, 0, 0};
  for (int64_t i = 0; i < kind->group; i++) key[i] = key_of(dtype, x + i * kind->scalar);
  int first = key[0] >= key[1] ? 0 : 1, second = first;
  if (kind->group == 4) {
    const uint8_t code = spw_semi_prune_code(key[0], key[1], key[2], key[3]);
    first = code % 4;
    second = code / 4;
  }
  memset(out, 0, (size_t)(kind->group * kind->scalar));
  memcpy(out + first * kind->scalar, x + first * kind->scalar, (size_t)kind->scalar);
  memcpy(out + second * kind->scalar, x + second * kind->scalar, (size_t)kind->scalar);
}

static void prune_groups(spw_dtype dtype, const spw_semi_dense *d, char *out)
{
  _Alignas(4) char buffer[SPW_SEMI_CHUNK_BYTES];
  const int64_t groups = d->columns / d->kind.group, bytes = d->kind.group * d->kind.scalar;
  for (int64_t r = 0; r < d->rows; r++)
    for (int64_t g = 0; g < groups; g++)
      prune_group(dtype, &d->kind, spw_semi_dense_chunk(d, r, g, 1, buffer), out + (r * groups + g) * bytes);
}

/* ---- Tiles --------------------------------------------------------------------------------------- */

enum { TILE_MAX = 16 };

/* A tile has as many rows as a group has elements: 4, or 2. */
static void choose_in_tile(const uint32_t *key, int side, uint8_t *keep)
{
  if (side == 4) {
    spw_semi_choose_in_tile(key, keep);
  } else {
    keep[0] = keep[3] = spw_semi_main_diagonal(key[0], key[1], key[2], key[3]);
    keep[1] = keep[2] = !keep[0];
  }
}

static void prune_tile(spw_dtype dtype, const spw_semi_dense *d, int64_t row, int64_t column, char *out)
{
  uint32_t key[TILE_MAX];
  uint8_t keep[TILE_MAX];
  const int side = (int)d->kind.group;
  for (int i = 0; i < side * side; i++)
    key[i] = key_of(dtype, d->data + (row + i / side) * d->row_stride + (column + i % side) * d->column_stride);
  choose_in_tile(key, side, keep);
  for (int i = 0; i < side * side; i++) {
    const int64_t r = row + i / side, c = column + i % side;
    char *const to = out + (r * d->columns + c) * d->kind.scalar;
    if (keep[i])
      memcpy(to, d->data + r * d->row_stride + c * d->column_stride, (size_t)d->kind.scalar);
    else
      memset(to, 0, (size_t)d->kind.scalar);
  }
}

static void prune_tiles(spw_dtype dtype, const spw_semi_dense *d, char *out)
{
  for (int64_t r = 0; r < d->rows; r += d->kind.group)
    for (int64_t c = 0; c < d->columns; c += d->kind.group) prune_tile(dtype, d, r, c, out);
}

spw_status spw_semi_prune(const spw_tensor *dense, spw_semi_pruning pruning, spw_dtype dtype, void *values,
                          spw_semi_refusal *refusal)
{
  spw_semi_dense d;
  if (!dense || (pruning != SPW_SEMI_LARGEST && pruning != SPW_SEMI_TILES)) return SPW_EINVAL;
  const spw_status status = spw_semi_take_dense(dense, &dtype, &d, refusal);
  if (status != SPW_OK) return status;
  const spw_semi_violation size = spw_semi_size_violation(SPW_SEMI_PLAIN, &d.kind, d.rows, d.columns);
  if (size.rule != SPW_SEMI_RULE_NONE) return spw_semi_refuse_rule(refusal, SPW_ERANGE, &size);
  if (pruning == SPW_SEMI_TILES && d.rows % d.kind.group != 0)
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_SHAPE, 0, -1, d.rows, d.kind.group);
  const int64_t bytes = d.rows * d.columns * d.kind.scalar;
  if (bytes > 0 && !values) return SPW_EINVAL;
  if (!spw_semi_apart(d.data, spw_semi_reach(&dense->values, d.kind.scalar), values, bytes))
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1, -1, -1);
  if (pruning == SPW_SEMI_LARGEST)
    prune_groups(dtype, &d, values);
  else
    prune_tiles(dtype, &d, values);
  return SPW_OK;
}
