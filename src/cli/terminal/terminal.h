/* SPDX-License-Identifier: Apache-2.0 */
/* Colour, width and the progress line. */
#ifndef SPW_CLI_TERMINAL_H
#define SPW_CLI_TERMINAL_H

#include "../posix.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef enum colour_mode { COLOUR_AUTO, COLOUR_ALWAYS, COLOUR_NEVER } colour_mode;
typedef enum cli_paint { PAINT_BOLD, PAINT_DIM, PAINT_RED, PAINT_GREEN, PAINT_YELLOW } cli_paint;

/* How to write to people. */
typedef struct cli_style {
  FILE *out;
  bool colour;
  int width;
} cli_style;

/* Is it a terminal that understands more than lines of text? */
bool terminal_moves(int fd);

/* False when `name` is not always, never or auto. */
bool parse_colour(const char *name, colour_mode *mode);

/* What COLOUR_AUTO means from here on, where it is another mode. */
void set_default_colour(colour_mode mode);

cli_style stdout_style(colour_mode mode);
cli_style stderr_style(colour_mode mode);
void put_painted(const cli_style *style, cli_paint paint, const char *text);

/* The line on stderr that tells how far a long check has come. */
typedef struct cli_progress {
  bool wanted, shown;
  double begun, drawn;
} cli_progress;

/* Where stderr is a terminal a timer runs from here on, which shows the file that is looked at, and for how many seconds. */
cli_progress progress_begin(void);

/* Behind each tensor; done: 0 .. 1 */
void progress_draw(cli_progress *progress, int64_t tensors, double done);

/* Before anything else is written, and at the end: nothing is shown until the next progress_draw. */
void progress_clear(cli_progress *progress);

#endif
