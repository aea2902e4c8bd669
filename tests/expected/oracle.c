/* SPDX-License-Identifier: Apache-2.0 */
/* The rules in the words of spec/README.md: each rule is a list of conditions, every number is
 * exact (__int128), every element is looked up by its full index, and nothing is clever. */
#include "oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NDIM_MAX 32 /* sparse and dense dimensions together */
#define STEPS_MAX 1000000

typedef __int128 wide;

/* A quantity that another violation may hide. */
typedef struct number {
  bool known;
  wide value;
} number;

typedef struct trial {
  const spw_tensor *tensor;
  spw_report *report;
  bool unknown[SPW_RULE_COUNT]; /* some condition of the rule could not be judged */
  bool blocked;
  bool compressed_is_rows;
  bool aligned;
  number B, K, C, P, nse, sparse_dim;
  bool negative_index;
  wide largest[NDIM_MAX]; /* inference: the largest index, [0] in compressed layouts */
  number inferred[NDIM_MAX];
} trial;

static const number nothing = {false, 0};

static number exactly(wide value)
{
  return (number){true, value};
}

static int64_t saturated(wide value)
{
  if (value > INT64_MAX) return INT64_MAX;
  if (value < INT64_MIN) return INT64_MIN;
  return (int64_t)value;
}

static void die(const char *why)
{
  fprintf(stderr, "oracle: %s\n", why);
  abort();
}

/* ---- Conditions ------------------------------------------------------------------------------ */

static void fails_at(trial *t, spw_rule rule, spw_member member, int64_t batch, wide position,
                     wide lhs, wide rhs)
{
  spw_finding *finding = &t->report->findings[rule];
  if (finding->count++ > 0) return;
  finding->first = (spw_violation){rule, member, batch, saturated(position), saturated(lhs),
                                   saturated(rhs)};
}

static void demand(trial *t, spw_rule rule, bool holds, spw_member member, wide position, wide lhs,
                   wide rhs)
{
  if (!holds) fails_at(t, rule, member, 0, position, lhs, rhs);
}

static void cannot_judge(trial *t, spw_rule rule)
{
  t->unknown[rule] = true;
}

/* ---- Quantities ------------------------------------------------------------------------------ */

static bool is_index_type(spw_dtype dtype)
{
  return dtype == SPW_INT32 || dtype == SPW_INT64;
}

static wide maximum_of(spw_dtype dtype)
{
  return dtype == SPW_INT32 ? INT32_MAX : INT64_MAX;
}

/* The type that 1.3 and 1.6 speak of. */
static spw_dtype that_type(const trial *t)
{
  const spw_tensor *x = t->tensor;
  if (x->layout == SPW_COO) return x->plain.array.dtype;
  return x->index_dtype != SPW_DTYPE_NONE ? x->index_dtype : x->compressed.array.dtype;
}

static wide block_size(const trial *t, int which)
{
  return t->blocked ? t->tensor->values.array.shape[(int64_t)t->B.value + 1 + which] : 1;
}

/* rows / b0 or columns / b1, from an aligned size. */
static number blocks_along(const trial *t, int which)
{
  const wide extent = t->tensor->size[(int64_t)t->B.value + which];
  const wide block = block_size(t, which);
  if (extent < 0 || block < 1 || extent % block != 0) return nothing;
  return exactly(extent / block);
}

static void find_compressed_quantities(trial *t)
{
  const spw_tensor *x = t->tensor;
  const spw_array *compressed = &x->compressed.array, *plain = &x->plain.array;
  t->blocked = x->layout == SPW_BSR || x->layout == SPW_BSC;
  t->compressed_is_rows = x->layout == SPW_CSR || x->layout == SPW_BSR;
  if (plain->ndim >= 1) t->nse = exactly(plain->shape[plain->ndim - 1]);
  if (compressed->ndim < 1) return;
  t->B = exactly(compressed->ndim - 1);
  const wide K = x->values.array.ndim - t->B.value - 1 - (t->blocked ? 2 : 0);
  if (K >= 0) t->K = exactly(K);
  t->aligned = x->has_size && t->K.known && x->ndim == t->B.value + 2 + K;
  if (t->aligned) {
    t->C = blocks_along(t, t->compressed_is_rows ? 0 : 1);
    t->P = blocks_along(t, t->compressed_is_rows ? 1 : 0);
  }
  if (!x->has_size) {
    const wide entries = compressed->shape[compressed->ndim - 1];
    t->C = exactly(entries >= 1 ? entries - 1 : 0);
  }
}

static void find_coo_quantities(trial *t)
{
  const spw_tensor *x = t->tensor;
  if (x->plain.array.ndim == 2) {
    t->sparse_dim = exactly(x->plain.array.shape[0]);
    t->nse = exactly(x->plain.array.shape[1]);
  }
  t->aligned = x->has_size && t->sparse_dim.known && x->values.array.ndim >= 1 &&
               x->ndim == t->sparse_dim.value + x->values.array.ndim - 1;
}

/* ---- Shape rules of every layout ------------------------------------------------------------- */

static void check_values_type(trial *t)
{
  const spw_tensor *x = t->tensor;
  const spw_dtype dtype = x->values.array.dtype;
  demand(t, SPW_RULE_1_4, x->dtype == SPW_DTYPE_NONE || dtype == x->dtype, SPW_MEMBER_VALUES, -1,
         dtype, x->dtype);
  bool known = false;
  for (int type = SPW_BOOL; type <= SPW_COMPLEX128; type++) known |= (int)dtype == type;
  demand(t, SPW_RULE_1_5, known, SPW_MEMBER_VALUES, -1, dtype, SPW_COMPLEX128);
}

