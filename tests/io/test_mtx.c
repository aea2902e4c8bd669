/* SPDX-License-Identifier: Apache-2.0 */
/* Matrix Market files: every combination, every refusal, damage, memory, round trips. */
#define _GNU_SOURCE
#include "../../src/sparsewright.h"
#include "../support/memory.h"
#include "../support/some_locale.h"

#include <criterion/criterion.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define BANNER "%%MatrixMarket matrix "

/* ---- Files ---- */

typedef struct file {
  unsigned char *bytes;
  size_t size;
} file;

/* Blocks of exactly their size let a sanitizer see any read beyond the end. */
static file file_of(const void *bytes, size_t size)
{
  file f = {malloc(size ? size : 1), size};
  memcpy(f.bytes, bytes, size);
  return f;
}

/* One gzip member. */
static file gzipped(const void *bytes, size_t size)
{
  z_stream stream = {0};
  cr_assert(deflateInit2(&stream, 9, Z_DEFLATED, MAX_WBITS + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  file f = {malloc(deflateBound(&stream, size)), deflateBound(&stream, size)};
  stream.next_in = (unsigned char *)(uintptr_t)bytes;
  stream.avail_in = (uInt)size;
  stream.next_out = f.bytes;
  stream.avail_out = (uInt)f.size;
  cr_assert(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  f.size = stream.total_out;
  deflateEnd(&stream);
  const file exact = file_of(f.bytes, f.size);
  free(f.bytes);
  return exact;
}

static file joined(file a, file b)
{
  file f = {malloc(a.size + b.size + 1), a.size + b.size};
  memcpy(f.bytes, a.bytes, a.size);
  memcpy(f.bytes + a.size, b.bytes, b.size);
  free(a.bytes);
  free(b.bytes);
  return f;
}

static file gzipped_in_two(const char *text, size_t size)
{
  const size_t half = size / 2;
  return joined(gzipped(text, half), gzipped(text + half, size - half));
}

static file with_crlf(const char *text)
{
  file f = {malloc(2 * strlen(text) + 1), 0};
  for (; *text; text++) {
    if (*text == '\n') f.bytes[f.size++] = '\r';
    f.bytes[f.size++] = (unsigned char)*text;
  }
  return f;
}

/* ---- Tensors as text: "float64 2x2 (0,0)=1 (1,0)=-0x1p-3" ---- */

static void print_element(FILE *to, const spw_value_array *values, int64_t k)
{
  const double *numbers = values->data;
  switch (values->array.dtype) {
  case SPW_BOOL: fprintf(to, "%d", ((const uint8_t *)values->data)[k]); break;
  case SPW_INT64: fprintf(to, "%" PRId64, ((const int64_t *)values->data)[k]); break;
  case SPW_FLOAT64: fprintf(to, "%.17g", numbers[k]); break;
  case SPW_COMPLEX128: fprintf(to, "%.17g%+.17gi", numbers[2 * k], numbers[2 * k + 1]); break;
  default: cr_assert(false, "element type %d", values->array.dtype);
  }
}

/* Column by column, as the file has them. */
static void print_dense(FILE *to, const spw_tensor *t)
{
  const spw_array *a = &t->values.array;
  cr_assert(a->ndim == 2 && a->shape[0] == t->size[0] && a->shape[1] == t->size[1] && a->strides[1] == 1);
  cr_assert(a->offset == 0 && a->length == t->size[0] * t->size[1] && (a->length == 0 || a->strides[0] == t->size[1]));
  for (int64_t column = 0; column < t->size[1] && a->length > 0; column++)
    for (int64_t row = 0; row < t->size[0]; row++) {
      fprintf(to, " (%" PRId64 ",%" PRId64 ")=", row, column);
      print_element(to, &t->values, row * t->size[1] + column);
    }
}

static void print_coo(FILE *to, const spw_tensor *t)
{
  const int64_t nse = t->values.array.shape[0];
  cr_assert(t->plain.array.dtype == SPW_INT64 && t->plain.array.ndim == 2);
  cr_assert(t->plain.array.shape[0] == 2 && t->plain.array.shape[1] == nse);
  cr_assert(t->plain.array.strides[0] == nse && t->plain.array.strides[1] == 1);
  cr_assert(t->plain.array.offset == 0 && t->plain.array.length == 2 * nse);
  cr_assert(t->values.array.ndim == 1 && t->values.array.strides[0] == 1);
  cr_assert(t->values.array.offset == 0 && t->values.array.length == nse);
  for (int64_t k = 0; k < nse; k++) {
    fprintf(to, " (%" PRId64 ",%" PRId64 ")=", t->plain.i64[k], t->plain.i64[nse + k]);
    print_element(to, &t->values, k);
  }
}

/* Asserts what every tensor of the reader has in common, and prints the rest. */
static char *printed(const spw_tensor *t)
{
  char *text = NULL;
  size_t length;
  FILE *to = open_memstream(&text, &length);
  cr_assert((t->layout == SPW_COO || t->layout == SPW_DENSE) && t->has_size && t->ndim == 2);
  cr_assert(t->coalesced == SPW_CLAIM_NONE && !t->index_dtype && !t->dtype);
  fprintf(to, "%s%s %" PRId64 "x%" PRId64, t->layout == SPW_DENSE ? "dense " : "", spw_dtype_name(t->values.array.dtype),
          t->size[0], t->size[1]);
  (t->layout == SPW_DENSE ? print_dense : print_coo)(to, t);
  fclose(to);
  return text;
}

static spw_status status_of(const file *f, size_t limit)
{
  spw_owned *owned = NULL;
  const spw_status status = spw_read_mtx(f->bytes, f->size, limit, &owned, NULL);
  cr_assert((status == SPW_OK) == (owned != NULL));
  spw_owned_free(owned);
  return status;
}

/* The tensor, or "where: message" (or only the message) of the error. */
static char *outcome(const file *f)
{
  static char sentinel;
  spw_owned *const untouched = (spw_owned *)(void *)&sentinel;
  spw_owned *owned = untouched;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_read_mtx(f->bytes, f->size, 0, &owned, &error);
  char *text;
  if (status == SPW_OK) {
    cr_assert(!error.where[0] && !error.message[0]);
    text = printed(spw_owned_tensor(owned));
    spw_owned_free(owned);
    return text;
  }
  cr_assert(owned == untouched && status < 0 && error.message[0]);
  cr_assert(status != SPW_EFORMAT || error.where[0], "a malformed file has a place");
  cr_assert(asprintf(&text, "%s: %s", error.where, error.message) > 0);
  return text;
}

/* `expected` is the whole tensor, or how an error begins. */
static void expect(file f, const char *variant, const char *source, const char *expected)
{
  char *got = outcome(&f);
  const bool error = !strncmp(expected, "line ", 5) || !strncmp(expected, "byte ", 5);
  cr_assert(error ? !strncmp(got, expected, strlen(expected)) : !strcmp(got, expected),
            "%s of:\n%s\nexpected %s\ngot      %s", variant, source, expected, got);
  free(got);
  free(f.bytes);
}

/* The same outcome in every guise of the file. */
static void reads_as(const char *text, const char *expected)
{
  const size_t size = strlen(text);
  expect(file_of(text, size), "plain", text, expected);
  expect(gzipped(text, size), "gzip", text, expected);
  expect(gzipped_in_two(text, size), "two members", text, expected);
  expect(joined(gzipped(text, size), gzipped("", 0)), "an empty member more", text, expected);
  expect(with_crlf(text), "CRLF", text, expected);
  if (strncmp(expected, "line ", 5) && text[size - 1] == '\n')
    expect(file_of(text, size - 1), "no final newline", text, expected);
}

/* ---- Every combination ---- */

static const struct {
  const char *banner, *coordinate, *array; /* what the bodies below read as; null: malformed */
} combinations[] = {
    {"real general", "float64 3x3 (1,0)=5 (2,2)=0 (1,0)=7",
     "dense float64 3x3 (0,0)=0 (1,0)=1 (2,0)=2 (0,1)=3 (1,1)=4 (2,1)=5 (0,2)=6 (1,2)=7 (2,2)=8"},
    {"double general", "float64 3x3 (1,0)=5 (2,2)=0 (1,0)=7",
     "dense float64 3x3 (0,0)=0 (1,0)=1 (2,0)=2 (0,1)=3 (1,1)=4 (2,1)=5 (0,2)=6 (1,2)=7 (2,2)=8"},
    {"integer general", "int64 3x3 (1,0)=5 (2,2)=0 (1,0)=7",
     "dense int64 3x3 (0,0)=0 (1,0)=1 (2,0)=2 (0,1)=3 (1,1)=4 (2,1)=5 (0,2)=6 (1,2)=7 (2,2)=8"},
    {"complex general", "complex128 3x3 (1,0)=5+2i (2,2)=0+0i (1,0)=7+2i",
     "dense complex128 3x3 (0,0)=0+0i (1,0)=1+2i (2,0)=2+2i (0,1)=3+2i (1,1)=4+2i (2,1)=5+2i "
     "(0,2)=6+2i (1,2)=7+2i (2,2)=8+2i"},
    {"pattern general", "bool 3x3 (1,0)=1 (2,2)=1 (1,0)=1", NULL},
    {"real symmetric", "float64 3x3 (1,0)=5 (2,2)=0 (1,0)=7 (0,1)=5 (0,1)=7",
     "dense float64 3x3 (0,0)=0 (1,0)=1 (2,0)=2 (0,1)=1 (1,1)=3 (2,1)=4 (0,2)=2 (1,2)=4 (2,2)=5"},
    {"integer symmetric", "int64 3x3 (1,0)=5 (2,2)=0 (1,0)=7 (0,1)=5 (0,1)=7",
     "dense int64 3x3 (0,0)=0 (1,0)=1 (2,0)=2 (0,1)=1 (1,1)=3 (2,1)=4 (0,2)=2 (1,2)=4 (2,2)=5"},
    {"complex symmetric", "complex128 3x3 (1,0)=5+2i (2,2)=0+0i (1,0)=7+2i (0,1)=5+2i (0,1)=7+2i",
     "dense complex128 3x3 (0,0)=0+0i (1,0)=1+2i (2,0)=2+2i (0,1)=1+2i (1,1)=3+2i (2,1)=4+2i "
     "(0,2)=2+2i (1,2)=4+2i (2,2)=5+2i"},
    {"pattern symmetric", "bool 3x3 (1,0)=1 (2,2)=1 (1,0)=1 (0,1)=1 (0,1)=1", NULL},
    {"real skew-symmetric", "float64 3x3 (1,0)=5 (2,2)=0 (1,0)=7 (0,1)=-5 (0,1)=-7",
     "dense float64 3x3 (0,0)=0 (1,0)=0 (2,0)=1 (0,1)=-0 (1,1)=0 (2,1)=2 (0,2)=-1 (1,2)=-2 (2,2)=0"},
    {"integer skew-symmetric", "int64 3x3 (1,0)=5 (2,2)=0 (1,0)=7 (0,1)=-5 (0,1)=-7",
     "dense int64 3x3 (0,0)=0 (1,0)=0 (2,0)=1 (0,1)=0 (1,1)=0 (2,1)=2 (0,2)=-1 (1,2)=-2 (2,2)=0"},
    {"complex skew-symmetric",
     "complex128 3x3 (1,0)=5+2i (2,2)=0+0i (1,0)=7+2i (0,1)=-5-2i (0,1)=-7-2i",
     "dense complex128 3x3 (0,0)=0+0i (1,0)=0+0i (2,0)=1+2i (0,1)=-0-0i (1,1)=0+0i (2,1)=2+2i "
     "(0,2)=-1-2i (1,2)=-2-2i (2,2)=0+0i"},
    {"complex hermitian", "complex128 3x3 (1,0)=5+2i (2,2)=0+0i (1,0)=7+2i (0,1)=5-2i (0,1)=7-2i",
     "dense complex128 3x3 (0,0)=0+0i (1,0)=1+2i (2,0)=2+2i (0,1)=1-2i (1,1)=3+0i (2,1)=4+2i "
     "(0,2)=2-2i (1,2)=4-2i (2,2)=5+0i"},
    {"pattern skew-symmetric", NULL, NULL},
    {"pattern hermitian", NULL, NULL},
    {"real hermitian", NULL, NULL},
    {"double hermitian", NULL, NULL},
    {"integer hermitian", NULL, NULL},
};

/* Entries (2,1)=5, (3,3)=0, (2,1)=7, with imaginary part 2 where it may be one. */
static void print_coordinates(FILE *to, const char *banner)
{
  static const int entries[3][3] = {{2, 1, 5}, {3, 3, 0}, {2, 1, 7}};
  fprintf(to, "%scoordinate %s\n3 3 3\n", BANNER, banner);
  for (int k = 0; k < 3; k++) {
    fprintf(to, "%d %d", entries[k][0], entries[k][1]);
    if (!strstr(banner, "pattern")) fprintf(to, " %d", entries[k][2]);
    if (strstr(banner, "complex")) fprintf(to, " %d", entries[k][2] ? 2 : 0);
    fputc('\n', to);
  }
}

/* Elements 0, 1, 2 ... with imaginary part 2 where it may be one. */
static void print_elements(FILE *to, const char *banner)
{
  const bool skew = strstr(banner, "skew"), hermitian = strstr(banner, "hermitian");
  const int count = strstr(banner, "general") ? 9 : skew ? 3 : 6;
  fprintf(to, "%sarray %s\n3 3\n", BANNER, banner);
  for (int k = 0; k < count; k++) {
    const bool diagonal = k == 0 || k == 3 || k == 5;
    fprintf(to, "%d", k);
    if (strstr(banner, "complex")) fprintf(to, " %d", (hermitian && diagonal) || !k ? 0 : 2);
    fputc('\n', to);
  }
}

static void check_combination(const char *banner, const char *expected, bool array)
{
  char *text = NULL;
  size_t length;
  FILE *to = open_memstream(&text, &length);
  (array ? print_elements : print_coordinates)(to, banner);
  fclose(to);
  reads_as(text, expected ? expected : "line 1: ");
  free(text);
}

Test(mtx, reads_every_combination)
{
  for (size_t i = 0; i < sizeof combinations / sizeof *combinations; i++) {
    check_combination(combinations[i].banner, combinations[i].coordinate, false);
    check_combination(combinations[i].banner, combinations[i].array, true);
  }
  expect_no_leaks();
}

/* ---- Edges ---- */

#define REAL BANNER "coordinate real general\n"
#define INTEGER BANNER "coordinate integer general\n"

static const char *const edges[][2] = {
    /* white space, comments, letters */
    {"%%MatrixMarket\t MATRIX  Coordinate REAL\tGENERAL \n1 1 1\n1 1 5\n", "float64 1x1 (0,0)=5"},
    {" " REAL "1 1 1\n1 1 5\n", "float64 1x1 (0,0)=5"},
    {REAL "%%GraphBLAS type gunk\n%\n\n  % 1 1 1\n \t\n 2\t2  1 \n%x\n\n\t2 2\t-1e3 \n %\n\n%",
     "float64 2x2 (1,1)=-1000"},
    {BANNER "coordinate real general\r\n%\r\r\n\r\n1 1 1\r\n1 1 5\r", "float64 1x1 (0,0)=5"},
    {BANNER "coordinate real general\r\n%\r", "line 2: the size line is missing"},
    {BANNER "coordinate Unsigned-Integer symmetric\n2 2 2\n2 1 9223372036854775807\n1 1 -0\n",
     "int64 2x2 (1,0)=9223372036854775807 (0,0)=0 (0,1)=9223372036854775807"},
    {BANNER "array unsigned-integer general\n1 2\n7\n+8", "dense int64 1x2 (0,0)=7 (0,1)=8"},
    {REAL "3 4 0", "float64 3x4"},
    {REAL "0 0 0\n", "float64 0x0"},
    {REAL "9223372036854775807 9223372036854775807 1\n9223372036854775807 1 1\n",
     "float64 9223372036854775807x9223372036854775807 (9223372036854775806,0)=1"},
    /* invalid tensors are not malformed files */
    {REAL "2 2 2\n0 3 1\n-1 9223372036854775807 2\n",
     "float64 2x2 (-1,2)=1 (-2,9223372036854775806)=2"},
    {INTEGER "1 1 1\n-9223372036854775807 1 1\n", "int64 1x1 (-9223372036854775808,0)=1"},
    {BANNER "coordinate integer symmetric\n2 2 1\n5 0 3\n", "int64 2x2 (4,-1)=3 (-1,4)=3"},
    /* either triangle is mirrored */
    {BANNER "coordinate integer skew-symmetric\n2 2 2\n1 2 3\n2 1 4\n",
     "int64 2x2 (0,1)=3 (1,0)=4 (1,0)=-3 (0,1)=-4"},
    {BANNER "coordinate real hermitian\n1 1 0\n", "line 1: only complex"},
    {BANNER "coordinate real symmetric\n1 1 1\n1 1 nan\n", "float64 1x1 (0,0)=nan"},
    {BANNER "coordinate complex hermitian\n1 1 1\n1 1 nan -0\n", "complex128 1x1 (0,0)=nan-0i"},
    /* numbers */
    {INTEGER "1 1 3\n1 1 +9223372036854775807\n+1 001 -9223372036854775808\n1 1 -0\n",
     "int64 1x1 (0,0)=9223372036854775807 (0,0)=-9223372036854775808 (0,0)=0"},
    {REAL "1 1 6\n1 1 .5\n1 1 5.\n1 1 -INF\n1 1 -nan\n1 1 -0\n"
          "1 1 4.9e-324",
     "float64 1x1 (0,0)=0.5 (0,0)=5 (0,0)=-inf (0,0)=-nan (0,0)=-0 "
     "(0,0)=4.9406564584124654e-324"},
    {REAL "1 1 2\n1 1 9007199254740993\n1 1 9007199254740992.9999999999999999999999999\n",
     "float64 1x1 (0,0)=9007199254740992 (0,0)=9007199254740992"},
    {REAL "1 1 1\n1 1 0.1\n", "float64 1x1 (0,0)=0.10000000000000001"},
    /* arrays */
    {BANNER "array real general\n0 5\n", "dense float64 0x5"},
    {BANNER "array real general\n5 0\n", "dense float64 5x0"},
    {BANNER "array real general\n1 2\n%\n7\n\n8", "dense float64 1x2 (0,0)=7 (0,1)=8"},
    {BANNER "array integer symmetric\n0 0\n", "dense int64 0x0"},
    {BANNER "array integer skew-symmetric\n0 0\n", "dense int64 0x0"},
    {BANNER "array integer skew-symmetric\n1 1\n", "dense int64 1x1 (0,0)=0"},
    {BANNER "array integer symmetric\n1 1\n4\n", "dense int64 1x1 (0,0)=4"},
};

static const char *const refusals[][2] = {
    /* banner */
    {"", "line 1: %%MatrixMarket is missing"},
    {"\n" REAL "1 1 0\n", "line 1: %%MatrixMarket is missing"},
    {"%%matrixmarket matrix coordinate real general\n1 1 0\n", "line 1: %%MatrixMarket"},
    {"%MatrixMarket matrix coordinate real general\n1 1 0\n", "line 1: %%MatrixMarket"},
    {"\xef\xbb\xbf" REAL "1 1 0\n", "line 1: a byte order mark of UTF-8"},
    {"\xff\xfe%%", "line 1: a byte order mark of UTF-16"},
    {"3 3\n.646\n", "line 1: %%MatrixMarket"},
    {"%%MatrixMarket", "line 1: the object"},
    {"%%MatrixMarket vector coordinate real general\n1 0\n", "line 1: the object"},
    {BANNER "mangled real general\n1 1 0\n", "line 1: the format"},
    {BANNER "coordinate mangled general\n1 1 0\n", "line 1: the field"},
    {BANNER "coordinate unsigned-integers general\n1 1 0\n", "line 1: the field"},
    {BANNER "coordinate unsigned-integer skew-symmetric\n1 1 0\n", "line 1: unsigned integers"},
    {BANNER "coordinate unsigned-integer general\n1 1 1\n1 1 -1\n", "line 3: the value is not"},
    {BANNER "coordinate unsigned-integer general\n1 1 1\n1 1 9223372036854775808\n",
     "line 3: the value needs type uint64, which no tensor has"},
    /* a carriage return that ends a line to some readers only */
    {REAL "%\r1 1 0\n1 1 0\n", "line 2: a carriage return"},
    {REAL "1 1 1\r1 1 5\n", "line 2: a carriage return"},
    {REAL "1 1 1\n1 1 5\r%\n", "line 3: a carriage return"},
    {REAL "1 1 1\n1\r1 5\n", "line 3: a carriage return"},
    {BANNER "coordinate real general\r1 1 0\r", "line 1: a carriage return"},
    {BANNER "coordinate reals general\n1 1 0\n", "line 1: the field"},
    {BANNER "coordinate rea general\n1 1 0\n", "line 1: the field"},
    {BANNER "coordinate real mangled\n1 1 0\n", "line 1: the symmetry"},
    {BANNER "coordinate real\n1 1 0\n", "line 1: the symmetry"},
    {BANNER "coordinate real general more\n1 1 0\n", "line 1: more than five words"},
    /* size line */
    {REAL, "line 2: the size line is missing"},
    {REAL "% 1 1 0\n\n", "line 4: the size line is missing"},
    {REAL "1\n", "line 2: the number of columns is missing"},
    {REAL "1 1\n0\n", "line 2: the number of entries is missing"},
    {REAL "1 1 0 0\n", "line 2: the size line has more"},
    {BANNER "array real general\n1 1 1\n5\n", "line 2: the size line has more"},
    {REAL "-1 1 0\n", "line 2: the number of rows is not an integer from 0"},
    {REAL "1 -1 0\n", "line 2: the number of columns is not"},
    {REAL "1 1 -1\n", "line 2: the number of entries"},
    {REAL "1.0 1 0\n", "line 2: the number of rows is not"},
    {REAL "9223372036854775808 1 0\n", "line 2: the number of rows is not"},
    {REAL "1 1 9223372036854775808\n", "line 2: the number of entries"},
    {REAL "1 1 1152921504606846976\n1 1 1\n", "line 2: more entries are declared than"},
    {REAL "1 1 9223372036854775807\n", "line 2: more entries are declared than"},
    {BANNER "array real general\n3037000500 3037000500\n", "line 2: more entries are declared"},
    {BANNER "array real general\n4294967296 4294967296\n", "line 2: more entries are declared"},
    {BANNER "array real symmetric\n9223372036854775807 9223372036854775807\n",
     "line 2: more entries are declared"},
    {BANNER "array real skew-symmetric\n3000000000 3000000000\n", "line 2: more entries"},
    {BANNER "coordinate real symmetric\n3 4 0\n", "line 2: 3 rows and 4 columns"},
    {BANNER "array complex hermitian\n4 3\n", "line 2: 4 rows and 3 columns"},
    {BANNER "coordinate real skew-symmetric\n3 4 0\n", "line 2: 3 rows and 4 columns"},
    /* entries */
    {REAL "2 2 2\n1 1 1\n", "line 4: the file ends after 1 of 2 entries"},
    {REAL "2 2 1\n1 1 1\n\n%\n2 2 2\n", "line 6: more than the declared 1 entries"},
    {REAL "2 2 0\n1 1 1\n", "line 3: more than the declared 0 entries"},
    {BANNER "array real general\n1 2\n1\n", "line 4: the file ends after 1 of 2 entries"},
    {BANNER "array real general\n1 1\n1\n2\n", "line 4: more than the declared 1 entries"},
    {BANNER "array real general\n1 2\n1 2\n", "line 3: more words than an entry has"},
    {REAL "1 1 1\n1 1\n1\n", "line 3: the value is missing: a real number"},
    {REAL "1 1 1\n1\n", "line 3: the column is missing"},
    {REAL "1 1 1\n1.0 1 1\n", "line 3: the row is not an integer"},
    {REAL "1 1 1\n1 x 1\n", "line 3: the column is not an integer"},
    {REAL "1 1 1\n1 + 1\n", "line 3: the column is not an integer"},
    {REAL "1 1 1\n- 1 1\n", "line 3: the row is not"},
    {REAL "1 1 1\n-9223372036854775808 1 1\n", "line 3: the row is not"},
    {REAL "1 1 1\n1 9223372036854775808 1\n", "line 3: the column is not an integer"},
    {REAL "1 1 1\n1 1 1x\n", "line 3: the value is not a real number"},
    {REAL "1 1 1\n1 1 1,5\n", "line 3: the value is not a real number"},
    {REAL "1 1 1\n1 1 1dd5\n", "line 3: the value is not a real number"},
    {REAL "1 1 1\n1 1 d5\n", "line 3: the value is not a real number"},
    {REAL "1 1 1\n1 1 infd\n", "line 3: the value is not a real number"},
    {REAL "1 1 1\n1 1 1e\n", "line 3: the value is not a real number"},
    /* SciPy reads 0 of these */
    {REAL "1 1 1\n1 1 0x1p3\n", "line 3: the value is not a real number"},
    {BANNER "coordinate complex general\n1 1 1\n1 1 1 -0X8\n", "line 3: the value is not two real numbers"},
    {REAL "1 1 1\n1 1 1E400\n", "line 3: the value is beyond the largest number of type float64; infinity is written inf"},
    {REAL "1 1 1\n1 1 -1e999\n", "line 3: the value is beyond"},
    {BANNER "coordinate complex general\n1 1 1\n1 1 inf 1e309\n", "line 3: the value is beyond"},
    {BANNER "array real general\n1 1\n1e309\n", "line 3: the value is beyond"},
    {BANNER "array unsigned-integer general\n1 1\n18446744073709551615\n", "line 3: the value needs type uint64"},
    {BANNER "array unsigned-integer general\n1 1\n18446744073709551616\n", "line 3: the value is not an integer from 0 on"},
    {BANNER "array real general\n1\n1\n", "line 2: the number of columns is missing"},
    {REAL "1 1 1\n1 1 --1\n", "line 3: the value is not a real number"},
    {REAL "1 1 1\n1 1 1 2\n", "line 3: more words"},
    {REAL "1 1 1\n1 1 1 %\n", "line 3: more words"},
    {INTEGER "1 1 1\n1 1 2.0\n", "line 3: the value is not an integer"},
    {INTEGER "1 1 1\n1 1 -inf\n", "line 3: the value is not an integer"},
    {INTEGER "1 1 1\n1 1 18446744073709551617\n", "line 3: the value is not an integer"},
    {INTEGER "1 1 1\n1 1 9223372036854775808\n", "line 3: the value needs type uint64"},
    {INTEGER "1 1 1\n1 1 -9223372036854775809\n", "line 3: the value is not an integer"},
    {BANNER "coordinate complex general\n1 1 1\n1 1 1\n", "line 3: the value is missing: two real numbers"},
    {BANNER "coordinate pattern general\n1 1 1\n1 1 1\n", "line 3: more words"},
    /* symmetry */
    {BANNER "coordinate integer skew-symmetric\n2 2 1\n2 1 -9223372036854775808\n",
     "line 3: the negative of this value"},
    {BANNER "array integer skew-symmetric\n2 2\n-9223372036854775808\n", "line 3: the negative of"},
    {BANNER "coordinate integer skew-symmetric\n2 2 1\n2 2 1\n", "line 3: this diagonal entry"},
    {BANNER "coordinate real skew-symmetric\n2 2 1\n2 2 nan\n", "line 3: this diagonal entry"},
    {BANNER "coordinate complex skew-symmetric\n2 2 1\n2 2 0 1\n", "line 3: this diagonal entry"},
    {BANNER "coordinate complex skew-symmetric\n2 2 1\n2 2 1 0\n", "line 3: this diagonal entry"},
    {BANNER "coordinate complex hermitian\n2 2 1\n2 2 1 1\n", "line 3: this diagonal entry"},
    {BANNER "array complex hermitian\n1 1\n1 1\n", "line 3: this diagonal entry"},
};

/* Words and lines around the sizes of the buffers, plain and gzip alike. */
static void check_long_text(size_t length, bool comment, const char *expected)
{
  char *text;
  char *filler = malloc(length + 1);
  memset(filler, '0', length);
  filler[length] = '\0';
  cr_assert(asprintf(&text, "%s1 1 1\n1 1 %s%s1\n", REAL, comment ? "2\n%" : "", filler) > 0);
  reads_as(text, expected);
  memset(filler, ' ', length);
  free(text);
  cr_assert(asprintf(&text, "%s1 1 1%s\n1 1%s 1\n", REAL, filler, filler) > 0);
  reads_as(text, "float64 1x1 (0,0)=1");
  free(text);
  free(filler);
}

/* Each takes a look: if each took one to the end of the line, these would take minutes. */
Test(mtx, reads_many_carriage_returns)
{
  enum { MANY = 4 << 20 };
  char *text, *returns = malloc(MANY + 1);
  memset(returns, '\r', MANY);
  returns[MANY] = '\0';
  cr_assert(asprintf(&text, "%s%%%s\n1 1 1\n1 1 5\n", REAL, returns) > 0);
  expect(file_of(text, strlen(text)), "plain", "many returns", "float64 1x1 (0,0)=5");
  free(text);
  free(returns);
}

/* Readers with a buffer of 1025 bytes for a line see another one behind 1024 characters of a comment, or of the sizes. */
Test(mtx, refuses_long_lines_up_to_the_sizes)
{
  static const char rest[] = "3 3 2\n2 2 1\n1 1 5\n";
  for (int blanks = 0; blanks < 2; blanks++)
    for (int length = 1020; length < 1040; length++) {
      char line[1100];
      memset(line, 'x', sizeof line);
      line[0] = ' ';
      line[blanks] = '%';
      line[length] = '\0';
      char *text;
      cr_assert(asprintf(&text, "%s%s\n%s", REAL, line, rest + 6) > 0);
      reads_as(text, length <= 1024 ? "float64 2x2 (0,0)=5" : "line 2: a comment of more than 1024 characters");
      free(text);
      cr_assert(asprintf(&text, "%s%.*s%s", REAL, length, line, rest) > 0);
      reads_as(text, length + 5 <= 1024 ? "float64 2x2 (0,0)=5" : "line 2: a comment of more than 1024 characters");
      free(text);
      cr_assert(asprintf(&text, "%s%*s2 2 1\n1 1 5\n", REAL, length, "") > 0);
      reads_as(text, length + 5 <= 1024 ? "float64 2x2 (0,0)=5" : "line 2: a size line of more than 1024 characters");
      free(text);
    }
  expect_no_leaks();
}

Test(mtx, reads_edges_and_refuses_the_rest)
{
  for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) reads_as(edges[i][0], edges[i][1]);
  for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++)
    reads_as(refusals[i][0], refusals[i][1]);
  for (size_t length = 4090; length < 4100; length++)
    check_long_text(length, false,
                    length < 4095 ? "float64 1x1 (0,0)=1" : "line 3: a word has more than 4095");
  check_long_text(100000, false, "line 3: a word has more than 4095");
  for (size_t length = 65400; length < 65600; length += 7)
    check_long_text(length, true, "float64 1x1 (0,0)=2");
  static const char zero[] = REAL "1 1 1\n1 1 1\0\n";
  expect(file_of(zero, sizeof zero - 1), "a zero byte", zero, "line 3: the value is not a real");
  spw_owned *owned = NULL;
  cr_assert(spw_read_mtx(NULL, 1, 0, &owned, NULL) == SPW_EINVAL);
  cr_assert(spw_read_mtx("", 0, 0, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_read_mtx(NULL, 0, 0, &owned, NULL) == SPW_EFORMAT);
  expect_no_leaks();
}

/* ---- Damage ---- */

static const char *const small_files[] = {
    BANNER "coordinate complex hermitian\n% c\n3 3 2\n2 1 5.25 -1e3\n3 3 nan 0\n",
    BANNER "array integer skew-symmetric\n3 3\n1\n\n-2\n33\n",
    BANNER "coordinate pattern symmetric\r\n4 4 2\r\n2 1\r\n4 4\r\n",
};

/* A file cut short inside gzip is never read; a damaged one at most as what it was. */
static void damage(const file *whole, const char *intact, bool gzip)
{
  for (size_t size = 0; size < whole->size; size++) {
    file cut = file_of(whole->bytes, size);
    char *got = outcome(&cut);
    if (gzip) cr_assert(strstr(got, ": "), "cut to %zu bytes, read as %s", size, got);
    free(got);
    free(cut.bytes);
  }
  for (size_t bit = 0; bit < 8 * whole->size; bit++) {
    file flipped = file_of(whole->bytes, whole->size);
    flipped.bytes[bit / 8] ^= (unsigned char)(1u << bit % 8);
    char *got = outcome(&flipped);
    if (gzip) cr_assert(strstr(got, ": ") || !strcmp(got, intact), "bit %zu: %s", bit, got);
    free(got);
    free(flipped.bytes);
  }
}

static void check_gzip_errors(void)
{
  static const char text[] = REAL "1 1 1\n1 1 1\n";
  const char *junk[] = {"\0", "\x1f", "\x1f\x8b", "\x1f\x8b\x08", "x"};
  for (size_t i = 0; i < sizeof junk / sizeof *junk; i++)
    expect(joined(gzipped(text, sizeof text - 1), file_of(junk[i], i == 0 ? 1 : strlen(junk[i]))),
           "bytes behind the last member", text, "byte ");
  for (size_t back = 1; back <= 8; back++) {
    file f = gzipped(text, sizeof text - 1);
    f.bytes[f.size - back] ^= 1;
    char *got = outcome(&f);
    const char *check = back <= 4 ? "incorrect length check" : "incorrect data check";
    cr_assert(strstr(got, check), "%s", got);
    free(got);
    free(f.bytes);
  }
}

Test(mtx, detects_damage)
{
  for (size_t i = 0; i < sizeof small_files / sizeof *small_files; i++) {
    const size_t size = strlen(small_files[i]);
    file guises[] = {file_of(small_files[i], size), gzipped(small_files[i], size),
                     gzipped_in_two(small_files[i], size)};
    char *intact = outcome(&guises[0]);
    cr_assert(!strstr(intact, ": "), "%s", intact);
    for (int g = 0; g < 3; g++) {
      damage(&guises[g], intact, g > 0);
      free(guises[g].bytes);
    }
    free(intact);
  }
  check_gzip_errors();
  expect_no_leaks();
}

/* ---- Hostile bytes ---- */

static uint64_t random_state = 20240229;

static uint32_t random_below(uint32_t n)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(((random_state >> 32) * n) >> 32);
}

/* Whatever is read is written again, and then reads as the same. */
static void survives(const file *f)
{
  char *first = outcome(f);
  spw_owned *owned = NULL;
  file again;
  void *bytes = NULL;
  if (spw_read_mtx(f->bytes, f->size, 0, &owned, NULL) == SPW_OK) {
    const spw_tensor *t = spw_owned_tensor(owned);
    const spw_status status = spw_write_mtx(t, &bytes, &again.size, NULL);
    const bool refused = status == SPW_EUNSUPPORTED && (t->layout == SPW_DENSE || strstr(first, "nan"));
    cr_assert(status == SPW_OK || refused, "status %d: %s", status, first);
    if (status == SPW_OK) {
      again.bytes = bytes;
      char *second = outcome(&again);
      cr_assert(!strcmp(first, second), "first %s\nthen  %s", first, second);
      free(second);
    }
    free(bytes);
    spw_owned_free(owned);
  }
  free(first);
}

static void mutate(file *f)
{
  static const char alphabet[] = "0123456789-+.eEinfx% \t\r\n\v";
  for (uint32_t changes = 1 + random_below(4); changes > 0 && f->size > 0; changes--) {
    const size_t at = random_below((uint32_t)f->size);
    switch (random_below(4)) {
    case 0: f->bytes[at] = (unsigned char)random_below(256); break;
    case 1: f->size = random_below(8) ? f->size : at; break;
    case 2: memmove(f->bytes + at, f->bytes + at + 1, f->size-- - at - 1); break;
    default: f->bytes[at] = (unsigned char)alphabet[random_below(sizeof alphabet - 1)];
    }
  }
}

Test(mtx, survives_any_bytes)
{
  const int rounds = SANITIZED ? 30000 : 100000;
  for (int round = 0; round < rounds; round++) {
    const char *text = small_files[random_below(3)];
    const size_t size = strlen(text), skip = random_below(5) ? strlen(BANNER) : 0;
    file f = random_below(8) ? file_of(text, size) : gzipped(text, size);
    file body = {f.bytes + (f.bytes[0] == '%' ? skip : 0), 0};
    body.size = f.size - (size_t)(body.bytes - f.bytes);
    mutate(&body);
    const file exact = file_of(f.bytes, (size_t)(body.bytes - f.bytes) + body.size);
    survives(&exact);
    free(exact.bytes);
    free(f.bytes);
  }
  expect_no_leaks();
}

/* ---- Memory ---- */

static size_t least_limit(const file *f)
{
  size_t low = 0, high = (size_t)1 << 30;
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    const spw_status status = status_of(f, middle);
    cr_assert(status == SPW_OK || status == SPW_ENOMEM, "status %d", status);
    *(status == SPW_OK ? &high : &low) = middle;
  }
  return high;
}

