/* SPDX-License-Identifier: Apache-2.0 */
/* PROGRAM FILE|DIRECTORY ...: runs a target on each file, without a fuzzer. The last line says how
 * many files there were; none is a failure. For sanitizers, coverage and debuggers. */
#include "inputs.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>

static long replayed;

static void replay(const char *path, uint8_t *bytes, size_t size)
{
  if (getenv("FUZZ_VERBOSE")) fprintf(stderr, "%s\n", path);
  LLVMFuzzerTestOneInput(bytes, size);
  free(bytes);
  replayed++;
}

int main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++) fuzz_each_input(argv[i], replay);
  printf("replayed %ld files\n", replayed);
  return replayed > 0 ? 0 : 2;
}
