/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a Matrix Market file, plain or gzip, as a 2-D COO tensor with a size, int64 indices and
 * float64 (real), int64 (integer, and unsigned-integer up to 2^63 - 1), complex128 (complex) or
 * bool values: a pattern has no numbers, so it gets none but true. An array file is a dense tensor.
 *
 * Entries keep the order of the file, duplicates included. Under a symmetry the mirror images of
 * all off-diagonal entries follow, in the same order; entries on either side of the diagonal are
 * mirrored. A diagonal entry that is not its own mirror image is malformed. An index outside the
 * size is not malformed: the tensor then violates rule 6.5 or 6.6. One entry a line; comments and
 * blank lines anywhere below the banner. NaN and infinities are read as strtod reads them; a number
 * beyond the largest double is malformed. */
#define _GNU_SOURCE 1
#include <locale.h>
#include <math.h>
#include <string.h>

#include "mtx_header.h"
#include "../text/text_number.h"

typedef struct reader {
  spw_text text;
  spw_mtx_header header;
  spw_owned *owned;
  locale_t c_locale;
  int64_t *rows; /* null in an array file, whose elements lie in row-major order */
  int64_t *columns;
  int64_t *integers; /* the values of an integer matrix */
  double *numbers;   /* the values of a real matrix; real, imaginary of a complex one */
  int64_t nse;
} reader;

static bool is_array(const reader *r)
{
  return r->header.format == SPW_MTX_ARRAY;
}

/* How many elements of an array file there are, or at most, with all mirror images, entries of another one. */
static size_t most_elements(const reader *r)
{
  if (is_array(r)) return (size_t)r->header.rows * (size_t)r->header.columns;
  return (size_t)r->header.entries * (r->header.symmetry == SPW_MTX_GENERAL ? 1 : 2);
}

