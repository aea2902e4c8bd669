/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line: from the first second on, ten times a second at most. */
#include "terminal.h"

#include <time.h>
#include <unistd.h>

static double now(void)
{
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

cli_progress progress_begin(void)
{
  return (cli_progress){.wanted = terminal_moves(STDERR_FILENO), .begun = now()};
}

void progress_draw(cli_progress *progress, int64_t tensors, double done)
{
  if (!progress->wanted) return;
  const double time = now(), elapsed = time - progress->begun;
  if (elapsed < 1 || time - progress->drawn < 0.1) return;
  fprintf(stderr, "\r\033[K%lld tensors, %.0f/s", (long long)tensors, (double)tensors / elapsed);
  if (done > 0) fprintf(stderr, ", %.0f s left", elapsed * (1 - done) / done);
  fflush(stderr);
  progress->shown = true;
  progress->drawn = time;
}

void progress_clear(cli_progress *progress)
{
  if (progress->shown) fputs("\r\033[K", stderr);
  progress->shown = false;
}
