/* SPDX-License-Identifier: Apache-2.0 */
/* spw_convert_certified gives what spw_convert gives, and nothing that is wrong: the linker puts what is here in the place of
 * the conversion (-Wl,--wrap), so that every part of a result can be made wrong. */
#include "../support/memory.h"
#include "../operands/operand.h"
#include "../../src/structure/certified/assumed.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* ---- A conversion that goes wrong -------------------------------------------------------------- */

typedef enum wrong {
  NOTHING, VALUE, INDEX, OFFSET, LAYOUT, CLAIM, SIZE, TYPE, NO_SIZE, FEWER, LONGER, VALUES_ELSEWHERE, PLAIN_ELSEWHERE,
  COMPRESSED_ELSEWHERE, SHAPE_ELSEWHERE, STRIDES, AT, SWAPPED, FAULTS
} wrong;
static const char *const names[FAULTS] = {
    "nothing", "value", "index", "offset", "layout", "claim", "size", "type", "no size", "fewer", "longer", "values elsewhere",
    "plain elsewhere", "compressed elsewhere", "shape elsewhere", "strides", "offset of an array", "swapped values"};
static wrong fault;
static bool planted;
static uint64_t elsewhere[4096];

spw_status __real_spw_attempt_conversion(const spw_tensor *, const spw_conversion *, const spw_buffers *, int, spw_tensor *,
                                         spw_refusal *);
spw_status __wrap_spw_attempt_conversion(const spw_tensor *, const spw_conversion *, const spw_buffers *, int, spw_tensor *,
                                         spw_refusal *);

static int64_t count_of(const spw_array *a)
{
  int64_t n = 1;
  for (int64_t d = 0; d < a->ndim; d++) n *= a->shape[d];
  return n;
}

/* Adds one to an index; a negative number counts from the last one on. */
static bool add_one(const spw_index_array *i, int64_t number)
{
  const int64_t count = count_of(&i->array), at = number < 0 ? count + number : number;
  if (at < 0 || at >= count) return false;
  if (i->array.dtype == SPW_INT64) ((int64_t *)(uintptr_t)i->i64)[at]++;
  else ((int32_t *)(uintptr_t)i->i32)[at]++;
  return true;
}

static bool is_lines(const spw_tensor *t)
{
  return t->layout >= SPW_CSR && t->layout <= SPW_BSC;
}

static bool plant_values(spw_tensor *r)
{
  const int64_t n = count_of(&r->values.array), bytes = spw_dtype_size(r->values.array.dtype);
  char *const data = (char *)(uintptr_t)r->values.data;
  if (fault == VALUE && n > 0) data[(n - 1) * bytes] ^= 1;
  if (fault == SWAPPED && n > 1 && memcmp(data, data + (n - 1) * bytes, (size_t)bytes) != 0) {
    char one[16];
    memcpy(one, data, (size_t)bytes);
    memcpy(data, data + (n - 1) * bytes, (size_t)bytes);
    memcpy(data + (n - 1) * bytes, one, (size_t)bytes);
    return true;
  }
  return fault == VALUE && n > 0;
}

static bool plant_elsewhere(spw_tensor *r)
{
  const bool values = fault == VALUES_ELSEWHERE && r->values.array.length > 0;
  const bool plain = fault == PLAIN_ELSEWHERE && r->layout != SPW_DENSE && r->plain.array.length > 0;
  const bool compressed = fault == COMPRESSED_ELSEWHERE && is_lines(r) && r->compressed.array.length > 0;
  if (values) r->values.data = elsewhere;
  if (plain) r->plain.i32 = (int32_t *)elsewhere, r->plain.i64 = (int64_t *)elsewhere;
  if (compressed) r->compressed.i32 = (int32_t *)elsewhere, r->compressed.i64 = (int64_t *)elsewhere;
  if (fault != SHAPE_ELSEWHERE || r->values.array.ndim == 0) return values || plain || compressed;
  memcpy(elsewhere, r->values.array.shape, (size_t)r->values.array.ndim * 8);
  r->values.array.shape = (int64_t *)elsewhere;
  return true;
}

