/* SPDX-License-Identifier: Apache-2.0 */
/* What became of every rule, phase by phase. */
#ifndef SPW_CHECK_REPORT_H
#define SPW_CHECK_REPORT_H

#include "verdict.h"

/*@ requires readable: tensor_readable(t) && readable_indices(&t->plain);
    requires storage: t->layout != SPW_COO ==> readable_indices(&t->compressed);
    requires level: level == SPW_SHAPE || level == SPW_STRUCTURE || level == SPW_CANONICAL;
    terminates \true; exits \false; assigns \nothing; */
spw_report spw_report_of(const spw_tensor *t, spw_level level);

#endif
