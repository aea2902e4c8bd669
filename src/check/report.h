/* SPDX-License-Identifier: Apache-2.0 */
/* What became of every rule, phase by phase. */
#ifndef SPW_CHECK_REPORT_H
#define SPW_CHECK_REPORT_H

#include "verdict.h"

/* Of a tensor that is not valid up to the level. */
/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires storage: t->layout != SPW_COO ==> readable_indices(&t->compressed);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing; */
spw_report spw_report_of(const spw_tensor *t, spw_level level);

/* Of a tensor that is; P is what the verdict told. Reads no index. */
/*@ requires readable: tensor_readable(t);
    requires shape: shape_valid(t);
    terminates \true; exits \false; assigns \nothing; */
spw_report spw_valid_report(const spw_tensor *t, spw_level level, int64_t P);

#endif
