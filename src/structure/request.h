/* SPDX-License-Identifier: Apache-2.0 */
/* A structure operation, judged: what comes out of it, and along which dimension it goes. */
#ifndef SPW_STRUCTURE_REQUEST_H
#define SPW_STRUCTURE_REQUEST_H

#include "form.h"

/* Room for the entries of a result, whose blocks count as two dimensions more. */
enum { SPW_ENTRIES = SPW_STRUCTURE_DIMS + 4 };

/* What kind of dimension an operation goes along; SPW_ALONG_NONE: resize. */
typedef enum spw_along { SPW_ALONG_NONE, SPW_ALONG_BATCH, SPW_ALONG_SPARSE, SPW_ALONG_DENSE } spw_along;

typedef struct spw_request {
  const spw_tensor *const *operands;
  int64_t count;
  const spw_structure *wanted;
  spw_form a;          /* operand 0 */
  spw_along along;
  int64_t dim;         /* of the result where it is new (stack, unsqueeze), else of the operands */
  int64_t start;       /* select: not negative any more */
  bool taken, added;   /* the operand's dimension is not in the result; the result's is not in the operands */
  bool exploded;       /* select: what is left of a block is its elements */

  /* the result */
  spw_layout layout;
  int64_t ndim, leading, batch_dims;
  int64_t size[SPW_ENTRIES];
  int64_t block[2];
} spw_request;

/* SPW_EINVAL: it makes no sense; SPW_EUNSUPPORTED: too many dimensions; SPW_ERANGE: it is refused. */
spw_status spw_request_make(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted, spw_request *request,
                            spw_refusal *refusal);

/* As spw_keep_apart: what is asked for, its list of numbers, and the list of the operands are read as long as these are. */
spw_status spw_request_apart(const spw_tensor *const *operands, int64_t count, const spw_structure *wanted,
                             const spw_buffers *buffers, const spw_room *need, spw_refusal *refusal);

#endif