static void check_not_negative(trial *t, spw_member member, int64_t ndim, const int64_t *entries)
{
  for (int64_t d = 0; d < ndim; d++)
    demand(t, SPW_RULE_3_12, entries[d] >= 0, member, d, entries[d], 0);
}

/* Sum of products of 64-bit numbers, in two halves because even 128 bits may be too few. */
typedef struct long_sum {
  wide high, low;
} long_sum;

static void add(long_sum *sum, wide term)
{
  sum->high += term >> 64;
  sum->low += (wide)(uint64_t)term;
  sum->high += sum->low >> 64;
  sum->low = (wide)(uint64_t)sum->low;
}

static int64_t saturated_sum(const long_sum *sum)
{
  if (sum->high > 0) return INT64_MAX;
  if (sum->high < -1) return INT64_MIN;
  return saturated(sum->high * ((wide)1 << 64) + sum->low);
}

static void check_storage(trial *t, spw_member member, const spw_array *array)
{
  bool is_negative = false, is_empty = false, is_backwards = false;
  long_sum last = {0, 0};
  add(&last, array->offset);
  for (int64_t d = 0; d < array->ndim; d++) {
    is_negative |= array->shape[d] < 0;
    is_empty |= array->shape[d] == 0;
    is_backwards |= array->strides[d] < 0;
    demand(t, SPW_RULE_3_14, array->strides[d] >= 0, member, d, array->strides[d], 0);
    add(&last, ((wide)array->shape[d] - 1) * array->strides[d]);
  }
  demand(t, SPW_RULE_3_14, array->offset >= 0, member, -1, array->offset, 0);
  if (is_negative) {
    cannot_judge(t, SPW_RULE_3_14);
  } else if (!is_empty && !is_backwards && array->offset >= 0) {
    const bool beyond = last.high > 0 || (last.high == 0 && last.low >= array->length);
    demand(t, SPW_RULE_3_14, !beyond, member, -1, saturated_sum(&last), array->length);
  }
}

static void check_product(trial *t, int64_t ndim, const number *size)
{
  bool is_zero = false;
  wide product = 1;
  for (int64_t d = 0; d < ndim; d++) {
    if (!size[d].known || size[d].value < 0) {
      cannot_judge(t, SPW_RULE_3_11);
      return;
    }
    is_zero |= size[d].value == 0;
  }
  for (int64_t d = 0; d < ndim && !is_zero && product <= INT64_MAX; d++)
    product = size[d].value > INT64_MAX ? size[d].value : product * size[d].value;
  demand(t, SPW_RULE_3_11, is_zero || product <= INT64_MAX, SPW_MEMBER_SIZE, -1, product,
         INT64_MAX);
}

static void check_common_shape_rules(trial *t)
{
  const spw_tensor *x = t->tensor;
  const bool is_coo = x->layout == SPW_COO;
  check_values_type(t);
  if (x->has_size) {
    number size[NDIM_MAX] = {{false, 0}};
    for (int64_t d = 0; d < x->ndim; d++) size[d] = exactly(x->size[d]);
    check_product(t, x->ndim, size);
    check_not_negative(t, SPW_MEMBER_SIZE, x->ndim, x->size);
  }
  if (!is_coo) {
    check_not_negative(t, SPW_MEMBER_COMPRESSED, x->compressed.array.ndim,
                       x->compressed.array.shape);
    check_storage(t, SPW_MEMBER_COMPRESSED, &x->compressed.array);
  }
  check_not_negative(t, SPW_MEMBER_PLAIN, x->plain.array.ndim, x->plain.array.shape);
  check_storage(t, SPW_MEMBER_PLAIN, &x->plain.array);
  check_not_negative(t, SPW_MEMBER_VALUES, x->values.array.ndim, x->values.array.shape);
  check_storage(t, SPW_MEMBER_VALUES, &x->values.array);
}

/* ---- Shape rules of the compressed layouts --------------------------------------------------- */

static void check_index_types(trial *t)
{
  const spw_tensor *x = t->tensor;
  const spw_dtype compressed = x->compressed.array.dtype, plain = x->plain.array.dtype;
  const bool declared = x->index_dtype != SPW_DTYPE_NONE;
  if (declared)
    demand(t, SPW_RULE_1_1, compressed == x->index_dtype, SPW_MEMBER_COMPRESSED, -1, compressed,
           x->index_dtype);
  const spw_dtype wanted = declared ? x->index_dtype : compressed;
  demand(t, SPW_RULE_1_2, plain == wanted, SPW_MEMBER_PLAIN, -1, plain, wanted);
  demand(t, SPW_RULE_1_3, is_index_type(wanted), SPW_MEMBER_COMPRESSED, -1, wanted, SPW_INT64);
}

