/* SPDX-License-Identifier: Apache-2.0 */
/* A fuzzer's bytes as numbers: arrays are taken from the front and scalars from the end, so that a
 * byte inserted into an array moves no scalar. Total: where the bytes have run out, numbers are 0.
 * The same code writes them. */
#ifndef FUZZ_BYTES_H
#define FUZZ_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A number is one byte for -16 .. 207, one byte for an extreme of the integer types, else a byte
 * that says so and the number in 2 or 8 bytes. */
enum { FUZZ_EXTREMES = 30 };
extern const int64_t fuzz_extremes[FUZZ_EXTREMES];

typedef struct fuzz_source {
  const uint8_t *front, *end;
} fuzz_source;

int64_t fuzz_take_element(fuzz_source *source); /* from the front */
int64_t fuzz_take(fuzz_source *source);         /* from the end */
uint8_t fuzz_take_byte(fuzz_source *source);    /* from the end */
int64_t fuzz_take_below(fuzz_source *source, int64_t count); /* 0 .. count-1, from the end */

/* Writes from both ends of `bytes` towards the middle. */
typedef struct fuzz_sink {
  uint8_t *bytes;
  size_t capacity, front, back;
  bool full; /* something did not fit */
} fuzz_sink;

void fuzz_put_element(fuzz_sink *sink, int64_t element);
void fuzz_put(fuzz_sink *sink, int64_t number);
void fuzz_put_byte(fuzz_sink *sink, uint8_t byte);

/* Closes the gap in the middle; returns the size. */
size_t fuzz_finish(fuzz_sink *sink);

#endif
