/* SPDX-License-Identifier: Apache-2.0 */
/* Two canonical COO tensors made one. */
#include "elementwise_plan.h"

/* The element that a tensor is at. */
typedef struct cursor {
  const spw_tensor *t;
  int64_t dims, nse, at;
} cursor;

static cursor begin(const spw_tensor *t)
{
  const cursor c = {t, t->plain.array.shape[0], t->plain.array.shape[1], 0};
  return c;
}

static int64_t index_of(const cursor *c, int64_t d)
{
  const spw_array *const a = &c->t->plain.array;
  return spw_index_at(&c->t->plain, a->offset + d * a->strides[0] + c->at * a->strides[1]);
}

/* Below 0: a stands at the earlier position; behind the last one there is none earlier. */
static int order(const cursor *a, const cursor *b)
{
  if (a->at == a->nse || b->at == b->nse) return (a->at == a->nse) - (b->at == b->nse);
  for (int64_t d = 0; d < a->dims; d++) {
    const int64_t own = index_of(a, d), other = index_of(b, d);
    if (own != other) return own < other ? -1 : 1;
  }
  return 0;
}

int64_t spw_count_common_columns(const spw_tensor *a, const spw_tensor *b)
{
  cursor x = begin(a), y = begin(b);
  int64_t common = 0;
  while (x.at < x.nse && y.at < y.nse) {
    const int before = order(&x, &y);
    common += before == 0;
    x.at += before <= 0;
    y.at += before >= 0;
  }
  return common;
}

void spw_unite_columns(const spw_elementwise_plan *plan, spw_line_union *u, int64_t nse, spw_indices out)
{
  const bool common_only = u->kind == SPW_TIMES;
  cursor a = begin(plan->columns[0].t), b = begin(plan->columns[1].t);
  int64_t n = 0, done = 0;
  u->cursor[0][0] = u->cursor[1][0] = 0;
  while (common_only ? a.at < a.nse && b.at < b.nse : a.at < a.nse || b.at < b.nse) {
    const int before = order(&a, &b);
    if (!common_only || before == 0) {
      for (int64_t d = 0; d < a.dims; d++) spw_put_index(out, d * nse + done + n, index_of(before <= 0 ? &a : &b, d));
      if (common_only) {
        u->cursor[0][n] = (uint64_t)a.at;
        u->cursor[1][n] = (uint64_t)b.at;
      }
      n++;
    }
    a.at += before <= 0;
    b.at += before >= 0;
    if (!common_only) {
      u->cursor[0][n] = (uint64_t)a.at;
      u->cursor[1][n] = (uint64_t)b.at;
    }
    if (n < u->capacity) continue;
    spw_unite_values(u, plan->dtype, n, done);
    done += n;
    n = 0;
    u->cursor[0][0] = (uint64_t)a.at;
    u->cursor[1][0] = (uint64_t)b.at;
  }
  spw_unite_values(u, plan->dtype, n, done);
}