static void check_size_agrees(trial *t)
{
  const spw_tensor *x = t->tensor;
  if (!x->has_size) return;
  if (!t->K.known) {
    cannot_judge(t, SPW_RULE_3_1);
    return;
  }
  demand(t, SPW_RULE_3_1, t->aligned, SPW_MEMBER_SIZE, -1, x->ndim, t->B.value + 2 + t->K.value);
  if (!t->aligned) return;
  const int64_t B = (int64_t)t->B.value;
  for (int64_t d = 0; d < B; d++)
    demand(t, SPW_RULE_3_1, x->size[d] == x->compressed.array.shape[d], SPW_MEMBER_SIZE, d,
           x->size[d], x->compressed.array.shape[d]);
  for (int which = 0; which < 2; which++) {
    const wide block = block_size(t, which), extent = x->size[B + which];
    if (block < 1) cannot_judge(t, SPW_RULE_3_1);
    else demand(t, SPW_RULE_3_1, extent % block == 0, SPW_MEMBER_SIZE, B + which, extent, block);
  }
}

static void check_dimensions(trial *t)
{
  const spw_array *compressed = &t->tensor->compressed.array, *plain = &t->tensor->plain.array;
  const spw_array *values = &t->tensor->values.array;
  demand(t, SPW_RULE_3_2, compressed->ndim >= 1, SPW_MEMBER_COMPRESSED, -1, compressed->ndim, 1);
  demand(t, SPW_RULE_3_3, plain->ndim == compressed->ndim, SPW_MEMBER_PLAIN, -1, plain->ndim,
         compressed->ndim);
  if (!t->B.known) {
    cannot_judge(t, SPW_RULE_3_4);
  } else {
    const wide needed = t->B.value + 1 + (t->blocked ? 2 : 0);
    demand(t, SPW_RULE_3_4, values->ndim >= needed, SPW_MEMBER_VALUES, -1, values->ndim, needed);
  }
}

static void check_last_stride(trial *t, spw_rule rule, spw_member member, const spw_array *array)
{
  if (array->ndim < 1) {
    cannot_judge(t, rule);
    return;
  }
  const int64_t last = array->ndim - 1;
  demand(t, rule, array->shape[last] <= 1 || array->strides[last] == 1, member, last,
         array->strides[last], 1);
}

static void check_index_shapes(trial *t)
{
  const spw_array *compressed = &t->tensor->compressed.array, *plain = &t->tensor->plain.array;
  if (!t->B.known || !t->C.known) {
    cannot_judge(t, SPW_RULE_3_8);
  } else {
    const int64_t entries = compressed->shape[compressed->ndim - 1];
    demand(t, SPW_RULE_3_8, entries == t->C.value + 1, SPW_MEMBER_COMPRESSED, t->B.value, entries,
           t->C.value + 1);
  }
  if (!t->B.known || plain->ndim != compressed->ndim) {
    cannot_judge(t, SPW_RULE_3_9);
    return;
  }
  for (int64_t d = 0; d < t->B.value; d++)
    demand(t, SPW_RULE_3_9, plain->shape[d] == compressed->shape[d], SPW_MEMBER_PLAIN, d,
           plain->shape[d], compressed->shape[d]);
}

static void check_values_shape(trial *t)
{
  const spw_tensor *x = t->tensor;
  const int64_t *shape = x->values.array.shape;
  if (!t->K.known) {
    cannot_judge(t, SPW_RULE_3_10);
    return;
  }
  const int64_t B = (int64_t)t->B.value;
  for (int64_t d = 0; d < B; d++)
    demand(t, SPW_RULE_3_10, shape[d] == x->compressed.array.shape[d], SPW_MEMBER_VALUES, d,
           shape[d], x->compressed.array.shape[d]);
  if (!t->nse.known) cannot_judge(t, SPW_RULE_3_10);
  else demand(t, SPW_RULE_3_10, shape[B] == t->nse.value, SPW_MEMBER_VALUES, B, shape[B],
              t->nse.value);
  if (!x->has_size) return;
  if (!t->aligned) {
    cannot_judge(t, SPW_RULE_3_10);
    return;
  }
  const int64_t dense = B + 1 + (t->blocked ? 2 : 0);
  for (int64_t d = 0; d < t->K.value; d++)
    demand(t, SPW_RULE_3_10, shape[dense + d] == x->size[B + 2 + d], SPW_MEMBER_VALUES, dense + d,
           shape[dense + d], x->size[B + 2 + d]);
}

static void check_block_sizes(trial *t)
{
  if (!t->blocked) return;
  if (!t->K.known) {
    cannot_judge(t, SPW_RULE_3_13);
    return;
  }
  for (int which = 0; which < 2; which++)
    demand(t, SPW_RULE_3_13, block_size(t, which) >= 1, SPW_MEMBER_VALUES, t->B.value + 1 + which,
           block_size(t, which), 1);
}

static void check_fits(trial *t, number quantity, spw_member member, wide position)
{
  const wide maximum = maximum_of(that_type(t));
  const bool typed = is_index_type(that_type(t)); /* COO: the type of the indices themselves */
  if (!quantity.known || !typed) cannot_judge(t, SPW_RULE_1_6);
  else demand(t, SPW_RULE_1_6, quantity.value <= maximum, member, position, quantity.value,
              maximum);
}

static void check_compressed_shape_rules(trial *t)
{
  check_index_types(t);
  check_size_agrees(t);
  check_dimensions(t);
  check_last_stride(t, SPW_RULE_3_5, SPW_MEMBER_COMPRESSED, &t->tensor->compressed.array);
  check_last_stride(t, SPW_RULE_3_6, SPW_MEMBER_PLAIN, &t->tensor->plain.array);
  check_index_shapes(t);
  check_values_shape(t);
  check_block_sizes(t);
  check_common_shape_rules(t);
  check_fits(t, t->C, SPW_MEMBER_COMPRESSED, -1);
  if (t->tensor->has_size) check_fits(t, t->P, SPW_MEMBER_PLAIN, -1);
  check_fits(t, t->nse, SPW_MEMBER_PLAIN, t->tensor->plain.array.ndim - 1);
}

