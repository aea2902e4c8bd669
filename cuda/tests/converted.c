/* SPDX-License-Identifier: Apache-2.0 */
#include "converted.h"

#include "../host/sanitizers.h"
#include "kernels_under_test.h"
#include "same_violation.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Buffers of exact sizes, all bytes 0xaa -------------------------------------------------- */

enum { ARRAYS = 5 };

int64_t converted_most_offsets = 1 << 20, converted_most_values = 1 << 14;

typedef struct arrays {
  spw_buffers buffers;
  size_t bytes[ARRAYS]; /* dims, compressed, plain, values, work */
  void *memory[ARRAYS];
  void *values; /* what memory[3] lies in */
} arrays;

static void allocate(arrays *a, const spw_room *room)
{
  const size_t index = room->index_dtype == SPW_INT32 ? 4 : 8;
  const size_t bytes[ARRAYS] = {(size_t)room->dims * 8, (size_t)room->compressed * index, (size_t)room->plain * index,
                                (size_t)(room->values * spw_dtype_size(room->dtype)), room->work};
  for (int i = 0; i < ARRAYS; i++) {
    a->bytes[i] = bytes[i];
    a->memory[i] = malloc(bytes[i] ? bytes[i] : 1);
    if (!a->memory[i]) abort();
    memset(a->memory[i], 0xaa, bytes[i]);
  }
  const size_t shift = (size_t)(room->values % 3) * (size_t)spw_dtype_size(room->dtype); /* at any address for its type */
  free(a->memory[3]);
  a->values = malloc(bytes[3] + shift ? bytes[3] + shift : 1);
  if (!a->values) abort();
  a->memory[3] = (char *)a->values + shift;
  memset(a->memory[3], 0xaa, bytes[3]);
#ifdef SPW_ENGINE_MSAN
  __msan_poison(a->memory[4], bytes[4]); /* what of the workspace is read has to be written before */
#endif
  void **const m = a->memory;
  const bool wide = index == 8;
  a->buffers = (spw_buffers){.dims = m[0], .compressed_i32 = wide ? NULL : m[1], .plain_i32 = wide ? NULL : m[2],
                             .compressed_i64 = wide ? m[1] : NULL, .plain_i64 = wide ? m[2] : NULL, .values = m[3],
                             .work = m[4], .room = *room};
}

static void release(arrays *a)
{
  for (int i = 0; i < ARRAYS; i++) free(i == 3 ? a->values : a->memory[i]);
}

/* ---- Comparison ------------------------------------------------------------------------------ */

static bool same_refusal(spw_refusal a, spw_refusal b)
{
  if (a.obstacle != b.obstacle) return false;
  if (a.obstacle == SPW_OBSTACLE_RULE) return same_violation(a.violation, b.violation);
  return a.place == b.place && a.other == b.other && a.lhs == b.lhs && a.rhs == b.rhs;
}

static bool same_array(spw_array a, spw_array b)
{
  return a.dtype == b.dtype && a.ndim == b.ndim && a.offset == b.offset && a.length == b.length;
}

/* The sum of two NaN may have the payload and the sign of either. */
static void settle_nans(void *values, spw_dtype dtype, size_t bytes)
{
  const uint64_t least = dtype == SPW_FLOAT16 ? 0x7c00 : dtype == SPW_BFLOAT16 ? 0x7f80 :
                         dtype == SPW_FLOAT32 || dtype == SPW_COMPLEX64 ? 0x7f800000 : 0x7ff0000000000000;
  const size_t part = least < 0x10000 ? 2 : least < 0x100000000 ? 4 : 8;
  if (dtype < SPW_FLOAT16) return;
  for (size_t at = 0; at < bytes; at += part) {
    uint64_t bits = 0;
    memcpy(&bits, (char *)values + at, part);
    const uint64_t magnitude = bits & ~((uint64_t)1 << (8 * part - 1));
    if (magnitude > least) memset((char *)values + at, 0xff, part);
  }
}

