/* SPDX-License-Identifier: Apache-2.0 */
#include "mutator.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t capacity) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t capacity, unsigned seed);

/* ---- Bytes ----------------------------------------------------------------------------------- */

/* What an engine does; AFL++ gives its mutators no such function. */
static size_t change_bytes(uint8_t *bytes, size_t size, size_t capacity, dice *d)
{
  if (LLVMFuzzerMutate) {
    const size_t changed = LLVMFuzzerMutate(bytes, size, capacity);
    if (changed > 0) return changed;
  }
  const size_t at = size > 0 ? (size_t)roll_below(d, (int64_t)size) : 0;
  switch (roll_below(d, 4)) {
    case 0:
      if (size == capacity) break;
      memmove(bytes + at + 1, bytes + at, size - at);
      bytes[at] = (uint8_t)roll(d);
      return size + 1;
    case 1:
      if (size < 2) break;
      memmove(bytes + at, bytes + at + 1, size - at - 1);
      return size - 1;
    case 2:
      if (size > 0) bytes[at] ^= (uint8_t)(1 << roll_below(d, 8));
      break;
    default:
      if (size > 0) bytes[at] = (uint8_t)roll(d);
      break;
  }
  return size;
}

/* All but the version. */
static size_t change_encoding(uint8_t *bytes, size_t size, size_t capacity, dice *d)
{
  if (capacity < 2) return size;
  const size_t kept = size > 0 ? size - 1 : 0;
  const size_t changed = change_bytes(bytes, kept, capacity - 1, d);
  bytes[changed] = FUZZ_VERSION;
  return changed + 1;
}

/* ---- Files ----------------------------------------------------------------------------------- */

static uint32_t little(const uint8_t *at, int bytes)
{
  uint32_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint32_t)at[i] << 8 * i;
  return number;
}

static void put_little(uint8_t *at, uint32_t number)
{
  for (int i = 0; i < 4; i++) at[i] = (uint8_t)(number >> 8 * i);
}

enum { LOCAL = 30, CENTRAL = 46, CRC_IN_LOCAL = 14, CRC_IN_CENTRAL = 16, CRC_IN_DESCRIPTOR = 4 };

/* A stored member gets the checksum of its bytes, or no change to them would be looked at. It
 * stands behind the member where the local header leaves it open. */
static void repair_member(uint8_t *zip, size_t size, uint8_t *central)
{
  const size_t local = little(central + 42, 4), length = little(central + 20, 4);
  if (little(central + 10, 2) != 0 || local + LOCAL > size) return;
  const size_t data = local + LOCAL + little(zip + local + 26, 2) + little(zip + local + 28, 2);
  if (data > size || length > size - data) return;
  const uint32_t crc = (uint32_t)crc32(0, zip + data, (uInt)length);
  put_little(central + CRC_IN_CENTRAL, crc);
  const bool later = zip[local + 6] & 8;
  if (!later) put_little(zip + local + CRC_IN_LOCAL, crc);
  if (later && size - data - length >= CRC_IN_DESCRIPTOR + 4)
    put_little(zip + data + length + CRC_IN_DESCRIPTOR, crc);
}

static void repair_zip(uint8_t *zip, size_t size)
{
  for (size_t at = 0; at + CENTRAL <= size; at++)
    if (memcmp(zip + at, "PK\1\2", 4) == 0) repair_member(zip, size, zip + at);
}

/* The header of a .npy file ends where its line does, and says itself where that is. */
static void repair_npy(uint8_t *npy, size_t size)
{
  const size_t start = size > 6 && npy[6] == 1 ? 10 : 12;
  const uint8_t *end = size > start ? memchr(npy + start, '\n', size - start) : NULL;
  if (!end || end - npy > UINT16_MAX) return;
  const size_t length = (size_t)(end - npy) + 1 - start;
  npy[8] = (uint8_t)length;
  npy[9] = (uint8_t)(length >> 8);
  if (start == 12) npy[10] = npy[11] = 0;
}

/* Replaces bytes[at .. at + length - 1]; returns the size, 0 when there is no room. */
static size_t splice(uint8_t *bytes, size_t size, size_t capacity, size_t at, size_t length,
                     const char *text)
{
  const size_t wanted = strlen(text);
  if (size - length + wanted > capacity) return 0;
  memmove(bytes + at + wanted, bytes + at + length, size - at - length);
  memcpy(bytes + at, text, wanted);
  return size - length + wanted;
}

static bool is_digit(uint8_t byte)
{
  return byte >= '0' && byte <= '9';
}

/* A number somewhere in the text becomes another; in a zip, one of as many digits. */
static size_t change_number(const fuzz_format *f, uint8_t *bytes, size_t size, size_t capacity,
                            dice *d)
{
  char text[24];
  uint64_t number = 0;
  size_t at = size > 0 ? (size_t)roll_below(d, (int64_t)size) : 0, end;
  while (at < size && !is_digit(bytes[at])) at++;
  for (end = at; end < size && end - at < 18 && is_digit(bytes[end]); end++)
    number = 10 * number + (bytes[end] - (uint64_t)'0');
  if (at == end) return 0;
  snprintf(text, sizeof text, "%lld", (long long)fuzz_nudge((int64_t)number, d));
  if (f->is_zip && strlen(text) != end - at) return 0;
  return splice(bytes, size, capacity, at, end - at, text);
}

