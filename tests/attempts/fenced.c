/* SPDX-License-Identifier: Apache-2.0 */
#include "fenced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined __has_feature
#if __has_feature(address_sanitizer) || defined FUZZ_UNDER_ASAN
#include <sanitizer/asan_interface.h>
#define HIDE(at, size) __asan_poison_memory_region(at, size)
#define SHOW(at, size) __asan_unpoison_memory_region(at, size)
#define FORGET(at, size) ((void)(at), (void)(size))
#elif __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define HIDE(at, size) ((void)(at), (void)(size))
#define SHOW(at, size) __msan_unpoison(at, size)
#define FORGET(at, size) __msan_poison(at, size)
#endif
#endif
#ifndef HIDE
#define HIDE(at, size) ((void)(at), (void)(size))
#define SHOW(at, size) ((void)(at), (void)(size))
#define FORGET(at, size) ((void)(at), (void)(size)) /* what is there was never written */
#endif

enum { FENCE = 64, FENCE_BYTE = 0xa5, INSIDE_BYTE = 0xc3, MOST_ELEMENTS = 1 << 24, MOST_WORK = 1 << 26 };

static char text[900];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* ---- Fences ---------------------------------------------------------------------------------- */

static void *fence(fenced *f, int which, size_t bytes)
{
  unsigned char *memory = malloc(bytes + 2 * FENCE);
  if (!memory) abort();
  f->memory[which] = memory;
  f->bytes[which] = bytes;
  memset(memory, FENCE_BYTE, bytes + 2 * FENCE);
  memset(memory + FENCE, INSIDE_BYTE, bytes);
  FORGET(memory + FENCE, bytes);
  HIDE(memory, FENCE);
  HIDE(memory + FENCE + bytes, FENCE);
  return bytes > 0 ? memory + FENCE : NULL;
}

bool fenced_fits(const spw_room *r)
{
  return r->dims <= MOST_ELEMENTS && r->compressed <= MOST_ELEMENTS && r->plain <= MOST_ELEMENTS &&
         r->values <= MOST_ELEMENTS && r->work <= MOST_WORK;
}

void fenced_make(fenced *f, const spw_room *room)
{
  const bool narrow = room->index_dtype == SPW_INT32;
  const size_t index = narrow ? sizeof(int32_t) : sizeof(int64_t);
  memset(f, 0, sizeof *f);
  f->buffers.room = *room;
  f->buffers.dims = fence(f, 0, (size_t)room->dims * sizeof(int64_t));
  void *const compressed = fence(f, 1, (size_t)room->compressed * index);
  void *const plain = fence(f, 2, (size_t)room->plain * index);
  if (narrow) f->buffers.compressed_i32 = compressed, f->buffers.plain_i32 = plain;
  else f->buffers.compressed_i64 = compressed, f->buffers.plain_i64 = plain;
  f->buffers.values = fence(f, 3, (size_t)(room->values * spw_dtype_size(room->dtype)));
  f->buffers.work = fence(f, 4, room->work);
}

static void show_all(const fenced *f)
{
  for (int i = 0; i < FENCED_BUFFERS; i++) SHOW(f->memory[i], f->bytes[i] + 2 * FENCE);
}

void fenced_free(fenced *f)
{
  for (int i = 0; i < FENCED_BUFFERS; i++) {
    if (f->memory[i]) SHOW(f->memory[i], f->bytes[i] + 2 * FENCE);
    free(f->memory[i]);
  }
  memset(f, 0, sizeof *f);
}

bool fenced_shorten(const spw_room *room, int which, spw_room *less)
{
  *less = *room;
  int64_t *const lengths[] = {&less->dims, &less->compressed, &less->plain, &less->values};
  const bool work = which == FENCED_BUFFERS - 1;
  if (work ? room->work == 0 : *lengths[which] == 0) return false;
  if (work)
    less->work--;
  else
    --*lengths[which];
  return true;
}

static bool all_are(const unsigned char *bytes, size_t count, unsigned char byte)
{
  for (size_t i = 0; i < count; i++)
    if (bytes[i] != byte) return false;
  return true;
}