/* What arrays contain is compared as far as they reach: a room may be for more. */
static const char *difference(const arrays *a, const spw_tensor *x, const arrays *b, const spw_tensor *y, bool sums)
{
  static const char *const names[] = {"sizes and strides", "compressed indices", "plain indices", "values"};
  if (x->layout != y->layout || x->ndim != y->ndim || x->coalesced != y->coalesced || x->has_size != y->has_size ||
      x->index_dtype != y->index_dtype || x->dtype != y->dtype || !same_array(x->plain.array, y->plain.array) ||
      !same_array(x->values.array, y->values.array) ||
      (x->layout != SPW_COO && !same_array(x->compressed.array, y->compressed.array)))
    return "what the tensors are";
  const size_t index = x->index_dtype == SPW_INT32 ? 4 : 8;
  const size_t bytes[ARRAYS - 1] = {a->bytes[0], x->layout == SPW_COO || x->layout == SPW_DENSE ? 0 : a->bytes[1],
                                    x->layout == SPW_DENSE ? 0 : (size_t)x->plain.array.length * index,
                                    (size_t)(x->values.array.length * spw_dtype_size(x->dtype))};
  if (sums) settle_nans(a->memory[3], x->dtype, bytes[3]), settle_nans(b->memory[3], x->dtype, bytes[3]);
  for (int i = 0; i < ARRAYS - 1; i++)
    if (a->bytes[i] < bytes[i] || b->bytes[i] < bytes[i] || memcmp(a->memory[i], b->memory[i], bytes[i]) != 0) return names[i];
  return a->bytes[0] == b->bytes[0] && a->bytes[1] == b->bytes[1] ? NULL : "rooms";
}

/* What a conversion that is refused leaves alone: all but the workspace. */
static bool untouched(const arrays *a)
{
  for (int i = 0; i < ARRAYS - 1; i++)
    for (size_t at = 0; at < a->bytes[i]; at++)
      if (((const unsigned char *)a->memory[i])[at] != 0xaa) return false;
  return true;
}

/* One way of launching, held against what the CPU gave. */
/* The engine counts the cells of batches before it leaves out zeros, the library after: is it the library's refusal where none is
 * left out? */
static bool is_refused_unpruned(const spw_tensor *t, const spw_conversion *wanted, const spw_refusal *refusal)
{
  spw_conversion whole = *wanted;
  spw_room room;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  whole.prune = false;
  if (refusal->obstacle != SPW_OBSTACLE_BATCHES) return false;
  spw_status status = spw_convert_size(t, &whole, &room, &why);
  if (status == SPW_OK) {
    arrays into;
    spw_tensor result;
    allocate(&into, &room);
    status = spw_convert(t, &whole, &into.buffers, &result, &why);
    release(&into);
  }
  return status == SPW_ERANGE && same_refusal(*refusal, why);
}

static const char *wrong_launch(const spw_tensor *t, const spw_conversion *wanted, uint64_t way, const spw_room *room,
                                int expected, const spw_refusal *why, const arrays *reference, const spw_tensor *right)
{
  arrays mine;
  spw_tensor result = {.ndim = -7};
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  allocate(&mine, room);
  const int status = convert_under_test(t, wanted, &mine.buffers, way, &result, &refusal);
  const char *wrong = NULL;
  const bool counts_zeros = wanted->prune && status == SPW_ERANGE && is_refused_unpruned(t, wanted, &refusal);
  const bool repeats = t->layout == SPW_COO ? t->coalesced != SPW_CLAIM_YES : wanted->canonicalize;
  const bool sums = wanted->duplicates == SPW_COMBINE_SUM && repeats;
  if (counts_zeros) wrong = result.ndim != -7 || !untouched(&mine) ? "outputs of what was refused" : NULL;
  else if (status != expected) wrong = "the status";
  else if (expected == SPW_OK) wrong = difference(reference, right, &mine, &result, sums);
  else if (result.ndim != -7 || !untouched(&mine)) wrong = "outputs of what was refused";
  else if (!same_refusal(refusal, *why)) wrong = "the refusal";
  release(&mine);
  return wrong;
}

static bool say(const spw_tensor *t, const spw_conversion *wanted, const char *wrong)
{
  fprintf(stderr, "convert %s to %s: %s differ\n", spw_layout_name(t->layout), spw_layout_name(wanted->layout), wrong);
  return false;
}

