/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions into buffers with fences around them, by all calls, and held to what they must give. */
#ifndef TESTS_FENCED_H
#define TESTS_FENCED_H

#include "meaning.h"

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

/* Is nothing outside the buffers written? Nothing inside either? */
bool fences_hold(const fenced *f);
bool fenced_untouched(const fenced *f);

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
