/* SPDX-License-Identifier: Apache-2.0 */
/* Standard output: nothing that was found is lost, and what cannot be written is said. */
#include "output.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static int reason; /* of the first failure */

/* A closed stream would give its number to the next file that is opened, which would then be read
 * as input, or written as output. So a descriptor takes its place that fails as a closed one. */
static void occupy(int fd, int mode)
{
  if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) return;
  const int opened = open("/dev/null", mode);
  if (opened >= 0 && opened != fd) close(opened); /* as there is a lower one that is closed */
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
  errno = 0;
  if (fflush(stdout) != 0 && !reason) reason = errno;
}

int finish_output(int code)
{
  flush_output();
  if (!reason && !ferror(stdout)) return code;
  fprintf(stderr, "spw: cannot write to standard output%s%s\n", reason ? ": " : "",
          reason ? strerror(reason) : "");
  return EXIT_INTERNAL;
}
