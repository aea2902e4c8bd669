/* SPDX-License-Identifier: Apache-2.0 */
/* Why a function of values, or a cast, is refused. */
#include "text.h"

#include <string.h>

static const char *function_name(const spw_refused *what)
{
  const char *const name = what->unary ? spw_unary_name(what->unary->function) : NULL;
  return name ? name : "the function";
}

/* ---- A value ------------------------------------------------------------------------------------------ */

static double double_of(int64_t bits)
{
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void say_value(spw_sentence *out, spw_dtype dtype, const spw_refusal *r)
{
  if (dtype < SPW_FLOAT16)
    spw_say(out, "%lld", (long long)r->lhs);
  else if (dtype < SPW_COMPLEX64)
    spw_say(out, "%.17g", double_of(r->lhs));
  else
    spw_say(out, "(%.17g, %.17g)", double_of(r->lhs), double_of(r->other));
}

/* Entries of the values' shape from dimension `from` on: where number *place of them lies along each; *place becomes the number
 * of what is before them. */
static void unravel(const spw_array *a, int64_t from, int64_t *place, int64_t *at)
{
  for (int64_t d = a->ndim - 1; d >= from; d--) {
    at[d] = a->shape[d] > 0 ? *place % a->shape[d] : 0;
    *place = a->shape[d] > 0 ? *place / a->shape[d] : 0;
  }
}

enum { SAID_DIMS = SPW_STRUCTURE_DIMS + 3 };

/* The position of scalar `place` of the values of a valid tensor, in row-major order. */
static void say_position(spw_sentence *out, const spw_tensor *t, int64_t place)
{
  const spw_array *const v = &t->values.array;
  const int64_t batch_dims = spw_said_batch_dims(t), before = batch_dims + 1;
  const bool blocks = spw_says_blocks(t->layout);
  int64_t at[SAID_DIMS];
  unravel(v, before, &place, at);
  spw_say(out, " at position (");
  if (!spw_says_lines(t->layout)) {
    for (int64_t d = 0; d < t->plain.array.shape[0]; d++) {
      const spw_entries row = spw_entries_of_row(&t->plain, d);
      spw_say(out, d > 0 ? ", %lld" : "%lld", (long long)spw_entry(&row, place));
    }
  } else {
    const int64_t nse = v->shape[batch_dims], batch = nse > 0 ? place / nse : 0, k = nse > 0 ? place % nse : 0;
    const spw_entries entries = spw_entries_of_batch(&t->plain, batch);
    const int64_t plain = spw_entry(&entries, k), line = spw_line_of(t, batch, k);
    const bool by_rows = t->layout == SPW_CSR || t->layout == SPW_BSR;
    int64_t row = by_rows ? line : plain, column = by_rows ? plain : line;
    if (blocks) {
      row = row * v->shape[before] + at[before];
      column = column * v->shape[before + 1] + at[before + 1];
    }
    spw_say_batch_index(out, batch_dims, v->shape, batch);
    spw_say(out, "%s%lld, %lld", batch_dims > 0 ? ", " : "", (long long)row, (long long)column);
  }
  for (int64_t d = before + (blocks ? 2 : 0); d < v->ndim; d++) spw_say(out, ", %lld", (long long)at[d]);
  spw_say(out, ")");
}

static bool has_position(const spw_tensor *t, int64_t place)
{
  const spw_array *const v = &t->values.array;
  bool valid = false;
  if (t->layout == SPW_DENSE || spw_is_valid(t, SPW_CANONICAL, &valid) != SPW_OK || !valid || v->ndim > SAID_DIMS) return false;
  int64_t count = 1;
  for (int64_t d = 0; d < v->ndim; d++)
    if (__builtin_mul_overflow(count, v->shape[d], &count)) return false;
  return place >= 0 && place < count;
}

static void say_misfit(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  const spw_tensor *const t = what->a;
  spw_say(out, "the value ");
  if (t) say_value(out, t->values.array.dtype, r);
  if (t && has_position(t, r->place)) say_position(out, t, r->place);
  spw_say(out, " has no place in %s", spw_type_word(r->rhs));
}

/* ---- A function --------------------------------------------------------------------------------------- */

static void say_zero(spw_sentence *out, const spw_refused *what)
{
  const char *const name = function_name(what), *const zero = what->unary ? spw_unary_of_zero(what->unary->function) : NULL;
  char twin[64];
  spw_sentence words = spw_sentence_in(twin, sizeof twin);
  spw_say(out, "%s of 0 is %s, so no unspecified position would stay unspecified", name, zero && zero[0] ? zero : "not 0");
  spw_say(&words, "%s_specified", name);
  if (spw_unary_from_name(twin) >= 0) spw_say(out, "; %s maps specified values only", twin);
}

static void say_number(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  if (what->a)
    say_value(out, what->a->values.array.dtype, r);
  else
    spw_say(out, "another");
}

static void say_scalar(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  if (!what->unary)
    spw_say(out, "the function is not defined for the scalar");
  else if (what->unary->function == SPW_UNARY_POW)
    spw_say(out, "pow needs an exponent above 0, and has "), say_number(out, what, r);
  else
    spw_say(out, "%s by 0 does not exist for integers", function_name(what));
}

static void say_types(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  if (r->rhs < 0)
    spw_say(out, "%s does not exist for %s", function_name(what), spw_type_word(r->lhs));
  else
    spw_say(out, "%s of %s gives %s, which cannot be stored in place", function_name(what), spw_type_word(r->lhs),
            spw_type_word(r->rhs));
}

void spw_say_refused_unary(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  switch (r->obstacle) {
  case SPW_OBSTACLE_ZERO: say_zero(out, what); break;
  case SPW_OBSTACLE_SCALAR: say_scalar(out, what, r); break;
  case SPW_OBSTACLE_VALUE: say_misfit(out, what, r); break;
  case SPW_OBSTACLE_TYPES: say_types(out, what, r); break;
  default: spw_say_obstacle(out, what, r); break;
  }
}
