/* SPDX-License-Identifier: Apache-2.0 */
/* Buffers of conversions and structure operations that lie on what is read, or on each other: each is put there in turn, and
 * the call has to be refused by the number of whoever lies there first, with nothing written. */
#include "../attempts/fenced.h"
#include "../support/memory.h"
#include "../operands/operand.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

enum { OPERANDS = 3, REGIONS = 48, ENTRIES = SPECIMEN_NDIM };

/* A call with what it is asked for, and where it writes. */
typedef struct call {
  const char *name;
  const spw_tensor *operands[OPERANDS];
  int64_t count;
  const void *request; /* a spw_conversion, a spw_structure, or an order */
  int64_t request_bytes;
  const void *list; /* numbers that the request names */
  int64_t list_bytes;
  bool judged;
  spw_status (*size)(const struct call *c, spw_room *room);
  spw_status (*fill)(const struct call *c, const spw_buffers *b, spw_tensor *result, spw_refusal *why);
} call;

static spw_status convert_size(const call *c, spw_room *room)
{
  return spw_convert_size(c->operands[0], c->request, room, NULL);
}

static spw_status convert_fill(const call *c, const spw_buffers *b, spw_tensor *result, spw_refusal *why)
{
  return (c->judged ? spw_convert : spw_convert_unchecked)(c->operands[0], c->request, b, result, why);
}

static spw_status restructure_size(const call *c, spw_room *room)
{
  return spw_restructure_size(c->operands, c->count, c->request, room, NULL);
}

static spw_status restructure_fill(const call *c, const spw_buffers *b, spw_tensor *result, spw_refusal *why)
{
  return (c->judged ? spw_restructure : spw_restructure_unchecked)(c->operands, c->count, c->request, b, result, why);
}

static spw_status permute_size(const call *c, spw_room *room)
{
  return spw_permute_size(c->operands[0], c->request, room, NULL);
}

static spw_status permute_fill(const call *c, const spw_buffers *b, spw_tensor *result, spw_refusal *why)
{
  return spw_permute(c->operands[0], c->request, b, result, why);
}

/* ---- What is read, and what is written --------------------------------------------------------- */

typedef struct region {
  uintptr_t first;
  size_t bytes;
  int owner;
} region;

typedef struct regions {
  region all[REGIONS];
  int count;
} regions;

static void take(regions *r, const void *first, int64_t bytes, int owner)
{
  if (first && bytes > 0) r->all[r->count++] = (region){(uintptr_t)first, (size_t)bytes, owner};
  cr_assert(r->count < REGIONS);
}

static void take_array(regions *r, const spw_array *a, const void *data, int64_t size, int owner)
{
  int64_t reach = 0;
  take(r, a->shape, a->ndim * 8, owner);
  take(r, a->strides, a->ndim * 8, owner);
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0) return; /* strides say nothing then */
  for (int64_t d = 0; d < a->ndim; d++) reach += (a->shape[d] - 1) * a->strides[d];
  if (data) take(r, (const char *)data + a->offset * size, (reach + 1) * size, owner);
}

static void take_tensor(regions *r, const spw_tensor *t, int owner)
{
  take(r, t, sizeof *t, owner);
  if (t->has_size) take(r, t->size, t->ndim * 8, owner);
  take_array(r, &t->values.array, t->values.data, spw_dtype_size(t->values.array.dtype), owner);
  if (t->layout == SPW_DENSE) return;
  const bool wide = t->plain.array.dtype == SPW_INT64;
  take_array(r, &t->plain.array, wide ? (const void *)t->plain.i64 : t->plain.i32, wide ? 8 : 4, owner);
  if (t->layout != SPW_COO)
    take_array(r, &t->compressed.array, wide ? (const void *)t->compressed.i64 : t->compressed.i32, wide ? 8 : 4, owner);
}

static int64_t bytes_of(const spw_room *room, int which)
{
  const int64_t index = room->index_dtype == SPW_INT32 ? 4 : 8;
  const int64_t bytes[] = {room->dims * 8, room->compressed * index, room->plain * index,
                           room->values * spw_dtype_size(room->dtype), (int64_t)room->work};
  return bytes[which];
}

static void *buffer_of(const spw_buffers *b, int which)
{
  const bool narrow = b->room.index_dtype == SPW_INT32;
  void *const pointers[] = {b->dims, narrow ? (void *)b->compressed_i32 : b->compressed_i64,
                            narrow ? (void *)b->plain_i32 : b->plain_i64, b->values, b->work};
  return pointers[which];
}