static file many_entries(int count, const char *line)
{
  char *text = NULL;
  size_t length;
  FILE *to = open_memstream(&text, &length);
  fprintf(to, "%s1 1 %d\n", REAL, count);
  for (int k = 0; k < count; k++) fputs(line, to);
  fclose(to);
  const file f = file_of(text, length);
  free(text);
  return f;
}

/* `slack`: what the allocator rounds up, and what an empty tensor takes. */
static void check_peak(const file *f, size_t limit, size_t slack)
{
  memory_watch(0);
  const spw_status status = status_of(f, limit);
  memory_pause();
  cr_assert(status == SPW_OK || status == SPW_ENOMEM || status == SPW_EFORMAT);
  cr_assert(memory.peak <= limit + slack, "%zu bytes of %zu", memory.peak, limit);
}

/* Reads and writes; *copy is then the file written. */
static spw_status rewrite(const file *f, file *copy)
{
  spw_owned *owned = NULL;
  void *bytes = NULL;
  spw_status status = spw_read_mtx(f->bytes, f->size, 0, &owned, NULL);
  if (!status) status = spw_write_mtx(spw_owned_tensor(owned), &bytes, &copy->size, NULL);
  copy->bytes = bytes;
  spw_owned_free(owned);
  return status;
}

/* Every allocation that reading and writing make may fail. */
static void check_failing_allocations(const file *f)
{
  file copy, whole;
  cr_assert(rewrite(f, &whole) == SPW_OK);
  for (long n = 1; !SANITIZED; n++) {
    memory_watch(n);
    const spw_status status = rewrite(f, &copy);
    memory_pause();
    const bool same = !status && copy.size == whole.size &&
                      !memcmp(copy.bytes, whole.bytes, whole.size);
    free(copy.bytes);
    cr_assert(status == SPW_ENOMEM || same, "allocation %ld fails: status %d", n, status);
    if (!memory.refused) break;
  }
  free(whole.bytes);
}

