/* SPDX-License-Identifier: Apache-2.0 */
/* What spw_convert_certified calls and nobody has proved: src/structure/certified.c. The proof takes these contracts for given,
 * so they say no more than a reader sees in a few lines of code. proofs/assumed.txt lists them. Memory that a pointer to void
 * names is no part of the proof: what lies there is `payload`. */
#ifndef SPW_STRUCTURE_CERTIFIED_ASSUMED_H
#define SPW_STRUCTURE_CERTIFIED_ASSUMED_H

#include "side.h"

/* Is p[0 .. n - 1] a part of buffer[0 .. room - 1]? */
/*@ requires buffer: 0 <= room && (buffer != \null ==> \valid(buffer + (0 .. room - 1)));
    terminates \true; exits \false; assigns \nothing;
    ensures part: \result == 1 ==> part_i32(p, n, buffer, room); */
int spw_is_part_i32(const int32_t *p, int64_t n, const int32_t *buffer, int64_t room);
/*@ requires buffer: 0 <= room && (buffer != \null ==> \valid(buffer + (0 .. room - 1)));
    terminates \true; exits \false; assigns \nothing;
    ensures part: \result == 1 ==> part_i64(p, n, buffer, room); */
int spw_is_part_i64(const int64_t *p, int64_t n, const int64_t *buffer, int64_t room);

/* The same of bytes. */
/*@ terminates \true; exits \false; assigns \nothing;
    ensures meaning: \result == bytes_within(part, whole); */
int spw_is_part(spw_payloads part, spw_payloads whole);

/* Casts by width, and asks spw_same_quickly. 1: the same; 0: not; -1: values are not aligned. The workspace of `buffers`, unless
 * null, has `bytes` bytes. */
/*@ requires valid: scalars_valid(a.scalars) && scalars_valid(b.scalars) && same_positions(a.scalars, b.scalars);
    requires values: 0 <= a.from && a.from + a.scalars.count <= a.values.length &&
      0 <= b.from && b.from + b.scalars.count <= b.values.length && a.values.width == b.values.width;
    terminates \true; exits \false; assigns \nothing;
    ensures same: \result == 1 ==> same_values(a, b, drops, adds); */
int spw_sides_agree(spw_side a, spw_side b, int drops, int adds, const spw_buffers *buffers, int64_t bytes);

/*@ predicate conversion_given{L}(spw_tensor *t, spw_conversion *w, spw_buffers *b, spw_tensor *r, spw_refusal *refusal) =
      honest_operand(t) && \valid_read(w) && buffers_given(b) && \valid(r) && (refusal != \null ==> \valid(refusal)) &&
      \separated(r, t) && \separated(r, w) && \separated(r, b) && lies_apart(r, refusal, b); */

/* Converts as spw_convert does; `judged`: without judging the tensor again. It refuses buffers that share memory with the
 * tensor, the request, or each other, so these stay. What it makes may be anything. */
/*@ requires given: conversion_given(tensor, wanted, buffers, made, refusal);
    requires judged: judged != 0 ==> whole_valid(tensor);
    terminates \true; exits \false;
    assigns *made, *refusal, buffers->dims[0 .. buffers->room.dims - 1],
      buffers->plain_i32[0 .. buffers->room.plain - 1], buffers->plain_i64[0 .. buffers->room.plain - 1],
      buffers->compressed_i32[0 .. buffers->room.compressed - 1], buffers->compressed_i64[0 .. buffers->room.compressed - 1];
    ensures stays: \result == SPW_OK ==> honest_operand(tensor) && buffers_given(buffers) && \valid_read(wanted);
    ensures valid: \result == SPW_OK && \old(whole_valid(tensor)) ==> whole_valid(tensor); */
spw_status spw_attempt_conversion(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, int judged,
                                  spw_tensor *made, spw_refusal *refusal);

/* How many bytes of workspace may be used to compare the tensor with the result. */
/*@ terminates \true; exits \false; assigns \nothing; */
int64_t spw_certificate_bytes(const spw_tensor *tensor, const spw_conversion *wanted);

/* The same for COO that may have duplicates, by way of what they come to. Nothing is promised of it. */
/*@ terminates \true; exits \false; assigns \nothing; */
int spw_repeated_agree(const spw_tensor *tensor, const spw_conversion *wanted, const spw_tensor *made,
                       const spw_buffers *buffers);

/* Says that the result is not certified. */
/*@ requires refusal: refusal != \null ==> \valid(refusal);
    terminates \true; exits \false; assigns *refusal; */
void spw_refuse_made(spw_refusal *refusal);

#endif