/* Whether the result has been made wrong: not all have what a fault changes. */
static bool plant(spw_tensor *r, const spw_buffers *b)
{
  static int64_t none[64];
  const bool sparse = r->layout != SPW_DENSE;
  switch (fault) {
  case VALUE: case SWAPPED: return plant_values(r);
  case INDEX: return sparse && add_one(&r->plain, -1);
  case OFFSET: return is_lines(r) && add_one(&r->compressed, 1);
  case LAYOUT: r->layout = r->layout == SPW_CSR ? SPW_CSC : r->layout == SPW_BSR ? SPW_BSC : SPW_CSR; return sparse;
  case CLAIM: r->coalesced = SPW_CLAIM_NONE; return r->layout == SPW_COO;
  case SIZE: return sparse && r->ndim > 0 && ++b->dims[r->size - b->dims] > 0;
  case TYPE: r->values.array.dtype = r->values.array.dtype == SPW_FLOAT32 ? SPW_INT32 : SPW_FLOAT32; return true;
  case NO_SIZE: r->has_size = false; return sparse;
  case FEWER: return sparse && r->values.array.shape[0] > 0 && --b->dims[r->values.array.shape - b->dims] >= 0;
  case LONGER: r->values.array.length = b->room.values + 1; return true;
  case STRIDES: r->values.array.strides = none; return r->values.array.ndim > 0;
  case AT: r->values.array.offset = r->values.array.length; return count_of(&r->values.array) > 0;
  default: return plant_elsewhere(r);
  }
}

static bool has_positions(const spw_tensor *r)
{
  bool some = true;
  for (int64_t d = 0; r->layout != SPW_DENSE && d < r->ndim; d++) some = some && r->size[d] > 0;
  return some;
}

spw_status __wrap_spw_attempt_conversion(const spw_tensor *t, const spw_conversion *w, const spw_buffers *b, int judged,
                                         spw_tensor *r, spw_refusal *why)
{
  const spw_status status = __real_spw_attempt_conversion(t, w, b, judged, r, why);
  /* Of a sum that is NaN, any NaN is right. */
  const bool may_be_nan = t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES && t->values.array.dtype >= SPW_FLOAT16;
  const bool about_elements = fault == INDEX || fault == OFFSET || fault == FEWER;
  const bool made = status == SPW_OK;
  if (may_be_nan && (fault == VALUE || fault == SWAPPED)) planted = false;
  else if (about_elements && made && !has_positions(r)) planted = false; /* elements do not matter */
  else planted = made && fault != NOTHING && plant(r, b);
  return status;
}

/* ---- Random operands --------------------------------------------------------------------------- */

static int64_t certified, not_same, left_out[FAULTS], found[FAULTS];

typedef struct lent {
  spw_buffers b;
  void *memory[7];
} lent;

static lent lend(const spw_room *room)
{
  const bool wide = room->index_dtype == SPW_INT64;
  const int64_t sizes[] = {room->dims * 8, wide ? 0 : room->compressed * 4, wide ? 0 : room->plain * 4,
                           wide ? room->compressed * 8 : 0, wide ? room->plain * 8 : 0,
                           room->values * spw_dtype_size(room->dtype), (int64_t)room->work};
  lent l = {.b = {.room = *room}};
  for (int i = 0; i < 7; i++) l.memory[i] = calloc((size_t)sizes[i] + 1, 1);
  l.b.dims = l.memory[0];
  if (!wide) l.b.compressed_i32 = l.memory[1], l.b.plain_i32 = l.memory[2];
  if (wide) l.b.compressed_i64 = l.memory[3], l.b.plain_i64 = l.memory[4];
  l.b.values = l.memory[5];
  l.b.work = l.memory[6];
  return l;
}

static void give_back(lent *l)
{
  for (int i = 0; i < 7; i++) free(l->memory[i]);
}

static bool is_untouched(const spw_tensor *t)
{
  spw_tensor none;
  memset(&none, 0x5a, sizeof none);
  return memcmp(&none, t, sizeof none) == 0;
}

