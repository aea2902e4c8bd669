/* SPDX-License-Identifier: Apache-2.0 */
/* Any triangular system is refused for a reason that is true, or has the bits of a second opinion (tests/expected/solved.h); what
 * lies around the buffers stays as it is. The judge holds the solution for right, and one with a number changed for wrong.
 * Solutions of general systems have a small backward error, if there is a KLU. Claims of eigenpairs and singular triples of a
 * matrix whose eigenvalues are known get enclosures that hold one of them.
 * Parameters: seeds of what is drawn: a square matrix, too, beside the operand. */
#include "../harness/target.h"

#include "../../tests/attempts/enclosure_attempt.h"
#include "../../tests/expected/oracle.h"
#include "../../tests/expected/solved.h"

/* MSan knows nothing of what KLU, which is built without it, has written. */
#if defined __has_feature
#if __has_feature(memory_sanitizer)
#define HIDES_KLU 1
#endif
#endif
#ifndef HIDES_KLU
#define HIDES_KLU 0
#endif

static void solve(const spw_tensor *a, dice *d)
{
  spw_triangle wanted;
  spw_status status;
  bool seen;
  const char *wrong = attempt_any_solve(a, d, &wanted, &status, &seen);
  if (wrong) fuzz_fail("a solution", "%d%d%d%d%d: %s\n%s", wanted.upper, wanted.transpose, wanted.adjoint, wanted.unit,
                       wanted.right, wrong, oracle_describe(a));
  wrong = attempt_any_solution(a, d, &seen);
  if (wrong) fuzz_fail("a judgement of a solution", "%s\n%s", wrong, oracle_describe(a));
  if (!HIDES_KLU && spw_solve_available()) wrong = attempt_any_general_solution(a, d, &seen);
  if (wrong) fuzz_fail("a general solution", "%s\n%s", wrong, oracle_describe(a));
}

static void attempt(const fuzz_model *model, const spw_tensor *x, uint64_t seed)
{
  static square s;
  dice d = {seed};
  (void)model;
  solve(x, &d);
  square_random(&s, &d);
  solve(&s.tensor, &d);
  square_free(&s);
  int64_t certified = 0;
  const char *const wrong = attempt_any_enclosure(&d, &certified);
  if (wrong) fuzz_fail("a judgement of eigenpairs", "%s", wrong);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  fuzz_attempt_draws(data, size, attempt);
  return 0;
}
