/* SPDX-License-Identifier: Apache-2.0 */
/* The library's sentence about an operation that it refuses. */
#include "verdict.h"

#include <stdlib.h>

void add_refusal(cli_text *text, const spw_refused *what, const spw_refusal *refusal)
{
  const size_t length = spw_refusal_text(what, SPW_ERANGE, refusal, NULL, 0) + 1;
  char *const sentence = allocate(length, 1);
  (void)spw_refusal_text(what, SPW_ERANGE, refusal, sentence, length);
  add_text(text, sentence);
  free(sentence);
}
