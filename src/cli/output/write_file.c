/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a named file whole or not at all: to a temporary file beside it, which then takes its
 * place. Whatever happens before that, a signal or a full disk, leaves the old file as it was. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *volatile temporary; /* to remove when a signal ends the process */

static const int ending[] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM};
enum { ENDING = sizeof ending / sizeof *ending };

static void remove_and_end(int number)
{
  if (temporary) unlink(temporary);
  raise(number); /* whose default, which this handler has restored, ends the process */
}

/* Signals that were ignored stay so. */
static void catch_signals(struct sigaction before[ENDING])
{
  struct sigaction action = {.sa_handler = remove_and_end, .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < ENDING; i++) {
    sigaction(ending[i], NULL, &before[i]);
    if (before[i].sa_handler != SIG_IGN) sigaction(ending[i], &action, NULL);
  }
}

static void restore_signals(const struct sigaction before[ENDING])
{
  for (int i = 0; i < ENDING; i++) sigaction(ending[i], &before[i], NULL);
}

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

/* A new file in the folder of `path`, or -1; `mode`, less the umask, says who may read it. */
static int create_beside(const char *path, mode_t mode, char **name)
{
  const char *slash = strrchr(path, '/');
  const int folder = slash ? (int)(slash - path) + 1 : 0;
  const size_t room = (size_t)folder + 64;
  *name = allocate(room, 1);
  for (int attempt = 0;; attempt++) {
    snprintf(*name, room, "%.*s.spw-%ld-%d.tmp", folder, path, (long)getpid(), attempt);
    const int fd = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EEXIST || attempt == 99) return fd;
  }
}

/* The same, known to the handler from the moment on at which it is there. */
static int create_temporary(const char *path, mode_t mode, char **name)
{
  sigset_t block, before;
  sigemptyset(&block);
  for (int i = 0; i < ENDING; i++) sigaddset(&block, ending[i]);
  sigprocmask(SIG_BLOCK, &block, &before);
  const int fd = create_beside(path, mode, name);
  const int reason = errno;
  if (fd >= 0) temporary = *name;
  sigprocmask(SIG_SETMASK, &before, NULL);
  errno = reason;
  return fd;
}

/* What takes the place of a file is its owner's, where the superuser writes it, and its group's, where that is a group of who
 * writes it; and as readable as it was, but not for another group. */
static void take_after(int fd, const struct stat *old)
{
  const uid_t mine = (uid_t)-1;
  const bool same_group = fchown(fd, old->st_uid, old->st_gid) == 0 || fchown(fd, mine, old->st_gid) == 0;
  fchmod(fd, old->st_mode & (same_group ? 0777 : 0707));
  errno = 0;
}

/* Until it takes after an old file, which others may not be allowed to read, a new one is for its owner alone. */
static bool replace(const char *path, const struct stat *old, const void *bytes, size_t size)
{
  struct sigaction before[ENDING];
  char *name;
  catch_signals(before);
  const int fd = create_temporary(path, old ? 0600 : 0666, &name);
  bool ok = fd >= 0;
  if (ok) {
    if (old) take_after(fd, old);
    ok = write_and_close(fd, bytes, size) && rename(name, path) == 0;
    const int reason = errno;
    if (!ok) unlink(name);
    temporary = NULL;
    errno = reason;
  }
  restore_signals(before);
  free(name);
  return ok;
}

/* A device or a pipe has no old contents, and must not be replaced by a file. */
static bool write_through(const char *path, const void *bytes, size_t size)
{
  const int fd = open(path, O_WRONLY | O_CLOEXEC | O_NOCTTY);
  return fd >= 0 && write_and_close(fd, bytes, size);
}

bool write_file(const char *path, const void *bytes, size_t size)
{
  struct stat old;
  if (stat(path, &old) != 0) return replace(path, NULL, bytes, size);
  if (!S_ISREG(old.st_mode)) return write_through(path, bytes, size);
  char *target = realpath(path, NULL); /* what a link leads to is replaced, not the link */
  const bool ok = target && replace(target, &old, bytes, size);
  const int reason = errno;
  free(target);
  errno = reason;
  return ok;
}
