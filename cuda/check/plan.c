/* SPDX-License-Identifier: Apache-2.0 */
#include "plan.h"

#include <string.h>

/* a * b, -1 beyond int64 or when one of them is already -1; neither is less than that */
static int64_t times(int64_t a, int64_t b)
{
  int64_t product;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) return -1;
  return product;
}

void spw_check_plan_decide(spw_check_plan *plan, spw_word word)
{
  memset(plan, 0, sizeof *plan);
  plan->kind = SPW_CHECK_DECIDED;
  plan->bytes = sizeof(spw_check_memory);
  plan->word = word;
  plan->fill = (unsigned char)SPW_WORD_KEY(word);
}

/* With what is known of the shape. */
static spw_status decided(spw_check_plan *plan, spw_word word)
{
  const spw_violation shape = plan->shape;
  spw_check_plan_decide(plan, word);
  plan->shape = shape;
  return SPW_OK;
}

/* What the plan asks of a tensor whose shape rules hold. */
typedef struct plan_numbers {
  bool by_rows;
  int64_t B, C, P, nse, batches, dense, block[2];
  int64_t most[2]; /* blocks along rows and columns that make an entry of a size */
} plan_numbers;

static plan_numbers numbers_of(const spw_tensor *t)
{
  spw_numbers told = {0};
  spw_numbers_of(t, &told); /* not refused: the tensor has been checked */
  plan_numbers n = {.by_rows = t->layout == SPW_CSR || t->layout == SPW_BSR,
                    .B = told.batch_dims,
                    .C = told.compressed_size,
                    .P = t->has_size ? told.plain_size : 0,
                    .nse = told.nse,
                    .batches = told.batches,
                    .dense = told.dense_elements,
                    .block = {told.block_rows, told.block_columns}};
  for (int i = 0; i < 2; i++) n.most[i] = INT64_MAX / n.block[i];
  return n;
}

/* Without a size C is never negative, also where the compressed array is empty; 3.8 then fails. */
static int64_t limit_of_P(plan_numbers n)
{
  const int64_t entry = n.most[n.by_rows ? 1 : 0];
  if (n.C > n.most[n.by_rows ? 0 : 1]) return -1; /* no P makes a size */
  if (n.batches == 0 || n.C == 0 || n.dense == 0) return entry;
  const int64_t others =
      times(times(times(n.batches, n.C), times(n.block[0], n.block[1])), n.dense);
  return others < 0 ? 0 : INT64_MAX / others; /* at most `entry`: others has that block as a factor */
}

/* Only dimensions that lead to other offsets or elements matter for the first violation. */
static bool keep_batches(const spw_tensor *t, plan_numbers n, spw_batches *kept, int64_t *weights)
{
  int64_t weight = 1;
  int at = SPW_CUDA_DIMS;
  kept->count = 1;
  for (int64_t d = n.B - 1; d >= 0; d--) {
    const int64_t entries = t->compressed.array.shape[d], c_stride = t->compressed.array.strides[d];
    const int64_t p_stride = n.nse > 0 ? t->plain.array.strides[d] : 0;
    if (entries > 1 && (c_stride != 0 || p_stride != 0)) {
      if (at == 0) return false;
      at--;
      kept->shape[at] = entries;
      kept->c_strides[at] = c_stride;
      kept->p_strides[at] = p_stride;
      weights[at] = weight;
      kept->count = times(kept->count, entries);
    }
    weight *= entries; /* their product is n.batches */
  }
  kept->ndim = SPW_CUDA_DIMS - at;
  memmove(kept->shape, kept->shape + at, (size_t)kept->ndim * sizeof *kept->shape);
  memmove(kept->c_strides, kept->c_strides + at, (size_t)kept->ndim * sizeof *kept->c_strides);
  memmove(kept->p_strides, kept->p_strides + at, (size_t)kept->ndim * sizeof *kept->p_strides);
  memmove(weights, weights + at, (size_t)kept->ndim * sizeof *weights);
  return true;
}

/* What rule 3.11 says of an inferred size whose plain size is P: the first entry that does not fit, or
 * the product, of which the kernels and the limit above have found that it does not. */
static spw_violation size_violation(const spw_check_plan *plan, int64_t C, int64_t P)
{
  const int64_t blocks[2] = {plan->by_rows ? C : P, plan->by_rows ? P : C};
  for (int i = 0; i < 2; i++)
    if (blocks[i] > plan->most[i])
      return (spw_violation){SPW_RULE_3_11, SPW_MEMBER_SIZE, 0, plan->batch_dims + i, blocks[i],
                             plan->most[i]};
  return (spw_violation){SPW_RULE_3_11, SPW_MEMBER_SIZE, 0, -1, INT64_MAX, INT64_MAX};
}

/* Without batches no index is left to be wrong; P is 0 where it is inferred. */
static spw_status plan_no_batch(const spw_tensor *t, plan_numbers n, spw_check_plan *plan)
{
  const bool fits = t->has_size || limit_of_P(n) >= 0;
  if (!fits) plan->shape = size_violation(plan, n.C, 0);
  return decided(plan, fits ? SPW_WORD_VALID : SPW_WORD_SHAPE);
}