/* ---- Shape rules of COO ---------------------------------------------------------------------- */

static void check_coo_shape_rules(trial *t)
{
  const spw_tensor *x = t->tensor;
  const spw_array *indices = &x->plain.array, *values = &x->values.array;
  const bool declared = x->index_dtype != SPW_DTYPE_NONE;
  if (declared)
    demand(t, SPW_RULE_1_3, is_index_type(x->index_dtype), SPW_MEMBER_PLAIN, -1, x->index_dtype,
           SPW_INT64);
  if (!declared || x->index_dtype != indices->dtype)
    demand(t, SPW_RULE_1_3, is_index_type(indices->dtype), SPW_MEMBER_PLAIN, -1, indices->dtype,
           SPW_INT64);
  demand(t, SPW_RULE_6_1, indices->ndim == 2, SPW_MEMBER_PLAIN, -1, indices->ndim, 2);
  demand(t, SPW_RULE_6_2, values->ndim >= 1, SPW_MEMBER_VALUES, -1, values->ndim, 1);
  if (values->ndim >= 1 && t->nse.known)
    demand(t, SPW_RULE_6_2, values->shape[0] == t->nse.value, SPW_MEMBER_VALUES, 0,
           values->shape[0], t->nse.value);
  else cannot_judge(t, SPW_RULE_6_2);
  check_fits(t, t->nse, SPW_MEMBER_PLAIN, 1);
  if (x->has_size) {
    if (!t->sparse_dim.known || values->ndim < 1) cannot_judge(t, SPW_RULE_6_3);
    else demand(t, SPW_RULE_6_3, t->aligned, SPW_MEMBER_SIZE, -1, x->ndim,
                t->sparse_dim.value + values->ndim - 1);
    if (!t->aligned || t->sparse_dim.value < 0) {
      cannot_judge(t, SPW_RULE_6_4);
      cannot_judge(t, SPW_RULE_1_6);
    } else {
      const int64_t sparse_dim = (int64_t)t->sparse_dim.value;
      for (int64_t d = 1; d < values->ndim; d++)
        demand(t, SPW_RULE_6_4, values->shape[d] == x->size[sparse_dim + d - 1],
               SPW_MEMBER_VALUES, d, values->shape[d], x->size[sparse_dim + d - 1]);
      for (int64_t d = 0; d < sparse_dim; d++)
        check_fits(t, exactly(x->size[d]), SPW_MEMBER_SIZE, d);
    }
  }
  check_common_shape_rules(t);
}

/* ---- Elements -------------------------------------------------------------------------------- */

static wide element(const spw_index_array *array, const int64_t *index)
{
  wide place = array->array.offset;
  for (int64_t d = 0; d < array->array.ndim; d++) {
    if (index[d] < 0 || index[d] >= array->array.shape[d]) die("index outside the shape");
    place += (wide)index[d] * array->array.strides[d];
  }
  if (place < 0 || place >= array->array.length) die("element outside the storage");
  return array->array.dtype == SPW_INT32 ? array->i32[(int64_t)place] : array->i64[(int64_t)place];
}

/* Element `i` of batch number `batch`. */
static wide batch_element(const spw_index_array *array, int64_t batch, wide i)
{
  int64_t index[NDIM_MAX];
  const int64_t last = array->array.ndim - 1;
  index[last] = (int64_t)i;
  for (int64_t d = last - 1; d >= 0; d--) {
    index[d] = batch % array->array.shape[d];
    batch /= array->array.shape[d];
  }
  return element(array, index);
}

static wide coo_element(const trial *t, int64_t d, wide k)
{
  return element(&t->tensor->plain, (int64_t[2]){d, (int64_t)k});
}

/* ---- The inferred size ----------------------------------------------------------------------- */

static void see(trial *t, int64_t d, wide index)
{
  t->negative_index |= index < 0;
  if (index > t->largest[d]) t->largest[d] = index;
}

/* Along rows (0) or columns (1), as many blocks as int64 cannot count the elements of. */
static bool is_beyond(trial *t, int which, number blocks)
{
  const wide block = block_size(t, which);
  if (!blocks.known || blocks.value * block <= INT64_MAX) return false;
  fails_at(t, SPW_RULE_3_11, SPW_MEMBER_SIZE, 0, t->B.value + which, blocks.value,
           INT64_MAX / block);
  return true;
}

static void infer_compressed_size(trial *t)
{
  const spw_tensor *x = t->tensor;
  t->largest[0] = -1;
  for (int64_t b = 0; b < t->report->batches; b++)
    for (wide k = 0; k < t->nse.value; k++) see(t, 0, batch_element(&x->plain, b, k));
  const wide maximum = maximum_of(that_type(t));
  const bool fits = t->largest[0] < maximum;
  if (t->negative_index) cannot_judge(t, SPW_RULE_1_6);
  else demand(t, SPW_RULE_1_6, fits, SPW_MEMBER_PLAIN, -1, t->largest[0], maximum);
  t->P = t->negative_index || !fits ? nothing : exactly(t->largest[0] + 1);
  const int64_t B = (int64_t)t->B.value, K = (int64_t)t->K.value;
  number size[NDIM_MAX];
  for (int64_t d = 0; d < B; d++) size[d] = exactly(x->compressed.array.shape[d]);
  const number rows = t->compressed_is_rows ? t->C : t->P;
  const number columns = t->compressed_is_rows ? t->P : t->C;
  if (t->P.known) {
    const bool tall = is_beyond(t, 0, rows), broad = is_beyond(t, 1, columns);
    if (tall || broad) return; /* a size that is none has no product */
  }
  size[B] = (number){rows.known, rows.value * block_size(t, 0)};
  size[B + 1] = (number){columns.known, columns.value * block_size(t, 1)};
  for (int64_t d = 0; d < K; d++)
    size[B + 2 + d] = exactly(x->values.array.shape[B + 1 + (t->blocked ? 2 : 0) + d]);
  check_product(t, B + 2 + K, size);
}

