/* SPDX-License-Identifier: Apache-2.0 */
/* The files that the arguments name, with those below directories. */
#include "input.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static void add_file(file_list *list, char *path, const char *problem)
{
  if (list->count == list->capacity) {
    list->capacity = 2 * list->capacity + 16;
    list->files = allocate_again(list->files, list->capacity * sizeof *list->files);
  }
  list->files[list->count].path = path;
  list->files[list->count++].problem = problem ? copy_text(problem) : NULL;
}

static void add_skipped(file_list *list, char *path)
{
  if (list->skipped_count == list->skipped_capacity) {
    list->skipped_capacity = 2 * list->skipped_capacity + 16;
    list->skipped = allocate_again(list->skipped, list->skipped_capacity * sizeof *list->skipped);
  }
  list->skipped[list->skipped_count++] = path;
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
  return strcmp((*a)->d_name, (*b)->d_name);
}

static int is_real_entry(const struct dirent *entry)
{
  return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static char *join(const char *directory, const char *name)
{
  const size_t size = strlen(directory) + strlen(name) + 2;
  char *path = allocate(size, 1);
  snprintf(path, size, "%s%s%s", directory, has_suffix(directory, "/") ? "" : "/", name);
  return path;
}

static void add_directory(file_list *list, const char *directory, bool hidden);

/* Links to directories are not followed: they may lead in circles. */
static void add_entry(file_list *list, const char *directory, const char *name, bool hidden)
{
  char *path = join(directory, name);
  struct stat own, target;
  const bool there = lstat(path, &own) == 0;
  if (there && S_ISDIR(own.st_mode)) {
    add_directory(list, path, hidden || name[0] == '.');
  } else if (!there && errno != ENOENT) { /* it may be a directory of many */
    add_file(list, path, strerror(errno));
    return;
  } else if (has_sparse_name(name) && stat(path, &target) == 0 && S_ISREG(target.st_mode)) {
    add_file(list, path, NULL);
    return;
  } else if (has_sparse_name(name) && stat(path, &target) != 0) {
    add_file(list, path, strerror(errno));
    return;
  } else if (there && S_ISREG(own.st_mode) && !hidden && name[0] != '.') {
    if (!has_known_name(name)) {
      add_skipped(list, path);
      return;
    }
    list->dense_count++;
  }
  free(path);
}

static void add_directory(file_list *list, const char *directory, bool hidden)
{
  struct dirent **entries;
  const int count = scandir(directory, &entries, is_real_entry, by_name);
  if (count < 0) {
    add_file(list, copy_text(directory), strerror(errno));
    return;
  }
  for (int i = 0; i < count; i++) {
    add_entry(list, directory, entries[i]->d_name, hidden);
    free(entries[i]);
  }
  free(entries);
}

void list_files(file_list *list, const char *path, bool recursive)
{
  struct stat target;
  if (!recursive || stat(path, &target) != 0 || !S_ISDIR(target.st_mode)) {
    add_file(list, copy_text(path), NULL);
    return;
  }
  const size_t before = list->count;
  add_directory(list, path, false);
  if (list->count == before)
    add_file(list, copy_text(path), "there is no file with a known name below this directory");
}

void free_file_list(file_list *list)
{
  for (size_t i = 0; i < list->count; i++) {
    free(list->files[i].path);
    free(list->files[i].problem);
  }
  for (size_t i = 0; i < list->skipped_count; i++) free(list->skipped[i]);
  free(list->skipped);
  free(list->files);
}

void visit_files(const file_list *list, int64_t max_bytes, visit_input *visit,
                 void (*before)(void *, size_t), void *context)
{
  for (size_t i = 0; i < list->count; i++) {
    if (before) before(context, i);
    if (!list->files[i].problem) {
      visit_file(list->files[i].path, list->members, max_bytes, visit, context);
      continue;
    }
    cli_input input = {.file = list->files[i].path};
    set_problem(&input.problem, "unreadable", "%s", list->files[i].problem);
    visit(context, &input);
  }
}
