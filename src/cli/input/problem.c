/* SPDX-License-Identifier: Apache-2.0 */
/* Why there is no tensor. */
#include "input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool set_problem(cli_problem *problem, const char *kind, const char *format, ...)
{
  problem->kind = kind;
  problem->error.where[0] = 0;
  va_list args;
  va_start(args, format);
  vsnprintf(problem->error.message, sizeof problem->error.message, format, args);
  va_end(args);
  return false;
}

bool set_reason(cli_problem *problem, cli_text *reason)
{
  set_problem(problem, "impossible", "%s", reason->bytes);
  free(reason->bytes);
  return false;
}

const char *short_name(const char *path)
{
  enum { LONGEST = 64 };
  const char *const slash = strrchr(path, '/'), *const name = slash ? slash + 1 : path;
  const size_t length = strlen(name);
  const char *end = length > LONGEST ? name + length - LONGEST : name;
  while (((unsigned char)*end & 0xc0) == 0x80) end++; /* within a character of UTF-8 */
  return end;
}
