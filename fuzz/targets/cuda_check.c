/* SPDX-License-Identifier: Apache-2.0 */
/* The check kernels, on the host engine in a schedule of the input, find the first violation that
 * the checker finds: the same rule, member, place and numbers. Parameters: the level; blocks;
 * warps. */
#include "../harness/target.h"

#include "../../cuda/check/on_host.h"
#include "../../cuda/tests/same_violation.h"
#include "../../tests/expected/oracle.h"

#include <stdio.h>
#include <stdlib.h>

enum { WORK = 4000 };

/* A schedule, and now and then the order of the threads. */
static uint64_t seed_of(const uint8_t *data, size_t size)
{
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 0x100000001b3u;
  return hash % 4 ? hash : 0;
}

static const char *id_of(spw_violation v)
{
  const spw_rule_info *const rule = spw_rule_get(v.rule);
  return rule ? rule->id : "none";
}

/* At the end: in how many inputs the kernels ran and agreed. The shape rules are judged without. */
static unsigned long long compared;

static void say_compared(void)
{
  fprintf(stderr, "cuda_check: kernels and checker agreed on %llu tensors\n", compared);
}

static void count_if_kernels_ran(const spw_tensor *tensor, spw_level level)
{
  spw_check_plan made;
  if (spw_check_plan_make(tensor, level, &made) != SPW_OK || made.kind == SPW_CHECK_DECIDED) return;
  if (compared++ == 0) atexit(say_compared);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_tensor_from(model, 0, WORK);
  if (!t) return 0;
  spw_violation expected, found;
  const spw_level level = fuzz_level(model);
  const unsigned blocks = 1 + (unsigned)fuzz_parameter(model, 1, 3);
  const unsigned threads = 32 * (1 + (unsigned)fuzz_parameter(model, 2, 2));
  const spw_status wanted = spw_first_violation(&t->tensor, level, &expected);
  const uint64_t seed = seed_of(data, size);
  const spw_status status =
      (seed / 4 % 2 ? spw_first_violation_on_host : spw_first_violation_in_small_tiles)(
          &t->tensor, level, blocks, threads, seed, &found);
  if (status == SPW_EUNSUPPORTED) return 0; /* more dimensions than the kernels take */
  if (status != wanted)
    fuzz_fail("kernels give another status", "%d, not %d\n%s", (int)status, (int)wanted,
              oracle_describe(&t->tensor));
  if (status == SPW_OK && !same_violation(expected, found))
    fuzz_fail("kernels find another violation",
              "rule %s batch %lld position %lld, not rule %s batch %lld position %lld\n%s",
              id_of(found), (long long)found.batch, (long long)found.position, id_of(expected),
              (long long)expected.batch, (long long)expected.position, oracle_describe(&t->tensor));
  count_if_kernels_ran(&t->tensor, level);
  return 0;
}
