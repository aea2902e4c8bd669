/* SPDX-License-Identifier: Apache-2.0 */
/* A report before any rule is judged: which rules apply, which hold by construction, and the
 * quantities. */
#ifndef SPW_CHECK_REPORT_FRAME_H
#define SPW_CHECK_REPORT_FRAME_H

#include "finding.h"
#include "quantities.h"

/* Every rule in the same state, no quantity known. */
/*@ terminates \true; exits \false; assigns \nothing; */
spw_report spw_blank_report(spw_finding finding);

/*@ requires readable: tensor_readable(t) && compressed_layout(t);
    terminates \true; exits \false; assigns \nothing; */
spw_report spw_compressed_frame(const spw_tensor *t);

/*@ requires readable: tensor_readable(t) && t->layout == SPW_COO;
    terminates \true; exits \false; assigns \nothing; */
spw_report spw_coo_frame(const spw_tensor *t);

#endif
