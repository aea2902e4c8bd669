/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a file whole or not at all: to a new file beside it, which then takes its place. */
#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64

#include "file.h"
#include "../../owned/owned.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, const char *bytes, size_t size)
{
  while (size) {
    const ssize_t written = write(fd, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes += written;
    size -= (size_t)written;
  }
  return true;
}

static bool write_and_close(int fd, const void *bytes, size_t size)
{
  const bool written = write_all(fd, bytes, size);
  const int reason = errno;
  const bool closed = close(fd) == 0;
  if (!written) errno = reason;
  return written && closed;
}

typedef void told(const char *name);

/* A new file in the folder of `path`, or -1; its name is in *name, to free(). */
static int create_beside(const char *path, mode_t mode, told *beside, char **name)
{
  enum { ATTEMPTS = 100 };
  const char *const slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  const size_t room = (size_t)folder + 64;
  *name = malloc(room);
  for (int attempt = 0; *name && attempt < ATTEMPTS; attempt++) {
    snprintf(*name, room, "%.*s.spw-%ld-%d.tmp", folder, path, (long)getpid(), attempt);
    if (beside) beside(*name);
    const int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EEXIST) return fd;
    if (beside) beside(NULL); /* it is another's, and the text changes */
  }
  return -1;
}

/* What takes the place of a file is its owner's, where the superuser writes it, and its group's, where that is a group of who
 * writes it. Until it has the group of the old file, which others may not be allowed to read, it is for its owner alone. */
static void take_after(int fd, const struct stat *old)
{
  const uid_t mine = (uid_t)-1;
  const bool same_group = fchown(fd, old->st_uid, old->st_gid) == 0 || fchown(fd, mine, old->st_gid) == 0;
  (void)fchmod(fd, old->st_mode & (same_group ? 0777 : 0707));
}

static bool replace(const char *path, const struct stat *old, const void *bytes, size_t size, told *beside)
{
  char *name;
  const int fd = create_beside(path, old ? 0600 : 0666, beside, &name);
  if (fd >= 0 && old) take_after(fd, old);
  const bool ok = fd >= 0 && write_and_close(fd, bytes, size) && rename(name, path) == 0;
  const int reason = errno;
  if (fd >= 0 && !ok) unlink(name);
  if (beside) beside(NULL);
  free(name);
  errno = reason;
  return ok;
}

/* A device or a pipe has no old contents, and must not be replaced by a file. */
static bool write_through(const char *path, const void *bytes, size_t size)
{
  const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  return fd >= 0 && write_and_close(fd, bytes, size);
}

static bool replace_target(const char *path, const struct stat *old, const void *bytes, size_t size, told *beside)
{
  char *const target = access(path, W_OK) == 0 ? realpath(path, NULL) : NULL;
  const bool ok = target && replace(target, old, bytes, size, beside);
  const int reason = errno;
  free(target);
  errno = reason;
  return ok;
}

spw_status spw_replace_file(const char *path, const void *bytes, size_t size, void (*beside)(const char *name), spw_error *error)
{
  struct stat old;
  if (!path || (!bytes && size > 0)) return spw_fail(SPW_EINVAL, error, "", "null pointer");
  const bool there = stat(path, &old) == 0;
  const bool ok = !there ? replace(path, NULL, bytes, size, beside)
                  : S_ISREG(old.st_mode) ? replace_target(path, &old, bytes, size, beside) : write_through(path, bytes, size);
  return ok ? SPW_OK : spw_fail(SPW_EIO, error, "", "%s", strerror(errno));
}
