/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors of one form as the batches of one tensor, or, of COO, as its columns: its report is that
 * of its parts, put together. Operands: the parts, of which those after the first count only if
 * they have its form. Parameters: a gap in memory between parts; threads. */
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORK = 20000, DIMS = FUZZ_DIMS + 1, GAPS = 8, THREADS = 4 };
enum { ROOM = FUZZ_OPERANDS * FUZZ_ELEMENTS + (DIMS + 1) * GAPS };

/* The stacked tensor, in memory of its own. */
typedef struct stack {
  spw_tensor tensor;
  int64_t size[DIMS], shape[FUZZ_MEMBERS][DIMS], strides[FUZZ_MEMBERS][DIMS];
  int32_t i32[FUZZ_MEMBERS][ROOM];
  int64_t i64[FUZZ_MEMBERS][ROOM];
} stack;

typedef struct parts {
  int64_t count;
  spw_tensor tensor[FUZZ_OPERANDS];
  spw_report report[FUZZ_OPERANDS];
} parts;

/* ---- Parts ----------------------------------------------------------------------------------- */

static bool same_list(int64_t count, const int64_t *a, const int64_t *b)
{
  return count == 0 || memcmp(a, b, (size_t)count * sizeof *a) == 0;
}

static bool same_form_of(const spw_array *a, const spw_array *b)
{
  return a->dtype == b->dtype && a->ndim == b->ndim && same_list(a->ndim, a->shape, b->shape);
}

/* The shapes of both hold; COO may have another number of columns. */
static bool same_form(const spw_tensor *a, const spw_tensor *b)
{
  const spw_array *values = &a->values.array;
  if (a->layout != b->layout || a->index_dtype != b->index_dtype || a->dtype != b->dtype)
    return false;
  if (a->ndim != b->ndim || !same_list(a->ndim, a->size, b->size)) return false;
  if (a->layout != SPW_COO)
    return same_form_of(&a->compressed.array, &b->compressed.array) &&
           same_form_of(&a->plain.array, &b->plain.array) &&
           same_form_of(values, &b->values.array);
  return a->plain.array.dtype == b->plain.array.dtype && values->dtype == b->values.array.dtype &&
         a->plain.array.shape[0] == b->plain.array.shape[0]; /* dense sizes are in the size */
}

static bool shape_holds(const spw_tensor *x)
{
  bool valid = false;
  return spw_is_valid(x, SPW_SHAPE, &valid) == SPW_OK && valid;
}

/* FUZZ_ELEMENTS + 1 when there are more. */
static int64_t elements_of(const spw_array *a)
{
  int64_t count = 1;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0) return 0;
  for (int64_t d = 0; d < a->ndim && count <= FUZZ_ELEMENTS; d++)
    if (__builtin_mul_overflow(count, a->shape[d], &count)) count = INT64_MAX;
  return count <= FUZZ_ELEMENTS ? count : FUZZ_ELEMENTS + 1;
}

/* Is it one that can be stacked: sized, of indices that are few, with room in int64 for more? */
static bool is_part(const spw_tensor *x)
{
  double volume = FUZZ_OPERANDS;
  if (!x->has_size || !shape_holds(x) || fuzz_work(x) > WORK) return false;
  for (int64_t d = 0; d < x->ndim; d++) volume *= x->size[d] > 0 ? (double)x->size[d] : 1;
  const bool is_coo = x->layout == SPW_COO;
  return volume < 1e18 && elements_of(&x->plain.array) <= FUZZ_ELEMENTS &&
         x->plain.array.shape[x->plain.array.ndim - 1] <= FUZZ_ELEMENTS &&
         (is_coo || elements_of(&x->compressed.array) <= FUZZ_ELEMENTS);
}

/* Without the claim, which is about all columns together. */
static const spw_tensor *part_of(const fuzz_model *model, int64_t number, spw_tensor *part)
{
  const fuzz_tensor *t = fuzz_indices_from(model, number, WORK);
  if (!t || !is_part(&t->tensor)) return NULL;
  *part = t->tensor;
  part->coalesced = SPW_CLAIM_NONE;
  return part;
}

static void take_parts(const fuzz_model *model, parts *p)
{
  p->count = 0;
  for (int64_t i = 0; i < model->operands; i++) {
    spw_tensor *const part = &p->tensor[p->count];
    if (!part_of(model, i, part)) continue;
    if (p->count > 0 && !same_form(&p->tensor[0], part)) continue;
    const spw_report *report = fuzz_check_agrees(part);
    if (report) p->report[p->count++] = *report;
  }
}

