/* SPDX-License-Identifier: Apache-2.0 */
#include "bytes.h"

#include <string.h>

enum { SMALL = 208, NEGATIVE = 224, SHORT = 254, LONG = 255 };

const int64_t fuzz_extremes[FUZZ_EXTREMES] = {
    INT64_MIN, INT64_MIN + 1, -((int64_t)1 << 62), -((int64_t)1 << 32) - 1, -((int64_t)1 << 32),
    (int64_t)INT32_MIN - 1, INT32_MIN, INT32_MIN + 1, INT16_MIN - 1, INT16_MIN,
    256, INT16_MAX, INT16_MAX + 1, UINT16_MAX + 1, 1 << 30,
    INT32_MAX - 1, INT32_MAX, (int64_t)INT32_MAX + 1, (int64_t)INT32_MAX + 2, UINT32_MAX,
    (int64_t)UINT32_MAX + 1, (int64_t)UINT32_MAX + 2, (int64_t)1 << 33, (int64_t)1 << 40,
    (int64_t)1 << 53, (int64_t)1 << 61, (int64_t)1 << 62, INT64_MAX / 2, INT64_MAX - 1, INT64_MAX};

typedef uint8_t take_byte(fuzz_source *source);

static uint8_t from_front(fuzz_source *source)
{
  return source->front < source->end ? *source->front++ : 0;
}

uint8_t fuzz_take_byte(fuzz_source *source)
{
  return source->front < source->end ? *--source->end : 0;
}

static int64_t take_number(fuzz_source *source, take_byte *take)
{
  const uint8_t first = take(source);
  if (first < SMALL) return first;
  if (first < NEGATIVE) return (int64_t)first - NEGATIVE;
  if (first < SHORT) return fuzz_extremes[first - NEGATIVE];
  uint64_t number = 0;
  for (int i = 0; i < (first == SHORT ? 2 : 8); i++) number |= (uint64_t)take(source) << 8 * i;
  return (int64_t)number;
}

int64_t fuzz_take_element(fuzz_source *source)
{
  return take_number(source, from_front);
}

int64_t fuzz_take(fuzz_source *source)
{
  return take_number(source, fuzz_take_byte);
}

int64_t fuzz_take_below(fuzz_source *source, int64_t count)
{
  return (int64_t)((uint64_t)fuzz_take(source) % (uint64_t)count);
}

typedef void put_byte(fuzz_sink *sink, uint8_t byte);

static bool has_room(fuzz_sink *sink)
{
  if (sink->front + sink->back >= sink->capacity) sink->full = true;
  return !sink->full;
}

static void at_front(fuzz_sink *sink, uint8_t byte)
{
  if (has_room(sink)) sink->bytes[sink->front++] = byte;
}

void fuzz_put_byte(fuzz_sink *sink, uint8_t byte)
{
  if (has_room(sink)) sink->bytes[sink->capacity - ++sink->back] = byte;
}

static bool put_extreme(fuzz_sink *sink, int64_t number, put_byte *put)
{
  for (int i = 0; i < FUZZ_EXTREMES; i++)
    if (fuzz_extremes[i] == number) {
      put(sink, (uint8_t)(NEGATIVE + i));
      return true;
    }
  return false;
}

static void put_number(fuzz_sink *sink, int64_t number, put_byte *put)
{
  if (number >= 0 && number < SMALL) {
    put(sink, (uint8_t)number);
  } else if (number < 0 && number >= SMALL - NEGATIVE) {
    put(sink, (uint8_t)(NEGATIVE + number));
  } else if (!put_extreme(sink, number, put)) {
    const bool is_short = number >= 0 && number <= UINT16_MAX;
    put(sink, is_short ? SHORT : LONG);
    for (int i = 0; i < (is_short ? 2 : 8); i++) put(sink, (uint8_t)((uint64_t)number >> 8 * i));
  }
}

void fuzz_put_element(fuzz_sink *sink, int64_t element)
{
  put_number(sink, element, at_front);
}

void fuzz_put(fuzz_sink *sink, int64_t number)
{
  put_number(sink, number, fuzz_put_byte);
}

size_t fuzz_finish(fuzz_sink *sink)
{
  memmove(sink->bytes + sink->front, sink->bytes + sink->capacity - sink->back, sink->back);
  return sink->front + sink->back;
}