/* The words of a Matrix Market banner: one of a row for another. */
static size_t change_word(uint8_t *bytes, size_t size, size_t capacity, dice *d)
{
  enum { ROWS = 3, CHOICES = 4 };
  static const char *const words[ROWS][CHOICES] = {
      {"coordinate", "array", "coordinate", "array"},
      {"real", "integer", "complex", "pattern"},
      {"general", "symmetric", "skew-symmetric", "hermitian"}};
  const char *const *row = words[roll_below(d, ROWS)];
  for (size_t at = 1; at < size && at < 80; at++)
    for (int i = 0; i < CHOICES; i++) {
      const size_t length = strlen(row[i]);
      if (bytes[at - 1] == ' ' && at + length <= size && !memcmp(bytes + at, row[i], length))
        return splice(bytes, size, capacity, at, length, row[roll_below(d, CHOICES)]);
    }
  return 0;
}

static size_t change_text(const fuzz_format *f, uint8_t *bytes, size_t size, size_t capacity,
                          dice *d)
{
  if (roll_below(d, 4) == 0) return change_word(bytes, size, capacity, d);
  return change_number(f, bytes, size, capacity, d);
}

static size_t change_file_bytes(const fuzz_format *f, uint8_t *bytes, size_t size, size_t capacity,
                                dice *d)
{
  const size_t changed = roll_below(d, 2) ? change_text(f, bytes, size, capacity, d) : 0;
  size = changed > 0 ? changed : change_bytes(bytes, size, capacity, d);
  if (f->is_zip && roll_below(d, 8)) repair_zip(bytes, size);
  if (f->read == spw_read_npy && roll_below(d, 8)) repair_npy(bytes, size);
  return size;
}

/* The tensor of a file is changed and written again; 0 when there is none. */
static size_t change_tensor(const fuzz_format *f, uint8_t *bytes, size_t size, size_t capacity,
                            dice *d)
{
  static fuzz_model model;
  static fuzz_tensor tensor;
  static uint8_t encoded[FUZZ_INPUT];
  spw_owned *owned;
  void *written;
  size_t length = 0;
  if (f->read(bytes, size, 0, &owned, NULL) != SPW_OK) return 0;
  const bool fits = fuzz_model_of(spw_owned_tensor(owned), &model);
  spw_owned_free(owned);
  if (!fits) return 0;
  for (int64_t changes = 1 + roll_below(d, 3); changes > 0; changes--) fuzz_change(&model, d);
  /* what is decoded has room in a specimen */
  if (!fuzz_decode(encoded, fuzz_encode(&model, encoded, sizeof encoded), &model)) return 0;
  fuzz_build_whole(&model, 0, &tensor);
  const spw_tensor changed = fuzz_for_file(&model, 0, &tensor);
  if (!tensor.has_values || fuzz_volume(&changed) > FUZZ_INPUT) return 0;
  if (f->write(&changed, &written, &length, NULL) != SPW_OK) return 0;
  if (length <= capacity) memcpy(bytes, written, length);
  else length = 0;
  free(written);
  return length;
}

/* ---- Both ------------------------------------------------------------------------------------ */

static size_t change_model(uint8_t *bytes, size_t size, size_t capacity, dice *d)
{
  static fuzz_model model;
  if (!fuzz_decode(bytes, size, &model)) fuzz_random_model(&model, d);
  for (int64_t changes = 1 + roll_below(d, 3); changes > 0; changes--) fuzz_change(&model, d);
  return fuzz_encode(&model, bytes, capacity);
}

size_t fuzz_mutate(const fuzz_format *format, uint8_t *bytes, size_t size, size_t capacity,
                   uint64_t seed)
{
  dice d = {seed};
  size_t changed = 0;
  if (format) {
    if (roll_below(&d, 3) == 0) changed = change_tensor(format, bytes, size, capacity, &d);
    return changed > 0 ? changed : change_file_bytes(format, bytes, size, capacity, &d);
  }
  if (roll_below(&d, 5)) changed = change_model(bytes, size, capacity, &d);
  return changed > 0 ? changed : change_encoding(bytes, size, capacity, &d);
}

size_t fuzz_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                  size_t capacity, uint64_t seed)
{
  static fuzz_model to, from;
  dice d = {seed};
  if (!fuzz_decode(a, a_size, &to) || !fuzz_decode(b, b_size, &from)) return 0;
  fuzz_operand *const o = &to.operand[roll_below(&d, to.operands)];
  const fuzz_operand *const other = &from.operand[roll_below(&d, from.operands)];
  switch (roll_below(&d, 6)) {
    case 0:
      to.operation = from.operation;
      to.parameters = from.parameters;
      memcpy(to.parameter, from.parameter, sizeof to.parameter);
      break;
    case 1: *o = *other; break;
    case 2: if (to.operands < FUZZ_OPERANDS) to.operand[to.operands++] = *other; break;
    default: fuzz_splice(o, other, &d); break;
  }
  return fuzz_encode(&to, out, capacity);
}

/* ---- libFuzzer ------------------------------------------------------------------------------- */

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t capacity, unsigned seed)
{
  return fuzz_mutate(fuzz_input_format ? fuzz_input_format() : NULL, bytes, size, capacity, seed);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size,
                                 uint8_t *out, size_t capacity, unsigned seed)
{
  dice d = {seed};
  size_t crossed = 0;
  if (!fuzz_input_format) crossed = fuzz_cross(a, a_size, b, b_size, out, capacity, seed);
  if (crossed > 0 || capacity == 0) return crossed;
  size_t head = a_size > 0 ? (size_t)roll_below(&d, (int64_t)a_size + 1) : 0;
  size_t tail = b_size > 0 ? (size_t)roll_below(&d, (int64_t)b_size + 1) : 0;
  if (head > capacity) head = capacity;
  if (tail > capacity - head) tail = capacity - head;
  if (head > 0) memcpy(out, a, head);
  if (tail > 0) memcpy(out + head, b + (b_size - tail), tail);
  return head + tail;
}
