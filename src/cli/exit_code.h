/* SPDX-License-Identifier: Apache-2.0 */
/* What the command tells the one who has started it. */
#ifndef SPW_CLI_EXIT_CODE_H
#define SPW_CLI_EXIT_CODE_H

enum exit_code {
  EXIT_VALID = 0,
  EXIT_INVALID = 1,
  EXIT_USAGE = 2,
  EXIT_UNREADABLE = 3, /* some file is unreadable, malformed or too much work */
  EXIT_INTERNAL = 70   /* a fault of spw, or its output cannot be written */
};

#endif
