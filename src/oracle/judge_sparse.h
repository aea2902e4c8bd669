/* SPDX-License-Identifier: Apache-2.0 */
/* Is the product of two sparse operands right? */
#ifndef SPW_ORACLE_JUDGE_SPARSE_H
#define SPW_ORACLE_JUDGE_SPARSE_H

#include "number.h"

/* How many int64 it takes; INT64_MAX beyond. */
int64_t spw_judge_sparse_room(const spw_operands *o);

/* SPW_ERANGE, with a fault: the terms are more than may be judged, or an operand or the result stores two elements
 * at one place. */
spw_status spw_judge_sparse(spw_judge_task *k, int64_t *room);

#endif
