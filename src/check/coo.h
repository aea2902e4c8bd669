/* SPDX-License-Identifier: Apache-2.0 */
/* The structure and canonical phases of COO. */
#ifndef SPW_CHECK_COO_H
#define SPW_CHECK_COO_H

#include "../sparsewright.h"

/* Given that every shape rule holds: fills in the findings of the later phases. */
spw_status spw_judge_coo(const spw_tensor *t, spw_level level, spw_report *r);

#endif
