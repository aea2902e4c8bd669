/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of values: what each has for each type, and the kernels that map values by it. */
#ifndef SPW_OPS_UNARY_UNARY_H
#define SPW_OPS_UNARY_UNARY_H

#include "../../sparsewright_unary.h"

/* An operand of float32 whose exact result lies too near the middle of two numbers for a double to tell, and the result, by
 * their bits. */
typedef struct spw_hard_case {
  uint32_t x, y;
} spw_hard_case;

struct spw_function;

/* What a kernel is given beside values. The scalars are of the operand's type. */
typedef struct spw_map_how {
  const struct spw_function *function;
  spw_dtype from, dtype; /* of the operand, and of the result */
  _Alignas(16) char scalar[16], nan[16], posinf[16], neginf[16];
} spw_map_how;

/* out[i] = f(in[i]) for n values in order. `out` may be `in` where both types have one width; else they share no memory. */
typedef void spw_map(const void *in, void *out, int64_t n, const spw_map_how *how);

/* Of what type a result is. */
typedef enum spw_result_type {
  SPW_RESULT_SAME,    /* that of the operand */
  SPW_RESULT_FLOATS,  /* the same of a float; float32 of an integer or bool */
  SPW_RESULT_REAL,    /* the same, but of a complex type that of its parts */
  SPW_RESULT_BOOL,
  SPW_RESULT_ASKED    /* what is asked for */
} spw_result_type;

typedef struct spw_function {
  spw_map *kernel[SPW_DTYPE_COUNT]; /* by the operand's type; null: the function does not exist for it */
  spw_result_type result;
  bool linear;                      /* it commutes with addition by bits: duplicates stay */
  bool has_scalar;
  double (*real)(double);           /* a function of reals, with an error below 4 units in the last place */
  long double (*precise)(long double);
  const spw_hard_case *hard;        /* in ascending order of x */
  int64_t hard_count;
} spw_function;

/* Null: there is no such function, or it is refused. */
const spw_function *spw_function_get(spw_unary_function function);

/* May the scalar be the function's (U6, U7)? */
bool spw_scalar_fits(spw_unary_function function, spw_dtype dtype, const void *scalar);

/* Sets what nan_to_num replaces by where the request says nothing. */
void spw_default_replacements(spw_dtype dtype, const spw_unary_request *wanted, spw_map_how *how);

/* The first of n values that has no place in a type; n: all have. */
int64_t spw_first_misfit(const void *values, int64_t n, spw_dtype from, spw_dtype to);

/* An integer to wide[0]; or the real part and the imaginary one, -1 without one, as the bits of doubles. */
void spw_widen_value(const void *value, spw_dtype from, int64_t wide[2]);

#endif
