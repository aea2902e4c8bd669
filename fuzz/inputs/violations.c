/* SPDX-License-Identifier: Apache-2.0 */
/* In a valid tensor one entry is changed; only conditions about this entry can then fail, and they
 * are judged here from the old entries around it. */
#include "violations.h"

#include <stdio.h>

/* ---- What is known --------------------------------------------------------------------------- */

static const fuzz_truth nothing_known = {.known = false};

static void note(fuzz_truth *t, spw_rule rule, spw_member member, int64_t batch, int64_t position,
                 int64_t lhs, int64_t rhs)
{
  for (int i = 0; i < t->count; i++)
    if (t->violated[i].rule == rule) {
      t->times[i]++;
      return;
    }
  t->violated[t->count] = (spw_violation){rule, member, batch, position, lhs, rhs};
  t->times[t->count++] = 1;
}

static fuzz_truth only(spw_rule rule)
{
  return (fuzz_truth){.known = true, .count = 1, .violated = {{.rule = rule}}};
}

/* ---- Indices --------------------------------------------------------------------------------- */

static int64_t batches_of(const plan *p)
{
  int64_t batches = 1;
  for (int64_t i = 0; i < p->batch_ndim; i++) batches *= p->batch[i];
  return batches;
}

static int64_t modulo(int64_t where, int64_t count)
{
  return (int64_t)((uint64_t)where % (uint64_t)count);
}

static bool can_hold(const plan *p, int64_t value)
{
  return p->index_dtype == SPW_INT64 || (value >= INT32_MIN && value <= INT32_MAX);
}

static int64_t difference(int64_t a, int64_t b)
{
  int64_t result;
  if (__builtin_sub_overflow(a, b, &result)) return a < b ? INT64_MIN : INT64_MAX;
  return result;
}

/* The step from compressed[i-1] to compressed[i]. */
static void judge_step(fuzz_truth *t, const specimen *s, const plan *p, int64_t b, int64_t i)
{
  const int64_t step = difference(specimen_get(s, 0, b, i), specimen_get(s, 0, b, i - 1));
  if (step < 0) note(t, SPW_RULE_5_3, SPW_MEMBER_COMPRESSED, b, i, step, 0);
  else if (step > p->P) note(t, SPW_RULE_5_3, SPW_MEMBER_COMPRESSED, b, i, step, p->P);
}

static fuzz_truth change_offset(specimen *s, const plan *p, int64_t b, int64_t i, int64_t value)
{
  fuzz_truth t = {.known = true};
  if (!can_hold(p, value)) return nothing_known;
  const bool same = specimen_get(s, 0, b, i) == value;
  specimen_set(s, 0, b, i, value);
  if (i == 0 && value != 0) note(&t, SPW_RULE_5_1, SPW_MEMBER_COMPRESSED, b, 0, value, 0);
  if (i == p->C && value != p->nse)
    note(&t, SPW_RULE_5_2, SPW_MEMBER_COMPRESSED, b, p->C, value, p->nse);
  if (i > 0) judge_step(&t, s, p, b, i);
  if (i < p->C) judge_step(&t, s, p, b, i + 1);
  return t.count > 0 || same ? t : nothing_known; /* rows have moved: 5.6 may fail anywhere */
}

static bool starts_row(const specimen *s, const plan *p, int64_t b, int64_t k)
{
  for (int64_t i = 0; i <= p->C; i++)
    if (specimen_get(s, 0, b, i) == k) return true;
  return false;
}

static void judge_pair(fuzz_truth *t, const specimen *s, const plan *p, int64_t b, int64_t k)
{
  const int64_t before = specimen_get(s, 1, b, k - 1), here = specimen_get(s, 1, b, k);
  if (!starts_row(s, p, b, k) && before >= here)
    note(t, SPW_RULE_5_6, SPW_MEMBER_PLAIN, b, k, before, here);
}

static fuzz_truth change_plain(specimen *s, const plan *p, int64_t b, int64_t k, int64_t value)
{
  fuzz_truth t = {.known = true};
  if (!can_hold(p, value)) return nothing_known;
  specimen_set(s, 1, b, k, value);
  if (value < 0) note(&t, SPW_RULE_5_4, SPW_MEMBER_PLAIN, b, k, value, 0);
  if (value >= p->P) note(&t, SPW_RULE_5_5, SPW_MEMBER_PLAIN, b, k, value, p->P);
  if (t.count > 0) return t;
  if (k > 0) judge_pair(&t, s, p, b, k);
  if (k + 1 < p->nse) judge_pair(&t, s, p, b, k + 1);
  return t;
}