uint64_t converted_done(const converted_tally *count)
{
  uint64_t done = 0;
  for (int from = 0; from < CONVERTED_LAYOUTS; from++)
    for (int to = 0; to < CONVERTED_LAYOUTS; to++) done += count->done[from][to];
  return done;
}

static void tally_options(const spw_tensor *t, const spw_conversion *wanted, int status, const spw_tensor *result,
                          converted_tally *count)
{
  const bool sparse = t->layout != SPW_DENSE, mends = wanted->canonicalize && sparse && t->layout != SPW_COO;
  const bool prunes = wanted->prune && sparse && wanted->layout != SPW_DENSE;
  if (status == SPW_OK) count->mended += mends, count->pruned += prunes;
  if (status == SPW_ERANGE) count->mending_refused += mends, count->pruning_refused += prunes;
  if (!prunes || !result) return;
  spw_conversion all = *wanted;
  spw_room room;
  all.prune = false;
  const bool exact = !mends && t->layout != SPW_COO;
  if (exact && spw_convert_size(t, &all, &room, NULL) == SPW_OK)
    count->left_out += result->plain.array.shape[result->plain.array.ndim - 1] < room.nse;
}

bool converted_alike(const spw_tensor *t, const spw_conversion *wanted, dice *d, int launches, converted_tally *count)
{
  spw_room room, own;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE}, told = {.obstacle = SPW_OBSTACLE_NONE};
  const int asked = convert_room_under_test(t, wanted, &own, &told);
  int status = (int)spw_convert_size(t, wanted, &room, &why);
  if (asked == SPW_EUNSUPPORTED) {
    count->unsupported++;
    return true;
  }
  if (asked != SPW_OK) { /* by numbers, before any content is looked at */
    count->refused++;
    if (status == SPW_EINVALID && (asked == SPW_ERANGE || asked == SPW_EINVAL)) return true;
    return (status == asked && same_refusal(why, told)) || say(t, wanted, "refusals by numbers");
  }
  if (own.compressed > converted_most_offsets || own.values > converted_most_values) return true;
  arrays reference = {.buffers = {.dims = NULL}};
  spw_tensor right;
  if (status == SPW_OK) {
    allocate(&reference, &room);
    status = (int)spw_convert(t, wanted, &reference.buffers, &right, &why);
  }
  const char *wrong = NULL;
  for (int n = 0; n < launches && !wrong; n++)
    wrong = wrong_launch(t, wanted, roll(d), &own, status, &why, &reference, &right);
  tally_options(t, wanted, status, status == SPW_OK ? &right : NULL, count);
  release(&reference);
  if (wrong) return say(t, wanted, wrong);
  if (status == SPW_OK) count->done[t->layout][wanted->layout]++;
  else count->invalid++;
  return true;
}

/* ---- Tensors --------------------------------------------------------------------------------- */

static void *random_bytes(dice *d, size_t n)
{
  unsigned char *const bytes = malloc(n ? n : 1);
  if (!bytes) abort();
  for (size_t i = 0; i < n; i++) bytes[i] = (unsigned char)roll(d);
  return bytes;
}

/* Mostly zeros, of which some have a sign, in a pattern that comes again after `period` elements, or none at all. */
static void put_zeros(unsigned char *bytes, int64_t first, int64_t length, int64_t size, int64_t period, dice *d)
{
  const int64_t few = 1 + roll_below(d, roll_below(d, 2) ? 4 : 30);
  const uint64_t pattern = roll(d);
  for (int64_t i = 0; i < length; i++) {
    dice same = {pattern + (uint64_t)((i - first + period) % period)};
    if (roll_below(&same, few) == 0) continue;
    memset(bytes + i * size, 0, (size_t)size);
    if (roll_below(&same, 8) == 0) bytes[(i + 1) * size - 1] = 0x80; /* the sign of a zero, or a number */
  }
}

static void settle_bools(unsigned char *bytes, int64_t length, spw_dtype dtype)
{
  for (int64_t i = 0; dtype == SPW_BOOL && i < length; i++) bytes[i] = bytes[i] != 0;
}

