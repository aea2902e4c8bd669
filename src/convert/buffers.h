/* SPDX-License-Identifier: Apache-2.0 */
/* The caller's buffers. */
#ifndef SPW_CONVERT_BUFFERS_H
#define SPW_CONVERT_BUFFERS_H

#include "../sparsewright.h"

/* Are they there, aligned, of the types and at least of the lengths that are needed? */
bool spw_buffers_hold(const spw_buffers *buffers, const spw_room *need);

#endif
