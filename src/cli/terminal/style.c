/* SPDX-License-Identifier: Apache-2.0 */
/* Colour and width. */
#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
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

bool terminal_moves(int fd)
{
  const char *term = getenv("TERM");
  return isatty(fd) && !(term && strcmp(term, "dumb") == 0);
}

static bool terminal_takes_colour(int fd)
{
  const char *no_color = getenv("NO_COLOR");
  return terminal_moves(fd) && !(no_color && *no_color);
}

static int width_of(int fd)
{
  struct winsize size;
  if (!isatty(fd) || ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return DEFAULT_WIDTH;
  return size.ws_col < LEAST_WIDTH ? LEAST_WIDTH : size.ws_col;
}

static colour_mode default_colour = COLOUR_AUTO;

void set_default_colour(colour_mode mode)
{
  default_colour = mode;
}

static cli_style style_of(FILE *out, int fd, colour_mode mode)
{
  if (mode == COLOUR_AUTO) mode = default_colour;
  const bool colour = mode == COLOUR_ALWAYS || (mode == COLOUR_AUTO && terminal_takes_colour(fd));
  return (cli_style){out, colour, width_of(fd)};
}

cli_style stdout_style(colour_mode mode)
{
  return style_of(stdout, STDOUT_FILENO, mode);
}

cli_style stderr_style(colour_mode mode)
{
  return style_of(stderr, STDERR_FILENO, mode);
}

void put_painted(const cli_style *style, cli_paint paint, const char *text)
{
  static const char *const codes[] = {"1", "2", "1;31", "32", "33"};
  if (style->colour)
    fprintf(style->out, "\033[%sm%s\033[0m", codes[paint], text);
  else
    fputs(text, style->out);
}
