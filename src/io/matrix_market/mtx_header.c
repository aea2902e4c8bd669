/* SPDX-License-Identifier: Apache-2.0 */
/* The banner and the size line of a Matrix Market file. */
#define _GNU_SOURCE 1
#include "mtx_header.h"

#include <string.h>

#include "../text/byte_order_mark.h"
#include "../text/text_number.h"

static char lower(char c)
{
  return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* Letters of either case stand for each other, in whatever locale the program runs. */
static bool word_is(spw_word word, const char *name)
{
  if (word.length != strlen(name)) return false;
  for (size_t i = 0; i < word.length; i++)
    if (lower(word.at[i]) != name[i]) return false;
  return true;
}

static bool is_banner(spw_word word)
{
  static const char banner[] = "%%MatrixMarket";
  return word.length == strlen(banner) && memcmp(word.at, banner, word.length) == 0;
}

/* The place of the next word in a list of names that ends with null; -1 when it is not there. */
static int read_choice(spw_text *text, const char *const *names)
{
  const spw_word word = spw_text_word(text);
  for (int i = 0; names[i]; i++)
    if (word_is(word, names[i])) return i;
  return -1;
}

static spw_status expect_banner(spw_text *text)
{
  const spw_word word = spw_text_word(text);
  const char *encoding = spw_byte_order_mark(word.at, word.length);
  if (is_banner(word)) return SPW_OK;
  if (encoding)
    return spw_text_malformed(text, "a byte order mark of %s comes before %%%%MatrixMarket: save "
                                    "the file as UTF-8 without it", encoding);
  return spw_text_malformed(text, "%%%%MatrixMarket is missing");
}

static spw_status read_banner(spw_text *text, int *format, int *field, int *symmetry)
{
  static const char *const objects[] = {"matrix", NULL};
  static const char *const formats[] = {"coordinate", "array", NULL};
  static const char *const fields[] = {"real",   "integer", "complex",
                                       "pattern", "unsigned-integer", "double", NULL};
  static const char *const symmetries[] = {"general", "symmetric", "skew-symmetric", "hermitian",
                                           NULL};
  const spw_status status = expect_banner(text);
  if (status) return status;
  if (read_choice(text, objects) < 0) return spw_text_malformed(text, "the object is not 'matrix'");
  if ((*format = read_choice(text, formats)) < 0)
    return spw_text_malformed(text, "the format is neither 'coordinate' nor 'array'");
  if ((*field = read_choice(text, fields)) < 0)
    return spw_text_malformed(text, "the field is not real, double, integer, unsigned-integer, "
                                    "complex or pattern");
  if ((*symmetry = read_choice(text, symmetries)) < 0)
    return spw_text_malformed(
        text, "the symmetry is not general, symmetric, skew-symmetric or hermitian");
  if (*field > SPW_MTX_UNSIGNED) *field = SPW_MTX_REAL; /* "double" is another word for it */
  if (!spw_text_at_line_end(text)) return spw_text_malformed(text, "more than five words");
  return text->status;
}

static spw_status check_combination(spw_text *text, const spw_mtx_header *header)
{
  const bool pattern = header->field == SPW_MTX_PATTERN;
  if (pattern && header->format == SPW_MTX_ARRAY)
    return spw_text_malformed(text, "an array has values: it cannot be a pattern");
  if (pattern && header->symmetry == SPW_MTX_SKEW)
    return spw_text_malformed(text, "a pattern has no signs: it cannot be skew-symmetric");
  if (header->field == SPW_MTX_UNSIGNED && header->symmetry == SPW_MTX_SKEW)
    return spw_text_malformed(text, "unsigned integers have no signs: they cannot be "
                                    "skew-symmetric");
  if (header->symmetry == SPW_MTX_HERMITIAN && header->field != SPW_MTX_COMPLEX)
    return spw_text_malformed(text, "only complex matrices are hermitian");
  return SPW_OK;
}

/* How many elements an array file lists; false when there are more than int64 counts. */
static bool count_elements(spw_mtx_header *header)
{
  const int64_t n = header->columns;
  if (header->symmetry == SPW_MTX_GENERAL)
    return !__builtin_mul_overflow(header->rows, n, &header->entries);
  if (__builtin_mul_overflow(n, n - 1, &header->entries)) return false;
  header->entries /= 2;
  if (header->symmetry != SPW_MTX_SKEW) header->entries += n;
  return true;
}

static spw_status read_count(spw_text *text, const char *what, int64_t *count)
{
  const spw_word word = spw_text_word(text);
  if (word.length == 0) return spw_text_malformed(text, "the number of %s is missing", what);
  if (spw_word_int64(word, count) && *count >= 0) return SPW_OK;
  return spw_text_malformed(text, "the number of %s is not an integer from 0 to 2^63 - 1", what);
}

static spw_status read_counts(spw_text *text, spw_mtx_header *header)
{
  spw_status status = read_count(text, "rows", &header->rows);
  if (!status) status = read_count(text, "columns", &header->columns);
  if (!status && header->format == SPW_MTX_COORDINATE) status = read_count(text, "entries", &header->entries);
  return status;
}

/* A word of an entry takes a character and the white space behind it. */
static bool fits_in_the_text(const spw_text *text, const spw_mtx_header *header)
{
  static const size_t value_words[] = {
      [SPW_MTX_REAL] = 1, [SPW_MTX_INTEGER] = 1, [SPW_MTX_COMPLEX] = 2, [SPW_MTX_PATTERN] = 0,
      [SPW_MTX_UNSIGNED] = 1};
  const size_t values = value_words[header->field];
  const size_t words = values + (header->format == SPW_MTX_COORDINATE ? 2 : 0);
  return (uint64_t)header->entries <= text->at_most / (2 * words) + 1;
}

static spw_status read_size(spw_text *text, spw_mtx_header *header)
{
  const bool coordinate = header->format == SPW_MTX_COORDINATE;
  if (!spw_text_seek_past(text, SPW_MTX_COMMENT, SPW_MTX_LINE_MAX))
    return spw_text_malformed(text, "the size line is missing");
  const spw_status status = read_counts(text, header);
  if (status) return status;
  if (text->column > SPW_MTX_LINE_MAX)
    return spw_text_malformed(text, "a size line of more than %d characters, of which some readers make two lines",
                              SPW_MTX_LINE_MAX);
  if (!spw_text_at_line_end(text))
    return spw_text_malformed(text, "the size line has more than %d numbers", coordinate ? 3 : 2);
  if (header->symmetry != SPW_MTX_GENERAL && header->rows != header->columns)
    return spw_text_malformed(text, "%lld rows and %lld columns: only a square matrix is symmetric",
                              (long long)header->rows, (long long)header->columns);
  if ((!coordinate && !count_elements(header)) || !fits_in_the_text(text, header))
    return spw_text_malformed(text,
                              "more entries are declared than a file of this length can hold");
  return text->status;
}

spw_status spw_mtx_read_header(spw_text *text, spw_mtx_header *header)
{
  int format = 0, field = 0, symmetry = 0;
  spw_status status = read_banner(text, &format, &field, &symmetry);
  if (status) return status;
  *header = (spw_mtx_header){.format = (spw_mtx_format)format,
                             .field = (spw_mtx_field)field,
                             .symmetry = (spw_mtx_symmetry)symmetry};
  status = check_combination(text, header);
  return status ? status : read_size(text, header);
}
