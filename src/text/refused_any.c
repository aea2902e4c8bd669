/* SPDX-License-Identifier: Apache-2.0 */
/* Obstacles in words that fit every operation. */
#include "text.h"

#include <string.h>

static void say_unlike(spw_sentence *out, const spw_refusal *r)
{
  if (r->place < 0)
    spw_say(out, "it differs from the first operand in its layout, a type, a block size or the number of its dimensions of a "
            "kind");
  else if (r->other == 0)
    spw_say(out, "dimension %lld has size %lld, and would need size %lld", (long long)r->place, (long long)r->lhs,
            (long long)r->rhs);
  else
    spw_say(out, "dimension %lld has size %lld, and %lld in the first operand", (long long)r->place, (long long)r->lhs,
            (long long)r->rhs);
}

static void say_pattern(spw_sentence *out, const spw_refusal *r)
{
  spw_say(out, "along a dense dimension the same positions have to be specified; ");
  if (r->place < 0)
    spw_say(out, "it has %lld cells, and the first operand %lld", (long long)r->lhs, (long long)r->rhs);
  else
    spw_say(out, "in batch %lld it has index %lld where the first operand has %lld", (long long)r->place, (long long)r->lhs,
            (long long)r->rhs);
}

static void say_range(spw_sentence *out, const spw_refusal *r)
{
  spw_say(out, "%lld", (long long)r->lhs);
  if (r->other >= 0) spw_say(out, ", entry %lld of the list,", (long long)r->other);
  spw_say(out, " lies outside dimension %lld, of size %lld", (long long)r->place, (long long)r->rhs);
}

/* Of `rhs` dimensions, a new one counted. A compressed layout has two sparse ones, and no more. */
static void say_dimension(spw_sentence *out, const spw_refusal *r)
{
  if (r->rhs <= 0)
    spw_say(out, "it has no dimension at all");
  else if (r->lhs < 0 || r->lhs >= r->rhs)
    spw_say(out, "there is no dimension %lld: they count from 0 to %lld", (long long)r->lhs, (long long)r->rhs - 1);
  else
    spw_say(out, "dimension %lld would be a third sparse one, which only coo can have", (long long)r->lhs);
}

static void say_overlap(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  if (r->operand == 0 || r->operand == 1)
    spw_say(out, "%s shares memory with what is written", spw_operand_name(what, r->operand));
  else
    spw_say(out, "what is written shares memory with itself, with another buffer, or with what the call was given");
}

/* What a structure operation, or a permutation, can meet. */
static void say_structural(spw_sentence *out, const spw_refusal *r)
{
  switch (r->obstacle) {
  case SPW_OBSTACLE_DUPLICATE:
    spw_say(out, "elements %lld and %lld lie at one position", (long long)r->lhs, (long long)r->rhs);
    break;
  case SPW_OBSTACLE_DIMENSION: say_dimension(out, r); break;
  case SPW_OBSTACLE_RANGE: say_range(out, r); break;
  case SPW_OBSTACLE_OPERAND: say_unlike(out, r); break;
  case SPW_OBSTACLE_PATTERN: say_pattern(out, r); break;
  case SPW_OBSTACLE_LOST:
    spw_say(out, "index %lld of dimension %lld is specified, and only %lld would be left", (long long)r->lhs,
            (long long)r->place, (long long)r->rhs);
    break;
  case SPW_OBSTACLE_BLOCKS:
    spw_say(out, "%lld along dimension %lld is no multiple of the block size %lld", (long long)r->lhs, (long long)r->place,
            (long long)r->rhs);
    break;
  default: spw_say(out, "the result has more elements than any memory holds"); break;
  }
}

/* " in batch ...", of a matrix that is one of several. */
static void say_matrix(spw_sentence *out, const spw_refused *what, int64_t batch)
{
  if (what->a && what->a->has_size && what->a->ndim > 2) {
    spw_say(out, " in ");
    spw_say_batch(out, what->a->ndim - 2, what->a->size, batch);
  } else if (batch > 0) {
    spw_say(out, " in batch %lld", (long long)batch);
  }
}

