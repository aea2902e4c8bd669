/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <errno.h>
#include <stdlib.h>

bool read_numbers(const char *text, int64_t **numbers, int64_t *count)
{
  size_t most = 1;
  for (const char *at = text; *at; at++) most += *at == ',';
  *numbers = allocate(most, sizeof **numbers);
  *count = 0;
  if (!*text) return true;
  for (const char *at = text;; at++) {
    char *end = NULL;
    errno = 0;
    const bool begins = *at == '-' || (*at >= '0' && *at <= '9');
    (*numbers)[(*count)++] = begins ? strtoll(at, &end, 10) : 0;
    const bool reads = begins && end != at && errno == 0;
    if (reads && !*end) return true;
    if (!reads || *end != ',') return false;
    at = end;
  }
}
