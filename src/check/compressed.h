/* SPDX-License-Identifier: Apache-2.0 */
/* The structure and canonical phases of the compressed layouts. */
#ifndef SPW_CHECK_COMPRESSED_H
#define SPW_CHECK_COMPRESSED_H

#include "../sparsewright.h"

/* Given that every shape rule holds: infers P where there is no size, then fills in the findings of
 * the later phases. SPW_EOVERFLOW when there are more batches than int64 can number. */
spw_status spw_judge_compressed(const spw_tensor *t, spw_level level, spw_report *r);

#endif
