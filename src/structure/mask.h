/* SPDX-License-Identifier: Apache-2.0 */
/* sparse_mask: the values of one tensor at the positions of another. */
#ifndef SPW_STRUCTURE_MASK_H
#define SPW_STRUCTURE_MASK_H

#include "../convert/indices.h"

spw_status spw_mask_size(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_room *room,
                         spw_refusal *refusal);
spw_status spw_mask(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, const spw_buffers *buffers,
                    spw_tensor *result, spw_refusal *refusal);

/* A copy of an index array, without gaps. */
void spw_copy_indices(const spw_index_array *from, spw_indices to);

#endif
