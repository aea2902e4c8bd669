/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of a model as tensor files: one JSON object a line. */
#include "model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static spw_status refuse(spw_error *error, spw_status status, int64_t number, const char *why)
{
  snprintf(error->where, sizeof error->where, "operand %d", (int)number);
  snprintf(error->message, sizeof error->message, "%s", why);
  return status;
}

static spw_status append(char **lines, size_t *size, const void *line, size_t more)
{
  char *grown = realloc(*lines, *size + more);
  if (!grown) return SPW_ENOMEM;
  memcpy(grown + *size, line, more);
  *lines = grown;
  *size += more;
  return SPW_OK;
}

static spw_status append_operand(const fuzz_model *model, int64_t number, char **lines,
                                 size_t *size, spw_error *error)
{
  static fuzz_tensor t;
  void *line;
  size_t length;
  fuzz_build_whole(model, number, &t);
  if (!t.has_values)
    return refuse(error, SPW_EUNSUPPORTED, number,
                  "has values beyond what a file holds element by element");
  spw_status status = spw_write_json(&t.tensor, &line, &length, error);
  if (status) return status;
  status = append(lines, size, line, length);
  free(line);
  return status ? refuse(error, status, number, "there is no memory for its text") : SPW_OK;
}

spw_status fuzz_write_lines(const fuzz_model *model, void **bytes, size_t *size, spw_error *error)
{
  char *lines = NULL;
  size_t length = 0;
  for (int64_t i = 0; i < model->operands; i++) {
    const spw_status status = append_operand(model, i, &lines, &length, error);
    if (status) {
      free(lines);
      return status;
    }
  }
  *bytes = lines;
  *size = length;
  return SPW_OK;
}
