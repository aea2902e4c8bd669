/* SPDX-License-Identifier: Apache-2.0 */
/* spw_certify asks what is proved of two valid tensors (certified/same.c). spw_certify_coalesced says of two tensors what a
 * proved kernel asks for (coalesces.inc in src/convert/kernels/certify), and asks it. Of what makes tensors it takes only where
 * a value lies, and what two scalars add up to. */
#include "../convert/arena.h"
#include "../convert/instances/certify.h"
#include "../convert/indices/lookup/scalars_of.h"
#include "../operand/overlap.h"
#include "../convert/plan.h"
#include "../convert/values.h"
#include "../core/entries.h"
#include "../core/size.h"
#include "certified/ready.h"
#include "certifier.h"
#include "listed.h"

/* Payloads of an element, and of one of its scalars: two of a complex one. */
typedef struct frame {
  int64_t run, parts;
} frame;

/* The values of a tensor whose scalars are told. False: this is left to others. */
static bool take_values(const spw_tensor *t, const frame *f, spw_certified *out)
{
  const spw_array *const values = &t->values.array;
  const int64_t elements = spw_product(values->shape, values->ndim);
  if (elements < 0) return false;
  if (elements > 0 && !(spw_is_aligned(t->values.data, values->dtype) && spw_lies_in_order(values))) return false;
  if (out->scalars.count < 0 || out->scalars.count != spw_mul_saturated(elements, f->parts)) return false;
  out->values = elements > 0 ? spw_value_at(&t->values, values->offset) : t->values.data;
  return true;
}

static bool take(const spw_tensor *t, const frame *f, spw_certified *out)
{
  out->scalars = t->layout == SPW_COO ? spw_scalars_of_list(t, f->run) : spw_scalars_of_lines(t, f->run);
  return take_values(t, f, out);
}

static bool same_positions(const spw_scalars *a, const spw_scalars *b)
{
  return a->batches == b->batches && a->rows == b->rows && a->columns == b->columns;
}

/* What two sparse tensors agree in. False: they differ in it, or it leaves nothing to compare, which *same tells; or it is left
 * to others, which *status tells. */
static bool find_frame(const spw_tensor *a, const spw_tensor *c, frame *f, bool *same, spw_status *status)
{
  spw_numbers of_a, of_c;
  const spw_dtype dtype = a->values.array.dtype;
  *same = a->ndim == c->ndim && spw_entries_equal(a->size, c->size, a->ndim) && dtype == c->values.array.dtype;
  if (!*same || spw_product(a->size, a->ndim) == 0) return false;
  const bool told = spw_numbers_of(a, &of_a) == SPW_OK && spw_numbers_of(c, &of_c) == SPW_OK;
  const int64_t dims = told && of_a.dense_dims == of_c.dense_dims ? of_a.dense_dims : -1;
  const int64_t elements = dims < 0 ? -1 : dims == 0 ? 1 : spw_product(a->size + (a->ndim - dims), dims);
  if (elements < 0) *status = SPW_EUNSUPPORTED;
  f->parts = (int64_t)((uintptr_t)spw_dtype_size(dtype) / spw_alignment(dtype));
  f->run = elements < 0 ? 0 : spw_mul_saturated(elements, f->parts);
  return *status == SPW_OK;
}

/* ---- Sums of duplicates ------------------------------------------------------------------------ */

static bool compare_sums(const spw_certified *a, const spw_certified *c, uintptr_t payload, const spw_summed *sum)
{
  switch (payload) {
  case 1: return spw_certify_sum_u8(a, c, sum) == 1;
  case 2: return spw_certify_sum_u16(a, c, sum) == 1;
  case 4: return spw_certify_sum_u32(a, c, sum) == 1;
  default: return spw_certify_sum_u64(a, c, sum) == 1;
  }
}

