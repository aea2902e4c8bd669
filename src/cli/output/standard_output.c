/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output: nothing that was found is lost, and what cannot be written is said. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <stdio.h>
#include <unistd.h>

static int reason; /* of the first failure */

/* A closed stream would give its number to the next file that is opened, which would then be read
 * as input, or written as output. So a descriptor takes its place that fails as a closed one. */
static void occupy(int fd, int mode)
{
  const int taken = fcntl(fd, F_GETFD) < 0 ? open("/dev/null", mode) : fd;
  (void)taken; /* the lowest that is free: fd, since those below it are open */
}

void prepare_streams(void)
{
  occupy(STDIN_FILENO, O_WRONLY);
  occupy(STDOUT_FILENO, O_RDONLY);
  occupy(STDERR_FILENO, O_RDONLY);
  signal(SIGXFSZ, SIG_IGN); /* writing beyond a limit fails then, and that is said */
}

void flush_output(void)
{
  if (fflush(stdout) != 0 && !reason) reason = errno;
}

void print_bytes(const char *bytes, size_t size)
{
  if (fwrite(bytes, 1, size, stdout) < size && !reason) reason = errno;
}

int finish_output(int code)
{
  flush_output();
  if (!reason && ferror(stdout)) reason = EIO; /* it went on after a failure */
  if (!reason) return code;
  fprintf(stderr, "spw: cannot write to standard output: %s\n", strerror(reason));
  return EXIT_INTERNAL;
}