static void put(spw_buffers *b, int which, uintptr_t at)
{
  const bool narrow = b->room.index_dtype == SPW_INT32;
  void *const to = (void *)at;
  if (which == 0) b->dims = to;
  if (which == 1 && narrow) b->compressed_i32 = to;
  if (which == 1 && !narrow) b->compressed_i64 = to;
  if (which == 2 && narrow) b->plain_i32 = to;
  if (which == 2 && !narrow) b->plain_i64 = to;
  if (which == 3) b->values = to;
  if (which == 4) b->work = to;
}

static bool meet(const region *r, uintptr_t first, int64_t bytes)
{
  return r->first < first + (uintptr_t)bytes && first < r->first + r->bytes;
}

/* Who lies first on these bytes; -1: nobody. */
static int owner_of(const regions *r, uintptr_t first, int64_t bytes)
{
  int owner = -1;
  for (int i = 0; i < r->count; i++)
    if (meet(&r->all[i], first, bytes) && (owner < 0 || r->all[i].owner < owner)) owner = r->all[i].owner;
  return owner;
}

/* ---- Every buffer on everything ---------------------------------------------------------------- */

static int64_t refused_for[OPERANDS + 1];

static void expect_refused(const call *c, const spw_buffers *b, const fenced *f, int owner)
{
  spw_tensor result = {.ndim = 77};
  spw_refusal why = {.obstacle = SPW_OBSTACLE_NONE};
  cr_assert_eq(c->fill(c, b, &result, &why), SPW_ERANGE, "%s", c->name);
  cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == owner, "%s: %d of %d, not of %d", c->name, (int)why.obstacle,
            why.operand, owner);
  cr_assert(result.ndim == 77 && fenced_untouched(f), "%s", c->name);
  refused_for[owner]++;
}

/* At a place, and so that the last byte is there: as far as the type allows. */
static void try_places(const call *c, const fenced *f, regions *r, int which, const region *on)
{
  const spw_room *const room = &f->buffers.room;
  const int64_t bytes = bytes_of(room, which);
  const uintptr_t starts[] = {on->first, (on->first - (uintptr_t)bytes + 16) & ~(uintptr_t)15};
  for (int i = 0; i < 2; i++) {
    spw_buffers b = f->buffers;
    if (bytes == 0 || starts[i] % 16 != 0) continue;
    put(&b, which, starts[i]);
    const int before = r->count;
    take(r, &b, sizeof b, c->count < 2 ? 2 : (int)c->count);
    const int owner = owner_of(r, starts[i], bytes);
    r->count = before;
    if (owner >= 0) expect_refused(c, &b, f, owner);
  }
}

static void try_call(const call *c)
{
  spw_room room;
  spw_tensor result;
  fenced f;
  const int own = c->count < 2 ? 2 : (int)c->count;
  if (c->size(c, &room) != SPW_OK || !fenced_fits(&room)) return;
  fenced_make(&f, &room);
  for (int which = 0; which < FENCED_BUFFERS; which++) {
    regions r = {.count = 0};
    for (int64_t i = 0; i < c->count; i++) take_tensor(&r, c->operands[i], (int)i);
    take(&r, c->request, c->request_bytes, own);
    if (c->fill == restructure_fill) take(&r, c->operands, c->count * (int64_t)sizeof *c->operands, own);
    take(&r, c->list, c->list_bytes, own);
    for (int other = 0; other < FENCED_BUFFERS; other++)
      if (other != which) take(&r, buffer_of(&f.buffers, other), bytes_of(&room, other), own);
    for (int i = r.count - 1; i >= 0; i--) try_places(c, &f, &r, which, &r.all[i]);
  }
  const spw_status status = c->fill(c, &f.buffers, &result, NULL);
  cr_assert(status == SPW_OK || status == SPW_ERANGE, "%s: %d", c->name, (int)status);
  cr_assert(fences_hold(&f), "%s", c->name);
  fenced_free(&f);
}

/* ---- Calls ------------------------------------------------------------------------------------- */

static void convert(const spw_tensor *t, bool judged, dice *d)
{
  const spw_conversion wanted = conversion_random(t, d);
  try_call(&(call){"convert", {t}, 1, &wanted, sizeof wanted, NULL, 0, judged, convert_size, convert_fill});
}