/* False where it has to be left to others. */
static bool is_combined(const spw_tensor *a, const spw_tensor *c, const frame *f, spw_combine duplicates, void *work, bool *same)
{
  spw_certified x, y;
  const spw_dtype dtype = a->values.array.dtype;
  const bool refuse = duplicates == SPW_COMBINE_REFUSE;
  x.scalars = spw_scalars_of_unordered(a, f->run);
  if (!take_values(a, f, &x) || !take(c, f, &y) || !same_positions(&x.scalars, &y.scalars)) return false;
  uint8_t *const found = work ? (uint8_t *)work + 2 * y.scalars.count * (int64_t)spw_alignment(dtype) : NULL;
  const spw_summed sum = {.how = (int)(refuse ? SPW_COMBINE_FIRST : duplicates),
                          .type = (int)spw_part_type(dtype),
                          .totals = work,
                          .found = found};
  *same = compare_sums(&x, &y, spw_alignment(dtype), &sum) && (!refuse || x.scalars.count == y.scalars.count);
  return true;
}

/* The same of two tensors of lines, each listed in the workspace, before the sums. */
static bool are_lines_combined(const spw_tensor *a, const spw_tensor *c, const frame *f, spw_combine duplicates, void *work,
                               bool *same)
{
  spw_arena arena = {.base = work};
  spw_listed x, y;
  frame of_lists = *f;
  if (!spw_listed_make(a, &arena, &x) || !spw_listed_make(c, &arena, &y)) return false;
  of_lists.run = spw_mul_saturated(x.tensor.size[x.tensor.ndim - 1], f->parts);
  return is_combined(&x.tensor, &y.tensor, &of_lists, duplicates, arena.base + arena.used, same);
}

static bool have_same_blocks(const spw_tensor *a, const spw_tensor *c)
{
  spw_numbers x, y;
  return spw_numbers_of(a, &x) == SPW_OK && spw_numbers_of(c, &y) == SPW_OK && x.block_rows == y.block_rows &&
         x.block_columns == y.block_columns;
}

static bool are_lines(const spw_tensor *a, const spw_tensor *c)
{
  return a->layout == c->layout && spw_is_compressed(a->layout) && have_same_blocks(a, c);
}

static bool have_positions(const spw_tensor *t)
{
  return spw_product(t->size, t->ndim) != 0;
}

/* Of both lists; where there is no position, nothing is listed. */
static int64_t bytes_of_lists(const spw_tensor *a, const spw_tensor *c)
{
  spw_arena arena = {.base = NULL};
  if (a->layout == SPW_COO || !have_positions(a) || !have_positions(c)) return 0;
  spw_listed_size(a, &arena);
  spw_listed_size(c, &arena);
  return arena.used;
}

/* ---- The calls --------------------------------------------------------------------------------- */

static spw_status judge(const spw_tensor *a, const spw_tensor *b, spw_refusal *refusal)
{
  const spw_tensor *const both[] = {a, b};
  return spw_convert_judge_all(both, 2, refusal);
}

/* Of the lines of `a` no order is asked. */
static spw_status judge_combined(const spw_tensor *a, const spw_tensor *c, spw_refusal *refusal)
{
  spw_status status = spw_convert_judge(a, true, 1, refusal);
  const int which = status == SPW_OK ? 1 : 0;
  if (status == SPW_OK) status = spw_convert_judge(c, false, 1, refusal);
  if (status == SPW_EINVALID && refusal) refusal->other = which;
  return status;
}

int64_t spw_certify_quick_bytes(const spw_tensor *t, spw_layout to)
{
  const bool turns = (t->layout == SPW_CSR && to == SPW_CSC) || (t->layout == SPW_CSC && to == SPW_CSR);
  return turns && t->ndim == 2 ? spw_mul_saturated(t->size[1], (int64_t)sizeof(spw_cursor)) : 0;
}

