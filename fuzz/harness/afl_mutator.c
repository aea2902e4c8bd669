/* SPDX-License-Identifier: Apache-2.0 */
/* The mutator as a library for AFL_CUSTOM_MUTATOR_LIBRARY. FUZZ_FORMAT=json, mtx, npz or npy in the
 * environment: the inputs are such files. */
#include "mutator.h"

#include <stdlib.h>
#include <string.h>

typedef struct state {
  dice d;
  const fuzz_format *format;
  uint8_t bytes[FUZZ_INPUT];
} state;

void *afl_custom_init(void *afl, unsigned seed);
size_t afl_custom_fuzz(state *s, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t capacity);
void afl_custom_deinit(state *s);

void *afl_custom_init(void *afl, unsigned seed)
{
  (void)afl;
  state *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->d.state = seed;
  const char *name = getenv("FUZZ_FORMAT");
  for (int f = 0; name && f < FUZZ_FORMATS; f++)
    if (strcmp(name, fuzz_formats[f].name) == 0) s->format = &fuzz_formats[f];
  return s;
}

size_t afl_custom_fuzz(state *s, uint8_t *bytes, size_t size, uint8_t **out, uint8_t *other,
                       size_t other_size, size_t capacity)
{
  size_t made = 0;
  if (capacity > sizeof s->bytes) capacity = sizeof s->bytes;
  if (!s->format && other && roll_below(&s->d, 5) == 0)
    made = fuzz_cross(bytes, size, other, other_size, s->bytes, capacity, roll(&s->d));
  if (made == 0) {
    made = size < capacity ? size : capacity;
    memcpy(s->bytes, bytes, made);
    made = fuzz_mutate(s->format, s->bytes, made, capacity, roll(&s->d));
  }
  *out = s->bytes;
  return made;
}

void afl_custom_deinit(state *s)
{
  free(s);
}
