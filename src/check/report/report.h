/* SPDX-License-Identifier: Apache-2.0 */
/* What became of every rule, phase by phase. */
#ifndef SPW_CHECK_REPORT_REPORT_H
#define SPW_CHECK_REPORT_REPORT_H

#include "report_frame.h"

/* The report that goes with a verdict. Looks at no index of a valid tensor. */
/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires storage: t->layout != SPW_COO ==> readable_indices(&t->compressed);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    requires verdict: verdict.valid == 1 <==> valid_up_to(t, level);
    requires shape: verdict.shape == 1 <==> shape_valid(t);
    requires batches: level != SPW_SHAPE ==> !batches_overflow(t);
    terminates \true; exits \false; assigns \nothing;
    ensures valid: \result.valid == 1 <==> verdict.valid == 1;
    ensures exact: none_violated(\result) <==> verdict.valid == 1;
    ensures names: names_itself(\result);
    ensures truthful: truthful(t, \result);
    ensures complete: complete(t, \result, level); */
spw_report spw_report_of(const spw_tensor *t, spw_level level, spw_verdict verdict);

#endif