Test(mtx, keeps_to_the_memory_limit)
{
  enum { COUNT = 10000, ARRAYS = COUNT * 24 };
  file plain = many_entries(COUNT, "1 1 1\n");
  file small = gzipped(plain.bytes, plain.size);
  const size_t least = least_limit(&plain), least_gzip = least_limit(&small);
  cr_assert(least >= ARRAYS && least <= ARRAYS + 1024, "%zu", least);
  cr_assert(least_gzip >= ARRAYS + 65536 && least_gzip <= ARRAYS + 131072, "%zu", least_gzip);
  for (size_t limit = 1; limit < 2 * ARRAYS; limit += 9973) {
    check_peak(&plain, limit, 2048);
    check_peak(&small, limit, 2048);
  }
  check_failing_allocations(&small);
  free(plain.bytes);
  free(small.bytes);
  /* 32 MiB of blank lines in a few KiB: within the default limit, beyond a small one */
  plain = many_entries(0, "");
  plain = joined(plain, (file){calloc(1, 32 << 20), 32 << 20});
  memset(plain.bytes + plain.size - (32 << 20), '\n', 32 << 20);
  small = gzipped(plain.bytes, plain.size);
  cr_assert(small.size < 40000 && status_of(&small, 0) == SPW_OK);
  cr_assert(status_of(&small, 16 << 20) == SPW_ENOMEM);
  small = joined(small, gzipped(plain.bytes + plain.size - (31 << 20), 31 << 20));
  small = joined(small, gzipped(plain.bytes + plain.size - (31 << 20), 31 << 20));
  cr_assert(status_of(&small, 0) == SPW_ENOMEM, "94 MiB of blanks exceed 64 MiB and 64 * size");
  free(plain.bytes);
  free(small.bytes);
  /* declares as many entries as a gzip file of its size could hold at most */
  small = gzipped(REAL "1 1 13000\n", strlen(REAL "1 1 13000\n"));
  cr_assert(status_of(&small, 0) == SPW_EFORMAT);
  check_peak(&small, 200000, 2048);
  free(small.bytes);
  expect_no_leaks();
}

