/* SPDX-License-Identifier: Apache-2.0 */
/* Colour, width and the progress line. */
#include "cli.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { DEFAULT_WIDTH = 80, LEAST_WIDTH = 40 };

bool parse_colour(const char *name, colour_mode *mode)
{
  static const char *const names[] = {"auto", "always", "never"};
  for (int i = 0; i < 3; i++) {
    if (strcmp(name, names[i]) != 0) continue;
    *mode = (colour_mode)i;
    return true;
  }
  return false;
}

static bool terminal_takes_colour(void)
{
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(STDOUT_FILENO) && !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
}

static int stdout_width(void)
{
  struct winsize size;
  if (!isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return DEFAULT_WIDTH;
  return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

cli_style stdout_style(colour_mode mode)
{
  const bool colour = mode == COLOUR_ALWAYS || (mode == COLOUR_AUTO && terminal_takes_colour());
  return (cli_style){stdout, colour, stdout_width()};
}

void put_painted(const cli_style *style, cli_paint paint, const char *text)
{
  static const char *const codes[] = {"1", "2", "1;31", "32", "33"};
  if (style->colour)
    fprintf(style->out, "\033[%sm%s\033[0m", codes[paint], text);
  else
    fputs(text, style->out);
}

static double now(void)
{
  struct timespec time = {0, 0};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

cli_progress progress_begin(void)
{
  return (cli_progress){.wanted = isatty(STDERR_FILENO) != 0, .begun = now()};
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