/* Values of any type, with up to two dense dimensions, that lie in any order of their dimensions behind some others. */
static void *give_values(rows_tensor *r, dice *d)
{
  spw_array *const a = &r->tensor.values.array;
  int64_t order[ROWS_DIMS], length = 1;
  a->dtype = (spw_dtype)(1 + roll_below(d, SPW_DTYPE_COUNT - 1));
  for (int64_t more = roll_below(d, 4) ? 0 : 1 + roll_below(d, 2); more > 0; more--)
    r->size[r->tensor.ndim++] = r->shape[2][a->ndim++] = roll_below(d, 5);
  for (int64_t i = 0; i < a->ndim; i++) order[i] = i;
  for (int64_t i = a->ndim - 1; i > 0 && roll_below(d, 3) == 0; i--) {
    const int64_t other = roll_below(d, i + 1), mine = order[i];
    order[i] = order[other], order[other] = mine;
  }
  for (int64_t i = a->ndim - 1; i >= 0; i--) {
    r->strides[2][order[i]] = length;
    length *= r->shape[2][order[i]] + (r->shape[2][order[i]] > 0 && roll_below(d, 6) == 0);
  }
  a->offset = roll_below(d, 3) ? 0 : roll_below(d, 9);
  a->length = a->offset + (length > 0 ? length : 0);
  unsigned char *const bytes = random_bytes(d, (size_t)(a->length * spw_dtype_size(a->dtype)));
  if (a->dtype == SPW_BOOL)
    for (int64_t i = 0; i < a->length; i++) bytes[i] &= 1;
  if (roll_below(d, 2)) put_zeros(bytes, a->offset, a->length, spw_dtype_size(a->dtype), 1 + roll_below(d, 50), d);
  settle_bools(bytes, a->length, a->dtype);
  r->tensor.values.data = bytes;
  return bytes;
}

static void exchange_strides(spw_index_array *x, int64_t *strides, void **memory)
{
  const int64_t rows = x->array.shape[0], nse = x->array.shape[1];
  const size_t size = x->array.dtype == SPW_INT32 ? 4 : 8;
  char *const turned = malloc((size_t)(rows * nse) * size + 1);
  const char *const from = x->array.dtype == SPW_INT32 ? (const char *)x->i32 : (const char *)x->i64;
  if (!turned) abort();
  for (int64_t i = 0; i < rows; i++)
    for (int64_t k = 0; k < nse; k++)
      memcpy(turned + (size_t)(k * rows + i) * size, from + (size_t)(i * nse + k) * size, size);
  strides[0] = 1, strides[1] = rows;
  x->array.strides = strides;
  if (size == 4) x->i32 = (const int32_t *)(const void *)turned;
  else x->i64 = (const int64_t *)(const void *)turned;
  *memory = turned;
}

/* Elements of COO in any order, some of them several times, with no claim to be in order. */
static void disorder(const spw_buffers *b, spw_tensor *t, dice *d)
{
  const int64_t rows = t->plain.array.shape[0], nse = t->plain.array.shape[1];
  const int64_t few = roll_below(d, 3) ? 1 + roll_below(d, nse) : nse;
  t->coalesced = roll_below(d, 2) ? SPW_CLAIM_NO : SPW_CLAIM_NONE;
  for (int64_t k = 0; few < nse && k < nse; k++) {
    const int64_t other = roll_below(d, few);
    for (int64_t i = 0; i < rows; i++) {
      if (b->plain_i32) b->plain_i32[i * nse + k] = b->plain_i32[i * nse + other];
      else b->plain_i64[i * nse + k] = b->plain_i64[i * nse + other];
    }
  }
  for (int64_t k = 0; few >= nse && k + 1 < nse; k++) { /* every one once */
    const int64_t other = k + roll_below(d, nse - k);
    for (int64_t i = 0; i < rows; i++) {
      const int64_t mine = i * nse + k, its = i * nse + other;
      if (b->plain_i32) {
        const int32_t was = b->plain_i32[mine];
        b->plain_i32[mine] = b->plain_i32[its], b->plain_i32[its] = was;
      } else {
        const int64_t was = b->plain_i64[mine];
        b->plain_i64[mine] = b->plain_i64[its], b->plain_i64[its] = was;
      }
    }
  }
}

