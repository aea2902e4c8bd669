/* SPDX-License-Identifier: Apache-2.0 */
/* The checker against the oracle, exhaustively where tensors are small and at random where not. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "../support/memory.h"
#include "../expected/oracle.h"
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* cr_assert reports passes too, which takes longer than most checks: call it on failure only. */
#define fail(...) cr_assert(false, __VA_ARGS__)

static const char *report_disagreement(const spw_tensor *tensor, spw_level level,
                                       const spw_report *expected)
{
  spw_report report;
  if (spw_check(tensor, level, &report) != SPW_OK) return "spw_check refuses";
  return oracle_difference(expected, &report);
}

/* The same question to the two other functions. */
static const char *answer_disagreement(const spw_tensor *tensor, spw_level level,
                                       const spw_report *expected)
{
  spw_violation first;
  bool valid = !expected->valid;
  if (spw_is_valid(tensor, level, &valid) != SPW_OK) return "spw_is_valid refuses";
  if (valid != expected->valid) return "spw_is_valid is wrong";
  if (spw_first_violation(tensor, level, &first) != SPW_OK) return "spw_first_violation refuses";
  const spw_violation wanted = oracle_first_violation(expected);
  if (first.rule != wanted.rule) return "spw_first_violation names another rule";
  if (first.rule == SPW_RULE_NONE) return NULL;
  const bool same = first.member == wanted.member && first.batch == wanted.batch &&
                    first.position == wanted.position && first.lhs == wanted.lhs &&
                    first.rhs == wanted.rhs;
  return same ? NULL : "spw_first_violation gives another place";
}

/* Fails unless checker and oracle agree; false when the oracle gives up. */
static bool agree(const spw_tensor *tensor, spw_level level, spw_report *expected)
{
  if (!oracle_check(tensor, level, expected)) return false;
  const spw_tensor asked = specimen_with_nulls(tensor);
  const char *difference = report_disagreement(&asked, level, expected);
  if (!difference) difference = answer_disagreement(&asked, level, expected);
  if (difference) fail("level %d: %s\n%s", (int)level, difference, oracle_describe(tensor));
  return true;
}

/* ---- Bounded exhaustive ---------------------------------------------------------------------- */

/* A small tensor whose index arrays run through all contents. */
typedef struct odometer {
  int64_t length, lowest, highest;
  int64_t at[16];
} odometer;

static void start(odometer *o, int64_t length, int64_t lowest, int64_t highest)
{
  *o = (odometer){.length = length, .lowest = lowest, .highest = highest};
  for (int64_t i = 0; i < length; i++) o->at[i] = lowest;
}

static bool advance(odometer *o)
{
  for (int64_t i = 0; i < o->length; i++) {
    if (o->at[i]++ < o->highest) return true;
    o->at[i] = o->lowest;
  }
  return false;
}

typedef struct tally {
  long tensors, valid, noncanonical;
} tally;

/* Compares reports, and the two other functions now and then: they cost as much again. */
static void compare(const spw_tensor *tensor, tally *t)
{
  spw_report expected, *report = &expected;
  if (!oracle_check(tensor, SPW_CANONICAL, report)) fail("the oracle gives up");
  const char *difference = report_disagreement(tensor, SPW_CANONICAL, report);
  if (!difference && (report->valid || t->tensors % 16 == 0))
    difference = answer_disagreement(tensor, SPW_CANONICAL, report);
  if (difference) fail("%s\n%s", difference, oracle_describe(tensor));
  t->tensors++;
  t->valid += report->valid;
  t->noncanonical += report->findings[SPW_RULE_5_6].state == SPW_VIOLATED ||
                     report->findings[SPW_RULE_6_7].state == SPW_VIOLATED;
}

/* All compressed and plain indices in lowest..highest, for one layout and one set of sizes. */
static void exhaust_compressed(plan p, int64_t lowest, int64_t highest, tally *total)
{
  static specimen s;
  odometer o;
  dice d = {0};
  const int64_t nse = p.nse;
  p.nse = 0; /* a grid may hold fewer than nse elements */
  specimen_make(&s, &p, &d);
  s.shape[1][0] = s.shape[2][0] = s.tensor.plain.array.length = nse;
  s.tensor.values.array.length = nse * p.block[0] * p.block[1];
  start(&o, p.C + 1 + nse, lowest, highest);
  do {
    for (int64_t i = 0; i <= p.C; i++) specimen_set(&s, 0, 0, i, o.at[i]);
    for (int64_t k = 0; k < nse; k++) specimen_set(&s, 1, 0, k, o.at[p.C + 1 + k]);
    compare(&s.tensor, total);
  } while (advance(&o));
}

static void exhaust_layout(plan p, int64_t bound, int64_t highest, tally *total)
{
  for (p.C = 0; p.C <= bound; p.C++)
    for (p.P = 0; p.P <= bound; p.P++)
      for (p.nse = 0; p.nse <= bound; p.nse++) exhaust_compressed(p, -1, highest, total);
}

static void exhaust_coo(plan p, int64_t lowest, int64_t highest, tally *total)
{
  static specimen s;
  odometer o;
  dice d = {0};
  const int64_t nse = p.nse;
  p.nse = 0;
  specimen_make(&s, &p, &d);
  s.shape[1][1] = s.shape[2][0] = s.strides[1][0] = s.tensor.values.array.length = nse;
  s.tensor.plain.array.length = p.sparse_dim * nse;
  start(&o, p.sparse_dim * nse, lowest, highest);
  do {
    for (int64_t i = 0; i < o.length; i++) specimen_set(&s, 1, 0, i, o.at[i]);
    compare(&s.tensor, total);
  } while (advance(&o));
}

static void exhaust_coo_sizes(plan p, tally *total)
{
  for (p.nse = 0; p.nse <= 3; p.nse++)
    for (p.sparse_size[0] = 0; p.sparse_size[0] <= 3; p.sparse_size[0]++)
      for (p.sparse_size[1] = 0; p.sparse_size[1] <= (p.sparse_dim == 2 ? 3 : 0);
           p.sparse_size[1]++)
        exhaust_coo(p, -1, 3, total);
}

static const spw_dtype index_types[] = {SPW_INT32, SPW_INT64};

/* Sanitizers take ten times as long; they see what is smaller, as of the other layouts. */
enum { BOUND = SANITIZED ? 2 : 3 };
static void exhaust_csr(spw_dtype type)
{
  tally total = {0};
  exhaust_layout((plan){.layout = SPW_CSR, .index_dtype = type, .has_size = true,
                        .block = {1, 1}}, BOUND, BOUND + 1, &total);
  const long offsets = SANITIZED ? 5 + 25 + 125 : 6 + 36 + 216 + 1296;
  const long columns = SANITIZED ? 1 + 5 + 25 : 1 + 6 + 36 + 216;
  cr_assert(total.tensors == offsets * columns * (BOUND + 1), "%ld tensors", total.tensors);
  /* sum over C, P and nse up to the bound of binomial(C * P, nse) */
  cr_assert(total.valid == (SANITIZED ? 26 : 262), "%ld valid tensors", total.valid);
  cr_assert(total.noncanonical > (SANITIZED ? 8 : 100));
}

Test(exhaustive, csr_int32)
{
  exhaust_csr(SPW_INT32);
  expect_no_leaks();
}

Test(exhaustive, csr_int64)
{
  exhaust_csr(SPW_INT64);
  expect_no_leaks();
}

Test(exhaustive, other_layouts_and_no_size)
{
  for (int type = 0; type < 2; type++)
    for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
      for (int has_size = 0; has_size < 2; has_size++) {
        tally total = {0};
        exhaust_layout((plan){.layout = (spw_layout)layout, .index_dtype = index_types[type],
                              .has_size = has_size, .block = {1 + (layout == SPW_BSR), 2}},
                       2, 3, &total);
        if (has_size) cr_assert(total.valid == 26 && total.noncanonical == 9);
        else cr_assert(total.valid > 26 && total.noncanonical > 9);
      }
  expect_no_leaks();
}

Test(exhaustive, coo)
{
  for (int type = 0; type < 2; type++)
    for (int claim = SPW_CLAIM_NONE; claim <= SPW_CLAIM_YES; claim++)
      for (int sparse_dim = 1; sparse_dim <= 2; sparse_dim++) {
        tally total = {0};
        plan p = {.layout = SPW_COO, .index_dtype = index_types[type], .has_size = true,
                  .coalesced = (spw_claim)claim, .sparse_dim = sparse_dim};
        exhaust_coo_sizes(p, &total);
        cr_assert(total.valid > 10);
        cr_assert((total.noncanonical > 10) == (claim == SPW_CLAIM_YES));
        p.has_size = false;
        p.nse = 2;
        exhaust_coo(p, -1, 3, &total);
      }
  expect_no_leaks();
}

/* ---- Random ---------------------------------------------------------------------------------- */

static long runs_wanted(long by_default)
{
  const char *text = getenv("SPW_RANDOM_RUNS");
  return text && atol(text) > 0 ? atol(text) : by_default;
}