/* ---- Writing ---- */

static const int64_t two_by_n[] = {2, 3}, strides[] = {3, 1};

/* A tensor of three entries; the caller may change any of it. */
static spw_tensor three(spw_dtype dtype, const void *values)
{
  static const int64_t indices[] = {0, 2, 1, 3, 0, 0}, size[] = {3, 4};
  spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size};
  t.coalesced = SPW_CLAIM_YES;
  t.plain = (spw_index_array){.array = {SPW_INT64, 2, two_by_n, strides, 0, 6}, .i64 = indices};
  t.values.array = (spw_array){dtype, 1, two_by_n + 1, strides + 1, 0, 3};
  t.values.data = values;
  return t;
}

static void writes_as(const spw_tensor *t, const char *expected)
{
  void *bytes = NULL;
  size_t size;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_write_mtx(t, &bytes, &size, &error);
  cr_assert(status == SPW_OK, "%s: %s", error.where, error.message);
  file f = {bytes, size};
  char *got = outcome(&f);
  cr_assert(!strcmp(got, expected), "%.*s\nexpected %s\ngot      %s", (int)size, (char *)bytes,
            expected, got);
  free(got);
  free(bytes);
}

static void refuses_to_write(const spw_tensor *t, spw_status expected, const char *what)
{
  static char sentinel;
  void *bytes = &sentinel;
  size_t size = 7;
  spw_error error = {{0}, {0}};
  const spw_status status = spw_write_mtx(t, &bytes, &size, &error);
  cr_assert(status == expected, "%s: status %d", what, status);
  cr_assert(bytes == &sentinel && size == 7);
  cr_assert(strstr(error.message, what), "expected %s, got %s", what, error.message);
}

