/* SPDX-License-Identifier: Apache-2.0 */
/* From 2:4 to CSR: the stored elements are the values as they lie. */
#include "semi.h"
#include "kernels/words.h"

#include <string.h>

static void put_index(void *indices, spw_dtype dtype, int64_t at, int64_t index)
{
  if (dtype == SPW_INT32)
    ((int32_t *)indices)[at] = (int32_t)index;
  else
    ((int64_t *)indices)[at] = index;
}

/* The columns of the stored elements of one group. */
static void put_group(const spw_semi_kind *kind, int8_t code, int64_t column, void *col, spw_dtype dtype, int64_t at)
{
  if (kind->group == 2) {
    put_index(col, dtype, at, column + (code == 4 ? 0 : 1));
  } else {
    put_index(col, dtype, at, column + code % 4);
    put_index(col, dtype, at + 1, column + code / 4);
  }
}

static void put_row(const spw_semi_operand *o, int64_t row, void *col, spw_dtype dtype, char *values)
{
  const int64_t half = o->room.packed_columns, codes = o->kind.codes;
  uint16_t halves[SPW_SEMI_ROW_HALVES];
  int8_t code[SPW_SEMI_CHUNK];
  for (int64_t g = 0; g < o->groups; g += SPW_SEMI_CHUNK) {
    const int64_t n = o->groups - g < SPW_SEMI_CHUNK ? o->groups - g : SPW_SEMI_CHUNK;
    const int64_t count = (n / codes + (n % codes != 0)) * o->words.halves;
    spw_semi_get_words(&o->words, o->metadata, row, 1, g / 4, count, halves);
    spw_semi_unpack_codes(halves, count, code);
    for (int64_t i = 0; i < n; i++)
      put_group(&o->kind, code[i], (g + i) * o->kind.group, col, dtype, row * half + (g + i) * o->kind.kept);
  }
  if (half > 0)
    memcpy(values + row * half * o->kind.scalar, o->packed + row * o->packed_stride, (size_t)(half * o->kind.scalar));
}

static spw_status keep_apart(const spw_semi_operand *o, const void *const *to, const int64_t *bytes, spw_semi_refusal *refusal)
{
  const int64_t packed = spw_semi_reach(&o->s->packed, o->kind.scalar);
  const int64_t metadata = spw_semi_reach(&o->s->metadata, o->kind.codes / 2);
  bool apart = true;
  for (int i = 0; i < 3; i++) {
    apart = apart && spw_semi_apart(o->packed, packed, to[i], bytes[i]) && spw_semi_apart(o->metadata, metadata, to[i], bytes[i]);
    apart = apart && spw_semi_apart(to[i], bytes[i], to[(i + 1) % 3], bytes[(i + 1) % 3]);
  }
  return apart ? SPW_OK : spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_OVERLAP, -1, -1, -1, -1);
}

spw_status spw_semi_to_csr(const spw_semi *semi, spw_dtype index_dtype, void *crow, void *col, void *values,
                           spw_semi_refusal *refusal)
{
  spw_semi_operand o;
  if (index_dtype != SPW_INT32 && index_dtype != SPW_INT64) return SPW_EINVAL;
  spw_status status = spw_semi_take(semi, &o, refusal);
  if (status != SPW_OK) return status;
  const int64_t width = index_dtype == SPW_INT32 ? 4 : 8, nse = o.room.packed;
  const int64_t most = nse > semi->columns ? nse : semi->columns;
  if (index_dtype == SPW_INT32 && (most > INT32_MAX || semi->rows > INT32_MAX))
    return spw_semi_refuse(refusal, SPW_ERANGE, SPW_SEMI_OBSTACLE_TYPE, -1, -1, most > semi->rows ? most : semi->rows, INT32_MAX);
  if (!crow || (nse > 0 && (!col || !values))) return SPW_EINVAL;
  const void *const to[] = {crow, col, values};
  const int64_t bytes[] = {(semi->rows + 1) * width, nse * width, nse * o.kind.scalar};
  status = keep_apart(&o, to, bytes, refusal);
  if (status != SPW_OK) return status;
  for (int64_t r = 0; r <= semi->rows; r++) put_index(crow, index_dtype, r, r * o.room.packed_columns);
  for (int64_t r = 0; r < semi->rows; r++) put_row(&o, r, col, index_dtype, values);
  return SPW_OK;
}