Test(random, structured)
{
  static specimen s;
  long valid = 0, judged = 0, violated[SPW_RULE_COUNT] = {0};
  const long runs = runs_wanted(SANITIZED ? 60000 : 200000);
  for (long run = 0; run < runs; run++) {
    dice d = {(uint64_t)run * 7919};
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    const int64_t changes = roll_below(&d, 4);
    for (int64_t i = 0; i < changes; i++) specimen_disturb(&s, &d);
    for (int level = SPW_SHAPE; level <= SPW_CANONICAL; level++) {
      spw_report report;
      if (!agree(&s.tensor, (spw_level)level, &report)) break;
      if (changes == 0 && !report.valid) fail("not valid: %s", oracle_describe(&s.tensor));
      judged++;
      valid += report.valid;
      for (int rule = 0; rule < SPW_RULE_COUNT; rule++)
        violated[rule] += report.findings[rule].state == SPW_VIOLATED;
    }
  }
  cr_assert(judged > runs * 29 / 10, "the oracle gave up too often");
  cr_assert(valid > runs / 2 && valid < 2 * runs, "%ld valid", valid);
  for (int rule = 0; rule < SPW_RULE_COUNT && runs >= 60000; rule++) {
    const char *id = spw_rule_get((spw_rule)rule)->id;
    const bool never = id[0] == '2' || id[0] == '4' || strcmp(id, "3.7") == 0;
    cr_assert((violated[rule] == 0) == never, "%s was violated %ld times", id, violated[rule]);
  }
  expect_no_leaks();
}

/* ---- Named faults: structure and canonical rules --------------------------------------------- */

/* Edits to the base structure below, and what the only violated rule must then report. */
typedef struct fault {
  spw_rule rule;
  int which; /* 0 compressed, 1 plain */
  int edits;
  struct { int64_t at, value; } edit[4];
  int64_t position, lhs, rhs;
} fault;

#define BIG INT32_MAX

static const fault faults[] = {
    {SPW_RULE_5_1, 0, 1, {{0, 1}}, 0, 1, 0},
    {SPW_RULE_5_1, 0, 1, {{0, -1}}, 0, -1, 0},
    {SPW_RULE_5_2, 0, 1, {{4, 6}}, 4, 6, 7},
    {SPW_RULE_5_2, 0, 1, {{4, 8}}, 4, 8, 7},
    {SPW_RULE_5_3, 0, 1, {{1, -1}}, 1, -1, 0},
    {SPW_RULE_5_3, 0, 1, {{2, 1}}, 2, -1, 0},
    {SPW_RULE_5_3, 0, 1, {{3, 8}}, 4, -1, 0},
    {SPW_RULE_5_3, 0, 2, {{1, 6}, {2, 6}}, 1, 6, 5},
    {SPW_RULE_5_3, 0, 2, {{1, 0}, {2, 6}}, 2, 6, 5},
    {SPW_RULE_5_3, 0, 3, {{1, 0}, {2, 0}, {3, 1}}, 4, 6, 5},
    {SPW_RULE_5_4, 1, 1, {{0, -1}}, 0, -1, 0},
    {SPW_RULE_5_4, 1, 1, {{3, INT32_MIN}}, 3, INT32_MIN, 0},
    {SPW_RULE_5_4, 1, 1, {{6, -2}}, 6, -2, 0},
    {SPW_RULE_5_5, 1, 1, {{0, 5}}, 0, 5, 5},
    {SPW_RULE_5_5, 1, 1, {{3, BIG}}, 3, BIG, 5},
    {SPW_RULE_5_5, 1, 1, {{6, 6}}, 6, 6, 5},
    {SPW_RULE_5_6, 1, 1, {{1, 1}}, 1, 1, 1},
    {SPW_RULE_5_6, 1, 1, {{2, 4}}, 3, 4, 3},
    {SPW_RULE_5_6, 1, 1, {{5, 0}}, 5, 1, 0},
};

#define FAULTS ((int)(sizeof faults / sizeof *faults))

/* C = 4, P = 5, nse = 7 in every batch. */
static void make_base(specimen *s, plan p)
{
  static const int64_t compressed[] = {0, 2, 4, 6, 7}, plain[] = {1, 3, 1, 3, 1, 3, 2};
  dice d = {1};
  p.C = 4;
  p.P = 5;
  p.nse = 7;
  specimen_make(s, &p, &d);
  int64_t batches = 1;
  for (int64_t i = 0; i < p.batch_ndim; i++) batches *= p.batch[i];
  for (int64_t b = 0; b < batches; b++) {
    for (int64_t i = 0; i < 5; i++) specimen_set(s, 0, b, i, compressed[i]);
    for (int64_t k = 0; k < 7; k++) specimen_set(s, 1, b, k, plain[k]);
  }
}

static void inflict(specimen *s, const fault *f, int64_t batch)
{
  for (int i = 0; i < f->edits; i++)
    specimen_set(s, f->which, batch, f->edit[i].at, f->edit[i].value);
}

static spw_level phase_of(int rule)
{
  return spw_rule_get((spw_rule)rule)->phase;
}

/* Every rule holds but `a` and `b`; the rules of phases after theirs are not evaluated. */
static void expect_states(const spw_report *report, const spw_tensor *tensor, int a, int b)
{
  const spw_level last = phase_of(a) < phase_of(b) ? phase_of(a) : phase_of(b);
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_state state = report->findings[rule].state;
    const bool applicable = spw_rule_get((spw_rule)rule)->layouts >> tensor->layout & 1 &&
                            (rule != SPW_RULE_6_7 || tensor->coalesced == SPW_CLAIM_YES);
    const spw_state wanted = !applicable                ? SPW_NOT_APPLICABLE
                             : phase_of(rule) > last    ? SPW_NOT_EVALUATED
                             : rule == a || rule == b   ? SPW_VIOLATED
                                                        : SPW_HOLDS;
    if (state != wanted)
      fail("%s is %d, not %d, with %s and %s\n%s", spw_rule_get((spw_rule)rule)->id, (int)state,
              (int)wanted, spw_rule_get((spw_rule)a)->id, spw_rule_get((spw_rule)b)->id,
              oracle_describe(tensor));
  }
}

static void expect_place(const spw_report *report, const fault *f, spw_member member, int64_t batch,
                         int64_t times)
{
  const spw_finding *finding = &report->findings[f->rule];
  const spw_violation *v = &finding->first;
  if (finding->count != times || v->rule != f->rule || v->member != member || v->batch != batch ||
      v->position != f->position || v->lhs != f->lhs || v->rhs != f->rhs)
    fail("%s: %lld in batch %lld at %lld: %lld and %lld", spw_rule_get(f->rule)->id,
            (long long)finding->count, (long long)v->batch, (long long)v->position,
            (long long)v->lhs, (long long)v->rhs);
}

static spw_member member_of(const fault *f)
{
  return f->which == 0 ? SPW_MEMBER_COMPRESSED : SPW_MEMBER_PLAIN;
}

/* Calls `body` for each layout, index type, batch shape and spread; the last batch in `last`. */
static void for_each_form(void (*body)(const plan *p, int64_t last))
{
  static const int64_t batch[][4] = {{0}, {1, 3}, {2, 2, 3}, {3, 2, 1, 2}};
  for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
    for (int type = 0; type < 2; type++)
      for (int shape = 0; shape < 4; shape++)
        for (int manner = 0; manner < SPREAD_SHARED; manner++) {
          const int64_t *b = batch[shape];
          plan p = {.layout = (spw_layout)layout, .index_dtype = index_types[type],
                    .spread = (spread)manner, .has_size = true, .batch_ndim = b[0],
                    .batch = {b[1], b[2], b[3]}, .block = {2, 3}, .dense_ndim = manner,
                    .dense = {2, 2}};
          int64_t last = 1;
          for (int64_t i = 0; i < p.batch_ndim; i++) last *= p.batch[i];
          body(&p, last - 1);
        }
}

static void check_alone(const plan *p, int64_t last)
{
  static specimen s;
  for (int i = 0; i < FAULTS; i++)
    for (int end = 0; end < 2; end++) {
      spw_report report;
      const int64_t batch = end ? last : 0;
      make_base(&s, *p);
      inflict(&s, &faults[i], batch);
      cr_assert(spw_check(&s.tensor, SPW_CANONICAL, &report) == SPW_OK);
      expect_states(&report, &s.tensor, (int)faults[i].rule, (int)faults[i].rule);
      expect_place(&report, &faults[i], member_of(&faults[i]), batch, 1);
      agree(&s.tensor, SPW_CANONICAL, &report);
    }
}

/* Fault `a` in the first batch and `b` in the last one. */
static void check_pairs(const plan *p, int64_t last)
{
  static specimen s;
  if (last == 0) return;
  for (int a = 0; a < FAULTS; a++)
    for (int b = 0; b < FAULTS; b++) {
      spw_report report;
      const bool same = faults[a].rule == faults[b].rule;
      const spw_level first = phase_of((int)faults[a].rule), second = phase_of((int)faults[b].rule);
      make_base(&s, *p);
      inflict(&s, &faults[a], 0);
      inflict(&s, &faults[b], last);
      if (spw_check(&s.tensor, SPW_CANONICAL, &report) != SPW_OK) fail("refused");
      expect_states(&report, &s.tensor, (int)faults[a].rule, (int)faults[b].rule);
      if (first <= second) expect_place(&report, &faults[a], member_of(&faults[a]), 0, 1 + same);
      if (!same && second <= first)
        expect_place(&report, &faults[b], member_of(&faults[b]), last, 1);
    }
}

