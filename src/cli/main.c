/* SPDX-License-Identifier: Apache-2.0 */
/* spw -- checks sparse tensors in files. */
#include "commands/command.h"

#include <jansson.h>
#include <stdlib.h>

/* With it no call of jansson fails for want of memory, which nobody could see in its text. */
static void *allocate_for_json(size_t size)
{
  return allocate_again(NULL, size);
}

int main(int argc, char **argv)
{
  prepare_streams();
  json_set_alloc_funcs(allocate_for_json, free);
  return run_program(&spw_command, argc, argv);
}