/* ---- The stack ------------------------------------------------------------------------------- */

static const spw_index_array *member_of(const spw_tensor *x, int member)
{
  return member == FUZZ_PLAIN ? &x->plain : &x->compressed;
}

static int64_t index_at(const spw_index_array *a, int64_t number)
{
  const int64_t place = fuzz_place_of(&a->array, number);
  return a->array.dtype == SPW_INT32 ? a->i32[place] : a->i64[place];
}

static void put(stack *s, int member, int64_t place, int64_t index)
{
  s->i32[member][place] = (int32_t)index;
  s->i64[member][place] = index;
}

/* A member with its storage: gap, part, gap, part, gap. */
static spw_index_array member_in(stack *s, int member, spw_dtype dtype, int64_t ndim,
                                 int64_t length)
{
  const spw_array array = {dtype, ndim, s->shape[member], s->strides[member], 0, length};
  return (spw_index_array){array, s->i32[member], s->i64[member], NULL};
}

static void fill_with_nonsense(stack *s, int member, int64_t length)
{
  for (int64_t i = 0; i < length; i++) put(s, member, i, -7);
}

static void stack_batches(stack *s, int member, const parts *p, int64_t gap)
{
  const spw_array *form = &member_of(&p->tensor[0], member)->array;
  const int64_t elements = elements_of(form), length = gap + p->count * (elements + gap);
  fill_with_nonsense(s, member, length);
  for (int64_t i = 0; i < p->count; i++)
    for (int64_t e = 0; e < elements; e++)
      put(s, member, gap + i * (elements + gap) + e, index_at(member_of(&p->tensor[i], member), e));
  s->shape[member][0] = p->count;
  s->strides[member][0] = elements + gap;
  memcpy(s->shape[member] + 1, form->shape, (size_t)form->ndim * sizeof *form->shape);
  for (int64_t d = form->ndim; d >= 1; d--) { /* where there are elements, they are few */
    const int64_t *const last = &s->strides[member][d + 1], size = s->shape[member][d + 1];
    s->strides[member][d] = d == form->ndim ? 1 : elements > 0 ? *last * size : 0;
  }
  spw_index_array a = member_in(s, member, form->dtype, form->ndim + 1, length);
  a.array.offset = gap;
  if (member == FUZZ_PLAIN) s->tensor.plain = a;
  else s->tensor.compressed = a;
}

static int64_t columns_of(const spw_tensor *x)
{
  return x->plain.array.shape[1];
}

static int64_t all_columns(const parts *p)
{
  int64_t columns = 0;
  for (int64_t i = 0; i < p->count; i++) columns += columns_of(&p->tensor[i]);
  return columns;
}

static void join_columns(stack *s, const parts *p, int64_t gap)
{
  const int64_t rows = p->tensor[0].plain.array.shape[0], columns = all_columns(p);
  const int64_t length = gap + rows * (columns + gap);
  int64_t before = 0;
  fill_with_nonsense(s, FUZZ_PLAIN, length);
  for (int64_t i = 0; i < p->count; i++) {
    const int64_t own = columns_of(&p->tensor[i]);
    for (int64_t e = 0; e < rows * own; e++)
      put(s, FUZZ_PLAIN, gap + e / own * (columns + gap) + before + e % own,
          index_at(&p->tensor[i].plain, e));
    before += own;
  }
  s->shape[FUZZ_PLAIN][0] = rows;
  s->shape[FUZZ_PLAIN][1] = columns;
  s->strides[FUZZ_PLAIN][0] = columns + gap;
  s->strides[FUZZ_PLAIN][1] = 1;
  s->tensor.plain = member_in(s, FUZZ_PLAIN, p->tensor[0].plain.array.dtype, 2, length);
  s->tensor.plain.array.offset = gap;
}

/* One element stands for all values. */
static void stack_values(stack *s, const parts *p, int64_t more)
{
  const spw_array *form = &p->tensor[0].values.array;
  memcpy(s->shape[FUZZ_VALUES] + more, form->shape, (size_t)form->ndim * sizeof *form->shape);
  s->shape[FUZZ_VALUES][0] = more ? p->count : all_columns(p);
  memset(s->strides[FUZZ_VALUES], 0, sizeof s->strides[FUZZ_VALUES]);
  s->tensor.values.array = (spw_array){form->dtype, form->ndim + more, s->shape[FUZZ_VALUES],
                                       s->strides[FUZZ_VALUES], 0, 1};
  s->tensor.values.data = s->i64; /* never read */
}