bool fences_hold(const fenced *f)
{
  bool hold = true;
  for (int i = 0; i < FENCED_BUFFERS; i++) {
    unsigned char *const end = f->memory[i] + FENCE + f->bytes[i];
    SHOW(f->memory[i], FENCE);
    SHOW(end, FENCE);
    hold = hold && all_are(f->memory[i], FENCE, FENCE_BYTE) && all_are(end, FENCE, FENCE_BYTE);
    HIDE(f->memory[i], FENCE);
    HIDE(end, FENCE);
  }
  return hold;
}

bool fenced_untouched(const fenced *f)
{
  show_all(f);
  bool untouched = true;
  for (int i = 0; i < FENCED_BUFFERS; i++)
    untouched = untouched && all_are(f->memory[i], FENCE, FENCE_BYTE) &&
                all_are(f->memory[i] + FENCE, f->bytes[i], INSIDE_BYTE) &&
                all_are(f->memory[i] + FENCE + f->bytes[i], FENCE, FENCE_BYTE);
  return untouched;
}

/* ---- The call for the size ------------------------------------------------------------------- */

typedef spw_status sizing(const spw_tensor *, const spw_conversion *, spw_room *, spw_refusal *);
typedef spw_status filling(const spw_tensor *, const spw_conversion *, const spw_buffers *, spw_tensor *, spw_refusal *);

static bool all_bytes(const void *memory, size_t size, int byte)
{
  return all_are(memory, size, (unsigned char)byte);
}

static const char *ask_size(sizing *size, const spw_tensor *tensor, const spw_conversion *wanted, const expected *e,
                            attempt *a)
{
  memset(&a->room, 0x55, sizeof a->room);
  memset(&a->refusal, 0x55, sizeof a->refusal);
  a->status = size(tensor, wanted, &a->room, &a->refusal);
  if (a->status != SPW_OK && !all_bytes(&a->room, sizeof a->room, 0x55)) return WRONG("a refusal writes a room");
  if (a->status == SPW_OK && !all_bytes(&a->refusal, sizeof a->refusal, 0x55)) return WRONG("a room comes with a refusal");
  const char *wrong = wrong_answer(e, a->status, &a->refusal, true);
  if (!wrong && a->status == SPW_OK) wrong = wrong_room(e, &a->room);
  if (wrong) return wrong;
  spw_room again;
  memset(&again, 0x55, sizeof again);
  if (size(tensor, wanted, &again, NULL) != a->status) return WRONG("another status without a place for the refusal");
  if (a->status == SPW_OK && (again.work != a->room.work || again.values != a->room.values)) return WRONG("another room");
  return NULL;
}

static bool same_room(const spw_room *a, const spw_room *b)
{
  return a->index_dtype == b->index_dtype && a->dtype == b->dtype && a->dims == b->dims && a->compressed == b->compressed &&
         a->plain == b->plain && a->values == b->values && a->work == b->work;
}

static bool same_refusal(const spw_refusal *a, const spw_refusal *b)
{
  return a->obstacle == b->obstacle && a->place == b->place && a->other == b->other && a->lhs == b->lhs && a->rhs == b->rhs;
}

/* ---- The call that converts ------------------------------------------------------------------ */

static bool lies_in(const fenced *f, int which, const void *at, int64_t length)
{
  const unsigned char *const begin = f->memory[which] + FENCE, *const place = at;
  return length == 0 || (place >= begin && place < begin + f->bytes[which]);
}

static const void *data_of(const spw_index_array *a)
{
  return a->array.dtype == SPW_INT32 ? (const void *)a->i32 : a->i64;
}

static bool in_dims(const fenced *f, const int64_t *at, int64_t ndim)
{
  return lies_in(f, 0, at, ndim);
}

static bool array_in_dims(const fenced *f, const spw_array *a)
{
  return in_dims(f, a->shape, a->ndim) && in_dims(f, a->strides, a->ndim);
}

