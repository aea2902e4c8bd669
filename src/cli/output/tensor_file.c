/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a file that holds one tensor. */
#include "output.h"

#include <stdlib.h>

spw_status format_tensor(spw_file_format format, const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  *error = (spw_error){{0}, {0}};
  return spw_write_bytes(format, tensor, bytes, size, error);
}

const char *kind_of_unformatted(spw_status status)
{
  return status == SPW_EUNSUPPORTED ? "impossible" : status == SPW_ENOMEM ? "limit" : "internal";
}

int format_error(const char *command, const char *path)
{
  cli_text names = new_text();
  add_output_names(&names);
  usage_error(command, "the name of %s says no format that can be written: %s, or - for JSON on standard output", path,
              names.bytes);
  free(names.bytes);
  return EXIT_USAGE;
}
