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

void spw_say_refused_reduction(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  static const char *const words[] = {"sum", "mean", "amax", "amin"};
  const spw_reduction *const wanted = what->reduction;
  const char *const word = wanted && (unsigned)wanted->kind < 4 ? words[wanted->kind] : "the reduction";
  if (r->obstacle == SPW_OBSTACLE_TYPES && r->rhs < 0)
    spw_say(out, "%s does not exist for %s", word, spw_type_word(r->lhs));
  else if (r->obstacle == SPW_OBSTACLE_DUPLICATE)
    spw_say(out, "%s asks for the claim to be coalesced, or parts of an element would count as elements", word);
  else
    spw_say_refused_product(out, what, r);
}
