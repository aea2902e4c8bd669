/* SPDX-License-Identifier: Apache-2.0 */
/* What the proof of certified conversions (certified/convert.c) takes for given, and how much memory they take. */
#include "../convert/buffers.h"
#include "../convert/instances/certify.h"
#include "../convert/plan.h"
#include "../core/size.h"
#include "../operand/overlap.h"
#include "../sparsewright.h"
#include "certified/asked.h"
#include "certified/convert.h"
#include "certified/ready.h"
#include "certified/within.h"
#include "certifier.h"

/* ---- What the certificate of duplicates takes -------------------------------------------------- */

/* What the elements of COO come to, in a part of the workspace; behind it lies the workspace of the calls. */
typedef struct sum_room {
  spw_room room;
  int64_t bytes; /* in all; where no sum is needed, what makes the certifier quicker */
} sum_room;

static bool may_repeat(const spw_tensor *t)
{
  return t->layout == SPW_COO && t->coalesced != SPW_CLAIM_YES;
}

static spw_conversion to_list(const spw_conversion *wanted)
{
  return (spw_conversion){.layout = SPW_COO, .batch_dims = -1, .dense_dims = -1, .duplicates = wanted->duplicates};
}

/* Twice the values, and a byte for each element: as spw_certify_coalesced_size_unchecked tells of COO, of as many at most. */
static int64_t bytes_of_comparison(const spw_room *sum)
{
  const int64_t twice = spw_mul_saturated(sum->values, 2 * spw_dtype_size(sum->dtype));
  return spw_add_saturated(twice, sum->nse);
}

/* Of a tensor that is valid. */
static spw_status room_of_sum(const spw_tensor *t, const spw_conversion *wanted, sum_room *of, spw_refusal *refusal)
{
  *of = (sum_room){.bytes = may_repeat(t) ? 0 : spw_certify_quick_bytes(t, wanted->layout)};
  if (!spw_is_object_size(of->bytes)) of->bytes = 0;
  if (!may_repeat(t)) return SPW_OK;
  const spw_conversion list = to_list(wanted);
  const spw_status status = spw_convert_size_unchecked(t, &list, &of->room, refusal);
  if (status != SPW_OK) return status;
  spw_arena arena = {.base = NULL};
  spw_take_buffers(&arena, &of->room);
  const int64_t compared = bytes_of_comparison(&of->room);
  spw_take_bytes(&arena, of->room.work);
  const int64_t converted = arena.used;
  arena = (spw_arena){.base = NULL};
  spw_take_buffers(&arena, &of->room);
  spw_take(&arena, compared, 1);
  of->bytes = arena.used > converted ? arena.used : converted;
  return spw_is_object_size(of->bytes) ? SPW_OK : spw_refuse(refusal, SPW_OBSTACLE_SIZE, -1, -1, -1, -1);
}

/* ---- The certificate --------------------------------------------------------------------------- */

/* Is `sum` what the elements of t come to? Judged before. */
static spw_status certify_sum(const spw_tensor *t, const spw_tensor *sum, spw_combine duplicates, void *work, int64_t bytes,
                              bool *same)
{
  size_t need = 0;
  const spw_status status = spw_certify_coalesced_size_unchecked(t, sum, &need);
  if (status != SPW_OK) return status;
  return need > (size_t)bytes ? SPW_EUNSUPPORTED
                              : spw_certify_coalesced_unchecked(t, sum, duplicates, work, need, same, NULL);
}

/* The sum of t, made in the workspace and certified. */
static spw_status make_sum(const spw_tensor *t, const spw_conversion *wanted, const sum_room *of, void *work, spw_tensor *sum,
                           bool *same)
{
  spw_arena arena = {.base = work};
  const spw_conversion list = to_list(wanted);
  spw_buffers b = spw_take_buffers(&arena, &of->room);
  const int64_t left = of->bytes - arena.used;
  b.work = arena.base + arena.used;
  spw_status status = spw_convert_unchecked(t, &list, &b, sum, NULL);
  if (status != SPW_OK) return status;
  *same = spw_is_within(sum, &b) && spw_is_whole(sum) && spw_is_ready(sum) && spw_is_as_asked(t, &list, sum);
  return *same ? certify_sum(t, sum, wanted->duplicates, b.work, left, same) : SPW_OK;
}

/* By way of what the elements of `tensor` come to. */
static spw_status certify_repeated(const spw_tensor *t, const spw_conversion *w, const sum_room *of, void *work,
                                   const spw_tensor *r, bool *same)
{
  const unsigned added = spw_has_blocks(w->layout) ? SPW_ZEROS_ADDED : 0, dropped = w->prune ? SPW_ZEROS_DROPPED : 0;
  spw_tensor sum;
  if (w->layout == SPW_COO && !w->prune) return certify_sum(t, r, w->duplicates, work, of->bytes, same);
  const spw_status status = make_sum(t, w, of, work, &sum, same);
  return status == SPW_OK && *same ? spw_certify_unchecked(&sum, r, (spw_zeros)(added | dropped), same) : status;
}

int spw_repeated_agree(const spw_tensor *tensor, const spw_conversion *wanted, const spw_tensor *made,
                       const spw_buffers *buffers)
{
  sum_room of;
  bool same = false;
  spw_status status = room_of_sum(tensor, wanted, &of, NULL);
  if (status == SPW_OK) status = certify_repeated(tensor, wanted, &of, buffers->work, made, &same);
  return status == SPW_OK ? same : -1;
}

