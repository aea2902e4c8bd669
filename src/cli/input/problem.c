/* SPDX-License-Identifier: Apache-2.0 */
/* Why there is no tensor. */
#include "input.h"

#include <stdarg.h>
#include <stdio.h>

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