static void say_no_solution(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  const char *const name = spw_operand_name(what, r->operand);
  double omega;
  memcpy(&omega, &r->rhs, sizeof omega);
  if (r->lhs == SPW_UNSOLVED_ROW && omega - omega == 0)
    spw_say(out, "row %lld of %s has a backward error of %.3g, which is too large", (long long)r->place, name, omega);
  else if (r->lhs == SPW_UNSOLVED_ROW)
    spw_say(out, "row %lld of %s or of the right side has a number that is not finite, or leads to one", (long long)r->place,
            name);
  else if (r->lhs == SPW_UNSOLVED_RANK)
    spw_say(out, "%s is singular whatever its values are: its rank is at most %lld", name, (long long)r->rhs);
  else if (r->place < 0)
    spw_say(out, "%s is singular", name);
  else
    spw_say(out, "%s is singular: the pivot of column %lld is 0", name, (long long)r->place);
  say_matrix(out, what, r->other);
}

/* The obstacles of solvers and their judges, which are no members of the enumeration. */
static bool say_unsolved(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  if (r->obstacle == SPW_OBSTACLE_HERMITIAN) {
    spw_say(out, "%s is not Hermitian: its elements (%lld, %lld) and (%lld, %lld) are not conjugate to each other",
            spw_operand_name(what, r->operand), (long long)r->place, (long long)r->other, (long long)r->other,
            (long long)r->place);
    return true;
  }
  if (r->obstacle == SPW_OBSTACLE_UNSOLVED) {
    say_no_solution(out, what, r);
    return true;
  }
  if (r->obstacle != SPW_OBSTACLE_PIVOT) return false;
  spw_say(out, "diagonal element %lld of %s", (long long)r->place, spw_operand_name(what, r->operand));
  say_matrix(out, what, r->other);
  spw_say(out, r->lhs ? " is 0" : " is not stored");
  return true;
}

void spw_say_obstacle(spw_sentence *out, const spw_refused *what, const spw_refusal *r)
{
  const char *const name = spw_operand_name(what, r->operand);
  const long long place = (long long)r->place, lhs = (long long)r->lhs, rhs = (long long)r->rhs;
  if (say_unsolved(out, what, r)) return;
  switch (r->obstacle) {
  case SPW_OBSTACLE_DIMENSIONS: spw_say(out, "%s has %lld dimensions and would need %lld", name, lhs, rhs); break;
  case SPW_OBSTACLE_SHAPES:
    if (place < 0)
      spw_say(out, "%s has %lld positions, and would need %lld", name, lhs, rhs);
    else
      spw_say(out, "dimension %lld of %s is %lld and would need to be %lld", place, name, lhs, rhs);
    break;
  case SPW_OBSTACLE_TYPES:
    if (rhs < 0)
      spw_say(out, "the operation does not exist for %s", spw_type_word(lhs));
    else
      spw_say(out, "%s is of type %s, and %s would be needed", name, spw_type_word(lhs), spw_type_word(rhs));
    break;
  case SPW_OBSTACLE_HYBRID: spw_say(out, "%s is hybrid: it has %lld dense dimensions", name, lhs); break;
  case SPW_OBSTACLE_NO_SIZE: spw_say(out, "%s has no size", name); break;
  case SPW_OBSTACLE_INDEX:
    spw_say(out, "%s needs indices up to %lld, and its index type holds %lld at most", name, lhs, rhs);
    break;
  case SPW_OBSTACLE_BATCHES:
    spw_say(out, "batch %lld of %s has %lld elements and batch %lld has %lld: all need the same number", place, name, lhs,
            (long long)r->other, rhs);
    break;
  case SPW_OBSTACLE_OVERLAP: say_overlap(out, what, r); break;
  case SPW_OBSTACLE_LAYOUT:
    spw_say(out, "%s is %s, and %s would be needed", name, spw_layout_word(lhs), spw_layout_word(rhs));
    break;
  case SPW_OBSTACLE_ZERO: case SPW_OBSTACLE_SCALAR: case SPW_OBSTACLE_VALUE: spw_say_refused_unary(out, what, r); break;
  case SPW_OBSTACLE_WORK: spw_say(out, "it takes %lld multiplications, and %lld are allowed", lhs, rhs); break;
  default: say_structural(out, r); break;
  }
}