/* The bytes of the arrays of a result are those of another. */
static void expect_alike(const spw_tensor *t, const spw_conversion *w, const lent *l, uint64_t seed)
{
  const spw_room *const room = &l->b.room;
  lent other = lend(room);
  spw_tensor r;
  cr_assert(spw_convert(t, w, &other.b, &r, NULL) == SPW_OK, "seed %llu", (unsigned long long)seed);
  const int64_t scalar = spw_dtype_size(r.values.array.dtype), index = r.plain.array.dtype == SPW_INT64 ? 8 : 4;
  const size_t bytes = (size_t)(r.values.array.length * scalar);
  cr_assert(memcmp(l->b.values, other.b.values, bytes) == 0, "seed %llu", (unsigned long long)seed);
  if (r.layout != SPW_DENSE) {
    const void *const ours = index == 8 ? (void *)l->b.plain_i64 : l->b.plain_i32;
    const void *const theirs = index == 8 ? (void *)other.b.plain_i64 : other.b.plain_i32;
    cr_assert(memcmp(ours, theirs, (size_t)(r.plain.array.length * index)) == 0, "seed %llu", (unsigned long long)seed);
  }
  give_back(&other);
}

/* With a fault planted: never SPW_OK, and the result untouched. Without: as spw_convert, unless it is left to others. */
static void certify_once(const spw_tensor *t, const spw_conversion *w, wrong which, uint64_t seed)
{
  spw_room room;
  spw_tensor r;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  const spw_status asked = spw_convert_certified_size(t, w, &room, &why);
  spw_room plain;
  const spw_status expected = spw_convert_size(t, w, &plain, NULL);
  cr_assert(asked == expected || asked == SPW_EUNSUPPORTED || asked == SPW_ERANGE, "seed %llu", (unsigned long long)seed);
  if (asked != SPW_OK) return;
  lent l = lend(&room);
  memset(&r, 0x5a, sizeof r);
  fault = which;
  const spw_status status = spw_convert_certified(t, w, &l.b, &r, &why);
  fault = NOTHING;
  if (status != SPW_OK) cr_assert(is_untouched(&r), "seed %llu", (unsigned long long)seed);
  if (which != NOTHING) {
    if (planted) found[which]++;
    cr_assert(!planted || status != SPW_OK, "seed %llu: %s is not seen: %s", (unsigned long long)seed, names[which],
              conversion_text(w));
  } else if (status == SPW_OK) {
    bool same = false;
    certified++;
    expect_alike(t, w, &l, seed);
    if (spw_certify(t, &r, SPW_ZEROS_ANY, &same, NULL) == SPW_OK) cr_assert(same, "seed %llu", (unsigned long long)seed);
  } else if (status == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_NONE) {
    not_same++;
    cr_assert(w->prune || (t->layout == SPW_DENSE && !w->bits), "seed %llu: %s", (unsigned long long)seed, conversion_text(w));
  } else {
    left_out[0] += status == SPW_EUNSUPPORTED;
  }
  give_back(&l);
}

Test(certified, random)
{
  static operand o;
  for (uint64_t seed = 0; seed < 20000; seed++) {
    dice d = {seed};
    operand_random(&o, true, &d);
    const spw_conversion w = conversion_random(&o.tensor, &d);
    certify_once(&o.tensor, &w, NOTHING, seed);
    certify_once(&o.tensor, &w, (wrong)(1 + roll_below(&d, FAULTS - 1)), seed);
    operand_free(&o);
  }
  cr_assert(certified > 4000 && not_same > 20, "%lld, %lld", (long long)certified, (long long)not_same);
  for (int i = 1; i < FAULTS; i++) cr_assert(found[i] > 10, "%s: %lld", names[i], (long long)found[i]);
  expect_no_leaks();
}

/* ---- By hand ------------------------------------------------------------------------------------ */