static fuzz_truth change_coo(specimen *s, const plan *p, int64_t i, int64_t value)
{
  fuzz_truth t = {.known = true};
  const int64_t extent = p->sparse_size[i / p->nse];
  if (!can_hold(p, value)) return nothing_known;
  specimen_set(s, 1, 0, i, value);
  if (value < 0) note(&t, SPW_RULE_6_5, SPW_MEMBER_PLAIN, 0, i, value, 0);
  if (value >= extent) note(&t, SPW_RULE_6_6, SPW_MEMBER_PLAIN, 0, i, value, extent);
  return t.count > 0 || p->coalesced != SPW_CLAIM_YES ? t : nothing_known;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

/* Rule by rule for compressed layouts and COO; SPW_RULE_NONE: COO has no such violation. */
static fuzz_truth either(const plan *p, spw_rule compressed, spw_rule coo)
{
  const spw_rule rule = p->layout == SPW_COO ? coo : compressed;
  return rule == SPW_RULE_NONE ? nothing_known : only(rule);
}

static fuzz_truth declare_other_index_type(specimen *s, const plan *p)
{
  if (p->layout == SPW_COO) return nothing_known;
  s->tensor.index_dtype = p->index_dtype == SPW_INT32 ? SPW_INT64 : SPW_INT32;
  fuzz_truth t = only(SPW_RULE_1_1);
  t.violated[t.count++].rule = SPW_RULE_1_2;
  return t;
}

static fuzz_truth narrow_index_type(specimen *s)
{
  s->tensor.compressed.array.dtype = s->tensor.plain.array.dtype = SPW_INT16;
  s->tensor.index_dtype = SPW_DTYPE_NONE;
  return only(SPW_RULE_1_3);
}

static fuzz_truth declare_other_dtype(specimen *s)
{
  const bool is_complex = s->tensor.values.array.dtype == SPW_COMPLEX128;
  s->tensor.dtype = is_complex ? SPW_FLOAT32 : SPW_COMPLEX128;
  return only(SPW_RULE_1_4);
}

static fuzz_truth unknown_dtype(specimen *s)
{
  s->tensor.dtype = SPW_DTYPE_NONE;
  s->tensor.values.array.dtype = (spw_dtype)SPW_DTYPE_COUNT;
  return only(SPW_RULE_1_5);
}

static fuzz_truth longer_size(specimen *s, const plan *p)
{
  if (!p->has_size) return nothing_known;
  s->size[s->tensor.ndim++] = 1;
  return either(p, SPW_RULE_3_1, SPW_RULE_6_3);
}

/* The storage is as long as it is in specimen.h, so that 3.14 still holds. */
static fuzz_truth stretch(specimen *s, int which, spw_rule rule)
{
  spw_array *a = which == 0 ? &s->tensor.compressed.array : &s->tensor.plain.array;
  const int64_t last = a->ndim - 1;
  if (s->tensor.layout == SPW_COO || s->shape[which][last] < 2) return nothing_known;
  s->strides[which][last] = 2;
  a->length = SPECIMEN_ELEMENTS;
  return only(rule);
}

static fuzz_truth fewer_offsets(specimen *s, const plan *p)
{
  if (p->layout == SPW_COO || p->C == 0 || !p->has_size) return nothing_known;
  s->shape[0][p->batch_ndim]--;
  return only(SPW_RULE_3_8);
}

static fuzz_truth more_values(specimen *s, const plan *p)
{
  s->shape[2][p->layout == SPW_COO ? 0 : p->batch_ndim]++;
  s->tensor.values.array.length = INT64_MAX;
  return either(p, SPW_RULE_3_10, SPW_RULE_6_2);
}

static fuzz_truth negative_offset(specimen *s, const plan *p, int64_t where, int64_t amount)
{
  spw_array *members[] = {&s->tensor.plain.array, &s->tensor.values.array,
                          &s->tensor.compressed.array};
  members[modulo(where, p->layout == SPW_COO ? 2 : 3)]->offset = -1 - (amount & INT32_MAX);
  return only(SPW_RULE_3_14);
}

static fuzz_truth short_values(specimen *s)
{
  if (s->tensor.values.array.length == 0) return nothing_known;
  s->tensor.values.array.length--;
  return only(SPW_RULE_3_14);
}

/* ---- Both ------------------------------------------------------------------------------------ */

static fuzz_truth violate_shape(specimen *s, const plan *p, int64_t violation, int64_t where,
                                int64_t amount)
{
  switch (violation) {
    case 0: return declare_other_index_type(s, p);
    case 1: return narrow_index_type(s);
    case 2: return declare_other_dtype(s);
    case 3: return unknown_dtype(s);
    case 4: return longer_size(s, p);
    case 5: return stretch(s, 0, SPW_RULE_3_5);
    case 6: return stretch(s, 1, SPW_RULE_3_6);
    case 7: return fewer_offsets(s, p);
    case 8: return more_values(s, p);
    case 9: return negative_offset(s, p, where, amount);
    default: return short_values(s);
  }
}

static fuzz_truth violate_index(specimen *s, const plan *p, int64_t violation, int64_t where,
                                int64_t amount)
{
  const int64_t batches = p->layout == SPW_COO ? 1 : batches_of(p);
  const bool shared = p->spread == SPREAD_SHARED && batches > 1 && p->layout != SPW_COO;
  if (batches == 0 || shared || !p->has_size) return nothing_known;
  const int64_t elements = p->layout == SPW_COO ? p->sparse_dim * p->nse : p->nse;
  const bool offsets = violation % 2 == 0 && p->layout != SPW_COO;
  if (!offsets && elements == 0) return nothing_known;
  const int64_t b = modulo(where, batches);
  const int64_t i = modulo(where / batches, offsets ? p->C + 1 : elements);
  const int64_t old = specimen_get(s, offsets ? 0 : 1, b, i);
  const int64_t value = violation < 2 ? amount : (int64_t)((uint64_t)old + (uint64_t)amount);
  if (offsets) return change_offset(s, p, b, i, value);
  return p->layout == SPW_COO ? change_coo(s, p, i, value) : change_plain(s, p, b, i, value);
}

fuzz_truth fuzz_violate(specimen *s, const plan *p, int64_t violation, int64_t where,
                        int64_t amount)
{
  violation %= FUZZ_VIOLATIONS;
  if (violation == 0) return (fuzz_truth){.known = true};
  if (violation <= 4) return violate_index(s, p, violation - 1, where, amount);
  return violate_shape(s, p, violation - 5, where, amount);
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static int find(const fuzz_truth *truth, int rule)
{
  for (int i = 0; i < truth->count; i++)
    if ((int)truth->violated[i].rule == rule) return i;
  return -1;
}

static bool applies(const spw_tensor *tensor, int rule)
{
  return spw_rule_get((spw_rule)rule)->layouts >> tensor->layout & 1 &&
         (rule != SPW_RULE_6_7 || tensor->coalesced == SPW_CLAIM_YES);
}

/* What a rule that is not violated may be: an unknown quantity hides rules of the same phase. */
static bool may_be(spw_state state, spw_level phase, spw_level broken)
{
  if (phase > broken) return state == SPW_NOT_EVALUATED;
  if (state == SPW_HOLDS) return true;
  return phase == broken && broken == SPW_SHAPE && state == SPW_NOT_EVALUATED;
}

static bool right_place(const spw_violation *a, const spw_violation *b)
{
  return a->member == b->member && a->batch == b->batch && a->position == b->position &&
         a->lhs == b->lhs && a->rhs == b->rhs;
}

static const char *say(int rule, const char *what)
{
  static char text[128];
  snprintf(text, sizeof text, "rule %s %s", spw_rule_get((spw_rule)rule)->id, what);
  return text;
}

const char *fuzz_contradiction(const fuzz_truth *truth, const spw_tensor *tensor,
                               const spw_report *report)
{
  if (!truth->known) return NULL;
  if (report->valid != (truth->count == 0)) return report->valid ? "accepted" : "rejected";
  const spw_level none = (spw_level)(SPW_CANONICAL + 1);
  const spw_level broken =
      truth->count == 0 ? none : spw_rule_get(truth->violated[0].rule)->phase;
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_finding *f = &report->findings[rule];
    const spw_level phase = spw_rule_get((spw_rule)rule)->phase;
    const int i = find(truth, rule);
    if (!applies(tensor, rule)) {
      if (f->state != SPW_NOT_APPLICABLE) return say(rule, "is not about this tensor");
    } else if (i < 0) {
      if (!may_be(f->state, phase, broken)) return say(rule, "has a wrong state");
    } else {
      if (f->state != SPW_VIOLATED) return say(rule, "is violated");
      if (truth->times[i] > 0 && f->count != truth->times[i]) return say(rule, "has a wrong count");
      if (truth->times[i] > 0 && !right_place(&f->first, &truth->violated[i]))
        return say(rule, "is violated elsewhere");
    }
  }
  return NULL;
}
