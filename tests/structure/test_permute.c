/* SPDX-License-Identifier: Apache-2.0 */
/* Permuted dimensions: every scalar of the tensor is looked for at the position with its indices in the other order. */
#include "../attempts/fenced.h"
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../expected/oracle.h"
#include "../expected/scalar.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Scalar e of a cell of m, at its position in all dimensions. */
static void position_of(const meaning *m, const cell *c, int64_t e, int64_t *position)
{
  for (int64_t d = m->ndim - 1; d >= m->leading; d--) {
    position[d] = e % m->size[d];
    e /= m->size[d];
  }
  for (int64_t d = 0; d < m->leading; d++) position[d] = c->at[d];
}

/* Cell k of the result is cell k of the tensor: each scalar at the position with its indices in the other order. COO alone
 * stores cells in the same order for sure. */
static void expect_permuted(const spw_tensor *from, const spw_tensor *to, const int64_t *order, uint64_t seed)
{
  meaning m, n;
  cr_assert(meaning_of(from, 0, &m) && meaning_of(to, 0, &n));
  const int64_t width = scalar_width(m.dtype);
  cr_assert(m.ndim == n.ndim && m.count == n.count && m.scalars == n.scalars);
  for (int64_t d = 0; d < m.ndim; d++) cr_assert(n.size[d] == m.size[order[d]], "seed %llu", (unsigned long long)seed);
  if (to->layout != SPW_COO) meaning_sort(&n);
  for (int64_t k = 0; k < m.count; k++)
    for (int64_t e = 0; e < m.scalars; e++) {
      int64_t position[MEANING_DIMS], turned[MEANING_DIMS] = {0}, at = 0, own = k;
      position_of(&m, &m.cells[k], e, position);
      for (int64_t d = 0; d < m.ndim; d++) turned[d] = position[order[d]];
      for (int64_t d = n.leading; d < n.ndim; d++) at = at * n.size[d] + turned[d];
      if (to->layout != SPW_COO)
        for (own = 0; own < n.count && memcmp(n.cells[own].at, turned, (size_t)n.leading * sizeof *turned) != 0;) own++;
      cr_assert(own < n.count && memcmp(n.cells[own].at, turned, (size_t)n.leading * sizeof *turned) == 0, "seed %llu: cell %lld",
                (unsigned long long)seed, (long long)k);
      cr_assert(memcmp(n.cells[own].scalars + at * width, m.cells[k].scalars + e * width, (size_t)width) == 0,
                "seed %llu: cell %lld", (unsigned long long)seed, (long long)k);
    }
  meaning_free(&m);
  meaning_free(&n);
}

/* Dimensions of each kind change places; now and then any do, which may be refused. */
static bool draw_order(const spw_tensor *t, int64_t *order, int64_t *ndim, dice *d)
{
  spw_numbers n;
  cr_assert(spw_numbers_of(t, &n) == SPW_OK);
  const int64_t end[] = {n.batch_dims, n.batch_dims + n.sparse_dims, n.batch_dims + n.sparse_dims + n.dense_dims};
  const bool coo = t->layout == SPW_COO, wild = roll_below(d, 8) == 0;
  *ndim = end[2];
  for (int64_t i = 0; i < *ndim; i++) order[i] = i;
  for (int kind = 0; kind < 3; kind++)
    for (int64_t first = kind ? end[kind - 1] : 0, i = end[kind] - 1; i > first && (kind != 1 || coo); i--) {
      const int64_t other = first + roll_below(d, i - first + 1), kept = order[i];
      order[i] = order[other];
      order[other] = kept;
    }
  if (wild && *ndim > 1 && roll_below(d, 2)) { /* perhaps of other kinds */
    const int64_t one = roll_below(d, *ndim), other = roll_below(d, *ndim), kept = order[one];
    order[one] = order[other];
    order[other] = kept;
  } else if (wild && *ndim > 0) {
    order[roll_below(d, *ndim)] = roll_below(d, *ndim + 2) - 1;
  }
  bool legal = true;
  for (int64_t i = 0; i < *ndim; i++) {
    const int64_t own = (i >= end[0]) + (i >= end[1]), from = order[i];
    legal = legal && from >= 0 && from < *ndim && own == (from >= end[0]) + (from >= end[1]);
    legal = legal && (coo || own != 1 || from == i);
    for (int64_t j = 0; j < i; j++) legal = legal && order[j] != from;
  }
  return legal;
}