/* Of a size that mostly divides that of a dimension, where there is one. */
static int64_t block_of(const int64_t *sizes, int64_t dims, int64_t dim, dice *d)
{
  const int64_t size = dim >= 0 && dim < dims ? sizes[dim] : 1;
  int64_t block = 1 + roll_below(d, 4);
  while (size % block != 0 && roll_below(d, 60)) block = 1 + roll_below(d, size < 12 ? size : 12);
  return block;
}

static int64_t get_plain(const spw_buffers *b, int64_t at)
{
  return b->plain_i32 ? b->plain_i32[at] : b->plain_i64[at];
}

static void put_plain(const spw_buffers *b, int64_t at, int64_t value)
{
  if (b->plain_i32) b->plain_i32[at] = (int32_t)value;
  else b->plain_i64[at] = value;
}

/* Lines of a compressed tensor in any order, some of their elements several times; in all batches the same or not. */
static void disorder_lines(const spw_buffers *b, const spw_tensor *t, dice *d)
{
  spw_numbers n;
  if (spw_numbers_of(t, &n) != SPW_OK || n.plain_size == 0) return;
  const int64_t index = b->plain_i32 ? 4 : 8, offsets = n.compressed_size + 1;
  const int64_t few = 1 + roll_below(d, roll_below(d, 2) && n.plain_size > 6 ? 6 : n.plain_size);
  const bool swaps = roll_below(d, 3) == 0;
  char *const c = b->compressed_i32 ? (char *)b->compressed_i32 : (char *)b->compressed_i64;
  char *const p = b->plain_i32 ? (char *)b->plain_i32 : (char *)b->plain_i64;
  for (int64_t k = 0; !swaps && k < n.batches * n.nse; k++) put_plain(b, k, roll_below(d, few));
  for (int64_t k = 0; swaps && k + 1 < n.batches * n.nse; k += 1 + roll_below(d, 3)) {
    const int64_t own = get_plain(b, k);
    put_plain(b, k, get_plain(b, k + 1)), put_plain(b, k + 1, own);
  }
  for (int64_t i = 1; roll_below(d, 40) && i < n.batches; i++) {
    memcpy(c + i * offsets * index, c, (size_t)(offsets * index));
    memcpy(p + i * n.nse * index, p, (size_t)(n.nse * index));
  }
}

/* Is this pair of layouts by a thirty-second ahead of the rarest, which is what counts? */
static bool is_ahead(const converted_tally *count, spw_layout from, spw_layout to)
{
  const uint64_t done = count->done[from][to];
  for (int i = 0; i < CONVERTED_LAYOUTS; i++)
    for (int k = 0; k < CONVERTED_LAYOUTS; k++)
      if ((i != SPW_DENSE || k != SPW_DENSE) && count->done[i][k] + 8 + count->done[i][k] / 32 < done) return true;
  return false;
}

/* One conversion; mostly none where there are enough of its pair. */
static bool draw_conversion(const spw_tensor *t, const spw_conversion *wanted, dice *d, converted_tally *count)
{
  return (is_ahead(count, t->layout, wanted->layout) && roll_below(d, 8)) || converted_alike(t, wanted, d, 1, count);
}

/* Mostly the tensor's own. */
static spw_dtype index_type(dice *d)
{
  return roll_below(d, 4) ? SPW_DTYPE_NONE : roll_below(d, 2) ? SPW_INT32 : SPW_INT64;
}

/* To every layout; then what the CPU makes of a tensor in one of them, and that to all again, now and then with an index
 * changed, or turned, or in disorder, which mostly is to be mended then. */
static bool to_every_layout(const spw_tensor *t, int mends, dice *d, converted_tally *count)
{
  for (int i = 0; i < 6; i++) {
    static const spw_layout layouts[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_DENSE, SPW_BSR, SPW_BSC};
    spw_conversion wanted = {.layout = layouts[i], .batch_dims = -1, .dense_dims = -1,
                             .duplicates = roll_below(d, 2) ? SPW_COMBINE_SUM : (spw_combine)roll_below(d, 4),
                             .bits = roll_below(d, 8) == 0, .canonicalize = roll_below(d, 8) < mends,
                             .prune = roll_below(d, 3) == 0, .index_dtype = index_type(d)};
    spw_numbers n;
    if (i > 3 && t->has_size && spw_numbers_of(t, &n) == SPW_OK && roll_below(d, 4)) {
      const int64_t sparse = n.batch_dims + n.sparse_dims;
      wanted.block_rows = block_of(t->size, t->ndim, sparse - 2, d);
      wanted.block_columns = block_of(t->size, t->ndim, sparse - 1, d);
    }
    if (roll_below(d, 8) < (i > 3 ? 5 : 4) && !draw_conversion(t, &wanted, d, count)) return false;
  }
  return true;
}

