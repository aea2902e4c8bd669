/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two violations are one: the same rule, place and numbers. */
#ifndef CUDA_TESTS_SAME_VIOLATION_H
#define CUDA_TESTS_SAME_VIOLATION_H

#include "../../src/sparsewright.h"

static inline bool same_violation(spw_violation a, spw_violation b)
{
  return a.rule == b.rule && a.member == b.member && a.batch == b.batch &&
         a.position == b.position && a.lhs == b.lhs && a.rhs == b.rhs;
}

#endif
