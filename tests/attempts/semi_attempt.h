/* SPDX-License-Identifier: Apache-2.0 */
/* Everything that can be done with a 2:4 matrix, made by a plan: held to semi_expected.h, with fences around all that is
 * written, and nothing written where a call is refused. */
#ifndef TESTS_SEMI_ATTEMPT_H
#define TESTS_SEMI_ATTEMPT_H

#include "../../src/sparsewright.h"

enum { SEMI_DAMAGES = 12, SEMI_CLASSES = 6 };

/* Any numbers are a plan, but for the ranges. */
typedef struct semi_plan {
  int type, order, other;         /* below 7 each: of the elements, of the metadata, of what it is reordered to */
  int64_t rows, row_unit;         /* rows of so many times a unit: below 5 and 4 */
  int64_t columns, column_unit;   /* the same: below 5 and 4 */
  int most;                       /* elements of a group that are drawn, below 5: zeros too */
  int class;                      /* of the elements, below SEMI_CLASSES */
  bool bits, side, add;           /* of the encoder; of the product: the side, and whether something is added */
  int strides;                    /* below 4: of the dense matrix */
  int damage;                     /* below SEMI_DAMAGES; 0: none */
  int64_t where, amount;          /* of the damage */
  uint64_t seed;
} semi_plan;

/* Null, or what is wrong, in static storage. *encoded: the matrix was 2:4. */
const char *attempt_semi(const semi_plan *plan, bool *encoded);

/* The plan in a line, in static storage. */
const char *semi_plan_text(const semi_plan *plan);

#endif