static bool allocate(reader *r)
{
  const size_t most = most_elements(r);
  if (!is_array(r)) {
    r->rows = spw_owned_alloc(r->owned, most, 2 * sizeof *r->rows);
    if (!r->rows) return false;
    r->columns = r->rows + most;
  }
  switch (r->header.field) {
  case SPW_MTX_UNSIGNED:
  case SPW_MTX_INTEGER: return (r->integers = spw_owned_alloc(r->owned, most, sizeof *r->integers));
  case SPW_MTX_REAL: return (r->numbers = spw_owned_alloc(r->owned, most, sizeof *r->numbers));
  case SPW_MTX_COMPLEX:
    return (r->numbers = spw_owned_alloc(r->owned, most, 2 * sizeof *r->numbers));
  default: return true;
  }
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* Files count from 1. */
static spw_status read_index(reader *r, const char *name, int64_t *index)
{
  int64_t number;
  const spw_word word = spw_text_word(&r->text);
  if (word.length == 0) return spw_text_malformed(&r->text, "the %s is missing", name);
  if (spw_word_int64(word, &number) && !__builtin_sub_overflow(number, 1, index)) return SPW_OK;
  return spw_text_malformed(&r->text, "the %s is not an integer of 64 bits", name);
}

static spw_status refuse_value(reader *r, spw_word word)
{
  static const char *const kinds[] = {[SPW_MTX_REAL] = "a real number",
                                      [SPW_MTX_INTEGER] = "an integer of 64 bits",
                                      [SPW_MTX_COMPLEX] = "two real numbers",
                                      [SPW_MTX_UNSIGNED] = "an integer from 0 on"};
  if (word.length == 0) return spw_text_malformed(&r->text, "the value is missing: %s", kinds[r->header.field]);
  if (r->integers && spw_word_is_uint64(word))
    return spw_text_fail(&r->text, SPW_EUNSUPPORTED, "the value needs type uint64, which no tensor has; int64 ends at 2^63 - 1");
  return spw_text_malformed(&r->text, "the value is not %s", kinds[r->header.field]);
}

static spw_status read_integer(reader *r, int64_t *integer)
{
  const spw_word word = spw_text_word(&r->text);
  const bool is_one = spw_word_int64(word, integer);
  return is_one && (r->header.field == SPW_MTX_INTEGER || *integer >= 0) ? SPW_OK : refuse_value(r, word);
}

static spw_status read_double(reader *r, double *number)
{
  const spw_word word = spw_text_word(&r->text);
  const char first = word.length == 0 ? '\0' : word.at[word.length > 1 && (word.at[0] == '-' || word.at[0] == '+')];
  if (!spw_word_double(word, r->c_locale, number)) return refuse_value(r, word);
  if (!isinf(*number) || first == 'i' || first == 'I') return SPW_OK;
  return spw_text_malformed(&r->text, "the value is beyond the largest number of type float64; infinity is written inf");
}

static spw_status read_value(reader *r, int64_t k)
{
  switch (r->header.field) {
  case SPW_MTX_INTEGER:
  case SPW_MTX_UNSIGNED: return read_integer(r, &r->integers[k]);
  case SPW_MTX_REAL: return read_double(r, &r->numbers[k]);
  case SPW_MTX_COMPLEX: {
    const spw_status status = read_double(r, &r->numbers[2 * k]);
    return status ? status : read_double(r, &r->numbers[2 * k + 1]);
  }
  default: return SPW_OK;
  }
}

/* ---- Symmetry -------------------------------------------------------------------------------- */

static bool is_own_mirror_image(const reader *r, int64_t k)
{
  const bool skew = r->header.symmetry == SPW_MTX_SKEW;
  switch (r->header.field) {
  case SPW_MTX_INTEGER: return !skew || r->integers[k] == 0;
  case SPW_MTX_REAL: return !skew || r->numbers[k] == 0;
  case SPW_MTX_COMPLEX:
    if (skew && r->numbers[2 * k] != 0) return false;
    return r->header.symmetry == SPW_MTX_SYMMETRIC || r->numbers[2 * k + 1] == 0;
  default: return true;
  }
}

static bool has_mirror_image(const reader *r, int64_t k)
{
  return r->header.symmetry != SPW_MTX_SKEW || !r->integers || r->integers[k] != INT64_MIN;
}

static spw_status check_symmetry(reader *r, int64_t k, bool is_diagonal)
{
  if (r->header.symmetry == SPW_MTX_GENERAL) return SPW_OK;
  if (is_diagonal && !is_own_mirror_image(r, k))
    return spw_text_malformed(&r->text, "this diagonal entry contradicts the symmetry: it must %s",
                              r->header.symmetry == SPW_MTX_SKEW ? "be 0"
                                                                 : "have imaginary part 0");
  if (!has_mirror_image(r, k))
    return spw_text_malformed(&r->text, "the negative of this value does not fit in int64");
  return SPW_OK;
}

static void mirror_value(reader *r, int64_t from, int64_t to)
{
  const bool negate = r->header.symmetry == SPW_MTX_SKEW;
  const bool negate_imaginary = r->header.symmetry != SPW_MTX_SYMMETRIC;
  switch (r->header.field) {
  case SPW_MTX_UNSIGNED:
  case SPW_MTX_INTEGER: r->integers[to] = negate ? -r->integers[from] : r->integers[from]; break;
  case SPW_MTX_REAL: r->numbers[to] = negate ? -r->numbers[from] : r->numbers[from]; break;
  case SPW_MTX_COMPLEX: {
    const double real = r->numbers[2 * from], imaginary = r->numbers[2 * from + 1];
    r->numbers[2 * to] = negate ? -real : real;
    r->numbers[2 * to + 1] = negate_imaginary ? -imaginary : imaginary;
    break;
  }
  default: break;
  }
}

/* ---- Entries --------------------------------------------------------------------------------- */

static spw_status begin_entry(reader *r)
{
  if (spw_text_seek(&r->text, SPW_MTX_COMMENT)) return SPW_OK;
  return spw_text_malformed(&r->text, "the file ends after %lld of %lld entries", (long long)r->nse,
                            (long long)r->header.entries);
}

/* The value of element k, which ends its line. */
static spw_status end_entry(reader *r, int64_t k, bool is_diagonal)
{
  const spw_status status = read_value(r, k);
  if (status) return status;
  if (!spw_text_at_line_end(&r->text))
    return spw_text_malformed(&r->text, "more words than an entry has");
  r->nse++;
  return check_symmetry(r, k, is_diagonal);
}

static spw_status read_coordinates(reader *r)
{
  spw_status status = SPW_OK;
  while (!status && r->nse < r->header.entries) {
    const int64_t k = r->nse;
    status = begin_entry(r);
    if (!status) status = read_index(r, "row", &r->rows[k]);
    if (!status) status = read_index(r, "column", &r->columns[k]);
    if (!status) status = end_entry(r, k, r->rows[k] == r->columns[k]);
  }
  return status;
}

/* The first row that an array file lists of a column. */
static int64_t first_row(const reader *r, int64_t column)
{
  if (r->header.symmetry == SPW_MTX_GENERAL) return 0;
  return r->header.symmetry == SPW_MTX_SKEW ? column + 1 : column;
}

/* Column by column, each element with its mirror image. */
static spw_status read_array(reader *r)
{
  spw_status status = SPW_OK;
  const int64_t n = r->header.columns;
  int64_t row = first_row(r, 0), column = 0;
  while (!status && r->nse < r->header.entries) {
    const int64_t k = row * n + column;
    status = begin_entry(r);
    if (!status) status = end_entry(r, k, row == column);
    if (!status && r->header.symmetry != SPW_MTX_GENERAL && row != column) mirror_value(r, k, column * n + row);
    if (++row == r->header.rows) row = first_row(r, ++column);
  }
  return status;
}

static spw_status read_entries(reader *r)
{
  const spw_status status = is_array(r) ? read_array(r) : read_coordinates(r);
  if (status) return status;
  if (spw_text_seek(&r->text, SPW_MTX_COMMENT))
    return spw_text_malformed(&r->text, "more than the declared %lld entries",
                              (long long)r->header.entries);
  return r->text.status;
}

static void append_mirror_images(reader *r)
{
  const int64_t stored = r->nse;
  if (r->header.symmetry == SPW_MTX_GENERAL) return;
  for (int64_t k = 0; k < stored; k++) {
    if (r->rows[k] == r->columns[k]) continue;
    r->rows[r->nse] = r->columns[k];
    r->columns[r->nse] = r->rows[k];
    mirror_value(r, k, r->nse++);
  }
}

/* ---- The tensor ------------------------------------------------------------------------------ */

static const spw_dtype dtypes[] = {[SPW_MTX_REAL] = SPW_FLOAT64,
                                 [SPW_MTX_INTEGER] = SPW_INT64,
                                 [SPW_MTX_COMPLEX] = SPW_COMPLEX128,
                                 [SPW_MTX_PATTERN] = SPW_BOOL,
                                 [SPW_MTX_UNSIGNED] = SPW_INT64};

static spw_array row_major(spw_dtype dtype, int64_t ndim, const int64_t *shape,
                           const int64_t *strides)
{
  const int64_t length = ndim == 2 ? shape[0] * shape[1] : shape[0];
  return (spw_array){
      .dtype = dtype, .ndim = ndim, .shape = shape, .strides = strides, .length = length};
}

/* Diagonal entries leave room that their mirror images would have taken: the columns move up. */
static bool describe_coo(reader *r)
{
  spw_tensor *tensor = spw_owned_edit(r->owned);
  int64_t *dims = spw_owned_alloc(r->owned, 6, sizeof *dims);
  const void *values = r->integers ? (const void *)r->integers : r->numbers;
  if (!values) values = spw_owned_fill(r->owned, (size_t)r->nse, sizeof(bool), &(bool){true});
  if (!dims || !values) return false;
  memmove(r->rows + r->nse, r->columns, (size_t)r->nse * sizeof *r->columns);
  /* dims: size at 0; shape of the indices at 2, their strides at 4; those of the values at 3, 5. */
  memcpy(dims, (int64_t[]){r->header.rows, r->header.columns, 2, r->nse, r->nse, 1},
         6 * sizeof *dims);
  tensor->layout = SPW_COO;
  tensor->has_size = true;
  tensor->ndim = 2;
  tensor->size = dims;
  tensor->plain.array = row_major(SPW_INT64, 2, dims + 2, dims + 4);
  tensor->plain.i64 = r->rows;
  tensor->values.array = row_major(dtypes[r->header.field], 1, dims + 3, dims + 5);
  tensor->values.data = values;
  return true;
}

static bool describe_dense(reader *r)
{
  spw_tensor *tensor = spw_owned_edit(r->owned);
  int64_t *dims = spw_owned_alloc(r->owned, 4, sizeof *dims);
  if (!dims) return false;
  const int64_t rows = r->header.rows, columns = r->header.columns;
  memcpy(dims, (int64_t[]){rows, columns, columns > 0 ? columns : 1, 1}, 4 * sizeof *dims); /* shape, strides */
  tensor->layout = SPW_DENSE;
  tensor->has_size = true;
  tensor->ndim = 2;
  tensor->size = dims;
  tensor->values.array = row_major(dtypes[r->header.field], 2, dims, dims + 2);
  tensor->values.data = r->integers ? (const void *)r->integers : r->numbers;
  return true;
}

static spw_status read_matrix(reader *r)
{
  spw_status status = spw_mtx_read_header(&r->text, &r->header);
  if (status) return status;
  if (!allocate(r))
    return spw_fail(SPW_ENOMEM, r->text.error, "", "the entries exceed the memory limit");
  if ((status = read_entries(r))) return status;
  if (!is_array(r)) append_mirror_images(r);
  if (!(is_array(r) ? describe_dense(r) : describe_coo(r)))
    return spw_fail(SPW_ENOMEM, r->text.error, "", "the entries exceed the memory limit");
  return SPW_OK;
}

spw_status spw_read_mtx(const void *bytes, size_t size, size_t limit, spw_owned **out,
                        spw_error *error)
{
  if (!out || (!bytes && size > 0)) return spw_fail(SPW_EINVAL, error, "", "a pointer is null");
  reader r = {.owned = spw_owned_new(limit ? limit : spw_memory_limit(size))};
  r.c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  spw_status status = SPW_ENOMEM;
  if (r.owned && r.c_locale)
    status = spw_text_open(&r.text, r.owned, bytes, size, error);
  else
    spw_fail(status, error, "", "out of memory");
  if (!status) status = read_matrix(&r);
  if (r.c_locale) freelocale(r.c_locale);
  if (status)
    spw_owned_free(r.owned);
  else
    *out = r.owned;
  return status;
}