/* One structure for all batches: a fault is counted once a batch. */
static void check_shared(void)
{
  static specimen s;
  for (int i = 0; i < FAULTS; i++) {
    spw_report report;
    make_base(&s, (plan){.layout = SPW_CSC, .index_dtype = SPW_INT64, .spread = SPREAD_SHARED,
                         .has_size = true, .batch_ndim = 2, .batch = {2, 3}});
    inflict(&s, &faults[i], 0);
    agree(&s.tensor, SPW_CANONICAL, &report);
    expect_place(&report, &faults[i], member_of(&faults[i]), 0, 6);
    /* more batches than fit in int64, and none of their values stored */
    s.shape[0][0] = s.shape[1][0] = s.shape[2][0] = s.size[0] = (int64_t)1 << 40;
    s.shape[0][1] = s.shape[1][1] = s.shape[2][1] = s.size[1] = (int64_t)1 << 40;
    s.size[2] = 5;
    s.strides[2][0] = s.strides[2][1] = 0;
    cr_assert(spw_check(&s.tensor, SPW_CANONICAL, &report) == SPW_OK);
    cr_assert(report.findings[SPW_RULE_3_11].state == SPW_VIOLATED);
    s.shape[0][1] = s.shape[1][1] = s.shape[2][1] = s.size[1] = 3;
    cr_assert(spw_check(&s.tensor, SPW_CANONICAL, &report) == SPW_OK);
    expect_place(&report, &faults[i], member_of(&faults[i]), 0, ((int64_t)1 << 40) * 3);
    cr_assert(report.batches == ((int64_t)1 << 40) * 3);
  }
}

Test(faults, structure)
{
  for_each_form(check_alone);
  for_each_form(check_pairs);
  check_shared();
  expect_no_leaks();
}

static const fault coo_faults[] = {
    {SPW_RULE_6_5, 1, 1, {{0, -1}}, 0, -1, 0},
    {SPW_RULE_6_5, 1, 1, {{5, INT32_MIN}}, 5, INT32_MIN, 0},
    {SPW_RULE_6_5, 1, 1, {{11, -2}}, 11, -2, 0},
    {SPW_RULE_6_6, 1, 1, {{0, 4}}, 0, 4, 4},
    {SPW_RULE_6_6, 1, 1, {{6, 5}}, 6, 5, 5},
    {SPW_RULE_6_6, 1, 1, {{11, BIG}}, 11, BIG, 5},
    {SPW_RULE_6_7, 1, 1, {{7, 0}}, 1, 0, 0},  /* equal columns (0,0) (0,0) */
    {SPW_RULE_6_7, 1, 1, {{9, 0}}, 3, 0, 0},  /* (1,0) (1,0) */
    {SPW_RULE_6_7, 1, 1, {{3, 0}}, 3, 1, 0},  /* (1,0) (0,3) */
    {SPW_RULE_6_7, 1, 1, {{11, 2}}, 5, 3, 2}, /* (3,3) (3,2) */
};

#define COO_FAULTS ((int)(sizeof coo_faults / sizeof *coo_faults))

static void make_coo_base(specimen *s, spw_dtype type, int manner, spw_claim claim)
{
  static const int64_t indices[] = {0, 0, 1, 1, 3, 3, 0, 2, 0, 3, 3, 4};
  dice d = {1};
  const plan p = {.layout = SPW_COO, .index_dtype = type, .spread = (spread)manner,
                  .has_size = true, .coalesced = claim, .dense_ndim = manner % 3, .dense = {2, 0},
                  .nse = 6, .sparse_dim = 2, .sparse_size = {4, 5}};
  specimen_make(s, &p, &d);
  for (int64_t i = 0; i < 12; i++) specimen_set(s, 1, 0, i, indices[i]);
}

Test(faults, coo)
{
  static specimen s;
  for (int type = 0; type < 2; type++)
    for (int manner = 0; manner < SPREAD_COUNT; manner++)
      for (int i = 0; i < COO_FAULTS; i++) {
        const fault *f = &coo_faults[i];
        spw_report report;
        make_coo_base(&s, index_types[type], manner, SPW_CLAIM_YES);
        agree(&s.tensor, SPW_CANONICAL, &report);
        if (!report.valid) fail("the base is not valid: %s", oracle_describe(&s.tensor));
        inflict(&s, f, 0);
        agree(&s.tensor, SPW_CANONICAL, &report);
        expect_states(&report, &s.tensor, (int)f->rule, (int)f->rule);
        expect_place(&report, f, SPW_MEMBER_PLAIN, 0, 1);
        s.tensor.coalesced = SPW_CLAIM_NO;
        agree(&s.tensor, SPW_CANONICAL, &report);
        cr_assert(report.valid == (f->rule == SPW_RULE_6_7));
      }
  expect_no_leaks();
}

/* ---- Named faults: shape rules --------------------------------------------------------------- */

/* One change that violates one shape rule and no other. Position -2 is the last dimension. */
typedef struct shape_fault {
  spw_rule rule;
  spw_member member;
  int64_t position;
  void (*change)(specimen *s);
} shape_fault;

enum { COMPRESSED, PLAIN, VALUES };

static void declare_other_index_type(specimen *s)
{
  const bool is_32 = s->tensor.plain.array.dtype == SPW_INT32;
  s->tensor.plain.array.dtype = s->tensor.index_dtype = is_32 ? SPW_INT64 : SPW_INT32;
}
static void change_plain_type(specimen *s)
{
  const bool is_32 = s->tensor.plain.array.dtype == SPW_INT32;
  s->tensor.plain.array.dtype = is_32 ? SPW_INT64 : SPW_INT32;
}
static void narrow_index_type(specimen *s)
{
  s->tensor.compressed.array.dtype = s->tensor.plain.array.dtype = SPW_INT16;
}
static void declare_other_dtype(specimen *s) { s->tensor.dtype = SPW_FLOAT64; }
static void unknown_dtype(specimen *s)
{
  s->tensor.values.array.dtype = (spw_dtype)SPW_DTYPE_COUNT;
}
static void no_dtype(specimen *s) { s->tensor.values.array.dtype = SPW_DTYPE_NONE; }
static void longer_size(specimen *s) { s->size[s->tensor.ndim++] = 1; }
static void shorter_size(specimen *s) { s->tensor.ndim--; }
static void other_batch_size(specimen *s) { s->size[0]++; }
static void odd_rows(specimen *s) { s->size[1]++; }
static void odd_columns(specimen *s) { s->size[2]--; }
static void no_index_dimensions(specimen *s)
{
  s->tensor.compressed.array.ndim = s->tensor.plain.array.ndim = 0;
}
static void another_plain_dimension(specimen *s)
{
  for (int d = 2; d > 0; d--) s->shape[PLAIN][d] = s->shape[PLAIN][d - 1];
  for (int d = 2; d > 0; d--) s->strides[PLAIN][d] = s->strides[PLAIN][d - 1];
  s->shape[PLAIN][0] = 1;
  s->tensor.plain.array.ndim++;
}
static void too_few_value_dimensions(specimen *s) { s->tensor.values.array.ndim = 1; }
static void stretch(specimen *s, int which)
{
  s->strides[which][1] = 2;
}
static void stretch_compressed(specimen *s) { stretch(s, COMPRESSED); }
static void stretch_plain(specimen *s) { stretch(s, PLAIN); }
static void longer_compressed(specimen *s) { s->shape[COMPRESSED][1]++; }
static void shorter_compressed(specimen *s) { s->shape[COMPRESSED][1]--; }
static void other_plain_batch(specimen *s) { s->shape[PLAIN][0]--; }
static void other_values_batch(specimen *s) { s->shape[VALUES][0]--; }
static void other_values_nse(specimen *s) { s->shape[VALUES][1]--; }
/* 0 where another fault has left no dimension. */
static int64_t last_of(int64_t ndim) { return ndim > 0 ? ndim - 1 : 0; }
static void other_values_dense(specimen *s)
{
  int64_t *last = &s->shape[VALUES][last_of(s->tensor.values.array.ndim)];
  *last = *last == 1 ? 0 : 1;
}
static void huge_dense(specimen *s)
{
  const int64_t last = last_of(s->tensor.values.array.ndim);
  s->shape[VALUES][last] = s->size[last_of(s->tensor.ndim)] = (int64_t)1 << 62;
  s->strides[VALUES][last] = 0;
}
static void negative_dense_size(specimen *s)
{
  const int64_t last = last_of(s->tensor.values.array.ndim);
  s->shape[VALUES][last] = s->size[last_of(s->tensor.ndim)] = INT64_MIN;
}
static void block_height_0(specimen *s) { s->shape[VALUES][2] = 0; }
static void block_width_negative(specimen *s) { s->shape[VALUES][3] = 0; }
static void short_compressed(specimen *s) { s->tensor.compressed.array.length = 9; }
static void short_plain(specimen *s) { s->tensor.plain.array.length = 13; }
static void short_values(specimen *s) { s->tensor.values.array.length--; }
static void offset_compressed(specimen *s) { s->tensor.compressed.array.offset = INT64_MAX; }
static void offset_plain(specimen *s) { s->tensor.plain.array.offset = -1; }
static void offset_values(specimen *s) { s->tensor.values.array.offset = INT64_MIN; }
static void stride_values(specimen *s) { s->strides[VALUES][1] = INT64_MAX; }
static void stride_backwards(specimen *s) { s->strides[PLAIN][0] = -1; }