static void infer_coo_size(trial *t)
{
  const spw_tensor *x = t->tensor;
  const int64_t sparse_dim = (int64_t)t->sparse_dim.value, dense_dim = x->values.array.ndim - 1;
  number size[NDIM_MAX];
  for (int64_t d = 0; d < sparse_dim; d++) {
    t->largest[d] = -1;
    for (int64_t k = 0; k < t->nse.value; k++) see(t, d, coo_element(t, d, k));
  }
  for (int64_t d = 0; d < sparse_dim; d++) {
    const wide maximum = maximum_of(that_type(t));
    const bool fits = t->largest[d] < maximum;
    size[d] = t->negative_index || !fits ? nothing : exactly(t->largest[d] + 1);
    t->inferred[d] = size[d];
    if (t->negative_index) cannot_judge(t, SPW_RULE_1_6);
    else demand(t, SPW_RULE_1_6, fits, SPW_MEMBER_PLAIN, -1, t->largest[d], maximum);
  }
  for (int64_t d = 0; d < dense_dim; d++)
    size[sparse_dim + d] = exactly(x->values.array.shape[1 + d]);
  check_product(t, sparse_dim + dense_dim, size);
}

/* ---- Structure and canonical rules ----------------------------------------------------------- */

static void check_compressed_batch(trial *t, int64_t b)
{
  const spw_index_array *compressed = &t->tensor->compressed, *plain = &t->tensor->plain;
  const wide C = t->C.value, nse = t->nse.value;
  const wide first = batch_element(compressed, b, 0), last = batch_element(compressed, b, C);
  if (first != 0) fails_at(t, SPW_RULE_5_1, SPW_MEMBER_COMPRESSED, b, 0, first, 0);
  if (last != nse) fails_at(t, SPW_RULE_5_2, SPW_MEMBER_COMPRESSED, b, C, last, nse);
  for (wide i = 1; i <= C; i++) {
    const wide rise = batch_element(compressed, b, i) - batch_element(compressed, b, i - 1);
    if (rise < 0) fails_at(t, SPW_RULE_5_3, SPW_MEMBER_COMPRESSED, b, i, rise, 0);
    if (t->P.known && rise > t->P.value)
      fails_at(t, SPW_RULE_5_3, SPW_MEMBER_COMPRESSED, b, i, rise, t->P.value);
  }
  for (wide k = 0; k < nse; k++) {
    const wide index = batch_element(plain, b, k);
    if (index < 0) fails_at(t, SPW_RULE_5_4, SPW_MEMBER_PLAIN, b, k, index, 0);
    if (t->P.known && index >= t->P.value)
      fails_at(t, SPW_RULE_5_5, SPW_MEMBER_PLAIN, b, k, index, t->P.value);
  }
}

static void check_compressed_order(trial *t, int64_t b)
{
  const spw_index_array *compressed = &t->tensor->compressed, *plain = &t->tensor->plain;
  for (wide i = 1; i <= t->C.value; i++) {
    const wide begin = batch_element(compressed, b, i - 1), end = batch_element(compressed, b, i);
    for (wide k = begin + 1; k < end; k++) {
      const wide before = batch_element(plain, b, k - 1), here = batch_element(plain, b, k);
      if (before >= here) fails_at(t, SPW_RULE_5_6, SPW_MEMBER_PLAIN, b, k, before, here);
    }
  }
}

static void check_coo_indices(trial *t)
{
  const spw_tensor *x = t->tensor;
  for (int64_t d = 0; d < t->sparse_dim.value; d++)
    for (wide k = 0; k < t->nse.value; k++) {
      const wide index = coo_element(t, d, k), position = d * t->nse.value + k;
      const number size = x->has_size ? exactly(x->size[d]) : t->inferred[d];
      if (index < 0) fails_at(t, SPW_RULE_6_5, SPW_MEMBER_PLAIN, 0, position, index, 0);
      if (size.known && index >= size.value)
        fails_at(t, SPW_RULE_6_6, SPW_MEMBER_PLAIN, 0, position, index, size.value);
    }
}

static void check_coo_order(trial *t)
{
  for (wide k = 1; k < t->nse.value; k++) {
    wide before = 0, here = 0;
    for (int64_t d = 0; d < t->sparse_dim.value && before == here; d++) {
      before = coo_element(t, d, k - 1);
      here = coo_element(t, d, k);
    }
    if (before >= here) fails_at(t, SPW_RULE_6_7, SPW_MEMBER_PLAIN, 0, k, before, here);
  }
}

/* ---- Phases ---------------------------------------------------------------------------------- */

