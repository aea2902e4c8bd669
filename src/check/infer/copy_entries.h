/* SPDX-License-Identifier: Apache-2.0 */
/* Entries of shapes, written into a size. */
#ifndef SPW_CHECK_INFER_COPY_ENTRIES_H
#define SPW_CHECK_INFER_COPY_ENTRIES_H

#include "../../core/size.h"

/* Copies n entries to to[at ..]. */
/*@ requires entries: 0 <= n <= SPW_NDIM_MAX && 0 <= at && at + n <= INT64_MAX;
    requires memory: \valid_read(from + (0 .. n - 1)) && \valid(to + (at .. at + n - 1));
    requires apart: \separated(from + (0 .. n - 1), to + (at .. at + n - 1));
    terminates \true; exits \false;
    assigns to[at .. at + n - 1];
    ensures copied: \forall integer i; at <= i < at + n ==> to[i] == \old(from[i - at]); */
void spw_copy_entries(const int64_t *from, int64_t n, int64_t *to, int64_t at);

#endif