static void write_every_type(void)
{
  spw_tensor t = three(SPW_BOOL, (uint8_t[]){1, 1, 1});
  writes_as(&t, "bool 3x4 (0,3)=1 (2,0)=1 (1,0)=1");
  t = three(SPW_UINT8, (uint8_t[]){0, 200, 255});
  writes_as(&t, "int64 3x4 (0,3)=0 (2,0)=200 (1,0)=255");
  t = three(SPW_INT8, (int8_t[]){-128, 0, 127});
  writes_as(&t, "int64 3x4 (0,3)=-128 (2,0)=0 (1,0)=127");
  t = three(SPW_INT16, (int16_t[]){INT16_MIN, 0, INT16_MAX});
  writes_as(&t, "int64 3x4 (0,3)=-32768 (2,0)=0 (1,0)=32767");
  t = three(SPW_INT32, (int32_t[]){INT32_MIN, 0, INT32_MAX});
  writes_as(&t, "int64 3x4 (0,3)=-2147483648 (2,0)=0 (1,0)=2147483647");
  t = three(SPW_INT64, (int64_t[]){INT64_MIN, 0, INT64_MAX});
  writes_as(&t, "int64 3x4 (0,3)=-9223372036854775808 (2,0)=0 (1,0)=9223372036854775807");
  t = three(SPW_FLOAT16, (uint16_t[]){0x3555, 0x8001, 0xfc00});
  writes_as(&t, "float64 3x4 (0,3)=0.333251953125 (2,0)=-5.9604644775390625e-08 (1,0)=-inf");
  t = three(SPW_BFLOAT16, (uint16_t[]){0x3f80, 0x8001, 0x7fc0});
  writes_as(&t, "float64 3x4 (0,3)=1 (2,0)=-9.1835496157991212e-41 (1,0)=nan");
  t = three(SPW_FLOAT32, (float[]){0.1f, -0.0f, INFINITY});
  writes_as(&t, "float64 3x4 (0,3)=0.10000000149011612 (2,0)=-0 (1,0)=inf");
  t = three(SPW_FLOAT64, (double[]){0.1, -NAN, 5e-324});
  writes_as(&t, "float64 3x4 (0,3)=0.10000000000000001 (2,0)=-nan (1,0)=4.9406564584124654e-324");
  t = three(SPW_COMPLEX64, (float[]){1, -2, 3, 0.1f, -0.0f, -INFINITY});
  writes_as(&t, "complex128 3x4 (0,3)=1-2i (2,0)=3+0.10000000149011612i (1,0)=-0-infi");
  t = three(SPW_COMPLEX128, (double[]){1, -2, 3, 0.1, -0.0, NAN});
  writes_as(&t, "complex128 3x4 (0,3)=1-2i (2,0)=3+0.10000000000000001i (1,0)=-0+nani");
}