static void make_stack(stack *s, const parts *p, int64_t gap)
{
  const spw_tensor *form = &p->tensor[0];
  const int64_t more = form->layout == SPW_COO ? 0 : 1; /* dimensions */
  s->tensor = *form;
  s->tensor.size = s->size;
  s->tensor.ndim = form->ndim + more;
  s->size[0] = p->count;
  memcpy(s->size + more, form->size, (size_t)form->ndim * sizeof *form->size);
  stack_values(s, p, more);
  if (more == 0) {
    join_columns(s, p, gap);
  } else {
    stack_batches(s, FUZZ_COMPRESSED, p, gap);
    stack_batches(s, FUZZ_PLAIN, p, gap);
  }
}

/* ---- What its report must be ----------------------------------------------------------------- */

static spw_violation moved(const parts *p, int64_t part, spw_violation v)
{
  const spw_tensor *x = &p->tensor[part];
  int64_t before = 0;
  if (x->layout != SPW_COO) {
    v.batch += part * p->report[part].batches;
    return v;
  }
  for (int64_t i = 0; i < part; i++) before += columns_of(&p->tensor[i]);
  const int64_t own = columns_of(x);
  v.position = v.position / own * all_columns(p) + before + v.position % own;
  return v;
}

static bool is_before(spw_violation a, spw_violation b)
{
  return a.batch < b.batch || (a.batch == b.batch && a.position < b.position);
}

/* The finding of a rule above the shape, from those of the parts. */
static spw_finding joined(const parts *p, int rule)
{
  spw_finding sum = {SPW_HOLDS, 0, {SPW_RULE_NONE, SPW_MEMBER_NONE, 0, 0, 0, 0}};
  for (int64_t i = 0; i < p->count; i++) {
    const spw_finding *f = &p->report[i].findings[rule];
    if (f->state != SPW_VIOLATED) continue;
    const spw_violation first = moved(p, i, f->first);
    if (sum.state != SPW_VIOLATED || is_before(first, sum.first)) sum.first = first;
    sum.state = SPW_VIOLATED;
    sum.count += f->count;
  }
  return sum;
}

static bool any_violated(const parts *p, spw_level phase)
{
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++)
    if (spw_rule_get((spw_rule)rule)->phase == phase && joined(p, rule).state == SPW_VIOLATED)
      return true;
  return false;
}

static bool same_finding(const spw_finding *a, const spw_finding *b)
{
  if (a->state != b->state) return false;
  return a->state != SPW_VIOLATED ||
         (a->count == b->count && a->first.member == b->first.member &&
          a->first.batch == b->first.batch && a->first.position == b->first.position &&
          a->first.lhs == b->first.lhs && a->first.rhs == b->first.rhs);
}

static void expect_sum(const parts *p, const spw_tensor *x, const spw_report *report)
{
  const bool is_broken = any_violated(p, SPW_STRUCTURE);
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_finding *f = &report->findings[rule];
    const spw_rule_info *info = spw_rule_get((spw_rule)rule);
    if (p->report[0].findings[rule].state == SPW_NOT_APPLICABLE) continue;
    spw_finding wanted = {.state = SPW_HOLDS};
    if (info->phase > SPW_SHAPE) wanted = joined(p, rule);
    if (info->phase == SPW_CANONICAL && is_broken) wanted.state = SPW_NOT_EVALUATED;
    if (!same_finding(&wanted, f))
      fuzz_fail("not the sum of its parts", "rule %s, %d parts\n%s", info->id, (int)p->count,
                oracle_describe(x));
  }
}

/* At the end: how many stacks had more than one part. */
static unsigned long long compared[2];

static void say_compared(void)
{
  fprintf(stderr, "stack: %llu stacks of one tensor, %llu of several\n", compared[0], compared[1]);
}

static void count_stack(int64_t height)
{
  if (compared[0] + compared[1] == 0) atexit(say_compared);
  compared[height > 1]++;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static parts p;
  static stack s;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  take_parts(model, &p);
  if (p.count == 0) return 0;
  make_stack(&s, &p, fuzz_parameter(model, 0, GAPS));
  const spw_report *report = fuzz_check_agrees(&s.tensor);
  if (!report) fuzz_fail("refused as a stack", "%s", oracle_describe(&s.tensor));
  expect_sum(&p, &s.tensor, report);
  bool valid = !report->valid;
  const int threads = 1 + (int)fuzz_parameter(model, 1, THREADS);
  if (spw_is_valid_parallel(&s.tensor, SPW_CANONICAL, threads, &valid) || valid != report->valid)
    fuzz_fail("threads change the verdict", "%d threads\n%s", threads, oracle_describe(&s.tensor));
  count_stack(p.count);
  return 0;
}
