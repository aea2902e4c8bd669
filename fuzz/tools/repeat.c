/* SPDX-License-Identifier: Apache-2.0 */
/* PROGRAM SECONDS FILE|DIRECTORY ...: runs a target on the files again and again, without a fuzzer,
 * and prints how often: the speed of the target alone. Without a sanitizer, which has an allocator of
 * its own, also how often it allocates. */
#define _POSIX_C_SOURCE 200809L
#include "../../tests/support/memory.h"
#include "../harness/inputs.h"
#include "../harness/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct input {
  size_t size;
  uint8_t *bytes;
} input;

static input *inputs;
static size_t count, room;

/* ---- Allocations ----------------------------------------------------------------------------- */

static long allocations;

#if !SANITIZED
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);

void *malloc(size_t size)
{
  allocations++;
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size)
{
  allocations++;
  return __libc_calloc(number, size);
}

void *realloc(void *block, size_t size)
{
  allocations++;
  return __libc_realloc(block, size);
}
#endif

/* ---- Inputs ---------------------------------------------------------------------------------- */

static void keep(const char *path, uint8_t *bytes, size_t size)
{
  if (count == room) {
    room = 2 * room + 1;
    inputs = realloc(inputs, room * sizeof *inputs);
    if (!inputs) fuzz_refuse(path, "no memory");
  }
  inputs[count++] = (input){size, bytes};
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Processor time: other programs on the machine do not count. */
static double now(void)
{
  struct timespec t;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)) fuzz_refuse("clock_gettime", "no clock");
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_all(void)
{
  for (size_t i = 0; i < count; i++) LLVMFuzzerTestOneInput(inputs[i].bytes, inputs[i].size);
}

int main(int argc, char **argv)
{
  for (int i = 2; i < argc; i++) fuzz_each_input(argv[i], keep);
  if (argc < 3 || count == 0) fuzz_refuse(argv[0], "SECONDS and files are needed");
  run_all(); /* what is made once is made here */
  const double seconds = atof(argv[1]), start = now();
  double spent = 0;
  long executions = 0;
  allocations = 0;
  do {
    run_all();
    executions += (long)count;
    spent = now() - start;
  } while (spent < seconds);
  const long made = allocations; /* not those of printf */
  printf("%ld executions of %zu inputs in %.3f s: %.0f/s", executions, count, spent,
         (double)executions / spent);
  if (!SANITIZED) printf(", %ld allocations", made);
  putchar('\n');
  return 0;
}