static void write_views(void)
{
  const int64_t most = INT64_MAX;
  spw_tensor t = three(SPW_INT64, (int64_t[]){INT64_MIN, INT64_MIN, INT64_MIN});
  t.size = (int64_t[]){most, most};
  t.plain.i64 = (int64_t[]){most - 1, most - 1, most - 1, -1, -1, -1};
  writes_as(&t, "int64 9223372036854775807x9223372036854775807"
                " (9223372036854775806,-1)=-9223372036854775808"
                " (9223372036854775806,-1)=-9223372036854775808"
                " (9223372036854775806,-1)=-9223372036854775808");
  t = three(SPW_INT8, (int8_t[]){9, 9, 1, 9, 9, 2, 9, 9, 3});
  t.values.array = (spw_array){SPW_INT8, 1, two_by_n + 1, (int64_t[]){3}, 2, 9};
  t.plain.i64 = NULL;
  t.plain.i32 = (int32_t[]){9, 4, 5, 6, 7, INT32_MAX, INT32_MIN};
  t.plain.array = (spw_array){SPW_INT32, 2, two_by_n, (int64_t[]){1, 2}, 1, 7};
  writes_as(&t, "int64 3x4 (4,5)=1 (6,7)=2 (2147483647,-2147483648)=3");
  t.has_size = false;
  refuses_to_write(&t, SPW_EUNSUPPORTED, "no size");
  t.plain.array.length = 6;
  refuses_to_write(&t, SPW_EUNSUPPORTED, "3.14");
  t = three(SPW_INT8, (int8_t[]){1, 2, 3});
  t.has_size = false;
  writes_as(&t, "int64 3x4 (0,3)=1 (2,0)=2 (1,0)=3");
  t.plain.array.shape = (int64_t[]){2, 0};
  t.values.array.shape = (int64_t[]){0};
  writes_as(&t, "int64 0x0");
}