/* ---- The calls --------------------------------------------------------------------------------- */

static bool can_be_certified(const spw_tensor *t, const spw_conversion *w)
{
  return (t->layout == SPW_DENSE || t->has_size) && !(w->canonicalize && spw_is_compressed(t->layout));
}

spw_status spw_convert_certified_size(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room,
                                      spw_refusal *refusal)
{
  sum_room of;
  spw_room own;
  if (!tensor || !wanted || !room) return SPW_EINVAL;
  spw_status status = spw_convert_size(tensor, wanted, &own, refusal);
  if (status == SPW_OK && !can_be_certified(tensor, wanted)) status = SPW_EUNSUPPORTED;
  if (status == SPW_OK) status = room_of_sum(tensor, wanted, &of, refusal);
  if (status != SPW_OK) return status;
  *room = own;
  if ((uint64_t)of.bytes > own.work) room->work = (size_t)of.bytes;
  return SPW_OK;
}

/* The certificate's workspace is long enough, and lies apart from what is read as long as it is written. */
static spw_status keep_work_apart(const spw_tensor *t, const spw_conversion *wanted, const sum_room *of, const spw_buffers *b,
                                  spw_refusal *refusal)
{
  spw_operand source;
  spw_room need;
  spw_status status = spw_convert_within(t, wanted, b, &need, refusal);
  if (status != SPW_OK) return status;
  if ((uint64_t)of->bytes > need.work) need.work = (size_t)of->bytes;
  if (!spw_buffers_hold(b, &need)) return SPW_EINVAL;
  status = spw_operand_read(t, &source);
  return status == SPW_OK ? spw_keep_apart(&source, 1, wanted, (int64_t)sizeof *wanted, b, &need, refusal) : status;
}

spw_status spw_attempt_conversion(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, int judged,
                                  spw_tensor *made, spw_refusal *refusal)
{
  sum_room of;
  if (made == tensor) return SPW_EINVAL; /* it would be compared with itself */
  spw_status status = judged ? spw_convert_unchecked(tensor, wanted, buffers, made, refusal)
                             : spw_convert(tensor, wanted, buffers, made, refusal);
  if (status == SPW_OK && !can_be_certified(tensor, wanted)) status = SPW_EUNSUPPORTED;
  if (status == SPW_OK) status = room_of_sum(tensor, wanted, &of, refusal);
  return status == SPW_OK ? keep_work_apart(tensor, wanted, &of, buffers, refusal) : status;
}

int64_t spw_certificate_bytes(const spw_tensor *tensor, const spw_conversion *wanted)
{
  sum_room of;
  return room_of_sum(tensor, wanted, &of, NULL) == SPW_OK ? of.bytes : 0;
}

/* ---- What the proof takes for given ------------------------------------------------------------ */

/* Is part of n elements, of `size` bytes each, a part of the buffer, at a multiple of `size`? */
static bool is_part(const void *part, int64_t n, const void *buffer, int64_t room, int64_t size)
{
  if (n < 0 || n > room) return false;
  if (!part) return n == 0;
  const spw_byte_range all = spw_byte_range_of(buffer, room, size);
  const uint64_t first = (uintptr_t)part, start = (uintptr_t)buffer;
  if (!buffer || first < start || (first - start) % (uint64_t)size != 0) return false;
  return n == 0 ? (first - start) / (uint64_t)size <= (uint64_t)room : first + (uint64_t)n * (uint64_t)size <= all.last;
}

int spw_is_part_i32(const int32_t *p, int64_t n, const int32_t *buffer, int64_t room)
{
  return is_part(p, n, buffer, room, sizeof *p);
}

int spw_is_part_i64(const int64_t *p, int64_t n, const int64_t *buffer, int64_t room)
{
  return is_part(p, n, buffer, room, sizeof *p);
}

int spw_is_part(spw_payloads part, spw_payloads whole)
{
  return part.width == whole.width && part.width > 0 && is_part(part.first, part.length, whole.first, whole.length, part.width);
}

/* Where there is no scalar, there may be no values to point into. */
static spw_certified certified_of(spw_side s)
{
  const char *const values = s.values.first;
  return (spw_certified){s.scalars, s.scalars.count > 0 ? values + s.from * s.values.width : values};
}

int spw_sides_agree(spw_side a, spw_side b, int drops, int adds, const spw_buffers *buffers, int64_t bytes)
{
  const int64_t width = a.values.width, room = buffers ? bytes / (int64_t)sizeof(spw_cursor) : 0;
  const spw_certified x = certified_of(a), y = certified_of(b);
  spw_cursor *const w = room > 0 ? buffers->work : NULL;
  if (x.scalars.count == 0 && y.scalars.count == 0) return 1; /* however many batches and lines have none */
  if ((uintptr_t)x.values % (uintptr_t)width != 0 || (uintptr_t)y.values % (uintptr_t)width != 0) return -1;
  switch (width) {
  case 1: return spw_certify_u8(&x, &y, drops, adds, w, room);
  case 2: return spw_certify_u16(&x, &y, drops, adds, w, room);
  case 4: return spw_certify_u32(&x, &y, drops, adds, w, room);
  case 8: return spw_certify_u64(&x, &y, drops, adds, w, room);
  default: return -1;
  }
}

void spw_refuse_made(spw_refusal *refusal)
{
  (void)spw_refuse(refusal, SPW_OBSTACLE_NONE, -1, -1, -1, -1);
}
