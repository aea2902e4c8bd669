/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes may come in: each reader refuses them or gives a tensor that can be checked.
 * SPW_RANDOM_RUNS sets how many inputs each reader gets. */
#include "../support/memory.h"
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define INPUT_MAX 4096
#define SEEDS_MAX 16
#define WORK_MAX 1000000

typedef spw_status reader(const void *bytes, size_t size, size_t limit, spw_owned **out,
                          spw_error *error);
typedef spw_status writer(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

typedef struct input {
  size_t size;
  unsigned char bytes[INPUT_MAX];
} input;

typedef struct format {
  reader *read;
  const char *const *pieces; /* what the format is made of */
  int64_t piece_count;
  int64_t seed_count;
  input seeds[SEEDS_MAX]; /* valid files */
} format;

/* ---- Inputs ---------------------------------------------------------------------------------- */

static unsigned char random_byte(dice *d)
{
  return (unsigned char)roll(d);
}

static void add_random(input *in, dice *d, int64_t count)
{
  while (count-- > 0 && in->size < INPUT_MAX) in->bytes[in->size++] = random_byte(d);
}

static void add_piece(input *in, dice *d, const format *f)
{
  const char *piece = f->pieces[roll_below(d, f->piece_count)];
  for (size_t i = 0; piece[i] && in->size < INPUT_MAX; i++)
    in->bytes[in->size++] = (unsigned char)piece[i];
}

static void delete_range(input *in, size_t at, size_t count)
{
  if (count > in->size - at) count = in->size - at;
  memmove(in->bytes + at, in->bytes + at + count, in->size - at - count);
  in->size -= count;
}

static void insert_piece(input *in, dice *d, const format *f, size_t at)
{
  const char *piece = f->pieces[roll_below(d, f->piece_count)];
  const size_t length = strlen(piece);
  if (in->size + length > INPUT_MAX) return;
  memmove(in->bytes + at + length, in->bytes + at, in->size - at);
  memcpy(in->bytes + at, piece, length);
  in->size += length;
}

static void change_digit(input *in, dice *d, size_t at)
{
  while (at < in->size && (in->bytes[at] < '0' || in->bytes[at] > '9')) at++;
  if (at < in->size) in->bytes[at] = (unsigned char)('0' + roll_below(d, 10));
}

static void mutate(input *in, dice *d, const format *f)
{
  if (in->size == 0) return;
  const size_t at = (size_t)roll_below(d, (int64_t)in->size);
  switch (roll_below(d, 8)) {
    case 0: in->bytes[at] = random_byte(d); break;
    case 1: in->bytes[at] ^= (unsigned char)(1 << roll_below(d, 8)); break;
    case 2: delete_range(in, at, (size_t)roll_below(d, 8)); break;
    case 3: insert_piece(in, d, f, at); break;
    case 4: in->size = roll_below(d, 4) ? in->size : at; break;
    default: change_digit(in, d, at); break;
  }
}

static void make_input(input *in, dice *d, const format *f)
{
  in->size = 0;
  switch (roll_below(d, 8)) {
    case 0: add_random(in, d, roll_below(d, 64)); return;
    case 1: /* begins like a file */
      *in = f->seeds[roll_below(d, f->seed_count)];
      in->size = (size_t)roll_below(d, (int64_t)in->size + 1);
      if (in->size > 40) in->size = (size_t)roll_below(d, 40);
      add_random(in, d, roll_below(d, 64));
      return;
    case 2:
      for (int64_t pieces = roll_below(d, 40); pieces > 0; pieces--) add_piece(in, d, f);
      return;
    default:
      *in = f->seeds[roll_below(d, f->seed_count)];
      for (int64_t changes = roll_below(d, 5); changes > 0; changes--) mutate(in, d, f);
      return;
  }
}

/* ---- What must hold for any input ------------------------------------------------------------ */

/* Files of a few bytes can name more batches or columns than there is time for. */
static bool is_short_work(const spw_tensor *x)
{
  const spw_array *members[] = {&x->compressed.array, &x->plain.array};
  double work = 1;
  for (int which = x->layout == SPW_COO; which < 2; which++)
    for (int64_t d = 0; d < members[which]->ndim; d++)
      if (members[which]->shape[d] > 0) work *= (double)members[which]->shape[d];
  return work < WORK_MAX;
}

static void check_tensor(const spw_tensor *x)
{
  spw_report report;
  spw_violation first;
  bool valid;
  if (!is_short_work(x)) return;
  const spw_status status = spw_check(x, SPW_CANONICAL, &report);
  if (status != SPW_OK) cr_assert(false, "a reader made a tensor that spw_check refuses");
  if (spw_is_valid(x, SPW_CANONICAL, &valid) != SPW_OK || valid != report.valid)
    cr_assert(false, "spw_is_valid disagrees");
  if (spw_first_violation(x, SPW_CANONICAL, &first) != SPW_OK ||
      report.valid != (first.rule == SPW_RULE_NONE))
    cr_assert(false, "spw_first_violation disagrees");
}

/* Reads from a block of exactly the right size, so that a sanitizer sees any overrun. */
static spw_status feed(const format *f, const input *in)
{
  static char sentinel;
  spw_owned *const untouched = (spw_owned *)(void *)&sentinel, *owned = untouched;
  spw_error error = {"", ""};
  unsigned char *exact = malloc(in->size ? in->size : 1);
  memcpy(exact, in->bytes, in->size);
  const spw_status status = f->read(exact, in->size, (size_t)1 << 24, &owned, &error);
  free(exact);
  if (status == SPW_OK) {
    check_tensor(spw_owned_tensor(owned));
    spw_owned_free(owned);
  } else {
    if (owned != untouched) cr_assert(false, "a failing reader wrote to out");
    if (!memchr(error.message, 0, sizeof error.message) || !error.message[0])
      cr_assert(false, "no message with status %d", (int)status);
    if (!memchr(error.where, 0, sizeof error.where)) cr_assert(false, "where has no end");
  }
  return status;
}

static long runs_wanted(void)
{
  const char *text = getenv("SPW_RANDOM_RUNS");
  return text && atol(text) > 0 ? atol(text) : 200000;
}

static void feed_all(const format *f, long least_accepted)
{
  static input in;
  const long runs = runs_wanted();
  long accepted = 0, refused = 0;
  for (long run = 0; run < runs; run++) {
    dice d = {(uint64_t)run};
    make_input(&in, &d, f);
    if (feed(f, &in) == SPW_OK) accepted++;
    else refused++;
  }
  for (int64_t i = 0; i < f->seed_count; i++) cr_assert(feed(f, &f->seeds[i]) == SPW_OK);
  if (runs >= 1000)
    cr_assert(accepted * 1000 > least_accepted * runs && refused * 10 > runs,
              "%ld accepted, %ld refused", accepted, refused);
}

/* ---- Seeds ----------------------------------------------------------------------------------- */

/* Valid files of the layouts that `write` can express. */
static void add_seeds(format *f, writer *write, int64_t wanted)
{
  static specimen s;
  static const float values[SPECIMEN_ELEMENTS * 64] = {1.5f, -2, 0, 7};
  for (uint64_t run = 0; f->seed_count < wanted; run++) {
    dice d = {run};
    void *bytes;
    size_t size;
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    s.tensor.values.data = values;
    if (s.tensor.values.array.length > (int64_t)(sizeof values / sizeof *values)) continue;
    if (write(&s.tensor, &bytes, &size, NULL) != SPW_OK) continue;
    if (size > 0 && size <= INPUT_MAX) {
      input *seed = &f->seeds[f->seed_count++];
      memcpy(seed->bytes, bytes, size);
      seed->size = size;
    }
    free(bytes);
  }
}

#define PIECES(list) (list), (int64_t)(sizeof(list) / sizeof *(list))

static const char *const json_pieces[] = {
    "{", "}", "[", "]", ",", ":", "\"spw\":1", "\"layout\":", "\"csr\"", "\"coo\"", "\"bsc\"",
    "\"size\":", "\"index_dtype\":", "\"int64\"", "\"int32\"", "\"bool\"", "\"complex64\"",
    "\"dtype\":", "\"compressed_indices\":", "\"plain_indices\":", "\"indices\":", "\"values\":",
    "\"shape\":", "\"strides\":", "\"offset\":", "\"data\":", "\"length\":", "\"fill\":", "null",
    "true", "-1", "0", "9223372036854775807", "9223372036854775808", "2147483648", "1e400", "-0.0",
    "\"nan\"", "\"bits:7fc00001\"", "\"0x1.8p+1\"", "\\u0000", "\"", "[1,-1]", "0.5"};

static const char *const mtx_pieces[] = {
    "%%MatrixMarket matrix ", "coordinate ", "array ", "real ", "integer ", "complex ", "pattern ",
    "general\n", "symmetric\n", "skew-symmetric\n", "hermitian\n", "%", "\n", " ", "1", "0", "-1",
    "3 3 2\n", "1 1 1\n", "1 2 2.5\n", "nan", "inf", "1e999", "9223372036854775807",
    "2147483648 2147483648 0\n", "0 0 0\n", "\r\n", "\t", "0x1p3", "\x1f\x8b\x08"};

static const char *const npz_pieces[] = {
    "PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "\x93NUMPY\x01", "\x93NUMPY\x02", "{'descr': '<i8', ",
    "'fortran_order': False, ", "'shape': (3,), }", "'<f4'", "'|S3'", "'>i4'", "'|b1'", "'<c8'",
    "(9223372036854775807,)", "(-1,)", "(2, 3)", "data.npy", "indices.npy", "indptr.npy",
    "shape.npy", "format.npy", "row.npy", "col.npy", "csr", "bsr", "coo", "\x80", "\xff\xff"};

Test(random_bytes, json)
{
  static format f = {spw_read_json, PIECES(json_pieces), 0, {{0, {0}}}};
  add_seeds(&f, spw_write_json, 12);
  feed_all(&f, 100);
  expect_no_leaks();
}

Test(random_bytes, mtx)
{
  static format f = {spw_read_mtx, PIECES(mtx_pieces), 0, {{0, {0}}}};
  add_seeds(&f, spw_write_mtx, 8);
  feed_all(&f, 100);
  expect_no_leaks();
}

Test(random_bytes, npz)
{
  static format f = {spw_read_npz, PIECES(npz_pieces), 0, {{0, {0}}}};
  add_seeds(&f, spw_write_npz, 8);
  feed_all(&f, 50);
  expect_no_leaks();
}
