/* SPDX-License-Identifier: Apache-2.0 */
/* What callers are told of a tensor before anything is judged: its numbers, and the work of a check. */
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <string.h>

#define fail(...) cr_assert(false, __VA_ARGS__)

static int64_t product_of(int64_t n, const int64_t *shape)
{
  int64_t product = 1;
  for (int64_t i = 0; i < n; i++) product *= shape[i];
  return product;
}

/* The numbers of a tensor that was made by a plan. */
static spw_numbers planned(const plan *p)
{
  const bool blocked = p->layout == SPW_BSR || p->layout == SPW_BSC;
  const int64_t dense = product_of(p->dense_ndim, p->dense);
  if (p->layout == SPW_COO)
    return (spw_numbers){0, p->sparse_dim, p->dense_ndim, 1, 1, 1, -1, -1, p->nse, dense};
  return (spw_numbers){p->batch_ndim, 2, p->dense_ndim, blocked ? p->block[0] : 1, blocked ? p->block[1] : 1,
                       product_of(p->batch_ndim, p->batch), p->C, p->has_size ? p->P : -1, p->nse, dense};
}

Test(numbers, of_valid_tensors)
{
  static specimen s;
  dice d = {3};
  int64_t layouts[SPW_LAYOUT_COUNT] = {0};
  for (int64_t t = 0; t < 20000; t++) {
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    const spw_tensor asked = specimen_with_nulls(&s.tensor);
    const spw_numbers wanted = planned(&p);
    spw_numbers got;
    memset(&got, 0x55, sizeof got);
    if (spw_numbers_of(&asked, &got) != SPW_OK || memcmp(&got, &wanted, sizeof got)) fail("tensor %lld", (long long)t);
    layouts[p.layout]++;
  }
  for (int layout = 0; layout < SPW_LAYOUT_COUNT; layout++) cr_assert(layouts[layout] > 1000);
}

/* Whatever was changed, what is told agrees with the report, which is made otherwise. */
Test(numbers, of_any_tensor)
{
  static specimen s;
  static spw_report report;
  dice d = {4};
  int64_t unknown = 0;
  for (int64_t t = 0; t < 40000; t++) {
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    for (int64_t change = t % 4; change >= 0; change--) specimen_disturb(&s, &d);
    const spw_tensor asked = specimen_with_nulls(&s.tensor);
    spw_numbers got;
    cr_assert(spw_numbers_of(&asked, &got) == SPW_OK && spw_check(&asked, SPW_SHAPE, &report) == SPW_OK);
    if (got.nse != report.nse || got.compressed_size != report.compressed_size) fail("tensor %lld", (long long)t);
    unknown += got.nse < 0 || got.dense_dims < 0 || got.batches < 0;
  }
  cr_assert(unknown > 400, "%lld", (long long)unknown);
}

Test(numbers, beyond_int64_and_unknown)
{
  static const int64_t large[] = {(int64_t)1 << 40, (int64_t)1 << 40, 3}, negative[] = {-1, 3, 3}, strides[] = {0, 0, 1};
  spw_tensor t = {.layout = SPW_BSR,
                  .compressed = {{SPW_INT64, 3, large, strides, 0, 0}, .i64 = NULL},
                  .plain = {{SPW_INT64, 1, negative, strides, 0, 0}, .i64 = NULL},
                  .values = {{SPW_FLOAT32, 7, (const int64_t[]){2, 2, 2, 4, 5, (int64_t)1 << 32, (int64_t)1 << 31},
                              (const int64_t[]){0, 0, 0, 0, 0, 0, 0}, 0, 0}, NULL}};
  spw_numbers n;
  cr_assert(spw_numbers_of(&t, &n) == SPW_OK);
  cr_assert(n.batch_dims == 2 && n.batches == -1 && n.nse == -1 && n.compressed_size == 2 && n.plain_size == -1);
  cr_assert(n.block_rows == 4 && n.block_columns == 5 && n.dense_dims == 2 && n.dense_elements == -1);
  t.values.array.ndim = 3;
  cr_assert(spw_numbers_of(&t, &n) == SPW_OK && n.dense_dims == -1 && n.block_rows == -1 && n.dense_elements == -1);
  t.layout = (spw_layout)77;
  cr_assert(spw_numbers_of(&t, &n) == SPW_OK && n.batch_dims == -1 && n.sparse_dims == -1 && n.nse == -1);
}

Test(numbers, misuse_leaves_outputs_alone)
{
  static specimen s;
  dice d = {5};
  const plan p = plan_random(&d);
  specimen_make(&s, &p, &d);
  spw_numbers n = {7, 7, 7, 7, 7, 7, 7, 7, 7, 7};
  int64_t steps = 7;
  cr_assert(spw_numbers_of(NULL, &n) == SPW_EINVAL && spw_numbers_of(&s.tensor, NULL) == SPW_EINVAL);
  cr_assert(spw_work(NULL, SPW_SHAPE, &steps) == SPW_EINVAL && spw_work(&s.tensor, SPW_SHAPE, NULL) == SPW_EINVAL);
  cr_assert(spw_work(&s.tensor, (spw_level)0, &steps) == SPW_EINVAL && spw_work(&s.tensor, (spw_level)4, &steps) == SPW_EINVAL);
  s.tensor.values.array.ndim = -1;
  cr_assert(spw_numbers_of(&s.tensor, &n) == SPW_EINVAL && spw_work(&s.tensor, SPW_CANONICAL, &steps) == SPW_EINVAL);
  cr_assert(n.batch_dims == 7 && n.dense_elements == 7 && steps == 7);
}

