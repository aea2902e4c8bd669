/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions whose result is checked and certified before it is given: a part of sparsewright.h, for callers in C. */
#ifndef SPARSEWRIGHT_CERTIFIED_H
#define SPARSEWRIGHT_CERTIFIED_H

#include "sparsewright_convert.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Converts as spw_convert does, and certifies the result. SPW_OK implies, of *result:
 *   valid    every rule holds (spw_is_valid; of a dense array its shape rules)
 *   asked    it has the layout, blocks, index type, batch and dense dimensions that `wanted` says
 *   within   its arrays lie inside the buffers, and are no longer than these
 *   same     spw_certify calls it the same as the tensor. What is left out of it, or added in a block, has zero bits only.
 *            If COO may have duplicates, spw_certify_coalesced first certifies what they come to, as `duplicates` says
 * With any other status *result is as it was. In between it may hold what was made: nobody else may read it then. So a wrong
 * kernel, plan or step cannot give a wrong tensor. All of that is proved, but for sums of duplicates, which are read and tested.
 * proofs/SOUNDNESS.md names what the proof takes for given.
 * Status as spw_convert, and:
 *   SPW_EINVAL        `result` is `tensor`
 *   SPW_ERANGE        with SPW_OBSTACLE_NONE: the result is not certified. A value that compares == 0 but has other bits, as
 *                     -0.0, was left out (`prune`, or from dense without `bits`), or this library is wrong
 *   SPW_EUNSUPPORTED  the tensor has no size; lines are to be made canonical; or another case of spw_certify
 * O(spw_convert + spw_certify), and from COO that may have duplicates twice that. A matrix of scalars between CSR and CSC:
 * O(spw_convert + lines + elements). */
spw_status spw_convert_certified(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers,
                                 spw_tensor *result, spw_refusal *refusal);

/* *room: the memory that it takes, as spw_convert_size says. More workspace takes COO that may have duplicates; and a matrix
 * between CSR and CSC, 16 bytes for each column, if the conversion does not take so much. */
spw_status spw_convert_certified_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                      spw_refusal *refusal);

/* The same in memory of its own (libsparsewright_io), as spw_convert_new. */
spw_status spw_convert_certified_new(const spw_tensor *tensor, const spw_conversion *wanted, size_t limit, spw_owned **out,
                                     spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
