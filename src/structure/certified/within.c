/* SPDX-License-Identifier: Apache-2.0 */
#include "../../check/verdict.h"
#include "within.h"
#include "payloads.h"
#include "types.h"

/*@ ghost
  /@ requires buffer: buffer_i32(buffer, room) && part_i32(p, n, buffer, room);
     terminates \true; exits \false; assigns \nothing;
     ensures readable: \object_pointer(p) && (p != \null ==> \valid_read(p + (0 .. n - 1))); @/
  void lem_part_i32(const int32_t *p, int64_t n, const int32_t *buffer, int64_t room) {
  }
  /@ requires buffer: buffer_i64(buffer, room) && part_i64(p, n, buffer, room);
     terminates \true; exits \false; assigns \nothing;
     ensures readable: \object_pointer(p) && (p != \null ==> \valid_read(p + (0 .. n - 1))); @/
  void lem_part_i64(const int64_t *p, int64_t n, const int64_t *buffer, int64_t room) {
  }
*/

/*@ requires readable: \valid_read(a) && buffers_given(b);
    terminates \true; exits \false; assigns \nothing;
    ensures within: \result == 1 ==> array_within(a, b) && honest_array(a) && 0 <= a->length; */
/* level L1 */
static int is_array_within(const spw_array *a, const spw_buffers *b)
{
  const int64_t dims = b->room.dims;
  if (a->length < 0 || spw_is_part_i64(a->shape, a->ndim, b->dims, dims) != 1) return 0;
  if (spw_is_part_i64(a->strides, a->ndim, b->dims, dims) != 1) return 0;
  //@ ghost lem_part_i64(a->shape, a->ndim, b->dims, dims);
  //@ ghost lem_part_i64(a->strides, a->ndim, b->dims, dims);
  return 1;
}

/*@ requires readable: \valid_read(a) && buffers_given(b) && buffer_i32(i32, room) && buffer_i64(i64, room);
    terminates \true; exits \false; assigns \nothing;
    ensures within: \result == 1 ==> indices_within(a, i32, i64, room, b);
    ensures honest: \result == 1 ==> honest_indices(a); */
/* level L1 */
static int are_indices_within(const spw_index_array *a, const int32_t *i32, const int64_t *i64, int64_t room,
                              const spw_buffers *b)
{
  if (is_array_within(&a->array, b) != 1) return 0;
  if (a->array.dtype == SPW_INT64) {
    if (spw_is_part_i64(a->i64, a->array.length, i64, room) != 1) return 0;
    //@ ghost lem_part_i64(a->i64, a->array.length, i64, room);
    return 1;
  }
  if (spw_is_part_i32(a->i32, a->array.length, i32, room) != 1) return 0;
  //@ ghost lem_part_i32(a->i32, a->array.length, i32, room);
  return 1;
}

/*@ requires readable: \valid_read(r) && buffers_given(b);
    terminates \true; exits \false; assigns \nothing;
    ensures within: \result == 1 ==> array_within(&r->values.array, b) && honest_array(&r->values.array) &&
      values_within(r, b); */
/* level L1 */
static int are_values_within(const spw_tensor *r, const spw_buffers *b)
{
  if (is_array_within(&r->values.array, b) != 1 || r->values.array.length > INT64_MAX / 2) return 0;
  const int64_t scalar = spw_payload_parts(r->values.array.dtype) * spw_payload_width(r->values.array.dtype);
  return spw_is_part(spw_payloads_of(&r->values, 1, scalar), spw_payloads_of_buffer(b, scalar)) == 1;
}

/*@ requires readable: \valid_read(r) && buffers_given(b);
    terminates \true; exits \false; assigns \nothing;
    ensures within: \result == 1 ==> (sized(r) ==> part_i64(r->size, r->ndim, b->dims, b->room.dims) && honest_entries(r->size, r->ndim)); */
/* level L1 */
static int is_size_within(const spw_tensor *r, const spw_buffers *b)
{
  if (!r->has_size) return 1;
  if (spw_is_part_i64(r->size, r->ndim, b->dims, b->room.dims) != 1) return 0;
  //@ ghost lem_part_i64(r->size, r->ndim, b->dims, b->room.dims);
  return 1;
}

/* level L1 */
int spw_is_within(const spw_tensor *r, const spw_buffers *b)
{
  if (are_values_within(r, b) != 1 || is_size_within(r, b) != 1) return 0;
  if ((int64_t)r->layout == SPW_LAYOUT_COUNT) return 1;
  if (are_indices_within(&r->plain, b->plain_i32, b->plain_i64, b->room.plain, b) != 1) return 0;
  if (r->layout == SPW_COO) return 1;
  return are_indices_within(&r->compressed, b->compressed_i32, b->compressed_i64, b->room.compressed, b) == 1;
}
