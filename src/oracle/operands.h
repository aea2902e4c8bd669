/* SPDX-License-Identifier: Apache-2.0 */
/* What a claim about a product says, once its operands are judged. */
#ifndef SPW_ORACLE_OPERANDS_H
#define SPW_ORACLE_OPERANDS_H

#include "elements.h"
#include "../sparsewright_oracle.h"

typedef struct spw_operands {
  spw_matrices m, x, y;        /* of a; of x and y where they are sparse */
  bool x_sparse, y_sparse;
  bool reads_product, reads_c; /* alpha, beta are not 0 */
  bool is_vector;              /* x has no columns of its own */
  int64_t columns;             /* of x */
  size_t bytes;                /* of the workspace */
} spw_operands;

/* SPW_OK where the result can be judged, or is of a wrong shape or type, which *j then says. Else as
 * spw_judge_product. */
spw_status spw_operands_of(const spw_product_claim *claim, spw_operands *o, spw_judgement *j);

/* Where element (batch, line, column) of a dense operand lies. */
int64_t spw_dense_place(const spw_operands *o, const spw_tensor *t, int64_t batch, int64_t line, int64_t column);

bool spw_is_complex(spw_dtype dtype);
bool spw_is_float(spw_dtype dtype); /* complex types too */

#endif