static void restructure(const spw_tensor *t, bool judged, dice *d)
{
  int64_t size[ENTRIES];
  const int64_t numbers[] = {0, 0, 0, 0, 0, 0, 0, 0}, ndim = tensor_size(t, size);
  const spw_structure picked = {.kind = SPW_INDEX_SELECT, .numbers = numbers, .count = 8},
                      joined = {.kind = SPW_CAT, .dim = ndim > 0 ? roll_below(d, ndim) : 0},
                      grown = {.kind = SPW_RESIZE, .numbers = size, .count = ndim},
                      masked = {.kind = SPW_SPARSE_MASK};
  const spw_tensor copies[] = {*t, *t};
  call c = {"index_select", {t}, 1, &picked, sizeof picked, numbers, sizeof numbers, judged, restructure_size, restructure_fill};
  try_call(&c);
  c = (call){"cat", {&copies[0], t, &copies[1]}, 3, &joined, sizeof joined, NULL, 0, judged, restructure_size, restructure_fill};
  try_call(&c);
  c = (call){"resize", {t}, 1, &grown, sizeof grown, size, ndim * 8, judged, restructure_size, restructure_fill};
  try_call(&c);
  c = (call){"sparse_mask", {t, &copies[0]}, 2, &masked, sizeof masked, NULL, 0, judged, restructure_size, restructure_fill};
  try_call(&c);
}

/* Two dimensions of COO change places where there are two. */
static void permute(const spw_tensor *t)
{
  int64_t size[ENTRIES], order[ENTRIES];
  const int64_t ndim = tensor_size(t, size);
  for (int64_t d = 0; d < ndim; d++) order[d] = d;
  if (t->layout == SPW_COO && t->plain.array.shape[0] > 1) order[0] = 1, order[1] = 0;
  try_call(&(call){"permute", {t}, 1, order, ndim * 8, NULL, 0, true, permute_size, permute_fill});
}

/* Views have no refusal to fill in. */
static int64_t transpose(const spw_tensor *t)
{
  int64_t dims[64];
  spw_tensor result = {.ndim = 77};
  if (spw_transpose(t, dims, 64, &result) != SPW_OK || !t->has_size) return 0;
  const int64_t *const on[] = {t->size, t->values.array.shape, t->values.array.strides, (const int64_t *)t};
  result.ndim = 77;
  for (int i = 0; i < 4; i++) cr_assert_eq(spw_transpose(t, (int64_t *)(uintptr_t)on[i], 64, &result), SPW_EINVAL, "%d", i);
  cr_assert_eq(result.ndim, 77);
  return 1;
}

static int64_t compare(const spw_tensor *a, const spw_tensor *b)
{
  int64_t position[64], count = 0;
  size_t work;
  spw_refusal why;
  spw_first_difference first = {.a = &why};
  regions r = {.count = 0};
  if (spw_same_meaning_size(a, b, SPW_COMBINE_SUM, &work, NULL) != SPW_OK || work == 0) return 0;
  take_tensor(&r, a, 0);
  take_tensor(&r, b, 1);
  for (int i = 0; i < r.count; i++) {
    const region *const on = &r.all[i];
    if (on->first % 8 != 0) continue;
    cr_assert_eq(spw_same_meaning(a, b, SPW_COMBINE_SUM, false, (void *)on->first, work, position, 64, &first, &why), SPW_ERANGE);
    cr_assert(why.obstacle == SPW_OBSTACLE_OVERLAP && why.operand == owner_of(&r, on->first, (int64_t)work));
    count++;
  }
  cr_assert_eq(first.a, (const void *)&why);
  return count;
}

Test(overlap, every_buffer_on_everything, .timeout = 120)
{
  static operand o[2];
  int64_t transposed = 0, compared = 0;
  const uint64_t seeds = SANITIZED ? 400 : 1500;
  for (uint64_t seed = 0; seed < seeds; seed++) {
    dice d = {seed};
    operand_random_sparse(&o[0], true, &d);
    operand_random_sparse(&o[1], true, &d);
    const spw_tensor *const t = &o[0].tensor;
    convert(t, seed % 2 == 0, &d);
    restructure(t, seed % 2 == 0, &d);
    permute(t);
    transposed += transpose(t);
    compared += compare(t, &o[1].tensor);
    operand_free(&o[0]);
    operand_free(&o[1]);
  }
  const int64_t some = (int64_t)seeds;
  for (int i = 0; i <= OPERANDS; i++) cr_expect(refused_for[i] > some, "%d: %lld", i, (long long)refused_for[i]);
  cr_expect(transposed > some / 20 && compared > some, "%lld %lld", (long long)transposed, (long long)compared);
  expect_no_leaks();
}
