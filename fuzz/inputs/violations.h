/* SPDX-License-Identifier: Apache-2.0 */
/* Named violations of valid tensors: what a report must then say is known without any checker. */
#ifndef FUZZ_VIOLATIONS_H
#define FUZZ_VIOLATIONS_H

#include "model.h"

enum { FUZZ_VIOLATIONS = 16, FUZZ_TRUTHS = 4 };

/* The violated rules, in no order. For structure and canonical rules the first place is known. */
typedef struct fuzz_truth {
  bool known; /* false: nothing is claimed */
  int count;
  spw_violation violated[FUZZ_TRUTHS];
  int64_t times[FUZZ_TRUTHS]; /* 0: unknown */
} fuzz_truth;

/* Violates a rule in a fresh specimen, or nothing (violation 0). */
fuzz_truth fuzz_violate(specimen *s, const plan *p, int64_t violation, int64_t where,
                        int64_t amount);

/* Null, or how the report (at SPW_CANONICAL) is wrong. */
const char *fuzz_contradiction(const fuzz_truth *truth, const spw_tensor *tensor,
                               const spw_report *report);

#endif