/* Their sum in a narrower type is another than that of what is read. */
static void refuse_duplicates(void)
{
  const float values[3] = {16777216, 1, 1};
  spw_tensor t = three(SPW_FLOAT32, values);
  t.coalesced = SPW_CLAIM_NONE;
  writes_as(&t, "float64 3x4 (0,3)=16777216 (2,0)=1 (1,0)=1");
  t.plain.i64 = (int64_t[]){2, 0, 2, 1, 3, 1};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "two float32 values");
  t.plain.i64 = (int64_t[]){2, 2, 2, 1, 3, 1};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "two float32 values");
  t.plain.i64 = (int64_t[]){2, 2, 2, 1, 1, 3};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "two float32 values");
  t.plain.i64 = (int64_t[]){0, 2, 2, 3, 0, 1};
  writes_as(&t, "float64 3x4 (0,3)=16777216 (2,0)=1 (2,1)=1");
  const double wide[3] = {1, 2, 4};
  t = three(SPW_FLOAT64, wide);
  t.coalesced = SPW_CLAIM_NONE;
  t.plain.i64 = (int64_t[]){2, 0, 2, 1, 3, 1};
  writes_as(&t, "float64 3x4 (2,1)=1 (0,3)=2 (2,1)=4");
}

static void refuse_the_rest(void)
{
  uint64_t nan_bits = UINT64_C(0x7ff8000000000001);
  double payload[3] = {0};
  memcpy(payload, &nan_bits, sizeof nan_bits);
  spw_tensor t = three(SPW_FLOAT64, payload);
  refuses_to_write(&t, SPW_EUNSUPPORTED, "payload");
  t = three(SPW_FLOAT32, (uint32_t[]){0, 0x7f800001, 0});
  refuses_to_write(&t, SPW_EUNSUPPORTED, "payload");
  t = three(SPW_BOOL, (uint8_t[]){1, 0, 1});
  refuses_to_write(&t, SPW_EUNSUPPORTED, "pattern");
  t.values.data = (uint8_t[]){1, 1, 2};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "pattern");
  t.plain.i64 = (int64_t[]){0, 0, INT64_MAX, 0, 0, 0};
  t.values.data = (uint8_t[]){1, 1, 1};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "2^63 - 1");
  t.plain.i64 = (int64_t[]){0, 0, 0, 0, 0, INT64_MAX};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "2^63 - 1");
  t = three(SPW_INT8, "abc");
  t.layout = SPW_CSR;
  refuses_to_write(&t, SPW_EUNSUPPORTED, "coo");
  t.layout = SPW_DENSE;
  refuses_to_write(&t, SPW_EUNSUPPORTED, "not a matrix");
  t = three(SPW_INT8, "abc");
  t.size = (int64_t[]){3, -1};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "3.12");
  t.ndim = 1;
  refuses_to_write(&t, SPW_EUNSUPPORTED, "6.3");
  t = three(SPW_INT8, "abc");
  t.values.array.length = 2;
  refuses_to_write(&t, SPW_EUNSUPPORTED, "3.14");
  t = three(SPW_INT8, "abc");
  t.values.array.shape = (int64_t[]){2};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "6.2");
  t = three(SPW_INT8, "abc");
  t.has_size = false;
  t.values.array.ndim = 2;
  t.values.array.shape = (int64_t[]){3, 1};
  t.values.array.strides = (int64_t[]){1, 1};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "dense");
  t = three(SPW_INT8, "abc");
  t.has_size = false;
  t.plain.array.shape = (int64_t[]){1, 3};
  refuses_to_write(&t, SPW_EUNSUPPORTED, "not a matrix");
  t = three(SPW_INT8, NULL);
  refuses_to_write(&t, SPW_EINVAL, "");
  refuse_duplicates();
  cr_assert(spw_write_mtx(NULL, (void *[]){NULL}, (size_t[]){0}, NULL) == SPW_EINVAL);
}