spw_status spw_certify_unchecked(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, bool *same)
{
  if (!a || !b || !same || zeros < SPW_ZEROS_KEPT || zeros > SPW_ZEROS_ANY) return SPW_EINVAL;
  if (spw_is_ready(a) != 1 || spw_is_ready(b) != 1) return SPW_EUNSUPPORTED;
  const bool drops = (zeros & SPW_ZEROS_DROPPED) != 0 || a->layout == SPW_DENSE;
  const bool adds = (zeros & SPW_ZEROS_ADDED) != 0 || b->layout == SPW_DENSE;
  const int verdict = spw_same_tensors(a, b, drops, adds, NULL, 0);
  if (verdict < 0) return SPW_EUNSUPPORTED;
  *same = verdict == 1;
  return SPW_OK;
}

spw_status spw_certify(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, bool *same, spw_refusal *refusal)
{
  if (!a || !b || !same || zeros < SPW_ZEROS_KEPT || zeros > SPW_ZEROS_ANY) return SPW_EINVAL;
  const spw_status status = judge(a, b, refusal);
  return status == SPW_OK ? spw_certify_unchecked(a, b, zeros, same) : status;
}

spw_status spw_certify_coalesced_size_unchecked(const spw_tensor *a, const spw_tensor *c, size_t *work)
{
  if (!a || !c || !work) return SPW_EINVAL;
  const bool lists = a->layout == SPW_COO && c->layout == SPW_COO;
  if (!a->has_size || !c->has_size || !(lists || are_lines(a, c))) return SPW_EUNSUPPORTED;
  const spw_array *const values = &c->values.array;
  const int64_t scalars = spw_product(values->shape, values->ndim);
  const int64_t elements = spw_product(values->shape, lists ? 1 : c->compressed.array.ndim);
  if (scalars < 0 || elements < 0) return SPW_EUNSUPPORTED;
  const int64_t of_sums = spw_add_saturated(spw_mul_saturated(scalars, 2 * spw_dtype_size(values->dtype)), elements);
  const int64_t bytes = spw_add_saturated(bytes_of_lists(a, c), of_sums);
  if (!spw_is_object_size(bytes)) return SPW_EUNSUPPORTED;
  *work = (size_t)bytes;
  return SPW_OK;
}

spw_status spw_certify_coalesced_unchecked(const spw_tensor *a, const spw_tensor *c, spw_combine duplicates, void *work,
                                           size_t bytes, bool *same, spw_refusal *refusal)
{
  frame f;
  size_t need = 0;
  bool found = false;
  if (!same || duplicates < SPW_COMBINE_SUM || duplicates > SPW_COMBINE_REFUSE) return SPW_EINVAL;
  spw_status status = spw_certify_coalesced_size_unchecked(a, c, &need);
  if (status != SPW_OK) return status;
  if (bytes < need || (need > 0 && (!work || (uintptr_t)work % 8 != 0))) return SPW_EINVAL;
  const spw_tensor *const both[] = {a, c};
  const int64_t met = spw_work_overlapping(both, 2, work, need);
  if (met >= 0) return spw_refuse_operand(refusal, (int)met, SPW_OBSTACLE_OVERLAP, -1, -1, -1);
  if (find_frame(a, c, &f, &found, &status)) {
    const bool taken = a->layout == SPW_COO ? is_combined(a, c, &f, duplicates, work, &found)
                                            : are_lines_combined(a, c, &f, duplicates, work, &found);
    if (!taken) status = SPW_EUNSUPPORTED;
  }
  if (status == SPW_OK) *same = found;
  return status;
}

spw_status spw_certify_coalesced_size(const spw_tensor *a, const spw_tensor *c, size_t *work, spw_refusal *refusal)
{
  if (!a || !c || !work) return SPW_EINVAL;
  const spw_status status = judge_combined(a, c, refusal);
  return status == SPW_OK ? spw_certify_coalesced_size_unchecked(a, c, work) : status;
}

spw_status spw_certify_coalesced(const spw_tensor *a, const spw_tensor *c, spw_combine duplicates, void *work, size_t bytes,
                                 bool *same, spw_refusal *refusal)
{
  if (!a || !c || !same) return SPW_EINVAL;
  const spw_status status = judge_combined(a, c, refusal);
  return status == SPW_OK ? spw_certify_coalesced_unchecked(a, c, duplicates, work, bytes, same, refusal) : status;
}