static bool views_the_buffers(const fenced *f, const spw_tensor *x)
{
  const bool values = lies_in(f, 3, x->values.data, x->values.array.length) && array_in_dims(f, &x->values.array);
  if (!values || (x->has_size && !in_dims(f, x->size, x->ndim))) return false;
  if (x->layout == SPW_DENSE) return true;
  if (!lies_in(f, 2, data_of(&x->plain), x->plain.array.length) || !array_in_dims(f, &x->plain.array)) return false;
  return x->layout == SPW_COO || (lies_in(f, 1, data_of(&x->compressed), x->compressed.array.length) &&
                                  array_in_dims(f, &x->compressed.array));
}

static const char *wrong_to_the_checker(const spw_tensor *x)
{
  spw_violation first;
  if (x->layout == SPW_DENSE) return NULL;
  const spw_status status = spw_first_violation(x, SPW_CANONICAL, &first);
  if (status != SPW_OK) return WRONG("the checker answers %d", (int)status);
  if (first.rule == SPW_RULE_NONE) return NULL;
  return WRONG("the result breaks rule %s at %lld", spw_rule_get(first.rule)->id, (long long)first.position);
}

static const char *convert_into(filling *convert, const spw_tensor *tensor, const spw_conversion *wanted, const expected *e,
                                attempt *a)
{
  memset(&a->result, 0x55, sizeof a->result);
  memset(&a->refusal, 0x55, sizeof a->refusal);
  fenced_make(&a->into, &a->room);
  a->status = convert(tensor, wanted, &a->into.buffers, &a->result, &a->refusal);
  if (!fences_hold(&a->into)) return WRONG("something outside the buffers is written");
  if (a->status != SPW_OK && !all_bytes(&a->result, sizeof a->result, 0x55)) return WRONG("a refusal writes a result");
  const char *wrong = wrong_answer(e, a->status, &a->refusal, false);
  if (wrong || a->status != SPW_OK) return wrong;
  if (!views_the_buffers(&a->into, &a->result)) return WRONG("the result lies outside the buffers");
  wrong = wrong_result(e, &a->result);
  a->has_result = true;
  return wrong ? wrong : wrong_to_the_checker(&a->result);
}

static const char *prefixed(const char *prefix, const char *wrong)
{
  static char longer[1000];
  if (!wrong) return NULL;
  snprintf(longer, sizeof longer, "%s: %s", prefix, wrong);
  return longer;
}

/* The same without being judged. */
static const char *twin_of(const spw_tensor *tensor, const spw_conversion *wanted, const expected *e, const attempt *a,
                           spw_status size_status)
{
  attempt b = {.status = SPW_OK};
  const char *wrong = ask_size(spw_convert_size_unchecked, tensor, wanted, e, &b);
  if (!wrong && b.status != size_status) wrong = WRONG("another status, %d and not %d", (int)b.status, (int)size_status);
  if (!wrong && b.status == SPW_OK && !same_room(&a->room, &b.room)) wrong = WRONG("another room");
  if (!wrong && b.status == SPW_OK && a->into.memory[0]) {
    wrong = convert_into(spw_convert_unchecked, tensor, wanted, e, &b);
    if (!wrong && b.status != a->status) wrong = WRONG("another status of the conversion");
  }
  if (!wrong && b.status == SPW_ERANGE && a->status == SPW_ERANGE && !same_refusal(&a->refusal, &b.refusal))
    wrong = WRONG("another refusal");
  attempt_free(&b);
  return wrong;
}

static int64_t longest_side(const spw_tensor *x)
{
  int64_t most = 0;
  for (int64_t d = 0; d < x->ndim; d++)
    if (x->size[d] > most) most = x->size[d];
  return most;
}

