/* SPDX-License-Identifier: Apache-2.0 */
/* differential [--times N] [--seed S] [--seconds T] [--kind check|specimens|rows|garbage|long|convert]
 *              [--tile small|shipped]: the check
 * kernels, where they run (kernels_under_test), against the checker, over generated tensors: the
 * same status, and the same first violation in rule, member, batch, position, lhs and rhs. Stops
 * at the first difference with exit code 1; otherwise says in a line of JSON how many comparisons
 * there were, in how many of them kernels ran (a shape rule is judged on the host), and how often
 * each rule came first. A program of its own, so that MemorySanitizer and ThreadSanitizer see
 * nothing but our code. */
#define _GNU_SOURCE
#include "../../tests/operands/specimen.h"
#include "../check/plan.h"
#include "converted.h"
#include "kernels_under_test.h"
#include "rows.h"
#include "same_violation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct tally {
  uint64_t compared, on_kernels, refused, per_rule[SPW_RULE_COUNT + 1]; /* [0]: valid */
  converted_tally converted;
} tally;

static void print(const char *whose, int status, spw_violation v)
{
  const spw_rule_info *const rule = spw_rule_get(v.rule);
  fprintf(stderr,
          "  %s: status %d, rule %s member %d batch %" PRId64 " position %" PRId64 " lhs %" PRId64
          " rhs %" PRId64 "\n",
          whose, status, rule ? rule->id : "none", v.member, v.batch, v.position, v.lhs, v.rhs);
}

static bool needs_kernels(const spw_tensor *t, spw_level level)
{
  spw_check_plan made;
  return spw_check_plan_make(t, level, &made) == SPW_OK && made.kind != SPW_CHECK_DECIDED;
}

/* One tensor, in a few launches of different shapes and schedules. */
static bool agree(const spw_tensor *t, dice *d, tally *count)
{
  const spw_level level = roll_below(d, 3) ? SPW_CANONICAL : SPW_STRUCTURE;
  const spw_violation nothing = {SPW_RULE_NONE, SPW_MEMBER_NONE, -9, -9, -9, -9};
  spw_violation expected = nothing;
  const spw_status status = spw_first_violation(t, level, &expected);
  const bool on_kernels = needs_kernels(t, level);
  for (int launch = 0; launch < 2; launch++) {
    const uint64_t way = roll(d);
    spw_violation actual = nothing;
    const int found = kernels_under_test(t, level, way, &actual);
    if (found == SPW_EUNSUPPORTED && t->layout == SPW_COO && t->plain.array.shape[0] > 64) {
      count->refused++; /* as documented */
      return true;
    }
    count->compared++;
    count->on_kernels += on_kernels;
    if (found == (int)status && (status != SPW_OK || same_violation(expected, actual))) continue;
    fprintf(stderr, "layout %s level %d, launched in way %" PRIu64 "\n", spw_layout_name(t->layout),
            level, way);
    print("checker", (int)status, expected);
    print("kernels", found, actual);
    return false;
  }
  if (status != SPW_OK) count->refused++;
  else count->per_rule[expected.rule + 1]++;
  return true;
}

static bool one_specimen(dice *d, tally *count)
{
  static specimen s;
  const plan p = plan_random(d);
  specimen_make(&s, &p, d);
  for (int64_t changes = roll_below(d, 4); changes > 0; changes--) specimen_disturb(&s, d);
  return agree(&s.tensor, d, count);
}

static bool one_of_rows(dice *d, tally *count, rows_kind kind)
{
  rows_tensor r;
  rows_make(&r, d, kind);
  const bool ok = agree(&r.tensor, d, count);
  rows_free(&r);
  return ok;
}

