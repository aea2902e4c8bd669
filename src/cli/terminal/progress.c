/* SPDX-License-Identifier: Apache-2.0 */
/* The progress line: from the first second on, ten times a second at most, between tensors; and once a second from the second
 * one on while one of them, or a file, takes its time. */
#include "terminal.h"

#include "../text/text.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

enum { PATIENCE = 2 }; /* seconds */

static volatile sig_atomic_t ticking, ticked; /* may the handler write; has it */
static volatile sig_atomic_t seconds;

static double now(void)
{
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* What a signal handler may do: copy the end of a name, byte by byte safe for a terminal, and a number. */
static size_t add_name(char *to, const char *name)
{
  enum { LONGEST = 40 };
  const size_t length = strlen(name);
  const char *from = length > LONGEST ? name + length - LONGEST : name;
  size_t at = 0;
  for (; *from; from++) to[at++] = *from >= ' ' && *from <= '~' ? *from : '?';
  return at;
}

static size_t add_seconds(char *to, long number)
{
  char digits[24];
  size_t count = 0, at = 0;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count > 0) to[at++] = digits[--count];
  to[at++] = ' ';
  to[at++] = 's';
  return at;
}

static void tick(int number)
{
  static const char begin[] = "\r\033[K";
  char line[96];
  size_t at = sizeof begin - 1;
  (void)number;
  seconds++;
  const char *const name = looking_at();
  if (!ticking || seconds < PATIENCE) return;
  memcpy(line, begin, at);
  at += add_name(line + at, name ? name : "working");
  line[at++] = ',';
  line[at++] = ' ';
  at += add_seconds(line + at, seconds);
  ticked = write(STDERR_FILENO, line, at) > 0;
}

static void start_ticking(void)
{
  struct sigaction action = {.sa_handler = tick, .sa_flags = SA_RESTART};
  const struct itimerval each = {{1, 0}, {1, 0}};
  sigemptyset(&action.sa_mask);
  ticking = sigaction(SIGALRM, &action, NULL) == 0 && setitimer(ITIMER_REAL, &each, NULL) == 0;
}

cli_progress progress_begin(void)
{
  const cli_progress progress = {.wanted = terminal_moves(STDERR_FILENO), .begun = now()};
  if (progress.wanted) start_ticking();
  return progress;
}

void progress_draw(cli_progress *progress, int64_t tensors, double done)
{
  if (!progress->wanted) return;
  const double time = now(), elapsed = time - progress->begun;
  ticking = 1;
  if (elapsed < 1 || time - progress->drawn < 0.1) return;
  fprintf(stderr, "\r\033[K%lld tensors, %.0f/s", (long long)tensors, (double)tensors / elapsed);
  if (done > 0) fprintf(stderr, ", %.0f s left", elapsed * (1 - done) / done);
  fflush(stderr);
  progress->shown = true;
  progress->drawn = time;
}

void progress_clear(cli_progress *progress)
{
  ticking = 0;
  if (progress->shown || ticked) fputs("\r\033[K", stderr);
  progress->shown = false;
  ticked = 0;
}
