/* SPDX-License-Identifier: Apache-2.0 */
/* Why a structure operation, or a permutation, cannot be. */
#include "text.h"

void spw_say_refused_structure(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  const long long place = (long long)r->place, lhs = (long long)r->lhs, rhs = (long long)r->rhs;
  switch (r->obstacle) {
  case SPW_OBSTACLE_DIMENSIONS:
    spw_say(out, "without one of its %lld dimensions before the dense ones it is neither batches of matrices nor coo", lhs);
    break;
  case SPW_OBSTACLE_BLOCKS:
    spw_say(out, "dimension %lld consists of blocks of %lld, and is cut by whole blocks only: %lld cuts one", place, rhs, lhs);
    break;
  case SPW_OBSTACLE_INDEX:
    spw_say(out, "the result needs indices up to %lld, and its index type holds %lld at most", lhs, rhs);
    break;
  case SPW_OBSTACLE_BATCHES:
    spw_say(out, "batch %lld of the result would have %lld cells and batch %lld %lld; its layout needs the same number in each",
            place, lhs, (long long)r->other, rhs);
    break;
  case SPW_OBSTACLE_DIMENSION:
    if (what->operation != SPW_PERMUTING)
      spw_say_obstacle(out, what, r);
    else
      spw_say(out, "dimension %lld of the result cannot be dimension %lld: each is named once, and those of a kind (batch, "
              "sparse, dense) change places among themselves; the sparse ones of a compressed layout by transpose only",
              place, lhs);
    break;
  case SPW_OBSTACLE_SIZE:
    spw_say(out, "the result has more elements than any memory holds, or a size of more positions than an int64 can number");
    break;
  default: spw_say_obstacle(out, what, r); break;
  }
}
