/* SPDX-License-Identifier: Apache-2.0 */
/* What the certifier says of two tensors where COO, or lines of the first one, have any order, or duplicates: it judges what that
 * comes to, too. */
#include "conversion.h"

#include <stdlib.h>

static bool may_be_unordered(const spw_tensor *t, bool lines_may_be)
{
  return t->has_size && (t->layout == SPW_COO ? t->coalesced != SPW_CLAIM_YES : lines_may_be && is_compressed(t->layout));
}

/* *same: is `sum` what the elements of t come to? */
static spw_status certify_sum(const spw_tensor *t, const spw_tensor *sum, spw_combine duplicates, size_t memory, bool *same)
{
  size_t bytes = 0;
  spw_status status = spw_certify_coalesced_size_unchecked(t, sum, &bytes);
  if (status != SPW_OK) return status;
  void *work = bytes <= memory ? malloc(bytes + 1) : NULL;
  status = work ? spw_certify_coalesced_unchecked(t, sum, duplicates, work, bytes, same, NULL) : SPW_ENOMEM;
  free(work);
  return status;
}

/* What the elements of t come to, in its own layout, certified. */
static spw_status combine(const spw_tensor *t, spw_combine duplicates, size_t memory, spw_owned **sum, bool *same)
{
  const spw_conversion to_own = {.layout = t->layout, .batch_dims = -1, .dense_dims = -1, .duplicates = duplicates,
                                 .canonicalize = true};
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status status = spw_convert_new(t, &to_own, memory, sum, &refusal);
  if (status == SPW_ERANGE && refusal.obstacle == SPW_OBSTACLE_BATCHES) return SPW_EUNSUPPORTED;
  if (status == SPW_ERANGE) return SPW_ENOMEM; /* more than can be numbered: what is refused as duplicates never comes here */
  return status == SPW_OK ? certify_sum(t, spw_owned_tensor(*sum), duplicates, memory, same) : status;
}

/* What is in a file means the sum of its duplicates, whatever the conversion was to do with those of its operand. The rules of b
 * are judged once more, which nobody has done where those of `a` do not all hold. */
spw_status certify_combined(const spw_tensor *a, const spw_tensor *b, spw_zeros zeros, spw_combine duplicates, bool canonicalize,
                            size_t memory, bool *same)
{
  const spw_tensor *both[] = {a, b};
  const spw_combine how[] = {duplicates, SPW_COMBINE_SUM};
  spw_owned *sums[] = {NULL, NULL};
  const bool unordered[] = {may_be_unordered(a, canonicalize), may_be_unordered(b, false)};
  bool combined = true;
  if (canonicalize && is_compressed(a->layout) && !unordered[0]) return SPW_EUNSUPPORTED; /* there is no size */
  spw_status status = unordered[0] || unordered[1] ? SPW_OK : SPW_EUNSUPPORTED;
  for (int i = 0; i < 2 && status == SPW_OK && combined; i++) {
    if (!unordered[i]) continue;
    status = combine(both[i], how[i], memory, &sums[i], &combined);
    if (status == SPW_OK) both[i] = spw_owned_tensor(sums[i]);
  }
  if (status == SPW_OK) status = combined ? spw_certify(both[0], both[1], zeros, same, NULL) : SPW_EINVALID;
  for (int i = 0; i < 2; i++) spw_owned_free(sums[i]);
  return status;
}