static const shape_fault compressed_faults[] = {
    {SPW_RULE_1_1, SPW_MEMBER_COMPRESSED, -1, declare_other_index_type},
    {SPW_RULE_1_2, SPW_MEMBER_PLAIN, -1, change_plain_type},
    {SPW_RULE_1_3, SPW_MEMBER_COMPRESSED, -1, narrow_index_type},
    {SPW_RULE_1_4, SPW_MEMBER_VALUES, -1, declare_other_dtype},
    {SPW_RULE_1_5, SPW_MEMBER_VALUES, -1, unknown_dtype},
    {SPW_RULE_1_5, SPW_MEMBER_VALUES, -1, no_dtype},
    {SPW_RULE_3_1, SPW_MEMBER_SIZE, -1, longer_size},
    {SPW_RULE_3_1, SPW_MEMBER_SIZE, -1, shorter_size},
    {SPW_RULE_3_1, SPW_MEMBER_SIZE, 0, other_batch_size},
    {SPW_RULE_3_2, SPW_MEMBER_COMPRESSED, -1, no_index_dimensions},
    {SPW_RULE_3_3, SPW_MEMBER_PLAIN, -1, another_plain_dimension},
    {SPW_RULE_3_4, SPW_MEMBER_VALUES, -1, too_few_value_dimensions},
    {SPW_RULE_3_5, SPW_MEMBER_COMPRESSED, 1, stretch_compressed},
    {SPW_RULE_3_6, SPW_MEMBER_PLAIN, 1, stretch_plain},
    {SPW_RULE_3_8, SPW_MEMBER_COMPRESSED, 1, longer_compressed},
    {SPW_RULE_3_8, SPW_MEMBER_COMPRESSED, 1, shorter_compressed},
    {SPW_RULE_3_9, SPW_MEMBER_PLAIN, 0, other_plain_batch},
    {SPW_RULE_3_10, SPW_MEMBER_VALUES, 0, other_values_batch},
    {SPW_RULE_3_10, SPW_MEMBER_VALUES, 1, other_values_nse},
    {SPW_RULE_3_10, SPW_MEMBER_VALUES, -2, other_values_dense},
    {SPW_RULE_3_11, SPW_MEMBER_SIZE, -1, huge_dense},
    {SPW_RULE_3_12, SPW_MEMBER_SIZE, -2, negative_dense_size},
    {SPW_RULE_3_14, SPW_MEMBER_COMPRESSED, -1, short_compressed},
    {SPW_RULE_3_14, SPW_MEMBER_PLAIN, -1, short_plain},
    {SPW_RULE_3_14, SPW_MEMBER_VALUES, -1, short_values},
    {SPW_RULE_3_14, SPW_MEMBER_COMPRESSED, -1, offset_compressed},
    {SPW_RULE_3_14, SPW_MEMBER_PLAIN, -1, offset_plain},
    {SPW_RULE_3_14, SPW_MEMBER_VALUES, -1, offset_values},
    {SPW_RULE_3_14, SPW_MEMBER_VALUES, -1, stride_values},
    {SPW_RULE_3_14, SPW_MEMBER_PLAIN, 0, stride_backwards},
    /* blocked layouts only */
    {SPW_RULE_3_1, SPW_MEMBER_SIZE, 1, odd_rows},
    {SPW_RULE_3_1, SPW_MEMBER_SIZE, 2, odd_columns},
    {SPW_RULE_3_13, SPW_MEMBER_VALUES, 2, block_height_0},
    {SPW_RULE_3_13, SPW_MEMBER_VALUES, 3, block_width_negative},
};

#define SHAPE_FAULTS ((int)(sizeof compressed_faults / sizeof *compressed_faults))
#define BLOCKED_FAULTS 4

static void make_shape_base(specimen *s, spw_layout layout, spw_dtype type, spread manner)
{
  make_base(s, (plan){.layout = layout, .index_dtype = type, .spread = manner, .has_size = true,
                      .batch_ndim = 1, .batch = {2}, .block = {2, 3}, .dense_ndim = 1,
                      .dense = {2}});
  if (manner == SPREAD_PACKED) return;
  s->tensor.compressed.array.length = s->tensor.plain.array.length = 100; /* room to stretch */
}

static bool is_a_rule_of_storage(const shape_fault *f)
{
  return f->rule == SPW_RULE_3_14;
}

/* The rule alone is violated, everything that does not depend on it holds. */
static void expect_shape(const shape_fault *f, const spw_report *report, const spw_tensor *tensor)
{
  const spw_finding *finding = &report->findings[f->rule];
  const int64_t last = f->member == SPW_MEMBER_SIZE ? tensor->ndim - 1
                                                    : tensor->values.array.ndim - 1;
  const int64_t position = f->position == -2 ? last : f->position;
  if (finding->state != SPW_VIOLATED || finding->first.member != f->member ||
      finding->first.batch != 0 || finding->first.position != position)
    fail("%s: state %d member %d position %lld, not member %d position %lld\n%s",
            spw_rule_get(f->rule)->id, (int)finding->state, (int)finding->first.member,
            (long long)finding->first.position, (int)f->member, (long long)position,
            oracle_describe(tensor));
  for (int rule = 0; rule < SPW_RULE_COUNT; rule++) {
    const spw_state state = report->findings[rule].state;
    if (rule != (int)f->rule && state == SPW_VIOLATED)
      fail("%s is violated besides %s\n%s", spw_rule_get((spw_rule)rule)->id,
              spw_rule_get(f->rule)->id, oracle_describe(tensor));
    if (phase_of(rule) > SPW_SHAPE && state != SPW_NOT_EVALUATED && state != SPW_NOT_APPLICABLE)
      fail("%s was evaluated", spw_rule_get((spw_rule)rule)->id);
  }
}

static void check_shape_faults(spw_layout layout, spw_dtype type)
{
  static specimen s;
  spw_report report;
  const bool blocked = layout == SPW_BSR || layout == SPW_BSC;
  const int faults_here = SHAPE_FAULTS - (blocked ? 0 : BLOCKED_FAULTS);
  for (int i = 0; i < faults_here; i++) {
    const shape_fault *f = &compressed_faults[i];
    make_shape_base(&s, layout, type, is_a_rule_of_storage(f) ? SPREAD_PACKED : SPREAD_PADDED);
    f->change(&s);
    agree(&s.tensor, SPW_CANONICAL, &report);
    if (f->rule == SPW_RULE_3_12) cr_assert(report.findings[SPW_RULE_3_12].count == 2);
    expect_shape(f, &report, &s.tensor);
    for (int j = 0; j < faults_here; j++) {
      make_shape_base(&s, layout, type, SPREAD_PACKED);
      f->change(&s);
      compressed_faults[j].change(&s);
      agree(&s.tensor, SPW_CANONICAL, &report);
    }
  }
}

Test(faults, shape)
{
  for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
    for (int type = 0; type < 2; type++) check_shape_faults((spw_layout)layout, index_types[type]);
  expect_no_leaks();
}

static void flatten_indices(specimen *s) { s->tensor.plain.array.ndim = 1; }
static void scalar_values(specimen *s) { s->tensor.values.array.ndim = 0; }
static void fewer_values(specimen *s) { s->shape[VALUES][0]--; }
static void narrow_indices(specimen *s) { s->tensor.plain.array.dtype = SPW_UINT8; }
static void declare_narrow(specimen *s) { s->tensor.index_dtype = SPW_INT8; }
static void short_indices(specimen *s) { s->tensor.plain.array.length = 11; }

static const shape_fault coo_shape_faults[] = {
    {SPW_RULE_1_3, SPW_MEMBER_PLAIN, -1, narrow_indices},
    {SPW_RULE_1_3, SPW_MEMBER_PLAIN, -1, declare_narrow},
    {SPW_RULE_1_4, SPW_MEMBER_VALUES, -1, declare_other_dtype},
    {SPW_RULE_1_5, SPW_MEMBER_VALUES, -1, unknown_dtype},
    {SPW_RULE_3_11, SPW_MEMBER_SIZE, -1, huge_dense},
    {SPW_RULE_3_12, SPW_MEMBER_SIZE, -2, negative_dense_size},
    {SPW_RULE_3_14, SPW_MEMBER_PLAIN, -1, short_indices},
    {SPW_RULE_3_14, SPW_MEMBER_PLAIN, -1, offset_plain},
    {SPW_RULE_3_14, SPW_MEMBER_VALUES, -1, short_values},
    {SPW_RULE_6_1, SPW_MEMBER_PLAIN, -1, flatten_indices},
    {SPW_RULE_6_2, SPW_MEMBER_VALUES, 0, fewer_values},
    {SPW_RULE_6_2, SPW_MEMBER_VALUES, -1, scalar_values},
    {SPW_RULE_6_3, SPW_MEMBER_SIZE, -1, longer_size},
    {SPW_RULE_6_3, SPW_MEMBER_SIZE, -1, shorter_size},
    {SPW_RULE_6_4, SPW_MEMBER_VALUES, -2, other_values_dense},
};

#define COO_SHAPE_FAULTS ((int)(sizeof coo_shape_faults / sizeof *coo_shape_faults))

static void make_coo_shape_base(specimen *s, int type)
{
  dice d = {3};
  const plan p = {.layout = SPW_COO, .index_dtype = index_types[type], .has_size = true,
                  .coalesced = SPW_CLAIM_YES, .dense_ndim = 1, .dense = {2}, .nse = 6,
                  .sparse_dim = 2, .sparse_size = {4, 5}};
  specimen_make(s, &p, &d);
  s->tensor.plain.array.length = 12;
}