/* Of one batch; 1 where there is none. */
static int64_t values_of_batch(const spw_tensor *t)
{
  spw_numbers n;
  if (spw_numbers_of(t, &n) != SPW_OK || n.batches < 1 || t->layout == SPW_COO) return 1 + t->values.array.length;
  return t->values.array.length / n.batches > 0 ? t->values.array.length / n.batches : 1;
}

static bool there_and_back(const spw_tensor *t, dice *d, converted_tally *count)
{
  static const spw_layout layouts[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_BSR, SPW_BSC};
  const spw_layout there = layouts[roll_below(d, 16) ? 1 + roll_below(d, 4) : 0]; /* COO has of_disorder */
  spw_conversion wanted = {.layout = there, .batch_dims = -1, .dense_dims = -1};
  spw_room room;
  arrays reference;
  spw_tensor other;
  spw_numbers n;
  int64_t strides[2];
  void *turned = NULL;
  if (!to_every_layout(t, 1, d, count)) return false;
  if (there > SPW_CSC && t->has_size && spw_numbers_of(t, &n) == SPW_OK) {
    const int64_t sparse = n.batch_dims + n.sparse_dims;
    wanted.block_rows = block_of(t->size, t->ndim, sparse - 2, d);
    wanted.block_columns = block_of(t->size, t->ndim, sparse - 1, d);
  }
  if (spw_convert_size(t, &wanted, &room, NULL) != SPW_OK || room.compressed > converted_most_offsets ||
      room.values > converted_most_values)
    return true;
  allocate(&reference, &room);
  if (spw_convert(t, &wanted, &reference.buffers, &other, NULL) != SPW_OK) { /* batches of different length */
    release(&reference);
    return true;
  }
  if (roll_below(d, 10) == 0 && room.plain > 0) {
    const int64_t at = roll_below(d, other.plain.array.length), value = roll_extreme(d);
    if (room.index_dtype == SPW_INT32) reference.buffers.plain_i32[at] = (int32_t)value;
    else reference.buffers.plain_i64[at] = value;
  }
  if (there == SPW_COO && room.nse > 0 && roll_below(d, 2)) disorder(&reference.buffers, &other, d);
  if (there == SPW_COO && roll_below(d, 2)) exchange_strides(&other.plain, strides, &turned);
  if (room.nse > 0 && roll_below(d, 2)) {
    const spw_array *const v = &other.values.array;
    const int64_t period = roll_below(d, 3) ? values_of_batch(&other) : 1 + roll_below(d, 50);
    put_zeros(reference.memory[3], 0, v->length, spw_dtype_size(v->dtype), period, d);
    settle_bools(reference.memory[3], v->length, v->dtype);
  }
  const bool disorders = there != SPW_COO && roll_below(d, 2);
  if (disorders) disorder_lines(&reference.buffers, &other, d);
  const bool same = to_every_layout(&other, disorders ? 7 : 1, d, count);
  free(turned);
  release(&reference);
  return same;
}

/* Most tensors are to be valid: no stage begins for one that is not. */
static bool is_taken(const spw_tensor *t, dice *d)
{
  spw_violation first;
  if (!t->has_size) return false;
  return roll_below(d, 12) == 0 || (spw_first_violation(t, SPW_CANONICAL, &first) == SPW_OK && first.rule == SPW_RULE_NONE);
}

