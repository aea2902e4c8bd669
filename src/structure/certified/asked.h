/* SPDX-License-Identifier: Apache-2.0 */
/* Is a result what was asked for? */
#ifndef SPW_STRUCTURE_CERTIFIED_ASKED_H
#define SPW_STRUCTURE_CERTIFIED_ASKED_H

#include "same.h"

/*@ requires ready: ready(t) && ready(r) && \valid_read(w);
    terminates \true; exits \false; assigns \nothing;
    ensures asked: \result == 1 <==> as_asked(t, w, r); */
int spw_is_as_asked(const spw_tensor *t, const spw_conversion *w, const spw_tensor *r);

#endif
