/* SPDX-License-Identifier: Apache-2.0 */
/* A problem as a command says it that gives no verdict. */
#include "report.h"

#include <stdlib.h>

void put_problem_line(const char *command, const cli_input *input, const cli_problem *problem)
{
  char *file = escape_text(input->file), *where = escape_text(problem->error.where);
  char *message = escape_text(problem->error.message);
  char *place = place_in_file(input), *escaped = escape_text(place);
  fflush(stdout);
  fprintf(stderr, "spw %s: %s%s: %s: %s%s%s\n", command, file, escaped, problem->kind, where, where[0] ? ": " : "", message);
  free(file);
  free(where);
  free(message);
  free(place);
  free(escaped);
}