/* One of the small ones, which may have several batch dimensions. */
static bool of_specimen(dice *d, converted_tally *count)
{
  static specimen s;
  do {
    const plan p = plan_random(d);
    specimen_make(&s, &p, d);
  } while (!is_taken(&s.tensor, d));
  spw_value_array *const v = &s.tensor.values;
  const int64_t scalar = spw_dtype_size(v->array.dtype);
  void *const values = random_bytes(d, (size_t)(v->array.length * scalar));
  if (roll_below(d, 2)) put_zeros(values, v->array.offset, v->array.length, scalar, 1 + roll_below(d, 50), d);
  v->data = values;
  const bool same = there_and_back(&s.tensor, d, count);
  free(values);
  return same;
}

/* ---- Dense arrays ---------------------------------------------------------------------------- */

enum { DENSE_DIMS = 5, MOST_CELLS = 1 << 12 };

/* An array of any strides, in which the same cells of each batch, or of none in particular, are zero: plain, or with a sign. */
static void *dense_values(spw_tensor *t, int64_t *shape, int64_t *strides, dice *d)
{
  spw_array *const a = &t->values.array;
  int64_t order[DENSE_DIMS], length = 1, most = MOST_CELLS;
  const bool large = roll_below(d, 24) == 0;
  a->ndim = roll_below(d, 8) ? 1 + roll_below(d, DENSE_DIMS) : 0;
  a->dtype = (spw_dtype)(1 + roll_below(d, SPW_DTYPE_COUNT - 1));
  for (int64_t i = 0; i < a->ndim; i++) {
    const int64_t sides = large ? 1 + most : 1 + (most < 9 ? most : 9);
    shape[i] = roll_below(d, 30) ? 1 + roll_below(d, sides - 1 > 0 ? sides - 1 : 1) : 0;
    most /= shape[i] ? shape[i] : 1;
    order[i] = i;
  }
  for (int64_t i = a->ndim - 1; i > 0 && roll_below(d, 3) == 0; i--) {
    const int64_t other = roll_below(d, i + 1), mine = order[i];
    order[i] = order[other], order[other] = mine;
  }
  for (int64_t i = a->ndim - 1; i >= 0; i--) {
    strides[order[i]] = roll_below(d, 12) ? length : 0;
    if (strides[order[i]] == 0) continue;
    length *= shape[order[i]] + (shape[order[i]] > 0 && roll_below(d, 6) == 0);
  }
  a->shape = shape, a->strides = strides;
  a->offset = roll_below(d, 3) ? 0 : roll_below(d, 9);
  a->length = a->offset + (length > 0 ? length : 0);
  const int64_t size = spw_dtype_size(a->dtype), period = 1 + roll_below(d, roll_below(d, 2) ? 1 + a->length : 20);
  unsigned char *const bytes = random_bytes(d, (size_t)(a->length * size));
  put_zeros(bytes, a->offset, a->length, size, period, d);
  settle_bools(bytes, a->length, a->dtype);
  return bytes;
}

static bool of_dense(dice *d, converted_tally *count)
{
  static const spw_layout layouts[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_BSR, SPW_BSC};
  int64_t shape[DENSE_DIMS], strides[DENSE_DIMS];
  spw_tensor t = {.layout = SPW_DENSE, .index_dtype = SPW_DTYPE_NONE, .coalesced = SPW_CLAIM_NONE};
  void *const values = dense_values(&t, shape, strides, d);
  t.values.data = values;
  t.has_size = roll_below(d, 2);
  t.ndim = t.values.array.ndim, t.size = shape;
  bool same = true;
  for (int i = 0; i < 5 && same; i++) {
    spw_conversion wanted = {.layout = layouts[i],
                             .batch_dims = roll_below(d, 8) ? -1 : roll_below(d, 3),
                             .dense_dims = roll_below(d, 3) ? -1 : roll_below(d, 3),
                             .index_dtype = roll_below(d, 2) ? SPW_INT32 : roll_below(d, 2) ? SPW_INT64 : SPW_DTYPE_NONE,
                             .prune = roll_below(d, 8) == 0,
                             .bits = roll_below(d, 3) == 0};
    const int64_t sparse = t.ndim - (wanted.dense_dims < 0 ? 0 : wanted.dense_dims);
    if (i > 2) wanted.block_rows = block_of(shape, t.ndim, sparse - 2, d);
    if (i > 2) wanted.block_columns = block_of(shape, t.ndim, sparse - 1, d);
    same = (i == 0 && roll_below(d, 2)) || draw_conversion(&t, &wanted, d, count);
  }
  free(values);
  return same;
}

