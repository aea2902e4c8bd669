/* SPDX-License-Identifier: Apache-2.0 */
/* Unsigned integers as signed ones. */
#include "unsigned.h"

#include <stdio.h>
#include <string.h>

typedef struct known {
  spw_stored type;
  spw_dtype dtype;
} known;

static const known types[] = {
    {{'b', 1}, SPW_BOOL},    {{'u', 1}, SPW_UINT8},    {{'u', 2}, SPW_INT32},   {{'u', 4}, SPW_INT64},  {{'u', 8}, SPW_INT64},
    {{'i', 1}, SPW_INT8},    {{'i', 2}, SPW_INT16},    {{'i', 4}, SPW_INT32},   {{'i', 8}, SPW_INT64},  {{'f', 2}, SPW_FLOAT16},
    {{'f', 4}, SPW_FLOAT32}, {{'f', 8}, SPW_FLOAT64},  {{'t', 2}, SPW_BFLOAT16}, {{'c', 8}, SPW_COMPLEX64},
    {{'c', 16}, SPW_COMPLEX128}};

spw_dtype spw_dtype_of_stored(spw_stored type)
{
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type.kind == type.kind && types[i].type.size == type.size) return types[i].dtype;
  return SPW_DTYPE_NONE;
}

size_t spw_size_as_read(spw_stored type)
{
  return (size_t)spw_dtype_size(spw_dtype_of_stored(type));
}

unsigned char *spw_place_stored(spw_stored type, int64_t count, void *elements)
{
  return (unsigned char *)elements + (size_t)count * (spw_size_as_read(type) - (size_t)type.size);
}

static spw_status widen64(int64_t count, const int64_t *numbers, const char *name, spw_error *error)
{
  for (int64_t i = 0; i < count; i++) {
    if (numbers[i] >= 0) continue;
    char where[sizeof error->where];
    snprintf(where, sizeof where, "%.60s[%lld]", name, (long long)i);
    return spw_fail(SPW_EUNSUPPORTED, error, where, "%llu needs type uint64, and rule 1.5 has no such type",
                    (unsigned long long)(uint64_t)numbers[i]);
  }
  return SPW_OK;
}

/* A number that is written lies before all that are not read yet. */
spw_status spw_widen_stored(spw_stored type, int64_t count, void *elements, const char *name, spw_error *error)
{
  if (type.kind != 'u' || type.size == 1) return SPW_OK;
  if (type.size == 8) return widen64(count, elements, name, error);
  const unsigned char *const from = spw_place_stored(type, count, elements);
  for (int64_t i = 0; i < count; i++) {
    uint16_t narrow;
    uint32_t wide;
    if (type.size == 2) {
      memcpy(&narrow, from + 2 * i, sizeof narrow);
      ((int32_t *)elements)[i] = narrow;
    } else {
      memcpy(&wide, from + 4 * i, sizeof wide);
      ((int64_t *)elements)[i] = wide;
    }
  }
  return SPW_OK;
}
