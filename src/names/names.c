/* SPDX-License-Identifier: Apache-2.0 */
/* Texts for the enums of the public header, and back. The checker itself needs none of them. */
#include "../sparsewright.h"

#include <string.h>

typedef struct dtype_info {
  const char *name;
  int64_t size;
} dtype_info;

static const dtype_info dtypes[SPW_DTYPE_COUNT] = {
    [SPW_DTYPE_NONE] = {NULL, 0},        [SPW_BOOL] = {"bool", 1},
    [SPW_UINT8] = {"uint8", 1},          [SPW_INT8] = {"int8", 1},
    [SPW_INT16] = {"int16", 2},          [SPW_INT32] = {"int32", 4},
    [SPW_INT64] = {"int64", 8},          [SPW_FLOAT16] = {"float16", 2},
    [SPW_BFLOAT16] = {"bfloat16", 2},    [SPW_FLOAT32] = {"float32", 4},
    [SPW_FLOAT64] = {"float64", 8},      [SPW_COMPLEX64] = {"complex64", 8},
    [SPW_COMPLEX128] = {"complex128", 16},
};

/* Behind the sparse ones stands the ordinary array. */
enum { LAYOUT_NAMES = SPW_LAYOUT_COUNT + 1 };
_Static_assert(SPW_DENSE == SPW_LAYOUT_COUNT, "dense stands behind the sparse layouts");

static const char *const layouts[LAYOUT_NAMES] = {"coo", "csr", "csc", "bsr", "bsc", "dense"};

/* The comparison is made on int: an enum may hold any value. */
static const dtype_info *dtype_get(spw_dtype dtype)
{
  const int i = (int)dtype;
  return i > 0 && i < SPW_DTYPE_COUNT ? &dtypes[i] : &dtypes[SPW_DTYPE_NONE];
}

const char *spw_dtype_name(spw_dtype dtype)
{
  return dtype_get(dtype)->name;
}

int64_t spw_dtype_size(spw_dtype dtype)
{
  return dtype_get(dtype)->size;
}

spw_dtype spw_dtype_from_name(const char *name)
{
  for (int i = 1; name && i < SPW_DTYPE_COUNT; i++)
    if (strcmp(dtypes[i].name, name) == 0) return (spw_dtype)i;
  return SPW_DTYPE_NONE;
}

const char *spw_layout_name(spw_layout layout)
{
  const int i = (int)layout;
  return i >= 0 && i < LAYOUT_NAMES ? layouts[i] : NULL;
}

int spw_layout_from_name(const char *name)
{
  for (int i = 0; name && i < LAYOUT_NAMES; i++)
    if (strcmp(layouts[i], name) == 0) return i;
  return -1;
}

const char *spw_status_string(spw_status status)
{
  switch (status) {
  case SPW_OK: return "ok";
  case SPW_EINVAL: return "invalid argument";
  case SPW_EOVERFLOW: return "more than 64 bits can number";
  case SPW_ENOMEM: return "out of memory, or above the memory limit";
  case SPW_EFORMAT: return "malformed";
  case SPW_EUNSUPPORTED: return "not supported";
  case SPW_EIO: return "cannot be read or written";
  case SPW_EINVALID: return "breaks a rule of its layout";
  case SPW_ERANGE: return "the result cannot be represented";
  }
  return "unknown status";
}