typedef enum about { NO_ENTRY, ANY, COMPRESSED, BLOCKED, COO, CLAIM } about;

/* What a rule is about, and its phase: said once more, and not by its place among the others. */
static const struct { about about; spw_level phase; } entries[SPW_RULE_COUNT] = {
    [SPW_RULE_1_1] = {COMPRESSED, SPW_SHAPE}, [SPW_RULE_1_2] = {COMPRESSED, SPW_SHAPE},
    [SPW_RULE_1_3] = {ANY, SPW_SHAPE}, [SPW_RULE_1_4] = {ANY, SPW_SHAPE},
    [SPW_RULE_1_5] = {ANY, SPW_SHAPE}, [SPW_RULE_1_6] = {ANY, SPW_SHAPE},
    [SPW_RULE_2_1] = {ANY, SPW_SHAPE}, [SPW_RULE_2_2] = {ANY, SPW_SHAPE},
    [SPW_RULE_2_3] = {ANY, SPW_SHAPE}, [SPW_RULE_2_4] = {ANY, SPW_SHAPE},
    [SPW_RULE_3_1] = {COMPRESSED, SPW_SHAPE}, [SPW_RULE_3_2] = {COMPRESSED, SPW_SHAPE},
    [SPW_RULE_3_3] = {COMPRESSED, SPW_SHAPE}, [SPW_RULE_3_4] = {COMPRESSED, SPW_SHAPE},
    [SPW_RULE_3_5] = {COMPRESSED, SPW_SHAPE}, [SPW_RULE_3_6] = {COMPRESSED, SPW_SHAPE},
    [SPW_RULE_3_7] = {COMPRESSED, SPW_SHAPE}, [SPW_RULE_3_8] = {COMPRESSED, SPW_SHAPE},
    [SPW_RULE_3_9] = {COMPRESSED, SPW_SHAPE}, [SPW_RULE_3_10] = {COMPRESSED, SPW_SHAPE},
    [SPW_RULE_3_11] = {ANY, SPW_SHAPE}, [SPW_RULE_3_12] = {ANY, SPW_SHAPE},
    [SPW_RULE_3_13] = {BLOCKED, SPW_SHAPE}, [SPW_RULE_3_14] = {ANY, SPW_SHAPE},
    [SPW_RULE_4_1] = {ANY, SPW_SHAPE}, [SPW_RULE_4_2] = {ANY, SPW_SHAPE},
    [SPW_RULE_4_3] = {ANY, SPW_SHAPE}, [SPW_RULE_4_4] = {ANY, SPW_SHAPE},
    [SPW_RULE_5_1] = {COMPRESSED, SPW_STRUCTURE}, [SPW_RULE_5_2] = {COMPRESSED, SPW_STRUCTURE},
    [SPW_RULE_5_3] = {COMPRESSED, SPW_STRUCTURE}, [SPW_RULE_5_4] = {COMPRESSED, SPW_STRUCTURE},
    [SPW_RULE_5_5] = {COMPRESSED, SPW_STRUCTURE}, [SPW_RULE_5_6] = {COMPRESSED, SPW_CANONICAL},
    [SPW_RULE_6_1] = {COO, SPW_SHAPE}, [SPW_RULE_6_2] = {COO, SPW_SHAPE},
    [SPW_RULE_6_3] = {COO, SPW_SHAPE}, [SPW_RULE_6_4] = {COO, SPW_SHAPE},
    [SPW_RULE_6_5] = {COO, SPW_STRUCTURE}, [SPW_RULE_6_6] = {COO, SPW_STRUCTURE},
    [SPW_RULE_6_7] = {CLAIM, SPW_CANONICAL}
};

static bool is_applicable(const spw_tensor *x, spw_rule rule)
{
  const bool is_coo = x->layout == SPW_COO;
  switch (entries[rule].about) {
    case ANY: return true;
    case COMPRESSED: return !is_coo;
    case BLOCKED: return x->layout == SPW_BSR || x->layout == SPW_BSC;
    case COO: return is_coo;
    case CLAIM: return is_coo && x->coalesced == SPW_CLAIM_YES;
    default: break;
  }
  fprintf(stderr, "oracle: rule %d has no entry\n", (int)rule);
  abort();
}

static spw_level phase_of(spw_rule rule)
{
  return entries[rule].phase;
}

static void settle(trial *t, spw_level phase)
{
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    spw_finding *finding = &t->report->findings[rule];
    if (!is_applicable(t->tensor, (spw_rule)rule)) finding->state = SPW_NOT_APPLICABLE;
    else if (phase_of((spw_rule)rule) != phase) continue;
    else if (finding->count > 0) finding->state = SPW_VIOLATED;
    else finding->state = t->unknown[rule] ? SPW_NOT_EVALUATED : SPW_HOLDS;
  }
}

/* Does every rule of the phase hold, apart from what only an index below 0 hides? */
static bool phase_holds(const trial *t, spw_level phase)
{
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    if (phase_of((spw_rule)rule) != phase) continue;
    if (t->report->findings[rule].count > 0) return false;
    if (t->unknown[rule] && !t->negative_index) return false;
  }
  return true;
}

static number count_batches(const trial *t)
{
  bool is_zero = false;
  wide product = 1;
  if (!t->B.known) return nothing;
  for (int64_t d = 0; d < t->B.value; d++) {
    const int64_t entry = t->tensor->compressed.array.shape[d];
    if (entry < 0) return nothing;
    is_zero |= entry == 0;
    product = saturated(product * entry);
  }
  return exactly(is_zero ? 0 : product);
}

