/* SPDX-License-Identifier: Apache-2.0 */
/* Endings, and how near words are to each other. */
#include "text.h"

#include <string.h>

bool has_suffix(const char *text, const char *suffix)
{
  const size_t length = strlen(text), end = strlen(suffix);
  return length >= end && strcmp(text + length - end, suffix) == 0;
}

int edit_distance(const char *a, const char *b)
{
  enum { LONGEST = 31 };
  int row[LONGEST + 1];
  const size_t na = strlen(a), nb = strlen(b);
  if (na > LONGEST || nb > LONGEST) return LONGEST;
  for (size_t j = 0; j <= nb; j++) row[j] = (int)j;
  for (size_t i = 1; i <= na; i++) {
    int diagonal = row[0];
    row[0] = (int)i;
    for (size_t j = 1; j <= nb; j++) {
      const int replaced = diagonal + (a[i - 1] != b[j - 1]);
      const int shifted = 1 + (row[j] < row[j - 1] ? row[j] : row[j - 1]);
      diagonal = row[j];
      row[j] = replaced < shifted ? replaced : shifted;
    }
  }
  return row[nb];
}