static spw_status plan_compressed(const spw_tensor *t, spw_level level, spw_check_plan *plan)
{
  const plan_numbers n = numbers_of(t);
  const spw_index_array *const c = &t->compressed, *const p = &t->plain;
  spw_batches batches;
  memset(&batches, 0, sizeof batches);
  if (n.batches < 0) return SPW_EOVERFLOW;
  plan->by_rows = n.by_rows;
  plan->batch_dims = n.B;
  memcpy(plan->most, n.most, sizeof plan->most);
  if (n.batches == 0) return plan_no_batch(t, n, plan);
  if (!keep_batches(t, n, &batches, plan->weights)) return SPW_EUNSUPPORTED;
  if (n.C >= SPW_WORD_POSITIONS || n.nse >= SPW_WORD_POSITIONS) return SPW_EUNSUPPORTED;
  plan->items = times(batches.count, n.C + 1 + n.nse);
  if (plan->items < 0 || plan->items >= SPW_WORD_POSITIONS) return SPW_EUNSUPPORTED;
  plan->kind = SPW_CHECK_COMPRESSED;
  plan->infers = !t->has_size;
  plan->bytes += 2 * sizeof(spw_word);
#define FILL(type)                                                                                 \
  plan->arguments.compressed_##type = (spw_compressed_##type) {                                    \
    .c = c->type + c->array.offset, .p = n.nse > 0 ? p->type + p->array.offset : p->type,          \
    .batches = batches, .C = n.C, .nse = n.nse, .P = n.P, .P_limit = limit_of_P(n),                \
    .sized = t->has_size, .canonical = level == SPW_CANONICAL                                      \
  }
  if (plan->int64) FILL(i64);
  else FILL(i32);
#undef FILL
  return SPW_OK;
}

static spw_status plan_coordinates(const spw_tensor *t, spw_level level, spw_check_plan *plan)
{
  const spw_array *const a = &t->plain.array;
  spw_numbers told = {0};
  spw_numbers_of(t, &told); /* not refused: the tensor has been checked */
  const int64_t sparse_dim = told.sparse_dims, nse = told.nse;
  const bool empty = sparse_dim == 0 || nse == 0;
  int64_t size[SPW_CUDA_DIMS] = {0};
  /* without columns nothing is left to be wrong: also an inferred size has a zero */
  if (nse == 0 && sparse_dim > 0) return decided(plan, SPW_WORD_VALID);
  if (sparse_dim > SPW_CUDA_DIMS) return SPW_EUNSUPPORTED;
  plan->items = times(nse, sparse_dim + 1);
  if (plan->items < 0 || plan->items >= SPW_WORD_POSITIONS) return SPW_EUNSUPPORTED;
  if (t->has_size) memcpy(size, t->size, (size_t)sparse_dim * sizeof *size);
  plan->kind = SPW_CHECK_COORDINATES;
  plan->infers = !t->has_size && !empty;
  plan->bytes += 2 * (size_t)sparse_dim * sizeof(spw_word);
#define FILL(type)                                                                                 \
  plan->arguments.coordinates_##type = (spw_coordinates_##type){                                   \
      .x = empty ? t->plain.type : t->plain.type + a->offset,                                      \
      .nse = nse,                                                                                  \
      .dim_stride = a->strides[0],                                                                 \
      .stride = a->strides[1],                                                                     \
      .sparse_dim = (int)sparse_dim,                                                               \
      .sized = t->has_size,                                                                        \
      .ordered = level == SPW_CANONICAL && t->coalesced == SPW_CLAIM_YES,                          \
      .dense = told.dense_elements};                   \
  memcpy(plan->arguments.coordinates_##type.size, size, sizeof size)
  if (plan->int64) {
    FILL(i64);
  } else {
    FILL(i32);
  }
#undef FILL
  return SPW_OK;
}

/* Does every index array that a kernel may read lie at a multiple of its elements' size? */
static bool aligned(const spw_tensor *t)
{
  const spw_index_array *const arrays[] = {&t->plain, &t->compressed};
  for (int i = 0; i < (t->layout == SPW_COO ? 1 : 2); i++) {
    const bool narrow = arrays[i]->array.dtype == SPW_INT32;
    const uintptr_t at = narrow ? (uintptr_t)arrays[i]->i32 : (uintptr_t)arrays[i]->i64;
    if (at % (narrow ? sizeof(int32_t) : sizeof(int64_t)) != 0) return false;
  }
  return true;
}

spw_status spw_check_plan_make(const spw_tensor *tensor, spw_level level, spw_check_plan *plan)
{
  memset(plan, 0, sizeof *plan);
  plan->bytes = sizeof(spw_check_memory);
  plan->fill = (unsigned char)SPW_KEY_NOT_RUN;
  if (level != SPW_SHAPE && level != SPW_STRUCTURE && level != SPW_CANONICAL) return SPW_EINVAL;
  const spw_status status = spw_first_violation(tensor, SPW_SHAPE, &plan->shape);
  if (status != SPW_OK) return status;
  if (plan->shape.rule != SPW_RULE_NONE) return decided(plan, SPW_WORD_SHAPE);
  if (level == SPW_SHAPE) return decided(plan, SPW_WORD_VALID);
  if (!aligned(tensor)) return SPW_EINVAL;
  plan->int64 = tensor->plain.array.dtype == SPW_INT64;
  return tensor->layout == SPW_COO ? plan_coordinates(tensor, level, plan)
                                   : plan_compressed(tensor, level, plan);
}