Test(permute, permuted_dimensions)
{
  static operand o;
  int64_t done = 0, refused = 0, views = 0;
  for (uint64_t seed = 0; seed < 10000; seed++) {
    dice d = {seed};
    int64_t order[16], ndim;
    spw_room room;
    spw_refusal refusal;
    spw_tensor result;
    spw_report report;
    fenced f;
    operand_random_sparse(&o, true, &d);
    const bool legal = draw_order(&o.tensor, order, &ndim, &d);
    const spw_status status = spw_permute_size(&o.tensor, order, &room, &refusal);
    cr_assert(status == (legal ? SPW_OK : SPW_ERANGE), "seed %llu: %d", (unsigned long long)seed, (int)status);
    if (legal) {
      fenced_make(&f, &room);
      cr_assert(spw_permute(&o.tensor, order, &f.buffers, &result, &refusal) == SPW_OK);
      cr_assert(fences_hold(&f) && result.values.data == o.tensor.values.data);
      cr_assert(oracle_check(&result, SPW_CANONICAL, &report) && report.valid, "seed %llu: rule %d", (unsigned long long)seed,
                (int)oracle_first_violation(&report).rule);
      if (o.tensor.has_size) expect_permuted(&o.tensor, &result, order, seed);
      const bool turned = room.plain > 0;
      cr_assert(o.tensor.layout != SPW_COO || !turned || room.nse < 2 || result.coalesced != SPW_CLAIM_YES);
      cr_assert(turned || result.coalesced == o.tensor.coalesced);
      views += !turned;
      if (!turned) {
        f.buffers.room.dtype = SPW_DTYPE_NONE; /* of which nothing is written */
        f.buffers.room.index_dtype = SPW_DTYPE_NONE;
        cr_assert(spw_permute(&o.tensor, order, &f.buffers, &result, NULL) == SPW_OK);
      }
      if (room.dims > 0) {
        f.buffers.room.dims--;
        cr_assert(spw_permute(&o.tensor, order, &f.buffers, &result, NULL) == SPW_EINVAL);
      }
      fenced_free(&f);
      done++;
    } else {
      cr_assert(refusal.obstacle == SPW_OBSTACLE_DIMENSION && refusal.lhs == order[refusal.place]);
      refused++;
    }
    operand_free(&o);
  }
  cr_assert(done > 5000 && refused > 300 && views > 2000, "%lld, %lld, %lld", (long long)done, (long long)refused,
            (long long)views);
  expect_no_leaks();
}

Test(permute, what_is_refused)
{
  const int64_t shape[] = {1, 0}, strides[] = {1, 1}, size[] = {3}, order[] = {0};
  spw_tensor view, t = {.layout = SPW_COO, .has_size = true, .ndim = 1, .size = size, .coalesced = SPW_CLAIM_YES,
                        .plain = {{SPW_INT64, 2, shape, strides, 0, 0}, NULL, NULL, NULL},
                        .values = {{SPW_FLOAT32, 1, shape + 1, strides, 0, 0}, NULL}};
  spw_room room;
  spw_refusal refusal;
  spw_buffers none = {0};
  cr_assert(spw_permute_size(&t, order, &room, &refusal) == SPW_OK && room.plain == 0);
  cr_assert(spw_permute_size(NULL, order, &room, NULL) == SPW_EINVAL && spw_permute_size(&t, NULL, &room, NULL) == SPW_EINVAL &&
            spw_permute_size(&t, order, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_permute(&t, order, NULL, &view, NULL) == SPW_EINVAL && spw_permute(&t, order, &none, &view, NULL) == SPW_EINVAL);
  /* of no element and no size, and hybrid: as many dimensions as int64 cannot count */
  const int64_t most[] = {INT64_MAX, 0}, none_of_three[] = {0, 3};
  const spw_tensor wide = {.layout = SPW_COO, .coalesced = SPW_CLAIM_YES,
                           .plain = {{SPW_INT64, 2, most, strides, 0, 0}, NULL, NULL, NULL},
                           .values = {{SPW_FLOAT32, 2, none_of_three, strides, 0, 0}, NULL}};
  cr_assert(spw_permute_size(&wide, order, &room, NULL) == SPW_EUNSUPPORTED);
  t.ndim = 0;
  cr_assert(spw_permute_size(&t, order, &room, &refusal) == SPW_EINVALID && refusal.violation.rule == SPW_RULE_6_3);
  t.layout = SPW_DENSE;
  cr_assert(spw_permute_size(&t, order, &room, NULL) == SPW_EUNSUPPORTED);
}
