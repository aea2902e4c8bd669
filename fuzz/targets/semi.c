/* SPDX-License-Identifier: Apache-2.0 */
/* A dense matrix that is encoded into 2:4, in any order, and all that can be made of it: right by a second opinion
 * (tests/expected/semi_expected.h), or refused for a reason that is true; and a 2:4 matrix with something wrong gets the
 * report of a second opinion. Parameters: those of a plan (tests/attempts/semi_attempt.h). */
#include "../harness/target.h"

#include "../../tests/attempts/semi_attempt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const fuzz_model *const m = fuzz_model_from(data, size);
  if (!m) return 0;
  const int64_t flags = fuzz_parameter(m, 9, 8), amount = fuzz_parameter(m, 13, INT64_MAX);
  /* Some hundred elements: one of the largest units at most. */
  const int64_t row_unit = fuzz_parameter(m, 4, 4), column_unit = fuzz_parameter(m, 6, 4);
  const semi_plan plan = {.type = (int)fuzz_parameter(m, 0, 7),
                          .order = (int)fuzz_parameter(m, 1, 7),
                          .other = (int)fuzz_parameter(m, 2, 7),
                          .rows = fuzz_parameter(m, 3, row_unit == 3 ? 2 : 4),
                          .row_unit = row_unit,
                          .columns = fuzz_parameter(m, 5, column_unit == 3 ? 2 : 4),
                          .column_unit = column_unit,
                          .most = (int)fuzz_parameter(m, 7, 5),
                          .class = (int)fuzz_parameter(m, 8, SEMI_CLASSES),
                          .bits = flags & 1,
                          .side = flags >> 1 & 1,
                          .add = flags >> 2 & 1,
                          .strides = (int)fuzz_parameter(m, 10, 4),
                          .damage = (int)fuzz_parameter(m, 11, SEMI_DAMAGES),
                          .where = fuzz_parameter(m, 12, INT64_MAX),
                          .amount = fuzz_parameter(m, 14, 2) ? -amount : amount,
                          .seed = (uint64_t)fuzz_parameter(m, 15, INT64_MAX)};
  bool encoded;
  const char *const wrong = attempt_semi(&plan, &encoded);
  if (wrong) fuzz_fail("a 2:4 matrix", "%s: %s", semi_plan_text(&plan), wrong);
  return 0;
}
