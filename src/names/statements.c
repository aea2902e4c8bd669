/* SPDX-License-Identifier: Apache-2.0 */
/* What operations mean: spec/semantics.def as data. */
#include "../sparsewright.h"

/* The name of each topic, by its letter. */
#define SPW_TOPIC(letter, name, title) static const char TOPIC_##letter[] = #name;
#define SPW_STATEMENT(topic, number, state, operations, formula, prose, why, torch, scipy)
#include "../../spec/semantics.def"
#undef SPW_TOPIC
#undef SPW_STATEMENT

/* A state, and the function that goes with it. */
#define DEFINITION "definition", ""
#define BUILT(function) "built", #function
#define NOT_BUILT "not built", ""

static const spw_statement_info statements[] = {
#define SPW_TOPIC(letter, name, title)
#define SPW_STATEMENT(topic, number, state, operations, formula, prose, why, torch, scipy)         \
  {#topic #number, TOPIC_##topic, operations, state, formula, prose, why, torch, scipy},
#include "../../spec/semantics.def"
#undef SPW_TOPIC
#undef SPW_STATEMENT
};

const spw_statement_info *spw_statement_get(int number)
{
  if (number < 0 || number >= (int)(sizeof statements / sizeof *statements)) return NULL;
  return &statements[number];
}
