/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a .mtx file. What is accepted is counted a second time, line by line. */
#define _POSIX_C_SOURCE 200809L /* strtok_r, strncasecmp */
#include "../harness/mutator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { WORDS = 8, LONGEST = 1 << 14 };

const fuzz_format *fuzz_input_format(void)
{
  return &fuzz_formats[FUZZ_MTX];
}

/* The words of a line; none for comments and blank lines. */
static int split(char *line, char *words[WORDS])
{
  static const char *const space = " \t\v\f\r";
  char *rest;
  int count = 0;
  for (char *w = strtok_r(line, space, &rest); w && count < WORDS; w = strtok_r(NULL, space, &rest))
    words[count++] = w;
  return count > 0 && words[0][0] == '%' ? 0 : count;
}

static bool is_word(const char *word, const char *name)
{
  return strcasecmp(word, name) == 0;
}

typedef struct count {
  long long rows, columns, entries, lines, images;
  bool coordinate, general, skew;
  int words; /* of an entry */
} count;

static void count_entry(count *c, char **words, int found, const spw_tensor *x)
{
  if (found != c->words) fuzz_fail("an entry of another number of words", "%d", found);
  const int64_t k = c->lines++, nse = c->coordinate ? x->plain.array.shape[1] : 0;
  if (k >= nse) return;
  const long long row = strtoll(words[0], NULL, 10), column = strtoll(words[1], NULL, 10);
  if (x->plain.i64[k] != row - 1 || x->plain.i64[nse + k] != column - 1)
    fuzz_fail("an index that is not the file's", "entry %lld", c->lines);
  c->images += !c->general && row != column;
}

static void read_size(count *c, char **words, int found)
{
  if (found != (c->coordinate ? 3 : 2)) fuzz_fail("a size line of other words", "%d", found);
  c->rows = strtoll(words[0], NULL, 10);
  c->columns = strtoll(words[1], NULL, 10);
  if (!c->general && c->rows != c->columns) fuzz_fail("symmetric but not square", "accepted");
  if (c->coordinate) c->entries = strtoll(words[2], NULL, 10);
  else if (c->general) c->entries = c->rows * c->columns;
  else c->entries = c->rows * (c->rows + (c->skew ? -1 : 1)) / 2;
}

static void read_banner(count *c, char *line)
{
  char *rest, *words[5] = {"", "", "", "", ""};
  int found = 0;
  for (char *w = strtok_r(line, " \t\v\f\r", &rest); w; w = strtok_r(NULL, " \t\v\f\r", &rest))
    if (found++ < 5) words[found - 1] = w;
  if (found != 5 || strcmp(words[0], "%%MatrixMarket") || !is_word(words[1], "matrix"))
    fuzz_fail("accepted without a banner", "%d words", found);
  c->coordinate = is_word(words[2], "coordinate");
  c->general = is_word(words[4], "general");
  c->skew = is_word(words[4], "skew-symmetric");
  const int values = is_word(words[3], "pattern") ? 0 : is_word(words[3], "complex") ? 2 : 1;
  c->words = values + (c->coordinate ? 2 : 0);
}

static void expect_count(const count *c, const spw_tensor *x)
{
  const long long nse = c->coordinate ? x->plain.array.shape[1] : c->rows * c->columns;
  if (x->layout != (c->coordinate ? SPW_COO : SPW_DENSE)) fuzz_fail("another layout than the file's", "%d", (int)x->layout);
  if (x->size[0] != c->rows || x->size[1] != c->columns)
    fuzz_fail("a size that is not the file's", "see the input");
  if (c->lines != c->entries)
    fuzz_fail("another number of entries than declared", "%lld", c->lines);
  if (c->coordinate && nse != c->lines + c->images) fuzz_fail("another nse", "%lld", nse);
  if (!c->coordinate && nse != x->values.array.length) fuzz_fail("another number of elements", "%lld", nse);
}

static void expect_faithful(char *text, const spw_tensor *x)
{
  count c = {0};
  char *words[WORDS], *next = text;
  bool has_banner = false, has_size = false;
  while (next) {
    char *line = next;
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    if (!has_banner) {
      read_banner(&c, line);
      has_banner = true;
      continue;
    }
    const int found = split(line, words);
    if (found == 0) continue;
    if (has_size) count_entry(&c, words, found, x);
    else read_size(&c, words, found);
    has_size = true;
  }
  expect_count(&c, x);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static char text[LONGEST + 1];
  spw_owned *owned;
  if (fuzz_try_reader(fuzz_input_format(), data, size) != SPW_OK) return 0;
  if (size > LONGEST || data[0] == 0x1f || memchr(data, 0, size)) return 0;
  if (spw_read_mtx(data, size, 0, &owned, NULL) != SPW_OK)
    fuzz_fail("refused the second time", "see the input");
  memcpy(text, data, size);
  text[size] = 0;
  expect_faithful(text, spw_owned_tensor(owned));
  spw_owned_free(owned);
  return 0;
}
