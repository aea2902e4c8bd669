/* SPDX-License-Identifier: Apache-2.0 */
/* A payload is bits. */
#include "../combine.h"

static inline VAL spw_without_payload(void)
{
  return 0;
}

/* Does it have one of these? */
static inline int spw_tells(VAL x, VAL mask)
{
  return (x & mask) != 0;
}

/* All of them. */
static inline uint64_t spw_payload_bits(VAL x)
{
  return x;
}

/* And back. */
static inline VAL spw_payload_from(uint64_t bits)
{
  return (VAL)bits;
}

/* Two of them, added. */
static inline uint64_t spw_bits_sum(int type, uint64_t before, uint64_t next)
{
  VAL sum = (VAL)before;
  const VAL more = (VAL)next;
  spw_add_scalars((spw_dtype)type, (char *)&sum, (const char *)&more, 1);
  return sum;
}

static inline TOTAL spw_total_of(VAL x)
{
  const TOTAL s = {x, false};
  return s;
}

static inline TOTAL spw_total_with(int type, TOTAL before, VAL next)
{
  TOTAL s = {before.payload, true};
  spw_add_scalars((spw_dtype)type, (char *)&s.payload, (const char *)&next, 1);
  return s;
}

/* The same bits; of a NaN that was computed, any NaN: what others make need not keep the first one (D2). */
static inline int spw_total_is(int type, TOTAL s, VAL x)
{
  if (s.payload == x) return 1;
  return s.computed && spw_is_nan((spw_dtype)type, &s.payload) && spw_is_nan((spw_dtype)type, &x);
}

/* Is it worth its time to clear all places ahead of the payloads, where each brings a line of the cache back? What is large is
 * cleared past the cache, while a row in it is fetched, and written back. */
static inline int spw_are_few(int64_t n, int64_t area)
{
  return n < area / (int64_t)(128 / sizeof(VAL));
}
