/* SPDX-License-Identifier: Apache-2.0 */
/* Other values at the positions of a tensor: its layout, order, index arrays and claim, without gaps. */
#ifndef SPW_STRUCTURE_PATTERN_H
#define SPW_STRUCTURE_PATTERN_H

#include "form.h"

/* Cells of so many scalars. Lengths are INT64_MAX beyond; no workspace. */
spw_room spw_pattern_room(const spw_form *form, int64_t scalars);

void spw_pattern_copy(const spw_form *form, const spw_room *room, const spw_buffers *buffers);

void spw_pattern_view(const spw_form *form, const spw_room *room, const spw_buffers *buffers, spw_tensor *result);

#endif
