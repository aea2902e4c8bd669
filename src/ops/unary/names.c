/* SPDX-License-Identifier: Apache-2.0 */
/* The names of functions of values, and what they are at 0. */
#include "../../sparsewright_unary.h"

#include <string.h>

#define NAME(ENUM, name, group, zero) {#name, zero},
static const struct {
  const char *name, *zero;
} functions[SPW_UNARY_COUNT] = {SPW_EACH_UNARY(NAME)};

static const struct {
  const char *name;
  spw_unary_function function;
} aliases[] = {{"fix", SPW_UNARY_TRUNC}, {"floor_divide", SPW_UNARY_DIV_FLOOR}};

static bool is_function(spw_unary_function function)
{
  return (int)function >= 0 && function < SPW_UNARY_COUNT;
}

const char *spw_unary_name(spw_unary_function function)
{
  return is_function(function) ? functions[function].name : NULL;
}

const char *spw_unary_of_zero(spw_unary_function function)
{
  return is_function(function) ? functions[function].zero : NULL;
}

int spw_unary_from_name(const char *name)
{
  if (!name) return -1;
  for (int i = 0; i < SPW_UNARY_COUNT; i++)
    if (strcmp(name, functions[i].name) == 0) return i;
  for (size_t i = 0; i < sizeof aliases / sizeof aliases[0]; i++)
    if (strcmp(name, aliases[i].name) == 0) return (int)aliases[i].function;
  return -1;
}
