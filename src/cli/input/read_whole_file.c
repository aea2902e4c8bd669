/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a file, a pipe or standard input into memory. The file is read, not mapped: one that is
 * truncated meanwhile is then short, not a crash. */
#include "input.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 1 << 16 }; /* enough to recognise the format */

/* 16 GiB, but 1 GiB of what is no regular file and so may have no end; or all memory where there is
 * less. */
static size_t default_limit(bool is_regular)
{
  return machine_memory((size_t)(is_regular ? 16 : 1) << 30);
}

typedef struct growing { char *bytes; size_t size, capacity, most; } growing;

static bool grow(growing *buffer, size_t capacity)
{
  char *bytes = realloc(buffer->bytes, capacity);
  if (!bytes) return false;
  buffer->bytes = bytes;
  buffer->capacity = capacity;
  return true;
}

/* One byte beyond the limit is enough to see that it is passed. */
static size_t next_capacity(const growing *buffer)
{
  const size_t twice = 2 * buffer->capacity;
  return buffer->most < twice ? buffer->most + 1 : twice;
}

/* Blank contents may still turn out to be JSON; what begins with a zero byte nothing: a hole has no end. */
static bool is_hopeless(const char *path, const growing *buffer)
{
  if (buffer->size < HEAD || spw_file_format_of(path, buffer->bytes, HEAD)) return false;
  for (size_t i = 0; i < HEAD; i++)
    if (!strchr(" \t\r\n", buffer->bytes[i]) || !buffer->bytes[i]) return true;
  return false;
}

static bool read_all(int fd, const char *path, growing *buffer, cli_problem *problem)
{
  bool judged = false;
  for (;;) {
    if (buffer->size > buffer->most)
      return set_problem(problem, "limit", "it does not end within the limit of %zu bytes; "
                         "--max-bytes=N changes the limit", buffer->most);
    if (buffer->size == buffer->capacity && !grow(buffer, next_capacity(buffer)))
      return set_problem(problem, "limit", "not enough memory for the file");
    size_t wanted = buffer->capacity - buffer->size;
    if (!judged && wanted > HEAD) wanted = HEAD;
    const ssize_t got = read(fd, buffer->bytes + buffer->size, wanted);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return set_problem(problem, "unreadable", "%s", strerror(errno));
    if (got == 0) return true;
    buffer->size += (size_t)got;
    if (judged || buffer->size < HEAD) continue;
    if (is_hopeless(path, buffer)) return true;
    judged = true;
  }
}

static bool read_descriptor(int fd, const char *path, int64_t max_bytes, growing *buffer,
                            cli_problem *problem)
{
  struct stat file;
  if (fstat(fd, &file) != 0) return set_problem(problem, "unreadable", "%s", strerror(errno));
  if (S_ISDIR(file.st_mode))
    return set_problem(problem, "unreadable", "it is a directory; to see what it holds, use -r of spw check or info");
  const size_t size = S_ISREG(file.st_mode) && file.st_size > 0 ? (size_t)file.st_size : 0;
  buffer->most = max_bytes ? (size_t)max_bytes : default_limit(S_ISREG(file.st_mode));
  if (size > buffer->most)
    return set_problem(problem, "limit", "the file has %zu bytes, more than the limit of %zu; "
                       "--max-bytes=%zu allows it", size, buffer->most, size);
  /* One byte more than the file: the read that finds the end then needs no growth. */
  if (!grow(buffer, (size > HEAD ? size : HEAD) + 1))
    return set_problem(problem, "limit", "not enough memory for %zu bytes", size);
  return read_all(fd, path, buffer, problem);
}

bool read_whole_file(const char *path, int64_t max_bytes, char **bytes, size_t *size,
                     cli_problem *problem)
{
  const bool is_stdin = strcmp(path, "-") == 0;
  const int fd = is_stdin ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return set_problem(problem, "unreadable", "%s", strerror(errno));
  growing buffer = {NULL, 0, 0, 0};
  const bool ok = read_descriptor(fd, path, max_bytes, &buffer, problem);
  if (!is_stdin) close(fd);
  if (!ok) {
    free(buffer.bytes);
    return false;
  }
  *bytes = buffer.bytes;
  *size = buffer.size;
  return true;
}
