/* SPDX-License-Identifier: Apache-2.0 */
/* What shapes tell of a tensor, for callers. */
#include "../core/entries.h"
#include "quantities.h"
#include "usable_lemmas.h"
#include "../../spec/acsl/numbers.acsl"

/*@ terminates \true; exits \false; assigns \nothing;
    ensures exact: \result == number_or_unknown(n); */
/* level L2 */
static int64_t or_unknown(int64_t n)
{
  return n < 0 ? -1 : n;
}

/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && \valid_read(shape + (0 .. n - 1));
    terminates \true; exits \false; assigns \nothing;
    ensures exact: is_product(shape, n, \result); */
/* level L2 */
static int64_t product_or_unknown(const int64_t *shape, int64_t n)
{
  return spw_entries_non_negative(shape, n) ? spw_product(shape, n) : -1;
}

/*@ requires readable: array_readable(a);
    requires dims: 0 <= n <= a->ndim;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: is_product(a->shape + (a->ndim - n), n, \result); */
/* level L2 */
static int64_t last_dims_product(const spw_array *a, int64_t n)
{
  if (n == 0) return 1; /* the shape may be null, to which nothing can be added */
  return product_or_unknown(a->shape + (a->ndim - n), n);
}

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: compressed_numbers(t, \result); */
/* level L2 */
static spw_numbers compressed_numbers(const spw_tensor *t)
{
  const int64_t batch_dims = spw_batch_dims(t), dense_dims = spw_dense_dims(t), last = t->plain.array.ndim - 1;
  const spw_number C = spw_compressed_size(t), P = spw_blocks(t, 1 - spw_compressed_dim(t));
  const spw_numbers n = {
      .batch_dims = batch_dims,
      .sparse_dims = 2,
      .dense_dims = dense_dims,
      .block_rows = dense_dims < 0 ? -1 : spw_block_size(t, 0),
      .block_columns = dense_dims < 0 ? -1 : spw_block_size(t, 1),
      .batches = batch_dims < 0 ? -1 : product_or_unknown(t->compressed.array.shape, batch_dims),
      .compressed_size = C.known ? C.value : -1,
      .plain_size = P.known ? P.value : -1,
      .nse = last < 0 ? -1 : or_unknown(t->plain.array.shape[last]),
      .dense_elements = dense_dims < 0 ? -1 : last_dims_product(&t->values.array, dense_dims),
  };
  return n;
}

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing;
    ensures exact: coo_numbers(t, \result); */
/* level L2 */
static spw_numbers coo_numbers(const spw_tensor *t)
{
  const int known = t->plain.array.ndim == 2;
  const int64_t dense_dims = t->values.array.ndim - 1;
  const spw_numbers n = {
      .batch_dims = 0,
      .sparse_dims = known ? or_unknown(t->plain.array.shape[0]) : -1,
      .dense_dims = dense_dims,
      .block_rows = 1,
      .block_columns = 1,
      .batches = 1,
      .compressed_size = -1,
      .plain_size = -1,
      .nse = known ? or_unknown(t->plain.array.shape[1]) : -1,
      .dense_elements = dense_dims < 0 ? -1 : last_dims_product(&t->values.array, dense_dims),
  };
  return n;
}

/*@ requires readable: tensor_readable(t);
    terminates \true; exits \false; assigns \nothing;
    ensures exact: are_numbers(t, \result); */
/* level L2 */
static spw_numbers numbers_of(const spw_tensor *t)
{
  const spw_numbers unknown = {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
  if (t->layout == SPW_COO) return coo_numbers(t);
  return spw_blocked(t) || t->layout == SPW_CSR || t->layout == SPW_CSC ? compressed_numbers(t) : unknown;
}

/*@ requires output: numbers != \null ==> \valid(numbers);
    requires tensor: tensor != \null ==> honest(tensor);
    terminates \true; exits \false;
    assigns *numbers;
    ensures status: \result == SPW_OK || \result == SPW_EINVAL;
    ensures misuse: \result == SPW_EINVAL <==> numbers == \null || tensor == \null || !\old(usable(tensor));
    ensures untouched: numbers != \null && \result != SPW_OK ==> *numbers == \old(*numbers);
    ensures exact: \result == SPW_OK ==> are_numbers{Pre}(tensor, *numbers); */
/* level L2 */
spw_status spw_numbers_of(const spw_tensor *tensor, spw_numbers *numbers)
{
  if (numbers == NULL || !spw_usable(tensor)) return SPW_EINVAL;
  //@ ghost lem_readable(tensor);
  const spw_numbers n = numbers_of(tensor);
  *numbers = n;
  return SPW_OK;
}
