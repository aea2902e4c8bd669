/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of values into memory of their own. A file of its own: who does not call it needs no libm. */
#include "owned.h"

typedef struct mapping {
  const spw_tensor *tensor;
  const spw_unary_request *wanted;
} mapping;

static spw_status fill(const void *context, const spw_buffers *b, spw_tensor *result, spw_refusal *refusal)
{
  const mapping *const m = context;
  return spw_unary_unchecked(m->tensor, m->wanted, b, result, refusal);
}

spw_status spw_unary_new(const spw_tensor *tensor, const spw_unary_request *wanted, size_t limit, spw_owned **out,
                         spw_refusal *refusal)
{
  spw_buffers b = {0};
  const mapping m = {tensor, wanted};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_unary_size(tensor, wanted, &b.room, refusal);
  return status == SPW_OK ? spw_owned_make(fill, &m, limit ? limit : SIZE_MAX, &b, out, refusal) : status;
}
