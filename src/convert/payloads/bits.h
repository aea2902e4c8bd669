/* SPDX-License-Identifier: Apache-2.0 */
/* A payload is bits. */
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

/* Is it worth its time to clear all places ahead of the payloads, where each brings a line of the cache back? What is large is
 * cleared past the cache, while a row in it is fetched, and written back. */
static inline int spw_are_few(int64_t n, int64_t area)
{
  return n < area / (int64_t)(128 / sizeof(VAL));
}