/* Every float16 and bfloat16, and many doubles, come back with the same bits once widened. */
static void round_trip_floats(spw_dtype dtype, const void *values, const double *wide, int64_t n)
{
  const int64_t shape[] = {2, n}, repeat[] = {0, 0}, one = 1, zero = 0;
  spw_tensor t = three(dtype, values);
  t.plain.array = (spw_array){SPW_INT64, 2, shape, repeat, 0, 1};
  t.plain.i64 = &zero;
  t.values.array = (spw_array){dtype, 1, shape + 1, &one, 0, n};
  void *bytes;
  size_t size;
  spw_owned *owned;
  cr_assert(spw_write_mtx(&t, &bytes, &size, NULL) == SPW_OK);
  cr_assert(spw_read_mtx(bytes, size, 0, &owned, NULL) == SPW_OK);
  const double *back = spw_owned_tensor(owned)->values.data;
  for (int64_t k = 0; k < n; k++)
    cr_assert(!memcmp(back + k, wide + k, sizeof *wide), "%s %a came back as %a",
              spw_dtype_name(dtype), wide[k], back[k]);
  spw_owned_free(owned);
  free(bytes);
}

/* The value of a narrow format with `fraction` fraction bits, by its definition. */
static double narrow_value(uint32_t bits, int fraction)
{
  const int bias = (1 << (14 - fraction)) - 1, top = 2 * bias + 1;
  const int exponent = (int)(bits & 0x7fff) >> fraction;
  const double one = 1 << fraction, rest = (double)(bits & ((1u << fraction) - 1));
  const double sign = bits >> 15 ? -1 : 1;
  if (exponent == top) return rest > 0 ? (double)NAN : sign * (double)INFINITY;
  return sign * ldexp(exponent ? one + rest : rest, (exponent ? exponent : 1) - bias - fraction);
}

static void round_trip_narrow(spw_dtype dtype, int fraction)
{
  uint16_t *values = calloc(65536, sizeof *values);
  double *wide = calloc(65536, sizeof *wide);
  int64_t n = 0;
  for (uint32_t bits = 0; bits < 65536; bits++) {
    const double number = narrow_value(bits, fraction);
    if (isnan(number)) continue;
    values[n] = (uint16_t)bits;
    wide[n++] = number;
  }
  cr_assert(n == 65536 - 2 * ((1 << fraction) - 1));
  round_trip_floats(dtype, values, wide, n);
  free(values);
  free(wide);
}

static void round_trip_doubles(void)
{
  enum { N = 20000 };
  double *numbers = calloc(N, sizeof *numbers);
  for (int k = 0; k < N; k++) {
    uint64_t bits = (uint64_t)random_below(UINT32_MAX) << 32 | random_below(UINT32_MAX);
    if (k % 4 == 0) bits &= UINT64_C(0x800fffffffffffff) >> random_below(52); /* subnormal */
    memcpy(numbers + k, &bits, sizeof bits);
    if (k % 4 == 1) numbers[k] = (double)random_below(100000) / 1000;
    if (isnan(numbers[k])) numbers[k] = -0.0;
  }
  round_trip_floats(SPW_FLOAT64, numbers, numbers, N);
  free(numbers);
}

static void check_shortest(double number, const char *digits)
{
  void *bytes;
  size_t size;
  spw_tensor t = three(SPW_FLOAT64, (double[]){number, number, number});
  char line[64];
  cr_assert(spw_write_mtx(&t, &bytes, &size, NULL) == SPW_OK);
  snprintf(line, sizeof line, "\n1 4 %s\n", digits);
  cr_assert(memmem(bytes, size, line, strlen(line)), "%s in %.*s", digits, (int)size,
            (char *)bytes);
  free(bytes);
}

Test(mtx, writes_what_it_reads)
{
  write_every_type();
  write_views();
  refuse_the_rest();
  round_trip_narrow(SPW_FLOAT16, 10);
  round_trip_narrow(SPW_BFLOAT16, 7);
  round_trip_doubles();
  check_shortest(0.1, "0.1");
  check_shortest(5e-324, "5e-324");
  check_shortest(1.0 / 3, "0.3333333333333333");
  check_shortest(0.1 + 0.2, "0.30000000000000004");
  check_shortest(-0.0, "-0");
  check_shortest(1e22, "1e+22");
  expect_no_leaks();
}

/* ---- Locale ---- */

/* A decimal comma must not change what is read or written. */
Test(mtx, ignores_the_locale)
{
  enter_locale("de_DE", ",");
  file f = file_of(REAL "1 1 1\n1 1 1.5\n", strlen(REAL "1 1 1\n1 1 1.5\n"));
  spw_owned *owned;
  void *bytes;
  size_t size;
  cr_assert(spw_read_mtx(f.bytes, f.size, 0, &owned, NULL) == SPW_OK);
  cr_assert(*(const double *)spw_owned_tensor(owned)->values.data == 1.5);
  cr_assert(spw_write_mtx(spw_owned_tensor(owned), &bytes, &size, NULL) == SPW_OK);
  cr_assert(size == f.size && !memcmp(bytes, f.bytes, size), "%.*s", (int)size, (char *)bytes);
  cr_assert(localeconv()->decimal_point[0] == ',', "the program's locale is as it was");
  spw_owned_free(owned);
  free(bytes);
  free(f.bytes);
  expect_no_leaks();
}

/* ---- What Fortran writes, and dense matrices ------------------------------------------------- */

Test(mtx, exponents_of_fortran)
{
  static const char text[] = "%%MatrixMarket matrix array complex general\n2 1\n1.5D+03 -2.d-1\n.5d0 0D5\n";
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  cr_assert(spw_read_mtx(text, sizeof text - 1, 0, &owned, &error) == SPW_OK, "%s: %s", error.where, error.message);
  static const double numbers[] = {1500, -0.2, 0.5, 0};
  cr_assert_eq(memcmp(spw_owned_tensor(owned)->values.data, numbers, sizeof numbers), 0);
  spw_owned_free(owned);
}

Test(mtx, dense_matrices_come_back)
{
  static const double numbers[6] = {1.5, -0.0, 1e300, 4, INFINITY, 6};
  static const int8_t small[6] = {1, -2, 3, 4, 5, -128};
  spw_view v;
  for (int i = 0; i < 3; i++) {
    void *bytes;
    size_t size;
    spw_owned *owned = NULL;
    spw_error error = {"", ""};
    const spw_tensor *const t = i == 0 ? spw_dense(&v, 2, 3, SPW_FLOAT64, numbers)
                                : i == 1 ? spw_dense(&v, 2, 3, SPW_INT8, small) : spw_dense(&v, 0, 3, SPW_FLOAT64, numbers);
    cr_assert(spw_write_mtx(t, &bytes, &size, &error) == SPW_OK, "%s", error.message);
    cr_assert(spw_read_mtx(bytes, size, 0, &owned, &error) == SPW_OK, "%s: %s", error.where, error.message);
    const spw_tensor *const got = spw_owned_tensor(owned);
    cr_assert(got->layout == SPW_DENSE && got->size[0] == (i < 2 ? 2 : 0) && got->size[1] == 3);
    for (int k = 0; k < 6; k++) {
      if (i == 0) cr_assert_eq(memcmp((const double *)got->values.data + k, numbers + k, sizeof *numbers), 0);
      if (i == 1) cr_assert_eq(((const int64_t *)got->values.data)[k], small[k]);
    }
    free(bytes);
    spw_owned_free(owned);
  }
  static const bool truths[6] = {true};
  refuses_to_write(spw_dense(&v, 2, 3, SPW_BOOL, truths), SPW_EUNSUPPORTED, "no field");
}
