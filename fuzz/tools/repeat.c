/* SPDX-License-Identifier: Apache-2.0 */
/* PROGRAM SECONDS FILE|DIRECTORY ...: runs a target on the files again and again, without a fuzzer,
 * and prints how often: the speed of the target alone. Without a sanitizer, which has an allocator of
 * its own, also how often it allocates. */
#define _POSIX_C_SOURCE 200809L
#include "../../tests/memory.h"
#include "../target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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

static void refuse(const char *path, const char *why)
{
  fprintf(stderr, "%s: %s\n", path, why);
  exit(2);
}

static void load(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) refuse(path, "cannot be opened");
  const long size = ftell(file);
  if (count == room) {
    room = 2 * room + 1;
    inputs = realloc(inputs, room * sizeof *inputs);
    if (!inputs) refuse(path, "no memory");
  }
  input *here = &inputs[count++];
  here->size = size > 0 ? (size_t)size : 0;
  here->bytes = malloc(here->size + !here->size);
  if (!here->bytes) refuse(path, "no memory");
  rewind(file);
  if (fread(here->bytes, 1, here->size, file) != here->size) refuse(path, "cannot be read");
  fclose(file);
}

static void load_all(const char *path)
{
  DIR *directory = opendir(path);
  if (!directory) {
    load(path);
    return;
  }
  for (struct dirent *entry; (entry = readdir(directory));) {
    char name[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    load(name);
  }
  closedir(directory);
}

/* ---- Running --------------------------------------------------------------------------------- */

/* Processor time: other programs on the machine do not count. */
static double now(void)
{
  struct timespec t;
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t)) refuse("clock_gettime", "no clock");
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void run_all(void)
{
  for (size_t i = 0; i < count; i++) LLVMFuzzerTestOneInput(inputs[i].bytes, inputs[i].size);
}

int main(int argc, char **argv)
{
  for (int i = 2; i < argc; i++) load_all(argv[i]);
  if (argc < 3 || count == 0) refuse(argv[0], "SECONDS and files are needed");
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
