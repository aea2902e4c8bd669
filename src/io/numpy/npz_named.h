/* SPDX-License-Identifier: Apache-2.0 */
/* The tensor of arrays in an .npz file that the caller names. */
#ifndef SPW_IO_NPZ_NAMED_H
#define SPW_IO_NPZ_NAMED_H

#include "../../owned/owned.h"

spw_status spw_npz_read_members(const void *bytes, size_t size, const spw_members *members, spw_owned *owned, spw_error *error);

#endif