/* ---- Elements in disorder ---------------------------------------------------------------------- */

/* COO with coordinates in any order, mostly some of them several times, and the rare one that is claimed to be in order. */
static bool of_disorder(dice *d, converted_tally *count)
{
  static const spw_layout layouts[] = {SPW_COO, SPW_CSR, SPW_CSC, SPW_DENSE, SPW_BSR, SPW_BSC};
  const int64_t dims = roll_below(d, 4) ? 2 : 1 + roll_below(d, 3), nse = roll_below(d, 40), few = 1 + roll_below(d, 300);
  const bool wide = roll_below(d, 2);
  int64_t size[4], strides[2] = {nse, 1};
  const int64_t shape[2] = {dims, nse}, dense = 1 + roll_below(d, 3), inner[2] = {nse, dense}, steps[2] = {dense, 1};
  const int with = dense > 1;
  const spw_dtype dtype = (spw_dtype)(1 + roll_below(d, SPW_DTYPE_COUNT - 1));
  int32_t *const narrow = random_bytes(d, (size_t)(dims * nse) * sizeof *narrow);
  int64_t *const longs = random_bytes(d, (size_t)(dims * nse) * sizeof *longs);
  unsigned char *const values = random_bytes(d, (size_t)(nse * dense * spw_dtype_size(dtype)));
  for (int64_t i = 0; i < dims; i++) {
    size[i] = 1 + roll_below(d, few < 20 ? few : 20);
    for (int64_t k = 0; k < nse; k++)
      longs[i * nse + k] = narrow[i * nse + k] = (int32_t)(roll_below(d, 3000) ? roll_below(d, size[i]) : size[i]);
  }
  size[dims] = dense;
  if (roll_below(d, 2)) put_zeros(values, 0, nse * dense, spw_dtype_size(dtype), 1 + roll_below(d, 50), d);
  for (int64_t k = 0; dtype == SPW_BOOL && k < nse * dense; k++) values[k] &= 1;
  spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = dims + with, .size = size, .coalesced = SPW_CLAIM_NO};
  if (roll_below(d, 12) == 0) t.coalesced = SPW_CLAIM_YES;
  t.plain = (spw_index_array){{wide ? SPW_INT64 : SPW_INT32, 2, shape, strides, 0, dims * nse}, wide ? NULL : narrow,
                              wide ? longs : NULL, NULL};
  t.values = (spw_value_array){{dtype, 1 + with, inner, steps, 0, nse * dense}, values};
  bool same = true;
  for (int i = 0; i < 6 && same; i++) {
    const spw_combine duplicates = roll_below(d, 3) ? SPW_COMBINE_SUM : (spw_combine)roll_below(d, 4);
    spw_conversion wanted = {.layout = layouts[i], .batch_dims = -1, .dense_dims = -1, .duplicates = duplicates,
                             .prune = roll_below(d, 3) == 0, .index_dtype = index_type(d)};
    if (i > 3) wanted.block_rows = block_of(size, dims, dims - 2, d), wanted.block_columns = block_of(size, dims, dims - 1, d);
    same = draw_conversion(&t, &wanted, d, count);
  }
  free(narrow), free(longs), free(values);
  return same;
}

/* So often each kind that the rarest pair of layouts is as often as two of three on average. */
bool converted_one(dice *d, converted_tally *count)
{
  if (roll_below(d, 10) == 0) return of_disorder(d, count);
  if (roll_below(d, 7) < 2) return of_dense(d, count);
  if (roll_below(d, 3) == 0) return of_specimen(d, count);
  rows_tensor r;
  for (int tries = 0;; tries++) { /* mostly a tensor that has kernels */
    rows_make(&r, d, roll_below(d, 40) ? ROWS_USUAL : ROWS_LONG);
    if ((tries > 30 && r.tensor.has_size) || (r.tensor.layout != SPW_COO && is_taken(&r.tensor, d))) break;
    rows_free(&r);
  }
  void *const values = give_values(&r, d);
  const bool same = there_and_back(&r.tensor, d, count);
  free(values);
  rows_free(&r);
  return same;
}
