/* SPDX-License-Identifier: Apache-2.0 */
/* Why matrices cannot be multiplied or reduced. */
#include "text.h"

static void say_shape(spw_sentence *out, const spw_tensor *t)
{
  const bool dense = t->layout == SPW_DENSE;
  spw_say(out, "%s", spw_layout_word(t->layout));
  if (!dense && !t->has_size) return;
  spw_say(out, " (");
  spw_say_sizes(out, dense ? t->values.array.ndim : t->ndim, dense ? t->values.array.shape : t->size);
  spw_say(out, ")");
}

/* Of the two that are multiplied. */
static void say_shapes(spw_sentence *out, const spw_refused *what)
{
  const bool sampled = what->operation == SPW_SAMPLING;
  const spw_tensor *const a = sampled ? what->b : what->a, *const b = sampled ? what->c : what->b;
  if (!a) return;
  spw_say(out, ": the first is ");
  say_shape(out, a);
  if (!b) return;
  spw_say(out, ", the second ");
  say_shape(out, b);
}

void spw_say_refused_product(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  spw_say_obstacle(out, what, r);
  say_shapes(out, what);
}

/* Of a reduction over dimensions, which the caller does not show. */
static bool say_refused_dims(spw_sentence *out, const spw_refusal *r)
{
  const long long place = (long long)r->place, lhs = (long long)r->lhs, rhs = (long long)r->rhs;
  if (r->obstacle == SPW_OBSTACLE_DIMENSION && r->other >= 0)
    spw_say(out, "entry %lld of the dimensions, %lld, names that of entry %lld again", place, lhs, (long long)r->other);
  else if (r->obstacle == SPW_OBSTACLE_DIMENSION)
    spw_say(out, "there is no dimension %lld: it has %lld", lhs, rhs);
  else if (r->obstacle == SPW_OBSTACLE_SHAPES && r->operand == 0 && place >= 0)
    spw_say(out, "dimension %lld has size 0, of which there is no such reduction", place);
  else if (r->obstacle == SPW_OBSTACLE_LAYOUT)
    spw_say(out, "dimension %lld is a batch dimension of %s, and batches have different patterns: coo has none", place,
            spw_layout_word(r->lhs));
  else if (r->obstacle == SPW_OBSTACLE_TYPES && rhs >= 0)
    spw_say(out, "%s does not hold every number of %s", spw_type_word(r->rhs), spw_type_word(r->lhs));
  else
    return false;
  return true;
}

void spw_say_refused_reduction(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  static const char *const words[] = {"sum", "mean", "amax", "amin"};
  const spw_reduction *const wanted = what->reduction;
  const char *const word = wanted && (unsigned)wanted->kind < 4 ? words[wanted->kind] : "the reduction";
  if (!wanted && !what->b && say_refused_dims(out, r)) return;
  if (r->obstacle == SPW_OBSTACLE_TYPES && r->rhs < 0)
    spw_say(out, "%s does not exist for %s", word, spw_type_word(r->lhs));
  else if (r->obstacle == SPW_OBSTACLE_DUPLICATE)
    spw_say(out, "%s asks for the claim to be coalesced, or parts of an element would count as elements", word);
  else
    spw_say_refused_product(out, what, r);
}
