/* SPDX-License-Identifier: Apache-2.0 */
#include "inputs.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

void fuzz_refuse(const char *path, const char *why)
{
  fprintf(stderr, "%s: %s\n", path, why);
  exit(2);
}

static void take_file(const char *path, fuzz_take_input *take)
{
  FILE *file = fopen(path, "rb");
  if (!file || fseek(file, 0, SEEK_END)) fuzz_refuse(path, "cannot be opened");
  const long size = ftell(file);
  uint8_t *bytes = size >= 0 ? malloc((size_t)size + !size) : NULL;
  if (!bytes) fuzz_refuse(path, "no memory");
  rewind(file);
  if (fread(bytes, 1, (size_t)size, file) != (size_t)size) fuzz_refuse(path, "cannot be read");
  fclose(file);
  take(path, bytes, (size_t)size);
}

void fuzz_each_input(const char *path, fuzz_take_input *take)
{
  DIR *directory = opendir(path);
  if (!directory) {
    take_file(path, take);
    return;
  }
  for (struct dirent *entry; (entry = readdir(directory));) {
    char name[4096];
    if (entry->d_name[0] == '.') continue;
    snprintf(name, sizeof name, "%s/%s", path, entry->d_name);
    take_file(name, take);
  }
  closedir(directory);
}
