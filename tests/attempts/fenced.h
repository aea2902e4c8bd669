/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions into buffers with fences around them, by all calls, and held to what they must give. */
#ifndef TESTS_FENCED_H
#define TESTS_FENCED_H

#include "../expected/meaning.h"

enum { FENCED_BUFFERS = 5 }; /* dims, compressed, plain, values, work */

/* Buffers of exactly the lengths of a room, each with a fence on both sides. */
typedef struct fenced {
  spw_buffers buffers;
  size_t bytes[FENCED_BUFFERS];
  unsigned char *memory[FENCED_BUFFERS];
} fenced;

/* Is a room small enough to be filled? A result of few elements may well have 2^32 rows. */
bool fenced_fits(const spw_room *room);
void fenced_make(fenced *f, const spw_room *room);
void fenced_free(fenced *f);

/* A room whose buffer number `which` is shorter by one; false where it is empty. */
bool fenced_shorten(const spw_room *room, int which, spw_room *less);

/* Is nothing outside the buffers written? Nothing inside either? */
bool fences_hold(const fenced *f);
bool fenced_untouched(const fenced *f);

/* An operation as its calls: how much it takes, and what it gives, each with operands that are judged or not. */
typedef struct two_calls {
  spw_status (*size)(const void *context, bool judged, spw_room *room, spw_refusal *refusal);
  spw_status (*fill)(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result, spw_refusal *refusal);
  /* What is wrong with the answer; `room` and `result` are null where there is none. *seen: it was known. */
  const char *(*wrong)(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                       const spw_tensor *result, bool *seen);
} two_calls;

/* Tries it both ways, in buffers of exactly the lengths that it asks for; null when all that must hold does. */
const char *attempt_two_calls(const two_calls *calls, const void *context, spw_status *status, bool *seen);

/* The same of operations that refuse batches of different numbers of cells only when there are buffers (M9). */
const char *attempt_calls_of_batches(const two_calls *calls, const void *context, spw_status *status, bool *seen);

/* Of an operation that is not refused: is every call refused that has a buffer shorter by one, and is nothing written? */
const char *attempt_short_buffers(const two_calls *calls, const void *context);

/* A conversion that was tried. */
typedef struct attempt {
  spw_status status;  /* of the call that refused, or of the last */
  bool spelled_out;   /* the expected answer was known */
  bool has_result;    /* `result` is in `into` */
  spw_room room;
  spw_refusal refusal;
  spw_tensor result;
  fenced into;
} attempt;

/* Converts by the checked and the unchecked calls. Null when all that must hold does, else what does not
 * (in static storage). Free the attempt in both cases. */
const char *attempt_conversion(const spw_tensor *tensor, const spw_conversion *wanted, attempt *a);
void attempt_free(attempt *a);

#endif
