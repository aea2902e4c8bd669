/* SPDX-License-Identifier: Apache-2.0 */
/* PROGRAM FILE|DIRECTORY ...: runs a target on each file, without a fuzzer. The last line says how
 * many files there were; none is a failure. For sanitizers, coverage and debuggers. */
#include "target.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

static long replayed;

static void refuse(const char *path, const char *why)
{
  fprintf(stderr, "%s: %s\n", path, why);
  exit(2);
}

static void replay(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) refuse(path, "cannot be opened");
  const long size = ftell(file);
  uint8_t *bytes = size >= 0 ? malloc((size_t)size + !size) : NULL;
  if (!bytes) refuse(path, "no memory");
  rewind(file);
  if (fread(bytes, 1, (size_t)size, file) != (size_t)size) refuse(path, "cannot be read");
  fclose(file);
  if (getenv("FUZZ_VERBOSE")) fprintf(stderr, "%s\n", path);
  LLVMFuzzerTestOneInput(bytes, (size_t)size);
  free(bytes);
  replayed++;
}

/* A file, or the files of a directory: not those of directories in it. */
static void replay_all(const char *path)
{
  DIR *directory = opendir(path);
  if (!directory) {
    replay(path);
    return;
  }
  for (struct dirent *entry; (entry = readdir(directory));) {
    char name[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    replay(name);
  }
  closedir(directory);
}

int main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++) replay_all(argv[i]);
  printf("replayed %ld files\n", replayed);
  return replayed > 0 ? 0 : 2;
}
