/* SPDX-License-Identifier: Apache-2.0 */
/* The arrays of a binsparse matrix, and the JSON that describes them. */
#ifndef SPW_IO_BINSPARSE_H
#define SPW_IO_BINSPARSE_H

#include "../arrays/group.h"

/* Fills the tensor of `owned` from a group of arrays that `text` describes. */
spw_status spw_binsparse_read(const spw_group *group, const char *text, spw_owned *owned, spw_error *error);

#endif
