/* SPDX-License-Identifier: Apache-2.0 */
/* The kit's side of guarded memory: which end is guarded, and the end of a question. */
#ifndef SPW_CONFORMANCE_GUARDED_H
#define SPW_CONFORMANCE_GUARDED_H

#include "kit.h"

void kit_guard_before(bool before);
void kit_guarded_free_all(void);

#endif