static bool is_too_long(const trial *t)
{
  const wide steps = t->sparse_dim.known ? t->sparse_dim.value + 1 : 1;
  if (steps + t->tensor->values.array.ndim > NDIM_MAX) return true;
  if (t->nse.known && t->nse.value > STEPS_MAX / steps) return true;
  if (t->report->batches == 0) return false;
  return (t->nse.value + t->C.value + 1) > STEPS_MAX / t->report->batches;
}

static void check_structure(trial *t)
{
  if (t->tensor->layout == SPW_COO) {
    if (!t->tensor->has_size && t->negative_index) cannot_judge(t, SPW_RULE_6_6);
    check_coo_indices(t);
    return;
  }
  if (!t->P.known) {
    cannot_judge(t, SPW_RULE_5_3);
    cannot_judge(t, SPW_RULE_5_5);
  }
  for (int64_t b = 0; b < t->report->batches; b++) check_compressed_batch(t, b);
}

static void check_order(trial *t)
{
  if (t->tensor->layout == SPW_COO) {
    if (t->tensor->coalesced == SPW_CLAIM_YES) check_coo_order(t);
    return;
  }
  for (int64_t b = 0; b < t->report->batches; b++) check_compressed_order(t, b);
}

static bool every_shape_rule_holds(const spw_report *report)
{
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_state state = report->findings[rule].state;
    if (phase_of((spw_rule)rule) == SPW_SHAPE && state != SPW_HOLDS && state != SPW_NOT_APPLICABLE)
      return false;
  }
  return true;
}

static void write_quantities(trial *t, spw_level level)
{
  t->report->size_inferred =
      !t->tensor->has_size && level > SPW_SHAPE && every_shape_rule_holds(t->report);
  t->report->compressed_size = t->C.known ? saturated(t->C.value) : -1;
  t->report->plain_size = t->P.known ? saturated(t->P.value) : -1;
  t->report->nse = t->nse.known && t->nse.value >= 0 ? saturated(t->nse.value) : -1;
}

/* Without a size these two wait for the indices, which the shape level does not read. */
static bool is_put_off(const trial *t, int rule, spw_level level)
{
  return level == SPW_SHAPE && !t->tensor->has_size &&
         (rule == SPW_RULE_1_6 || rule == SPW_RULE_3_11) &&
         t->report->findings[rule].state == SPW_NOT_EVALUATED;
}

static void judge_validity(const trial *t, spw_level level)
{
  t->report->valid = true;
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_state state = t->report->findings[rule].state;
    if (state == SPW_NOT_APPLICABLE || phase_of((spw_rule)rule) > level) continue;
    if (is_put_off(t, rule, level)) continue;
    t->report->valid &= state == SPW_HOLDS;
  }
}

/* False when it would take too long. */
static bool infer(trial *t, spw_level level)
{
  if (t->tensor->has_size) return true;
  if (level == SPW_SHAPE || !phase_holds(t, SPW_SHAPE)) {
    cannot_judge(t, SPW_RULE_1_6);
    cannot_judge(t, SPW_RULE_3_11);
    return true;
  }
  if (is_too_long(t)) return false;
  if (t->tensor->layout == SPW_COO) infer_coo_size(t);
  else infer_compressed_size(t);
  return true;
}

static bool check_known_layout(trial *t, spw_level level)
{
  const bool is_coo = t->tensor->layout == SPW_COO;
  if (is_coo) find_coo_quantities(t);
  else find_compressed_quantities(t);
  const number batches = is_coo ? exactly(1) : count_batches(t);
  t->report->batches = batches.known ? (int64_t)batches.value : -1;
  if (is_coo) check_coo_shape_rules(t);
  else check_compressed_shape_rules(t);
  if (!infer(t, level)) return false;
  settle(t, SPW_SHAPE);
  write_quantities(t, level);
  if (level == SPW_SHAPE || !phase_holds(t, SPW_SHAPE)) return true;
  if (is_too_long(t)) return false;
  check_structure(t);
  settle(t, SPW_STRUCTURE);
  if (level == SPW_STRUCTURE || !phase_holds(t, SPW_STRUCTURE)) return true;
  check_order(t);
  settle(t, SPW_CANONICAL);
  return true;
}

/* Two more are those of a block, or of the compressed and the plain dimension. */
static bool has_too_many_dimensions(const spw_tensor *x)
{
  const int64_t most = NDIM_MAX - 2;
  return (x->has_size && x->ndim > most) || x->plain.array.ndim > most ||
         x->values.array.ndim > most || (x->layout != SPW_COO && x->compressed.array.ndim > most);
}

bool oracle_check(const spw_tensor *tensor, spw_level level, spw_report *report)
{
  trial t = {.tensor = tensor, .report = report};
  memset(report, 0, sizeof *report);
  if ((int)tensor->layout < SPW_COO || (int)tensor->layout > SPW_BSC) die("unknown layout");
  if (has_too_many_dimensions(tensor)) return false;
  if (!check_known_layout(&t, level)) return false;
  judge_validity(&t, level);
  return true;
}

spw_rule oracle_broken_rule(const spw_tensor *result)
{
  spw_report report;
  spw_violation v;
  if (oracle_check(result, SPW_CANONICAL, &report)) return report.valid ? SPW_RULE_NONE : oracle_first_violation(&report).rule;
  return spw_first_violation(result, SPW_CANONICAL, &v) == SPW_OK ? v.rule : SPW_RULE_COUNT;
}