const char *attempt_conversion(const spw_tensor *tensor, const spw_conversion *wanted, attempt *a)
{
  expected e;
  memset(a, 0, sizeof *a);
  expected_conversion(tensor, wanted, &e);
  a->spelled_out = e.statuses != 0;
  const char *wrong = a->spelled_out ? prefixed("size", ask_size(spw_convert_size, tensor, wanted, &e, a)) : NULL;
  const spw_status size_status = a->status;
  bool goes_on = a->spelled_out && !wrong && size_status == SPW_OK && (e.has_result || e.late);
  if (goes_on && !fenced_fits(&a->room)) {
    goes_on = false; /* something for each line, although almost all are empty */
    if (e.has_result && a->room.work > MOST_WORK && a->room.work / 64 > (size_t)longest_side(&e.result))
      wrong = WRONG("a workspace of %zu bytes", a->room.work);
  }
  if (!wrong && goes_on)
    wrong = prefixed("convert", convert_into(spw_convert, tensor, wanted, &e, a));
  const bool judged = (e.statuses >> -SPW_EINVALID & 1) != 0;
  if (!wrong && a->spelled_out && !judged) wrong = prefixed("unchecked", twin_of(tensor, wanted, &e, a, size_status));
  expected_free(&e);
  return wrong;
}

void attempt_free(attempt *a)
{
  if (a->into.memory[0]) fenced_free(&a->into);
}

/* ---- Any operation ----------------------------------------------------------------------------- */

static const char *attempt_judged(const two_calls *calls, const void *context, bool judged, bool late_batches, spw_status *status,
                                  bool *seen)
{
  spw_room room;
  spw_refusal refusal = {.obstacle = SPW_OBSTACLE_NONE};
  spw_tensor result;
  fenced f;
  *status = calls->size(context, judged, &room, &refusal);
  if (*status != SPW_OK) return calls->wrong(context, *status, &refusal, NULL, NULL, seen);
  *seen = false;
  if (!fenced_fits(&room)) return NULL; /* it is told, and not filled */
  fenced_make(&f, &room);
  memset(&result, 0x55, sizeof result);
  *status = calls->fill(context, judged, &f.buffers, &result, &refusal);
  const char *wrong = fences_hold(&f) ? NULL : "something outside the buffers is written";
  if (!wrong) wrong = calls->wrong(context, *status, &refusal, &room, &result, seen);
  const bool late = refusal.obstacle == SPW_OBSTACLE_DUPLICATE || refusal.obstacle == SPW_OBSTACLE_VALUE ||
                    refusal.obstacle == SPW_OBSTACLE_PIVOT ||
                    (late_batches && refusal.obstacle == SPW_OBSTACLE_BATCHES);
  if (!wrong && *status == SPW_ERANGE && !late)
    wrong = WRONG("obstacle %d is told only when there are buffers", (int)refusal.obstacle);
  fenced_free(&f);
  return wrong;
}

static const char *attempt_both(const two_calls *calls, const void *context, bool late_batches, spw_status *status, bool *seen)
{
  spw_status unchecked;
  const char *wrong = attempt_judged(calls, context, true, late_batches, status, seen);
  if (wrong) return wrong;
  wrong = attempt_judged(calls, context, false, late_batches, &unchecked, seen);
  if (!wrong && unchecked != *status) wrong = WRONG("another status unchecked");
  return wrong;
}

const char *attempt_two_calls(const two_calls *calls, const void *context, spw_status *status, bool *seen)
{
  return attempt_both(calls, context, false, status, seen);
}

const char *attempt_calls_of_batches(const two_calls *calls, const void *context, spw_status *status, bool *seen)
{
  return attempt_both(calls, context, true, status, seen);
}

const char *attempt_short_buffers(const two_calls *calls, const void *context)
{
  spw_room room;
  if (calls->size(context, true, &room, NULL) != SPW_OK || !fenced_fits(&room)) return NULL;
  for (int which = 0; which < FENCED_BUFFERS; which++) {
    spw_room less;
    if (!fenced_shorten(&room, which, &less)) continue;
    fenced f;
    spw_tensor result = {.ndim = -77};
    fenced_make(&f, &less);
    const spw_status status = calls->fill(context, true, &f.buffers, &result, NULL);
    const bool untouched = fences_hold(&f) && fenced_untouched(&f);
    fenced_free(&f);
    if (status != SPW_EINVAL) return WRONG("a short buffer does: %d", which);
    if (!untouched || result.ndim != -77) return WRONG("short buffers are written");
  }
  return NULL;
}
