/* SPDX-License-Identifier: Apache-2.0 */
#include "precision.h"

#include <string.h>

static const struct {
  const char *name;
  spw_dtype sum;
  int32_t operand_bits, operand_error; /* to nearest: 2^-bits; either way: twice that */
  bool flush;
} table[] = {
    [SPW_PRECISION_NONE] = {NULL, SPW_DTYPE_NONE, 0, 0, false},
    [SPW_IN_FLOAT64] = {"float64", SPW_FLOAT64, 53, 53, false},
    [SPW_IN_FLOAT32] = {"float32", SPW_FLOAT32, 24, 24, false},
    [SPW_IN_FLOAT32_FTZ] = {"float32-ftz", SPW_FLOAT32, 24, 24, true},
    [SPW_FROM_TF32] = {"tf32", SPW_FLOAT32, 11, 10, false},
    [SPW_FROM_BFLOAT16] = {"bfloat16-in", SPW_FLOAT32, 8, 7, false},
    [SPW_IN_FLOAT16] = {"float16", SPW_FLOAT16, 11, 11, false},
    [SPW_IN_BFLOAT16] = {"bfloat16", SPW_BFLOAT16, 8, 8, false},
};

enum { COUNT = sizeof table / sizeof *table };

spw_accumulation spw_accumulation_of(spw_precision precision)
{
  const int at = (int)precision > 0 && (int)precision < COUNT ? (int)precision : 0;
  const spw_accumulation a = {spw_format_of(table[at].sum), table[at].operand_bits, table[at].operand_error, table[at].flush};
  return a;
}

const char *spw_precision_name(spw_precision precision)
{
  return (int)precision > 0 && (int)precision < COUNT ? table[precision].name : NULL;
}

spw_precision spw_precision_from_name(const char *name)
{
  for (int p = 1; name && p < COUNT; p++)
    if (strcmp(name, table[p].name) == 0) return (spw_precision)p;
  return SPW_PRECISION_NONE;
}

spw_precision spw_precision_of(spw_dtype dtype)
{
  switch (dtype) {
    case SPW_FLOAT16: case SPW_BFLOAT16: case SPW_FLOAT32: case SPW_COMPLEX64: return SPW_IN_FLOAT32;
    case SPW_FLOAT64: case SPW_COMPLEX128: return SPW_IN_FLOAT64;
    default: return SPW_PRECISION_NONE;
  }
}

const char *spw_verdict_name(spw_verdict verdict)
{
  static const char *const names[] = {"not judged", "exact", "within the bound", "special", "undecided", "wrong"};
  return (int)verdict >= 0 && (int)verdict <= SPW_WRONG ? names[verdict] : "unknown";
}

const char *spw_fault_name(spw_fault fault)
{
  static const char *const names[] = {"none",          "value", "nan",  "not nan",   "infinite", "not infinite",
                                      "sign of zero", "shape", "type", "precision", "rule",     "layout", "work", "duplicate"};
  return (int)fault >= 0 && (int)fault <= SPW_FAULT_DUPLICATE ? names[fault] : "unknown";
}