Test(certified, by_hand)
{
  const int64_t size[] = {2, 3}, list[] = {2, 3}, strides[] = {3, 1}, nse[] = {3}, one[] = {1}, grid[] = {3, 1};
  const int64_t places[] = {1, 0, 1, 2, 0, 2};
  const double values[] = {1, 4, 2}, dense[] = {0, -0.0, 1, 0, 2, 0};
  spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                  .plain = {.array = {SPW_INT64, 2, list, strides, 0, 6}, .i64 = places},
                  .values = {{SPW_FLOAT64, 1, nse, one, 0, 3}, values}};
  spw_conversion w = {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1};
  spw_owned *owned = NULL;
  cr_assert(spw_convert_certified_new(&t, &w, 0, &owned, NULL) == SPW_OK);
  const spw_tensor *const r = spw_owned_tensor(owned);
  cr_assert(r->layout == SPW_CSR && r->values.array.shape[0] == 2 && ((const double *)r->values.data)[1] == 3);
  spw_owned_free(owned);
  w.duplicates = SPW_COMBINE_REFUSE;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  cr_assert(spw_convert_certified_new(&t, &w, 0, &owned, &why) == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_DUPLICATE);
  w.duplicates = SPW_COMBINE_SUM;
  cr_assert(spw_convert_certified_new(&t, &w, 16, &owned, NULL) == SPW_ENOMEM);
  cr_assert(spw_convert_certified_new(&t, &w, 0, NULL, NULL) == SPW_EINVAL);
  t.has_size = false;
  cr_assert(spw_convert_certified_new(&t, &w, 0, &owned, NULL) == SPW_EUNSUPPORTED);
  spw_tensor array = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, size, grid, 0, 6}, dense}};
  cr_assert(spw_convert_certified_new(&array, &w, 0, &owned, &why) == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_NONE);
  w.bits = true;
  cr_assert(spw_convert_certified_new(&array, &w, 0, &owned, NULL) == SPW_OK);
  spw_owned_free(owned);
  spw_room room;
  spw_tensor result;
  const spw_buffers none = {0};
  cr_assert(spw_convert_certified_size(NULL, &w, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_certified_size(&array, NULL, &room, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_certified_size(&array, &w, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_certified(NULL, &w, &none, &result, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_certified(&array, NULL, &none, &result, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_certified(&array, &w, NULL, &result, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_certified(&array, &w, &none, NULL, NULL) == SPW_EINVAL);
  cr_assert(spw_convert_certified(&array, &w, &none, &array, NULL) == SPW_EINVAL);
  expect_no_leaks();
}

/* The workspace of the certificate may not lie on the operand, nor be shorter than it takes. */
Test(certified, workspace)
{
  const int64_t size[] = {2, 3}, list[] = {2, 3}, strides[] = {3, 1}, nse[] = {3}, one[] = {1};
  const int64_t places[] = {1, 0, 1, 2, 0, 2};
  static uint64_t work[4096];
  const spw_tensor t = {.layout = SPW_COO, .has_size = true, .ndim = 2, .size = size, .coalesced = SPW_CLAIM_NONE,
                        .plain = {.array = {SPW_INT64, 2, list, strides, 0, 6}, .i64 = places},
                        .values = {{SPW_FLOAT64, 1, nse, one, 0, 3}, work + 2048}};
  const spw_conversion w = {.layout = SPW_CSR, .batch_dims = -1, .dense_dims = -1};
  spw_room room, plain;
  spw_tensor r;
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  cr_assert(spw_convert_certified_size(&t, &w, &room, NULL) == SPW_OK && spw_convert_size(&t, &w, &plain, NULL) == SPW_OK);
  cr_assert(room.work > plain.work);
  lent l = lend(&room);
  memset(&r, 0x5a, sizeof r);
  l.b.room.work = room.work - 1;
  cr_assert(spw_convert_certified(&t, &w, &l.b, &r, &why) == SPW_EINVAL && is_untouched(&r));
  l.b.room.work = room.work;
  cr_assert(plain.work <= 2048 * sizeof *work);
  l.b.work = (char *)(work + 2048) - (plain.work + 7) / 8 * 8;
  cr_assert(spw_convert_certified(&t, &w, &l.b, &r, &why) == SPW_ERANGE && why.obstacle == SPW_OBSTACLE_OVERLAP);
  cr_assert(is_untouched(&r));
  l.b.work = l.memory[6];
  cr_assert(spw_convert_certified(&t, &w, &l.b, &r, &why) == SPW_OK);
  give_back(&l);
  expect_no_leaks();
}
