/* SPDX-License-Identifier: Apache-2.0 */
/* The bytes of a file. It is read, not mapped: one that is truncated meanwhile is then short, not a crash. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64

#include "file.h"
#include "../../owned/owned.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is no regular file may have no end. */
#define MOST_OF_A_FILE ((size_t)16 << 30)
#define MOST_OF_A_STREAM ((size_t)1 << 30)

typedef struct growing {
  unsigned char *bytes;
  size_t size, capacity, most;
} growing;

/* One byte beyond the limit is enough to see that it is passed. */
static bool make_room(growing *g)
{
  const size_t twice = 2 * g->capacity, capacity = g->most < twice ? g->most + 1 : twice;
  unsigned char *const bytes = realloc(g->bytes, capacity);
  if (!bytes) return false;
  g->bytes = bytes;
  g->capacity = capacity;
  return true;
}

static spw_status read_all(int fd, growing *g, spw_error *error)
{
  for (;;) {
    if (g->size > g->most) return spw_fail(SPW_EIO, error, "", "it does not end within %zu bytes", g->most);
    if (g->size == g->capacity && !make_room(g)) return spw_fail(SPW_ENOMEM, error, "", "not enough memory for the file");
    const ssize_t got = read(fd, g->bytes + g->size, g->capacity - g->size);
    if (got == 0) return SPW_OK;
    if (got > 0)
      g->size += (size_t)got;
    else if (errno != EINTR)
      return spw_fail(SPW_EIO, error, "", "%s", strerror(errno));
  }
}

static spw_status read_descriptor(int fd, growing *g, spw_error *error)
{
  enum { LEAST = 1 << 12 };
  struct stat file;
  if (fstat(fd, &file) != 0) return spw_fail(SPW_EIO, error, "", "%s", strerror(errno));
  const bool regular = S_ISREG(file.st_mode);
  const size_t size = regular && file.st_size > 0 ? (size_t)file.st_size : 0;
  g->most = regular ? MOST_OF_A_FILE : MOST_OF_A_STREAM;
  if (size > g->most) return spw_fail(SPW_EIO, error, "", "the file has %zu bytes, more than the limit of %zu", size, g->most);
  g->capacity = (size > LEAST ? size : LEAST) / 2 + 1; /* the read that finds the end needs no growth */
  if (!make_room(g)) return spw_fail(SPW_ENOMEM, error, "", "not enough memory for %zu bytes", size);
  return read_all(fd, g, error);
}

spw_status spw_load_file(const char *path, unsigned char **bytes, size_t *size, spw_error *error)
{
  growing g = {NULL, 0, 0, 0};
  const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (fd < 0) return spw_fail(SPW_EIO, error, "", "%s", strerror(errno));
  const spw_status status = read_descriptor(fd, &g, error);
  close(fd);
  if (status != SPW_OK) {
    free(g.bytes);
    return status;
  }
  *bytes = g.bytes;
  *size = g.size;
  return SPW_OK;
}