Test(faults, coo_shape)
{
  static specimen s;
  spw_report report;
  for (int type = 0; type < 2; type++)
    for (int i = 0; i < COO_SHAPE_FAULTS; i++) {
      make_coo_shape_base(&s, type);
      coo_shape_faults[i].change(&s);
      agree(&s.tensor, SPW_CANONICAL, &report);
      expect_shape(&coo_shape_faults[i], &report, &s.tensor);
      for (int j = 0; j < COO_SHAPE_FAULTS; j++) {
        make_coo_shape_base(&s, type);
        coo_shape_faults[i].change(&s);
        coo_shape_faults[j].change(&s);
        agree(&s.tensor, SPW_CANONICAL, &report);
      }
    }
  expect_no_leaks();
}

/* ---- Empty and extreme ----------------------------------------------------------------------- */

/* A CSR tensor over these arrays, without batches. */
static spw_tensor csr_of(const int64_t size[2], const int64_t *crow, const int64_t shapes[3],
                         const int64_t *col)
{
  static const int64_t ones[] = {1, 1};
  static const float values[8];
  const spw_array compressed = {SPW_INT64, 1, shapes, ones, 0, shapes[0]};
  const spw_array plain = {SPW_INT64, 1, shapes + 1, ones, 0, shapes[1]};
  const spw_array value_shape = {SPW_FLOAT32, 1, shapes + 2, ones, 0, shapes[2]};
  return (spw_tensor){.layout = SPW_CSR, .has_size = true, .ndim = 2, .size = size,
                      .coalesced = SPW_CLAIM_NONE, .compressed = {compressed, .i64 = crow},
                      .plain = {plain, .i64 = col}, .values = {value_shape, values}};
}

static bool violates(const spw_report *report, spw_rule rule, int64_t position, int64_t lhs,
                     int64_t rhs)
{
  const spw_violation *v = &report->findings[rule].first;
  return report->findings[rule].state == SPW_VIOLATED && v->position == position &&
         v->lhs == lhs && v->rhs == rhs;
}

Test(check, demonstration)
{
  spw_report report;
  spw_violation first;
  const int64_t crow[] = {0, 2, 0}, none[] = {0}, size[] = {2, 2}, shapes[] = {3, 0, 0};
  const spw_tensor falls = csr_of(size, crow, shapes, none);
  agree(&falls, SPW_CANONICAL, &report);
  cr_assert(!report.valid);
  cr_assert(violates(&report, SPW_RULE_5_3, 2, -2, 0));
  cr_assert(report.findings[SPW_RULE_5_3].count == 1);
  cr_assert(report.findings[SPW_RULE_5_2].state == SPW_HOLDS);
  cr_assert(report.findings[SPW_RULE_5_6].state == SPW_NOT_EVALUATED);

  const int64_t wild[] = {0, 6, 4}, col[] = {0, 1, 2, 3}, wide[] = {2, 6}, four[] = {3, 4, 4};
  const spw_tensor beyond = csr_of(wide, wild, four, col);
  agree(&beyond, SPW_CANONICAL, &report);
  cr_assert(violates(&report, SPW_RULE_5_3, 2, -2, 0));
  cr_assert(report.findings[SPW_RULE_5_6].state == SPW_NOT_EVALUATED);
  cr_assert(spw_first_violation(&beyond, SPW_CANONICAL, &first) == SPW_OK);
  cr_assert(first.rule == SPW_RULE_5_3 && first.position == 2);
  cr_assert(spw_first_violation(&beyond, SPW_SHAPE, &first) == SPW_OK);
  cr_assert(first.rule == SPW_RULE_NONE);
  expect_no_leaks();
}

static void check_emptied(int layout, int type, int what)
{
  static specimen s;
  dice d = {5};
  spw_report report;
  plan p = {.layout = (spw_layout)layout, .index_dtype = index_types[type], .has_size = true,
            .coalesced = SPW_CLAIM_YES, .batch_ndim = layout == SPW_COO ? 0 : 2, .batch = {2, 3},
            .C = 3, .P = 4, .nse = what == 4 ? 3 : 0, .block = {2, 3}, .dense_ndim = 1,
            .dense = {2}, .sparse_dim = 2, .sparse_size = {3, 4}};
  switch (what) {
    case 0: p.C = p.sparse_size[0] = 0; break;
    case 1: p.P = p.sparse_size[1] = 0; break;
    case 2: p.C = p.P = p.sparse_size[0] = p.sparse_size[1] = 0; break;
    case 3: p.batch[1] = 0; break;
    case 4: p.dense[0] = 0; break;
    default: p.sparse_dim = 0; break;
  }
  for (int has_size = 0; has_size < 2; has_size++) {
    p.has_size = has_size;
    specimen_make(&s, &p, &d);
    for (int level = SPW_SHAPE; level <= SPW_CANONICAL; level++) {
      agree(&s.tensor, (spw_level)level, &report);
      if (!report.valid) fail("%d: %s", what, oracle_describe(&s.tensor));
    }
  }
}

Test(check, empty)
{
  for (int layout = SPW_COO; layout <= SPW_BSC; layout++)
    for (int type = 0; type < 2; type++)
      for (int what = 0; what < 6; what++) check_emptied(layout, type, what);
  spw_report report;
  const int64_t one[] = {1}, zero[] = {0}, size[] = {0, 3}, no_rows[] = {1, 0, 0};
  spw_tensor tensor = csr_of(size, one, no_rows, zero);
  agree(&tensor, SPW_CANONICAL, &report);
  cr_assert(violates(&report, SPW_RULE_5_1, 0, 1, 0) && violates(&report, SPW_RULE_5_2, 0, 1, 0));
  const int64_t missing[] = {0, 0, 0};
  tensor = csr_of(size, one, missing, zero);
  tensor.compressed.i64 = NULL;
  agree(&tensor, SPW_CANONICAL, &report);
  cr_assert(violates(&report, SPW_RULE_3_8, 0, 0, 1));
  expect_no_leaks();
}

/* A dense shape too large for int64 is no fault of a tensor whose inferred size has a 0 in it: one
 * without batches (0), without rows (1; 2: though there are indices), or without elements (3). It
 * is one where there is no 0 (4). */
static void check_huge_dense(int layout, int type, int what)
{
  static specimen s;
  dice d = {8};
  spw_report report;
  const plan p = {.layout = (spw_layout)layout, .index_dtype = index_types[type], .batch_ndim = 1,
                  .batch = {what != 0}, .C = what != 1, .P = 4,
                  .nse = what != 1 && what != 3 ? 3 : 0, .block = {2, 3}, .dense_ndim = 2,
                  .dense = {1, 1}};
  specimen_make(&s, &p, &d);
  const int64_t last = s.tensor.values.array.ndim - 1;
  for (int64_t i = 0; i <= last; i++) s.strides[VALUES][i] = 0;
  s.shape[VALUES][last] = s.shape[VALUES][last - 1] = (int64_t)1 << 40;
  if (what == 2) s.shape[COMPRESSED][1] = 1;
  for (int level = SPW_SHAPE; level <= SPW_CANONICAL; level++) {
    agree(&s.tensor, (spw_level)level, &report);
    if (report.valid != (level == SPW_SHAPE || (what != 2 && what != 4)))
      fail("%d: %s", what, oracle_describe(&s.tensor));
  }
  cr_assert(report.findings[SPW_RULE_3_11].state == (what < 4 ? SPW_HOLDS : SPW_VIOLATED));
}

Test(check, huge_dense_shape_without_a_size)
{
  for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
    for (int type = 0; type < 2; type++)
      for (int what = 0; what < 5; what++) check_huge_dense(layout, type, what);
  expect_no_leaks();
}

/* Offsets at both ends of their type: differences of 5.3 are exact. */
Test(check, extremes)
{
  static specimen s;
  dice d = {9};
  spw_report report;
  for (int type = 0; type < 2; type++) {
    const int64_t least = type ? INT64_MIN : INT32_MIN, most = type ? INT64_MAX : INT32_MAX;
    const int64_t ends[] = {least, least + 1, -1, 0, 1, most - 1, most};
    const plan p = {.layout = SPW_CSR, .index_dtype = index_types[type], .has_size = true, .C = 2,
                    .P = 3, .nse = 2};
    specimen_make(&s, &p, &d);
    for (int i = 0; i < 7 * 7 * 7; i++) {
      specimen_set(&s, 0, 0, 0, ends[i % 7]);
      specimen_set(&s, 0, 0, 1, ends[i / 7 % 7]);
      specimen_set(&s, 0, 0, 2, ends[i / 49]);
      agree(&s.tensor, SPW_CANONICAL, &report);
    }
    specimen_set(&s, 0, 0, 0, least);
    specimen_set(&s, 0, 0, 1, most);
    agree(&s.tensor, SPW_CANONICAL, &report);
    cr_assert(violates(&report, SPW_RULE_5_3, 1, type ? INT64_MAX : (int64_t)UINT32_MAX, 3));
    specimen_make(&s, &p, &d);
    s.size[1] = most; /* P is the largest number of the type: allowed, and so is one less */
    specimen_set(&s, 1, 0, 0, most - 1);
    specimen_set(&s, 0, 0, 1, 1);
    agree(&s.tensor, SPW_CANONICAL, &report);
    cr_assert(report.findings[SPW_RULE_1_6].state == SPW_HOLDS);
    cr_assert(report.findings[SPW_RULE_5_5].state == (type ? SPW_NOT_EVALUATED : SPW_HOLDS));
    s.size[0] = 0; /* 3.8 hides the rest, but the product is 0 */
    agree(&s.tensor, SPW_CANONICAL, &report);
    cr_assert(report.findings[SPW_RULE_3_11].state == SPW_HOLDS);
  }
  const int64_t crow[] = {0, 1}, size[] = {1, (int64_t)INT32_MAX + 1}, shapes[] = {2, 1, 1};
  const int32_t crow32[] = {0, 1}, col32[] = {0};
  spw_tensor tensor = csr_of(size, crow, shapes, crow);
  tensor.compressed = (spw_index_array){tensor.compressed.array, .i32 = crow32};
  tensor.plain = (spw_index_array){tensor.plain.array, .i32 = col32};
  tensor.compressed.array.dtype = tensor.plain.array.dtype = SPW_INT32;
  agree(&tensor, SPW_CANONICAL, &report);
  cr_assert(report.findings[SPW_RULE_1_6].state == SPW_VIOLATED);
  cr_assert(report.findings[SPW_RULE_1_6].first.lhs == (int64_t)INT32_MAX + 1);
  expect_no_leaks();
}

