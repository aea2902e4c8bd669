/* SPDX-License-Identifier: Apache-2.0 */
/* The records of a zip archive: their signatures, their lengths and where their fields lie. */
#ifndef SPW_IO_ZIP_FIELDS_H
#define SPW_IO_ZIP_FIELDS_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define SPW_ZIP_LOCAL "PK\3\4"
#define SPW_ZIP_DESCRIPTOR "PK\7\10"
#define SPW_ZIP_CENTRAL "PK\1\2"
#define SPW_ZIP_END64 "PK\6\6"
#define SPW_ZIP_LOCATOR "PK\6\7"
#define SPW_ZIP_END "PK\5\6"

enum {
  SPW_ZIP_SIGNATURE = 4,
  SPW_ZIP_LOCAL_SIZE = 30,
  SPW_ZIP_CENTRAL_SIZE = 46,
  SPW_ZIP_END64_SIZE = 56,
  SPW_ZIP_LOCATOR_SIZE = 20,
  SPW_ZIP_END_SIZE = 22
};

static inline uint64_t spw_zip_number(const unsigned char *at, int bytes)
{
  uint64_t number = 0;
  for (int i = 0; i < bytes; i++) number |= (uint64_t)at[i] << 8 * i;
  return number;
}

static inline uint16_t spw_zip_u16(const unsigned char *at)
{
  return (uint16_t)spw_zip_number(at, 2);
}

static inline uint32_t spw_zip_u32(const unsigned char *at)
{
  return (uint32_t)spw_zip_number(at, 4);
}

static inline uint64_t spw_zip_u64(const unsigned char *at)
{
  return spw_zip_number(at, 8);
}

static inline bool spw_zip_is(const unsigned char *at, const char *signature)
{
  return memcmp(at, signature, SPW_ZIP_SIGNATURE) == 0;
}

#endif
