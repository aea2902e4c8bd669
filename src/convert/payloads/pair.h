/* SPDX-License-Identifier: Apache-2.0 */
/* A payload is two words of bits. */

/* Does one of them have one of these? */
static inline int spw_tells(VAL x, VAL mask)
{
  return ((x.first & mask.first) | (x.second & mask.second)) != 0;
}