/* 2^64 batches of an empty tensor: the shape rules hold, but int64 cannot number the batches. */
Test(check, too_many_batches)
{
  const int64_t many = (int64_t)1 << 32, zeros[4] = {0}, crow[] = {0};
  const int64_t size[] = {many, many, 0, 5}, offsets[] = {many, many, 1}, none[] = {many, many, 0};
  spw_tensor tensor = {.layout = SPW_CSR, .has_size = true, .ndim = 4, .size = size,
                       .coalesced = SPW_CLAIM_NONE};
  tensor.compressed = (spw_index_array){{SPW_INT64, 3, offsets, zeros, 0, 1}, .i64 = crow};
  tensor.plain.array = (spw_array){SPW_INT64, 3, none, zeros, 0, 0};
  tensor.values.array = (spw_array){SPW_FLOAT32, 3, none, zeros, 0, 0};
  spw_report report;
  cr_assert(spw_check(&tensor, SPW_SHAPE, &report) == SPW_OK && report.valid);
  cr_assert(report.batches == -1 && report.plain_size == -1);
  cr_assert(report.compressed_size == 0 && report.nse == 0);
  for (spw_level level = SPW_STRUCTURE; level <= SPW_CANONICAL; level++) {
    spw_violation first;
    bool valid = true;
    report.nse = 7;
    cr_assert(spw_check(&tensor, level, &report) == SPW_EOVERFLOW && report.nse == 7);
    cr_assert(spw_is_valid(&tensor, level, &valid) == SPW_EOVERFLOW && valid);
    cr_assert(spw_first_violation(&tensor, level, &first) == SPW_EOVERFLOW);
  }
  expect_no_leaks();
}

Test(check, unknown_layout)
{
  static specimen s;
  dice d = {2};
  spw_report report;
  spw_violation first;
  const plan p = {.layout = SPW_CSR, .index_dtype = SPW_INT64, .has_size = true, .C = 2, .P = 2,
                  .nse = 1};
  const int layouts[] = {-1, SPW_LAYOUT_COUNT, 99, INT32_MAX, INT32_MIN};
  for (int i = 0; i < 5; i++) {
    specimen_make(&s, &p, &d);
    s.tensor.layout = (spw_layout)layouts[i];
    cr_assert(spw_check(&s.tensor, SPW_CANONICAL, &report) == SPW_OK);
    cr_assert(!report.valid && report.findings[SPW_RULE_2_4].state == SPW_VIOLATED);
    cr_assert(report.findings[SPW_RULE_2_4].first.member == SPW_MEMBER_LAYOUT);
    cr_assert(report.findings[SPW_RULE_2_4].first.lhs == (int64_t)s.tensor.layout); /* which may be unsigned */
    for (int rule = 0; rule < SPW_RULE_COUNT; rule++)
      cr_assert(rule == SPW_RULE_2_4 || report.findings[rule].state == SPW_NOT_EVALUATED ||
                report.findings[rule].state == SPW_NOT_APPLICABLE);
    cr_assert(spw_first_violation(&s.tensor, SPW_SHAPE, &first) == SPW_OK);
    cr_assert(first.rule == SPW_RULE_2_4);
  }
  expect_no_leaks();
}