/* ---- Work ------------------------------------------------------------------------------------ */

/* Index elements that are looked at, by the plan. */
static int64_t planned_work(const plan *p)
{
  if (p->layout == SPW_COO) return p->sparse_dim * p->nse;
  const int64_t batches = product_of(p->batch_ndim, p->batch);
  return (p->spread == SPREAD_SHARED || p->batch_ndim == 0 ? batches > 0 : batches) * (p->C + 1 + p->nse);
}

Test(work, of_valid_tensors)
{
  static specimen s;
  dice d = {6};
  int64_t shared = 0;
  for (int64_t t = 0; t < 20000; t++) {
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    int64_t steps = -1, none = -1, structure = -1;
    cr_assert(spw_work(&s.tensor, SPW_SHAPE, &none) == SPW_OK && none == 0);
    cr_assert(spw_work(&s.tensor, SPW_CANONICAL, &steps) == SPW_OK && spw_work(&s.tensor, SPW_STRUCTURE, &structure) == SPW_OK);
    /* batch strides may be 0 for other reasons: then it may be less */
    const int64_t planned = planned_work(&p);
    if (steps != structure || steps > planned || (planned > 0 && steps == 0)) fail("tensor %lld", (long long)t);
    if (p.spread == SPREAD_PACKED && p.nse > 0 && steps != planned) fail("tensor %lld", (long long)t);
    shared += p.spread == SPREAD_SHARED && p.batch_ndim > 0 && steps == planned;
  }
  cr_assert(shared > 100, "%lld", (long long)shared);
}

/* Numbers that a small file can name. */
Test(work, that_nobody_can_wait_for)
{
  static const int64_t zero[] = {0, 0, 0}, indices[] = {(int64_t)1 << 32, 5}, down[] = {1, 0}, along[] = {0, 1}, values[] = {5};
  static const int64_t column[] = {0, 0, 0, 0, 0};
  spw_tensor coo = {.layout = SPW_COO,
                    .plain = {{SPW_INT64, 2, indices, along, 0, 5}, .i64 = column},
                    .values = {{SPW_FLOAT32, 1, values, zero, 0, 1}, column}};
  int64_t steps = -1;
  cr_assert(spw_work(&coo, SPW_CANONICAL, &steps) == SPW_OK && steps == 5 * ((int64_t)1 << 32));
  const int64_t few[] = {2, (int64_t)1 << 40}, many_values[] = {(int64_t)1 << 40};
  coo.plain.array.shape = few;
  coo.plain.array.strides = down; /* every column is one and the same */
  coo.values.array.shape = many_values;
  cr_assert(spw_work(&coo, SPW_CANONICAL, &steps) == SPW_OK && steps == 2);
  bool valid = false;
  spw_report report;
  cr_assert(spw_is_valid(&coo, SPW_CANONICAL, &valid) == SPW_OK && valid);
  coo.coalesced = SPW_CLAIM_YES;
  cr_assert(spw_check(&coo, SPW_CANONICAL, &report) == SPW_OK && !report.valid);
  const spw_finding *order = &report.findings[SPW_RULE_6_7];
  cr_assert(order->state == SPW_VIOLATED && order->count == ((int64_t)1 << 40) - 1 && order->first.position == 1);
  static const int64_t low[] = {0, -1};
  coo.plain.i64 = low;
  cr_assert(spw_check(&coo, SPW_CANONICAL, &report) == SPW_OK && report.findings[SPW_RULE_6_5].count == (int64_t)1 << 40);

  const int64_t c_shape[] = {(int64_t)1 << 40, (int64_t)1 << 22, 2}, p_shape[] = {c_shape[0], c_shape[1], 1}, one[] = {0, 0, 1};
  static const int64_t crow[] = {0, 1}, next[] = {1, 0, 1};
  spw_tensor csr = {.layout = SPW_CSR,
                    .compressed = {{SPW_INT64, 3, c_shape, one, 0, 2}, .i64 = crow},
                    .plain = {{SPW_INT64, 3, p_shape, one, 0, 1}, .i64 = column},
                    .values = {{SPW_FLOAT32, 3, p_shape, zero, 0, 1}, column}};
  cr_assert(spw_work(&csr, SPW_CANONICAL, &steps) == SPW_OK && steps == 3);
  csr.plain.array.strides = next;
  csr.plain.array.length = INT64_MAX;
  cr_assert(spw_work(&csr, SPW_CANONICAL, &steps) == SPW_OK && steps == INT64_MAX);
}