/* Of a kind by its first letter. */
static bool one_tensor(char kind, dice *d, tally *count)
{
  if (kind == 'c') return converted_one(d, &count->converted);
  if (kind == 's') return one_specimen(d, count);
  return one_of_rows(d, count, kind == 'r' ? ROWS_USUAL : kind == 'g' ? ROWS_GARBAGE : ROWS_LONG);
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void print_pairs(const converted_tally *c)
{
  const char *separator = "";
  for (int from = 0; from < CONVERTED_LAYOUTS; from++)
    for (int to = 0; to < CONVERTED_LAYOUTS; to++) {
      if (!c->done[from][to]) continue;
      printf("%s\"%s to %s\": %" PRIu64, separator, spw_layout_name((spw_layout)from), spw_layout_name((spw_layout)to),
             c->done[from][to]);
      separator = ", ";
    }
}

/* Whether something was compared of what was asked for: all kinds, checks or some kind. */
static int report(const tally *count, double seconds, const char *kind)
{
  const char *separator = "";
  printf("{\"comparisons\": %" PRIu64 ", \"with kernels\": %" PRIu64 ", \"different\": 0, "
         "\"seconds\": %.3f, \"refused\": %" PRIu64 ", \"valid\": %" PRIu64 ", \"first\": {",
         count->compared, count->on_kernels, seconds, count->refused, count->per_rule[0]);
  for (int r = 0; r < SPW_RULE_COUNT; r++) {
    if (!count->per_rule[r + 1]) continue;
    printf("%s\"%s\": %" PRIu64, separator, spw_rule_get((spw_rule)r)->id, count->per_rule[r + 1]);
    separator = ", ";
  }
  const converted_tally *const c = &count->converted;
  printf("}, \"conversions\": {\"done\": {");
  print_pairs(c);
  printf("}, \"invalid\": %" PRIu64 ", \"refused\": %" PRIu64 ", \"unsupported\": %" PRIu64 ", \"mended\": %" PRIu64
         ", \"mending refused\": %" PRIu64 ", \"pruned\": %" PRIu64 ", \"pruning refused\": %" PRIu64 ", \"left out\": %" PRIu64
         "}}\n",
         c->invalid, c->refused, c->unsupported, c->mended, c->mending_refused, c->pruned, c->pruning_refused, c->left_out);
  const bool checked = count->on_kernels > 0 && *separator, done = converted_done(c) > 0;
  return (*kind ? checked || done : checked && done) ? 0 : 1;
}

int main(int argc, char **argv)
{
  uint64_t times = UINT64_MAX, seed = 1;
  double seconds = 5;
  const char *kind = "";
  for (int i = 1; i + 1 < argc; i += 2) {
    if (!strcmp(argv[i], "--times")) times = strtoull(argv[i + 1], NULL, 10), seconds = 1e9;
    else if (!strcmp(argv[i], "--seed")) seed = strtoull(argv[i + 1], NULL, 10);
    else if (!strcmp(argv[i], "--seconds")) seconds = strtod(argv[i + 1], NULL);
    else if (!strcmp(argv[i], "--kind")) kind = argv[i + 1];
    else if (!strcmp(argv[i], "--tile"))
      kernels_under_test_tile = strcmp(argv[i + 1], "small") ? SHIPPED_TILE : SMALL_TILE;
    else return 2;
  }
  const bool checks = !strcmp(kind, "check"); /* of whatever kind */
  tally count = {0};
  const int skip = kernels_under_test_begin();
  if (skip) return skip;
  const double start = now();
  uint64_t n = 0;
  for (; n < times && now() - start < seconds; n++) {
    dice d = {seed * 1000003 + n * 0x9e3779b97f4a7c15u};
    const char any = roll_below(&d, 64) ? "ssrrrggcc"[roll_below(&d, checks ? 7 : 9)] : 'l';
    const bool ok = one_tensor(*kind && !checks ? *kind : any, &d, &count);
    if (ok) continue;
    fprintf(stderr, "differential: difference at --seed %" PRIu64 ", tensor %" PRIu64 "\n", seed,
            n);
    return 1;
  }
  kernels_under_test_end();
  return report(&count, now() - start, kind);
}
