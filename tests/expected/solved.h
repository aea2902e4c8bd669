/* SPDX-License-Identifier: Apache-2.0 */
/* A second opinion on triangular systems: unknown by unknown, each term looked for among all elements. It shares nothing with
 * src. */
#ifndef TESTS_SOLVED_H
#define TESTS_SOLVED_H

#include "../operands/specimen.h"
#include "../operands/strided.h"

/* A sparse tensor of square matrices, mostly with all of their diagonals, in memory of its own. */
typedef struct square {
  specimen specimen;
  strided values;
  spw_tensor tensor;
} square;
void square_random(square *s, dice *d);
void square_free(square *s);

/* What is asked is drawn, the right side too; by all calls, into buffers of exactly the lengths that are asked for. Null when all
 * that must hold does, else what does not (in static storage). *seen: the numbers were compared. */
const char *attempt_any_solve(const spw_tensor *a, dice *d, spw_triangle *wanted, spw_status *status, bool *seen);

/* What the library solves, the judge holds for right, and what has one number changed by much for wrong; a claim that cannot be
 * judged is refused as solving is. *seen: something was judged. */
const char *attempt_any_solution(const spw_tensor *a, dice *d, bool *seen);

/* What is solved in general has a backward error of at most 4u, by the judge and by sums of long double; what is refused is
 * singular, or has a reason as solving a triangle of it. *seen: there were numbers in a solution. */
const char *attempt_any_general_solution(const spw_tensor *a, dice *d, bool *seen);

#endif