/* ---- Comparing ------------------------------------------------------------------------------- */

spw_violation oracle_first_violation(const spw_report *report)
{
  for (int phase = SPW_SHAPE; phase <= SPW_CANONICAL; phase++)
    for (int rule = 0; rule < SPW_RULE_COUNT; rule++)
      if (phase_of((spw_rule)rule) == (spw_level)phase &&
          report->findings[rule].state == SPW_VIOLATED)
        return report->findings[rule].first;
  return (spw_violation){.rule = SPW_RULE_NONE};
}

static const char *finding_text(const spw_finding *f, char *text, size_t size)
{
  static const char *const states[] = {"not evaluated", "not applicable", "holds", "violated"};
  const int state = (int)f->state;
  snprintf(text, size, "%s count %lld rule %d member %d batch %lld position %lld lhs %lld rhs %lld",
           state >= 0 && state < 4 ? states[state] : "?", (long long)f->count, (int)f->first.rule,
           (int)f->first.member, (long long)f->first.batch, (long long)f->first.position,
           (long long)f->first.lhs, (long long)f->first.rhs);
  return text;
}

static bool same_violation(const spw_violation *a, const spw_violation *b)
{
  return a->rule == b->rule && a->member == b->member && a->batch == b->batch &&
         a->position == b->position && a->lhs == b->lhs && a->rhs == b->rhs;
}

/* The number of batches and P may be left unknown in a tensor whose shapes are wrong. */
static bool same_or_unknown(bool usable, int64_t expected, int64_t actual)
{
  return expected == actual || (!usable && actual == -1);
}

const char *oracle_difference(const spw_report *expected, const spw_report *actual)
{
  static char text[1024];
  char wanted[256], found[256];
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_finding *e = &expected->findings[rule], *a = &actual->findings[rule];
    const bool differ = e->state != a->state ||
                        (e->state == SPW_VIOLATED &&
                         (e->count != a->count || !same_violation(&e->first, &a->first)));
    if (!differ) continue;
    snprintf(text, sizeof text, "rule %s: expected %s, got %s", spw_rule_get((spw_rule)rule)->id,
             finding_text(e, wanted, sizeof wanted), finding_text(a, found, sizeof found));
    return text;
  }
  const bool usable = every_shape_rule_holds(expected);
  if (expected->valid == actual->valid && expected->nse == actual->nse &&
      expected->size_inferred == actual->size_inferred &&
      expected->compressed_size == actual->compressed_size &&
      same_or_unknown(usable, expected->batches, actual->batches) &&
      same_or_unknown(usable, expected->plain_size, actual->plain_size))
    return NULL;
  snprintf(text, sizeof text,
           "expected valid %d inferred %d batches %lld C %lld P %lld nse %lld, "
           "got valid %d inferred %d batches %lld C %lld P %lld nse %lld",
           expected->valid, expected->size_inferred, (long long)expected->batches,
           (long long)expected->compressed_size, (long long)expected->plain_size,
           (long long)expected->nse, actual->valid, actual->size_inferred,
           (long long)actual->batches, (long long)actual->compressed_size,
           (long long)actual->plain_size, (long long)actual->nse);
  return text;
}

/* ---- Describing ------------------------------------------------------------------------------ */

typedef struct page {
  char text[4096];
  size_t used;
} page;

static void put_list(page *p, const char *name, int64_t count, const int64_t *list)
{
  p->used += (size_t)snprintf(p->text + p->used, sizeof p->text - p->used, " %s[", name);
  for (int64_t i = 0; i < count && p->used + 64 < sizeof p->text; i++)
    p->used += (size_t)snprintf(p->text + p->used, sizeof p->text - p->used, "%s%lld",
                                i == 0 ? "" : ",", (long long)list[i]);
  if (p->used + 64 < sizeof p->text)
    p->used += (size_t)snprintf(p->text + p->used, sizeof p->text - p->used, "]");
}

static void put_array(page *p, const char *name, const spw_array *a, const spw_index_array *index)
{
  if (p->used + 512 > sizeof p->text) return;
  p->used += (size_t)snprintf(p->text + p->used, sizeof p->text - p->used,
                              "; %s dtype %d offset %lld length %lld", name, (int)a->dtype,
                              (long long)a->offset, (long long)a->length);
  put_list(p, "shape", a->ndim, a->shape);
  put_list(p, "strides", a->ndim, a->strides);
  int64_t data[40];
  int64_t count = 0;
  if (!index || !is_index_type(a->dtype)) return;
  for (; count < 40 && count < a->length; count++)
    data[count] = a->dtype == SPW_INT32 ? index->i32[count] : index->i64[count];
  put_list(p, "data", count, data);
}

const char *oracle_describe(const spw_tensor *x)
{
  static page p;
  p.used = (size_t)snprintf(p.text, sizeof p.text, "layout %d index_dtype %d dtype %d claim %d",
                            (int)x->layout, (int)x->index_dtype, (int)x->dtype, (int)x->coalesced);
  if (x->has_size) put_list(&p, "size", x->ndim, x->size);
  if (x->layout != SPW_COO) put_array(&p, "compressed", &x->compressed.array, &x->compressed);
  put_array(&p, "plain", &x->plain.array, &x->plain);
  put_array(&p, "values", &x->values.array, NULL);
  return p.text;
}