/* 2^40 sparse dimensions without any element take no time: the cost is that of nse. */
Test(check, many_sparse_dimensions, .timeout = 60)
{
  const int64_t shape[] = {(int64_t)1 << 40, 0}, strides[] = {0, 1}, none[] = {0};
  const spw_array indices = {SPW_INT64, 2, shape, strides, 0, 0};
  const spw_array values = {SPW_FLOAT32, 1, none, strides, 0, 0};
  const spw_tensor tensor = {.layout = SPW_COO, .coalesced = SPW_CLAIM_YES,
                             .plain.array = indices, .values.array = values};
  spw_report report;
  int64_t size[4], ndim;
  cr_assert(spw_check(&tensor, SPW_CANONICAL, &report) == SPW_OK && report.valid);
  cr_assert(spw_infer_size(&tensor, size, 4, &ndim) == SPW_EINVAL);
  expect_no_leaks();
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* One page between two that may not be touched. */
static char *guarded_page(size_t page)
{
  char *pages = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  cr_assert(pages != MAP_FAILED);
  cr_assert(mprotect(pages, page, PROT_NONE) == 0);
  cr_assert(mprotect(pages + 2 * page, page, PROT_NONE) == 0);
  return pages + page;
}

/* Copies to where the byte after the last, or the one before the first, is out of bounds. */
static void *to_the_edge(char *page, size_t page_size, const void *bytes, size_t size, bool high)
{
  char *place = high ? page + page_size - size : page;
  if (size > 0) memcpy(place, bytes, size);
  return place;
}

typedef struct guarded {
  size_t page_size;
  char *pages[9];
} guarded;

static const int64_t *guard_list(const guarded *g, int which, const int64_t *list, int64_t count,
                                 bool high)
{
  return to_the_edge(g->pages[which], g->page_size, list, (size_t)count * sizeof *list, high);
}

static spw_tensor guard(const guarded *g, const specimen *s, bool high)
{
  spw_tensor x = s->tensor;
  spw_index_array *index[] = {&x.compressed, &x.plain};
  x.size = guard_list(g, 0, s->size, x.ndim, high);
  for (int which = 0; which < 2; which++) {
    spw_array *a = &index[which]->array;
    const size_t length = (size_t)a->length;
    const bool is_32 = a->dtype == SPW_INT32;
    a->shape = guard_list(g, 1 + which, s->shape[which], a->ndim, high);
    a->strides = guard_list(g, 3 + which, s->strides[which], a->ndim, high);
    const void *storage = is_32 ? (const void *)s->i32[which] : (const void *)s->i64[which];
    void *copy = to_the_edge(g->pages[5 + which], g->page_size, storage, length * (is_32 ? 4 : 8),
                             high);
    index[which]->i32 = is_32 ? copy : NULL;
    index[which]->i64 = is_32 ? NULL : copy;
  }
  x.values.array.shape = guard_list(g, 7, s->shape[VALUES], x.values.array.ndim, high);
  x.values.array.strides = guard_list(g, 8, s->strides[VALUES], x.values.array.ndim, high);
  x.values.data = g->pages[0] + g->page_size; /* may not be touched at all */
  return x;
}

static int64_t any_number(dice *d)
{
  switch (roll_below(d, 3)) {
    case 0: return roll_below(d, 10) - 2;
    case 1: return roll_extreme(d);
    default: return (int64_t)roll(d);
  }
}

static void scramble(specimen *s, dice *d)
{
  for (int which = 0; which < 2; which++)
    for (int i = 0; i < 60; i++) {
      s->i64[which][i] = any_number(d);
      s->i32[which][i] = (int32_t)s->i64[which][i];
    }
}

Test(check, stays_inside_its_arrays)
{
  static specimen s;
  guarded g = {.page_size = (size_t)sysconf(_SC_PAGESIZE)};
  cr_assert(g.page_size >= SPECIMEN_ELEMENTS * sizeof(int64_t));
  for (int i = 0; i < 9; i++) g.pages[i] = guarded_page(g.page_size);
  long invalid = 0;
  const long runs = SANITIZED ? 20000 : 60000;
  for (long run = 0; run < runs; run++) {
    dice d = {(uint64_t)run * 104729};
    spw_report report;
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    const int64_t way = roll_below(&d, 4);
    if (way == 0) scramble(&s, &d);
    for (int64_t i = 1; i < way; i++) specimen_disturb(&s, &d);
    if (!oracle_check(&s.tensor, SPW_CANONICAL, &report)) continue;
    const spw_tensor x = guard(&g, &s, run % 2);
    if (spw_check(&x, SPW_CANONICAL, &report) != SPW_OK) fail("%s", oracle_describe(&x));
    int64_t size[SPECIMEN_NDIM * 2], ndim = -1;
    spw_infer_size(&x, size, SPECIMEN_NDIM * 2, &ndim);
    invalid += !report.valid;
  }
  cr_assert(invalid > runs / 3, "%ld", invalid);
  expect_no_leaks();
}

/* ---- Wrong calls ----------------------------------------------------------------------------- */

static bool is_pattern(const void *bytes, size_t size)
{
  const unsigned char *b = bytes;
  for (size_t i = 0; i < size; i++)
    if (b[i] != 0xa5) return false;
  return true;
}

/* The checker refuses the tensor and leaves its outputs alone. */
static void expect_unchecked(const spw_tensor *tensor, spw_level level, const char *why)
{
  spw_report report;
  spw_violation first;
  unsigned char valid = 0xa5;
  memset(&report, 0xa5, sizeof report);
  memset(&first, 0xa5, sizeof first);
  cr_assert(spw_check(tensor, level, &report) == SPW_EINVAL, "spw_check: %s", why);
  cr_assert(spw_first_violation(tensor, level, &first) == SPW_EINVAL, "first: %s", why);
  cr_assert(spw_is_valid(tensor, level, (bool *)&valid) == SPW_EINVAL, "is_valid: %s", why);
  cr_assert(is_pattern(&report, sizeof report), "spw_check wrote: %s", why);
  cr_assert(is_pattern(&first, sizeof first), "spw_first_violation wrote: %s", why);
  cr_assert(valid == 0xa5, "spw_is_valid wrote: %s", why);
}

/* So does spw_infer_size. */
static void expect_refused(const spw_tensor *tensor, const char *why)
{
  int64_t size[8], ndim;
  memset(size, 0xa5, sizeof size);
  memset(&ndim, 0xa5, sizeof ndim);
  expect_unchecked(tensor, SPW_CANONICAL, why);
  cr_assert(spw_infer_size(tensor, size, 8, &ndim) == SPW_EINVAL, "infer: %s", why);
  cr_assert(is_pattern(size, sizeof size) && is_pattern(&ndim, sizeof ndim), "infer: %s", why);
}

static spw_tensor usable_tensor(int layout, spw_dtype type)
{
  static specimen s;
  dice d = {4};
  const plan p = {.layout = (spw_layout)layout, .index_dtype = type, .has_size = true, .C = 2,
                  .P = 3, .nse = 2, .block = {1, 1}, .sparse_dim = 2, .sparse_size = {2, 3}};
  specimen_make(&s, &p, &d);
  return s.tensor;
}

static void misuse_array(spw_tensor *x, spw_array *a, const char *name)
{
  const spw_array good = *a;
  a->ndim = -1;
  expect_refused(x, name);
  a->ndim = INT64_MIN;
  expect_refused(x, name);
  a->ndim = (int64_t)SPW_NDIM_MAX + 1;
  expect_refused(x, name);
  *a = good;
  a->length = -1;
  expect_refused(x, name);
  *a = good;
  a->shape = NULL;
  expect_refused(x, name);
  *a = good;
  a->strides = NULL;
  expect_refused(x, name);
  *a = good;
}

static void misuse_index(spw_tensor *x, spw_index_array *a, const char *name)
{
  const spw_index_array good = *a;
  misuse_array(x, &a->array, name);
  if (a->array.dtype == SPW_INT32) a->i32 = NULL;
  else a->i64 = NULL;
  expect_refused(x, name);
  a->array.length = 0; /* nothing to read, so null is fine */
  a->array.shape = a->array.strides = NULL;
  a->array.ndim = 0;
  spw_report report;
  cr_assert(spw_check(x, SPW_CANONICAL, &report) == SPW_OK);
  *a = good;
}

Test(check, misuse)
{
  spw_report report;
  spw_violation first;
  bool valid;
  for (int layout = SPW_COO; layout <= SPW_BSC; layout++)
    for (int type = 0; type < 2; type++) {
      spw_tensor x = usable_tensor(layout, index_types[type]);
      expect_refused(NULL, "no tensor");
      cr_assert(spw_check(&x, SPW_CANONICAL, NULL) == SPW_EINVAL);
      cr_assert(spw_is_valid(&x, SPW_CANONICAL, NULL) == SPW_EINVAL);
      cr_assert(spw_first_violation(&x, SPW_CANONICAL, NULL) == SPW_EINVAL);
      const int levels[] = {0, -1, 4, 99, INT32_MIN, INT32_MAX};
      for (int i = 0; i < 6; i++) expect_unchecked(&x, (spw_level)levels[i], "level");
      if (layout != SPW_COO) misuse_index(&x, &x.compressed, "compressed");
      misuse_index(&x, &x.plain, "plain");
      misuse_array(&x, &x.values.array, "values");
      x.values.data = NULL;
      expect_refused(&x, "values without storage");
      x = usable_tensor(layout, index_types[type]);
      x.size = NULL;
      expect_unchecked(&x, SPW_CANONICAL, "size");
      x.has_size = false; /* then size and ndim are not looked at */
      x.ndim = -5;
      cr_assert(spw_check(&x, SPW_CANONICAL, &report) == SPW_OK && report.valid);
      x = usable_tensor(layout, index_types[type]);
      x.ndim = -1;
      expect_unchecked(&x, SPW_CANONICAL, "ndim");
      x.ndim = (int64_t)SPW_NDIM_MAX + 1;
      expect_unchecked(&x, SPW_CANONICAL, "ndim");
      x = usable_tensor(layout, index_types[type]);
      if (layout == SPW_COO) memset(&x.compressed, 0xa5, sizeof x.compressed);
      x.coalesced = (spw_claim)77; /* not a claim */
      cr_assert(spw_check(&x, SPW_CANONICAL, &report) == SPW_OK && report.valid);
      cr_assert(spw_is_valid(&x, SPW_CANONICAL, &valid) == SPW_OK && valid);
      cr_assert(spw_first_violation(&x, SPW_CANONICAL, &first) == SPW_OK);
      cr_assert(first.rule == SPW_RULE_NONE);
    }
  expect_no_leaks();
}

/* ---- Sizes ----------------------------------------------------------------------------------- */

static void expect_this_size(const spw_tensor *x, int64_t ndim, const int64_t *wanted)
{
  int64_t size[16], found = -1;
  for (int64_t capacity = 0; capacity < ndim; capacity++) {
    memset(size, 0xa5, sizeof size);
    cr_assert(spw_infer_size(x, size, capacity, &found) == SPW_EINVAL && found == -1);
    cr_assert(is_pattern(size, sizeof size));
  }
  cr_assert(spw_infer_size(x, size, ndim, &found) == SPW_OK && found == ndim);
  cr_assert(memcmp(size, wanted, (size_t)ndim * sizeof *size) == 0);
  cr_assert(is_pattern(size + ndim, sizeof size - (size_t)ndim * sizeof *size));
}

static void expect_this_status(const spw_tensor *x, spw_status status)
{
  int64_t size[8], ndim;
  memset(size, 0xa5, sizeof size);
  memset(&ndim, 0xa5, sizeof ndim);
  const spw_status found = spw_infer_size(x, size, 8, &ndim);
  cr_assert(found == status, "%d, not %d: %s", (int)found, (int)status, oracle_describe(x));
  cr_assert(is_pattern(size, sizeof size) && is_pattern(&ndim, sizeof ndim));
}

/* A size that the tensor has is not looked at, not even one that no call may have. */
static spw_tensor with_a_size(const spw_tensor *x)
{
  spw_tensor sized = *x;
  sized.has_size = true;
  sized.ndim = -7;
  sized.size = NULL;
  return sized;
}

static void expect_size(const spw_tensor *x, int64_t ndim, const int64_t *wanted)
{
  const spw_tensor sized = with_a_size(x);
  expect_this_size(x, ndim, wanted);
  expect_this_size(&sized, ndim, wanted);
}

static void expect_no_size(const spw_tensor *x, spw_status status)
{
  const spw_tensor sized = with_a_size(x);
  expect_this_status(x, status);
  expect_this_status(&sized, status);
}

Test(size, inference)
{
  static specimen s;
  dice d = {6};
  for (int layout = SPW_CSR; layout <= SPW_BSC; layout++)
    for (int type = 0; type < 2; type++) {
      const bool blocked = layout >= SPW_BSR, rows = layout == SPW_CSR || layout == SPW_BSR;
      const int64_t b0 = blocked ? 2 : 1, b1 = blocked ? 3 : 1;
      plan p = {.layout = (spw_layout)layout, .index_dtype = index_types[type], .batch_ndim = 1,
                .batch = {2}, .block = {2, 3}, .dense_ndim = 1, .dense = {7}};
      make_base(&s, p);
      specimen_set(&s, 1, 1, 6, 8); /* the largest index, in the last batch */
      expect_size(&s.tensor, 4, (int64_t[]){2, (rows ? 4 : 9) * b0, (rows ? 9 : 4) * b1, 7});
      specimen_set(&s, 1, 0, 3, -1);
      expect_no_size(&s.tensor, SPW_EINVALID);
      make_base(&s, p);
      s.shape[VALUES][1]--;
      expect_no_size(&s.tensor, SPW_EINVALID);
      make_base(&s, p);
      s.tensor.plain.array.length--;
      expect_no_size(&s.tensor, SPW_EINVALID);
      if (!type) continue;
      make_base(&s, p);
      specimen_set(&s, 1, 1, 6, INT64_MAX);
      expect_no_size(&s.tensor, SPW_ERANGE);
      p.nse = p.C = p.P = 0;
      specimen_make(&s, &p, &d);
      expect_size(&s.tensor, 4, (int64_t[]){2, 0, 0, 7});
    }
  make_coo_base(&s, SPW_INT64, 0, SPW_CLAIM_NO);
  s.tensor.has_size = false;
  expect_size(&s.tensor, 2, (int64_t[]){4, 5});
  specimen_set(&s, 1, 0, 3, -1);
  expect_no_size(&s.tensor, SPW_EINVALID);
  specimen_set(&s, 1, 0, 3, INT64_MAX);
  expect_no_size(&s.tensor, SPW_ERANGE);
  specimen_set(&s, 1, 0, 2, -1); /* a broken rule comes first, wherever it is */
  expect_no_size(&s.tensor, SPW_EINVALID);
  make_coo_base(&s, SPW_INT32, 0, SPW_CLAIM_NO);
  cr_assert(spw_infer_size(&s.tensor, NULL, 4, &(int64_t){0}) == SPW_EINVAL);
  cr_assert(spw_infer_size(&s.tensor, (int64_t[4]){0}, 4, NULL) == SPW_EINVAL);
  cr_assert(spw_infer_size(&s.tensor, (int64_t[4]){0}, -1, &(int64_t){0}) == SPW_EINVAL);
  expect_no_leaks();
}

/* A tensor without a size whose blocks are huge: C compressed lines, the plain index `last` where
 * nse is 1, blocks of b0 by b1, and a zero elsewhere, so that the product says nothing. */
typedef struct huge_blocks {
  int64_t offsets[2], elements[2], values[5], zeros[5], crow[2], last[1];
  spw_tensor tensor;
} huge_blocks;

static void make_huge(huge_blocks *h, spw_layout layout, int64_t C, int64_t last, int64_t b0, int64_t b1)
{
  const int64_t nse = last >= 0, batches = nse; /* without elements: no batch */
  *h = (huge_blocks){.offsets = {batches, C + 1}, .elements = {batches, nse}, .crow = {0, nse},
                     .values = {batches, nse, b0, b1, 0}, .last = {last}};
  static const int64_t strides[2] = {0, 1};
  h->tensor = (spw_tensor){.layout = layout, .coalesced = SPW_CLAIM_NONE};
  h->tensor.compressed = (spw_index_array){{SPW_INT64, 2, h->offsets, strides, 0, 2}, .i64 = h->crow};
  h->tensor.plain = (spw_index_array){{SPW_INT64, 2, h->elements, strides, 0, 1}, .i64 = h->last};
  h->tensor.values.array = (spw_array){SPW_FLOAT32, 5, h->values, h->zeros, 0, 0};
}

/* `position` is the first entry of the size that does not fit, of n blocks, where `most` would. */
static void expect_beyond(const huge_blocks *h, int64_t count, int64_t position, int64_t n, int64_t most)
{
  const spw_tensor *const x = &h->tensor;
  spw_report report;
  spw_violation first;
  bool valid;
  agree(x, SPW_SHAPE, &report);
  cr_assert(report.valid);
  expect_no_size(x, SPW_ERANGE);
  for (spw_level level = SPW_STRUCTURE; level <= SPW_CANONICAL; level++) {
    agree(x, level, &report);
    const spw_finding *const f = &report.findings[SPW_RULE_3_11];
    cr_assert(!report.valid && f->state == SPW_VIOLATED && f->count == count);
    cr_assert(f->first.member == SPW_MEMBER_SIZE && f->first.position == position);
    cr_assert(f->first.lhs == n && f->first.rhs == most && n > most);
    cr_assert(spw_is_valid(x, level, &valid) == SPW_OK && !valid);
    cr_assert(spw_first_violation(x, level, &first) == SPW_OK && first.rule == SPW_RULE_3_11);
  }
}

static void expect_inferred(const huge_blocks *h, int64_t rows, int64_t columns)
{
  spw_report report;
  agree(&h->tensor, SPW_CANONICAL, &report);
  cr_assert(report.valid && report.size_inferred);
  expect_size(&h->tensor, 4, (int64_t[]){h->offsets[0], rows, columns, 0});
}

/* A zero elsewhere makes the product of the size 0, and hides nothing. */
Test(size, inferred_entry_beyond_int64)
{
  huge_blocks h;
  const int64_t many = (int64_t)1 << 40, most = INT64_MAX / many;
  make_huge(&h, SPW_BSR, many, -1, many, 1); /* C * b0, without a batch */
  expect_beyond(&h, 1, 1, many, most);
  make_huge(&h, SPW_BSC, many, -1, 1, many);
  expect_beyond(&h, 1, 2, many, most);
  make_huge(&h, SPW_BSR, many, -1, most, 1);
  expect_inferred(&h, many * most, 0);
  make_huge(&h, SPW_BSC, many, -1, many, most);
  expect_inferred(&h, 0, many * most);
  make_huge(&h, SPW_BSR, 1, many, 1, many); /* P * b1, with a dense dimension of 0 */
  expect_beyond(&h, 1, 2, many + 1, most);
  make_huge(&h, SPW_BSC, 1, many, many, 1);
  expect_beyond(&h, 1, 1, many + 1, most);
  make_huge(&h, SPW_BSR, 1, most - 1, 1, many);
  expect_inferred(&h, 1, many * most);
  make_huge(&h, SPW_BSC, 1, most - 1, many, 1);
  expect_inferred(&h, many * most, 1);
  make_huge(&h, SPW_BSR, 1, most, 1, many);
  expect_beyond(&h, 1, 2, most + 1, most);
  const int64_t two = (int64_t)1 << 62; /* 2 * 2^62 is the first number beyond */
  make_huge(&h, SPW_BSR, 1, 1, 1, two);
  expect_beyond(&h, 1, 2, 2, 1);
  make_huge(&h, SPW_BSR, 1, INT64_MAX - 1, INT64_MAX, 2); /* rows fit just so */
  expect_beyond(&h, 1, 2, INT64_MAX, INT64_MAX / 2);
  expect_no_leaks();
}

Test(size, row_major_strides)
{
  const int64_t huge = (int64_t)1 << 32;
  const struct {
    int64_t ndim, shape[4], strides[4];
    spw_status status;
  } cases[] = {
      {0, {0}, {0}, SPW_OK},
      {1, {5}, {1}, SPW_OK},
      {3, {2, 3, 4}, {12, 4, 1}, SPW_OK},
      {3, {INT64_MAX, 1, 1}, {1, 1, 1}, SPW_OK},
      {3, {9, huge / 2, huge / 2 - 1}, {(huge / 2) * (huge / 2 - 1), huge / 2 - 1, 1}, SPW_OK},
      {3, {1, huge, huge}, {0}, SPW_EOVERFLOW},
      {2, {3, INT64_MAX}, {INT64_MAX, 1}, SPW_OK},
      {2, {3, -1}, {0}, SPW_EINVAL},
      {2, {INT64_MIN, 3}, {0}, SPW_EINVAL},
      {4, {2, huge, huge, -1}, {0}, SPW_EINVAL},
      {-1, {0}, {0}, SPW_EINVAL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    int64_t strides[4];
    memset(strides, 0xa5, sizeof strides);
    const spw_status status = spw_row_major_strides(cases[i].ndim, cases[i].shape, strides);
    cr_assert(status == cases[i].status, "case %zu: %d", i, (int)status);
    const size_t written = status == SPW_OK ? (size_t)cases[i].ndim : 0;
    cr_assert(memcmp(strides, cases[i].strides, written * sizeof *strides) == 0, "case %zu", i);
    cr_assert(is_pattern(strides + written, sizeof strides - written * sizeof *strides));
  }
  int64_t one[1] = {1};
  cr_assert(spw_row_major_strides(1, NULL, one) == SPW_EINVAL);
  cr_assert(spw_row_major_strides(1, one, NULL) == SPW_EINVAL);
  cr_assert(spw_row_major_strides(0, NULL, NULL) == SPW_OK);
  expect_no_leaks();
}

Test(size, unravel)
{
  int64_t index[3], flat = 0;
  const int64_t shape[] = {2, 3, 4};
  for (int64_t i = 0; i < 2; i++)
    for (int64_t j = 0; j < 3; j++)
      for (int64_t k = 0; k < 4; k++, flat++) {
        cr_assert(spw_unravel(flat, 3, shape, index) == SPW_OK);
        cr_assert(index[0] == i && index[1] == j && index[2] == k);
      }
  const int64_t huge[] = {(int64_t)1 << 40, (int64_t)1 << 40, 3};
  cr_assert(spw_unravel(INT64_MAX, 3, huge, index) == SPW_OK);
  cr_assert(index[0] == (INT64_MAX / 3) >> 40 && index[2] == INT64_MAX % 3);
  cr_assert(index[1] == INT64_MAX / 3 % ((int64_t)1 << 40));
  cr_assert(spw_unravel(0, 0, NULL, NULL) == SPW_OK);
  memset(index, 0xa5, sizeof index);
  const int64_t negative[] = {2, -3, 4}, empty[] = {2, 0, 4};
  cr_assert(spw_unravel(24, 3, shape, index) == SPW_EINVAL);
  cr_assert(spw_unravel(-1, 3, shape, index) == SPW_EINVAL);
  cr_assert(spw_unravel(0, 3, negative, index) == SPW_EINVAL);
  cr_assert(spw_unravel(0, 3, empty, index) == SPW_EINVAL);
  cr_assert(spw_unravel(1, 0, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_unravel(0, -1, shape, index) == SPW_EINVAL);
  cr_assert(spw_unravel(0, 3, NULL, index) == SPW_EINVAL);
  cr_assert(spw_unravel(0, 3, shape, NULL) == SPW_EINVAL);
  cr_assert(is_pattern(index, sizeof index));
  expect_no_leaks();
}
