/* SPDX-License-Identifier: Apache-2.0 */
/* What became of every rule, phase by phase. */
#ifndef SPW_CHECK_REPORT_REPORT_H
#define SPW_CHECK_REPORT_REPORT_H

#include "report_frame.h"

/*@ predicate verdict_on{L}(spw_tensor *t, integer level, integer valid) = valid == 1 ==>
      shape_valid(t) && (level != SPW_SHAPE ==> structure_valid(t)) && (level == SPW_CANONICAL ==> tensor_valid(t)); */

/* The report that goes with a verdict. Looks at no index of a valid tensor. */
/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires storage: t->layout != SPW_COO ==> readable_indices(&t->compressed);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires verdict: verdict_on(t, level, verdict.valid);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 1 <==> verdict.valid == 1;
    ensures truthful: truthful(t, \result); */
spw_report spw_report_of(const spw_tensor *t, spw_level level, spw_verdict verdict);

#endif
