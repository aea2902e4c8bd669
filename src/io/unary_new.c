/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of values into memory of their own. A file of its own: who does not call it needs no libm. */
#include "owned.h"

#include <stdlib.h>

static spw_status make_within(const spw_tensor *tensor, const spw_unary_request *wanted, size_t limit, spw_buffers *b,
                              spw_owned **out, spw_refusal *refusal)
{
  if (b->room.work > limit) return SPW_ENOMEM;
  spw_owned *const owned = spw_owned_new(limit - b->room.work);
  b->work = malloc(b->room.work ? b->room.work : 1);
  spw_status status = owned && b->work && spw_owned_buffers(owned, b) ? SPW_OK : SPW_ENOMEM;
  if (status == SPW_OK) status = spw_unary_unchecked(tensor, wanted, b, spw_owned_edit(owned), refusal);
  free(b->work);
  if (status == SPW_OK) {
    spw_owned_give(owned, b->room.work);
    *out = owned;
  } else {
    spw_owned_free(owned);
  }
  return status;
}

spw_status spw_unary_new(const spw_tensor *tensor, const spw_unary_request *wanted, size_t limit, spw_owned **out,
                         spw_refusal *refusal)
{
  spw_buffers b = {0};
  if (!out) return SPW_EINVAL;
  const spw_status status = spw_unary_size(tensor, wanted, &b.room, refusal);
  return status == SPW_OK ? make_within(tensor, wanted, limit ? limit : SIZE_MAX, &b, out, refusal) : status;
}