/* The rule of a key, and the member that it judges. */
static const struct {
  spw_rule rule;
  spw_member member;
} keys[] = {
    [SPW_KEY_1_6] = {SPW_RULE_1_6, SPW_MEMBER_PLAIN},
    [SPW_KEY_3_11] = {SPW_RULE_3_11, SPW_MEMBER_SIZE},
    [SPW_KEY_5_1] = {SPW_RULE_5_1, SPW_MEMBER_COMPRESSED},
    [SPW_KEY_5_2] = {SPW_RULE_5_2, SPW_MEMBER_COMPRESSED},
    [SPW_KEY_5_3] = {SPW_RULE_5_3, SPW_MEMBER_COMPRESSED},
    [SPW_KEY_5_4] = {SPW_RULE_5_4, SPW_MEMBER_PLAIN},
    [SPW_KEY_5_5] = {SPW_RULE_5_5, SPW_MEMBER_PLAIN},
    [SPW_KEY_5_6] = {SPW_RULE_5_6, SPW_MEMBER_PLAIN},
    [SPW_KEY_6_5] = {SPW_RULE_6_5, SPW_MEMBER_PLAIN},
    [SPW_KEY_6_6] = {SPW_RULE_6_6, SPW_MEMBER_PLAIN},
    [SPW_KEY_6_7] = {SPW_RULE_6_7, SPW_MEMBER_PLAIN},
};

/* The number that a kept batch has among all. */
static int64_t flat_batch(const spw_check_plan *plan, int64_t batch)
{
  const spw_batches *const b = plan->int64 ? &plan->arguments.compressed_i64.batches
                                           : &plan->arguments.compressed_i32.batches;
  int64_t flat = 0;
  for (int d = b->ndim - 1; d >= 0; d--) {
    flat += batch % b->shape[d] * plan->weights[d];
    batch /= b->shape[d];
  }
  return flat;
}

static int64_t entries_of(const spw_check_plan *plan, spw_key key)
{
  const int64_t C =
      plan->int64 ? plan->arguments.compressed_i64.C : plan->arguments.compressed_i32.C;
  const int64_t nse =
      plan->int64 ? plan->arguments.compressed_i64.nse : plan->arguments.compressed_i32.nse;
  return key <= SPW_KEY_5_3 ? C + 1 : nse;
}

/* How many places the words of a key can name. */
static int64_t places_of(const spw_check_plan *plan, spw_key key)
{
  if (key < SPW_KEY_5_1) return 1;
  if (plan->kind == SPW_CHECK_COMPRESSED)
    return entries_of(plan, key) * (plan->int64 ? plan->arguments.compressed_i64.batches.count
                                                : plan->arguments.compressed_i32.batches.count);
  const int64_t nse =
      plan->int64 ? plan->arguments.coordinates_i64.nse : plan->arguments.coordinates_i32.nse;
  return key == SPW_KEY_6_7 ? nse : plan->items - nse; /* items: nse * (sparse_dim + 1) */
}

spw_status spw_check_plan_read(const spw_check_plan *plan, spw_word word, int64_t lhs, int64_t rhs,
                         spw_violation *first)
{
  const spw_key key = SPW_WORD_KEY(word);
  spw_violation v = {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, -1, 0, 0};
  if (plan->kind == SPW_CHECK_DECIDED) {
    if (word != plan->word) return SPW_EINVAL; /* another tensor's */
    *first = word == SPW_WORD_VALID ? v : plan->shape;
    return SPW_OK;
  }
  if (word == SPW_WORD_VALID) {
    *first = v;
    return SPW_OK;
  }
  if (key >= SPW_KEY_RULES_END || keys[key].member == SPW_MEMBER_NONE)
    return SPW_EINVAL;
  if ((key >= SPW_KEY_6_5) != (plan->kind == SPW_CHECK_COORDINATES) && key >= SPW_KEY_5_1)
    return SPW_EINVAL;
  if (SPW_WORD_POSITION(word) >= places_of(plan, key)) return SPW_EINVAL;
  v = (spw_violation){keys[key].rule, keys[key].member, 0, SPW_WORD_POSITION(word), lhs, rhs};
  if (key == SPW_KEY_3_11 && plan->kind == SPW_CHECK_COMPRESSED) {
    v = size_violation(plan, plan->int64 ? plan->arguments.compressed_i64.C
                                         : plan->arguments.compressed_i32.C, lhs);
  } else if (key < SPW_KEY_5_1) {
    v.position = -1;
  } else if (plan->kind == SPW_CHECK_COMPRESSED) {
    const int64_t entries = entries_of(plan, key);
    v.batch = flat_batch(plan, v.position / entries);
    v.position %= entries;
  }
  *first = v;
  return SPW_OK;
}
