/* SPDX-License-Identifier: Apache-2.0 */
/* Functions of every value of a tensor, and casts to other types: a part of sparsewright.h, for callers in C. */
#ifndef SPARSEWRIGHT_UNARY_H
#define SPARSEWRIGHT_UNARY_H

#include "sparsewright_ops.h"

#ifdef __cplusplus
extern "C" {
#endif

/* F(ENUM, name, group, zero) for each function (U1 to U7). src/ops/README.md says what the groups are. `zero` is the value at
 * 0 of a function that would make other numbers of unspecified zeros, and "" for all others. */
#define SPW_EACH_REAL_UNARY(F) \
  F(SIN, sin, REAL, "")                                   \
  F(TAN, tan, REAL, "")                                   \
  F(ASIN, asin, REAL, "")                                 \
  F(ATAN, atan, REAL, "")                                 \
  F(SINH, sinh, REAL, "")                                 \
  F(TANH, tanh, REAL, "")                                 \
  F(ASINH, asinh, REAL, "")                               \
  F(ATANH, atanh, REAL, "")                               \
  F(EXPM1, expm1, REAL, "")                               \
  F(LOG1P, log1p, REAL, "")                               \
  F(ERF, erf, REAL, "")                                   \
  F(ERFINV, erfinv, REAL, "")                             \
  F(DEG2RAD, deg2rad, REAL, "")                           \
  F(RAD2DEG, rad2deg, REAL, "")                           \
  F(SQRT, sqrt, REAL, "")                                 \
  F(ACOS_SPECIFIED, acos_specified, REAL, "")             \
  F(COS_SPECIFIED, cos_specified, REAL, "")               \
  F(COSH_SPECIFIED, cosh_specified, REAL, "")             \
  F(EXP_SPECIFIED, exp_specified, REAL, "")               \
  F(LOG_SPECIFIED, log_specified, REAL, "")               \
  F(LOG10_SPECIFIED, log10_specified, REAL, "")           \
  F(LOG2_SPECIFIED, log2_specified, REAL, "")             \
  F(RSQRT_SPECIFIED, rsqrt_specified, REAL, "")           \
  F(RECIPROCAL_SPECIFIED, reciprocal_specified, REAL, "") \
  F(SIGMOID_SPECIFIED, sigmoid_specified, REAL, "")
#define SPW_EACH_OTHER_UNARY(F) \
  F(CEIL, ceil, ROUNDING, "")               \
  F(FLOOR, floor, ROUNDING, "")             \
  F(TRUNC, trunc, ROUNDING, "")             \
  F(ROUND, round, ROUNDING, "")             \
  F(FRAC, frac, FRAC, "")                   \
  F(ABS, abs, ABS, "")                      \
  F(NEG, neg, NEG, "")                      \
  F(POSITIVE, positive, IDENTITY, "")       \
  F(CONJ_PHYSICAL, conj_physical, CONJ, "") \
  F(SIGN, sign, SIGN, "")                   \
  F(SGN, sgn, SGN, "")                      \
  F(ANGLE, angle, ANGLE, "")                \
  F(RELU, relu, RELU, "")                   \
  F(NAN_TO_NUM, nan_to_num, NAN_TO_NUM, "") \
  F(ISNAN, isnan, TEST, "")                 \
  F(ISINF, isinf, TEST, "")                 \
  F(ISPOSINF, isposinf, REAL_TEST, "")      \
  F(ISNEGINF, isneginf, REAL_TEST, "")      \
  F(SIGNBIT, signbit, SIGNBIT, "")          \
  F(SQUARE, square, SQUARE, "")             \
  F(POW, pow, SCALAR, "")                   \
  F(DIV, div, DIV, "")                      \
  F(DIV_FLOOR, div_floor, SCALAR, "")       \
  F(DIV_TRUNC, div_trunc, SCALAR, "")
#define SPW_EACH_REFUSED_UNARY(F) \
  F(ACOS, acos, REFUSED, "RN(pi / 2)")         \
  F(ACOSH, acosh, REFUSED, "nan")              \
  F(BITWISE_NOT, bitwise_not, REFUSED, "-1")   \
  F(COS, cos, REFUSED, "1")                    \
  F(COSH, cosh, REFUSED, "1")                  \
  F(DIGAMMA, digamma, REFUSED, "-inf")         \
  F(ERFC, erfc, REFUSED, "1")                  \
  F(EXP, exp, REFUSED, "1")                    \
  F(EXP2, exp2, REFUSED, "1")                  \
  F(I0, i0, REFUSED, "1")                      \
  F(ISFINITE, isfinite, REFUSED, "true")       \
  F(ISREAL, isreal, REFUSED, "true")           \
  F(LGAMMA, lgamma, REFUSED, "inf")            \
  F(LOG, log, REFUSED, "-inf")                 \
  F(LOG10, log10, REFUSED, "-inf")             \
  F(LOG2, log2, REFUSED, "-inf")               \
  F(LOGICAL_NOT, logical_not, REFUSED, "true") \
  F(LOGIT, logit, REFUSED, "-inf")             \
  F(RECIPROCAL, reciprocal, REFUSED, "inf")    \
  F(RSQRT, rsqrt, REFUSED, "inf")              \
  F(SIGMOID, sigmoid, REFUSED, "0.5")          \
  F(SINC, sinc, REFUSED, "1")
#define SPW_EACH_UNARY(F) \
  SPW_EACH_REAL_UNARY(F) SPW_EACH_OTHER_UNARY(F) F(CAST, cast, CAST, "") SPW_EACH_REFUSED_UNARY(F)

/* SPW_UNARY_SIN and so on, from 0. */
#define SPW_UNARY_MEMBER(ENUM, name, group, zero) SPW_UNARY_##ENUM,
typedef enum spw_unary_function { SPW_EACH_UNARY(SPW_UNARY_MEMBER) SPW_UNARY_COUNT } spw_unary_function;
#undef SPW_UNARY_MEMBER

/* A requested function. {.function = SPW_UNARY_SIN} is enough for most. */
typedef struct spw_unary_request {
  spw_unary_function function;
  spw_dtype dtype;        /* cast: the type of the result */
  const void *scalar;     /* pow: the exponent; div, div_floor, div_trunc: the divisor: one value of the operand's type, in
                           * memory of any alignment */
  const void *nan;        /* nan_to_num: what NaN becomes, one (real) value of the operand's type; null: 0 */
  const void *posinf;     /* the same of +Inf; null: the largest finite number */
  const void *neginf;     /* the same of -Inf; null: the lowest */
  spw_combine duplicates; /* of COO operands that do not claim to be coalesced */
} spw_unary_request;

/* The name of a function, as "sin"; null if there is no such function. */
const char *spw_unary_name(spw_unary_function function);

/* The function with that name, -1 if there is none. "fix" is trunc, and "floor_divide" is div_floor. */
int spw_unary_from_name(const char *name);

/* The value at 0, in words, of a function that is refused because of it; otherwise "". Null if there is no such
 * function. */
const char *spw_unary_of_zero(spw_unary_function function);

/* The type of the result for operands of type `dtype`; of a cast, `dtype` itself. SPW_DTYPE_NONE: the function does not
 * exist for it. */
spw_dtype spw_unary_dtype(spw_unary_function function, spw_dtype dtype);

/* *room: the memory that the result takes; an upper bound if duplicates may have to be combined, otherwise exact. Judges
 * every rule of the tensor.
 *
 *   SPW_EINVAL        the call is wrong: as for the checks; or the tensor is dense, the function needs a scalar that is
 *                     null, or the cast names no type
 *   SPW_EOVERFLOW     as for the checks
 *   SPW_EUNSUPPORTED  more dimensions than SPW_STRUCTURE_DIMS
 *   SPW_EINVALID      the tensor breaks a rule: see refusal->violation
 *   SPW_ERANGE        any other obstacle: SPW_OBSTACLE_ZERO, SPW_OBSTACLE_SCALAR, SPW_OBSTACLE_TYPES, or as
 *                     spw_convert_size
 * *room is written with SPW_OK only, *refusal (may be null) with SPW_EINVALID and SPW_ERANGE only.
 * O(check + dimensions). */
spw_status spw_unary_size(const spw_tensor *tensor, const spw_unary_request *wanted, spw_room *room, spw_refusal *refusal);

/* Maps every stored value; *result views the buffers. It has the size, layout, index arrays, order and index type of the
 * tensor. COO without the claim to be coalesced is coalesced first, unless the function commutes with addition by bits:
 * neg, positive, conj_physical, div, and casts to the same type. Those keep duplicates and the claim.
 * float16, bfloat16 and float32 are correctly rounded for every operand (U4). float64 is what the C library gives, and has
 * a declared bound.
 * Status as above, and SPW_EINVAL if a buffer is too short. SPW_ERANGE: also SPW_OBSTACLE_VALUE, if a value has no
 * place in the type of a cast, and SPW_OBSTACLE_OVERLAP. Then nothing but the workspace is written.
 * O(check + values), and the cost of coalescing. */
spw_status spw_unary(const spw_tensor *tensor, const spw_unary_request *wanted, const spw_buffers *buffers, spw_tensor *result,
                     spw_refusal *refusal);

/* The same without judging the tensor: spw_is_valid must have called it valid at SPW_CANONICAL. */
spw_status spw_unary_size_unchecked(const spw_tensor *tensor, const spw_unary_request *wanted, spw_room *room,
                                    spw_refusal *refusal);
spw_status spw_unary_unchecked(const spw_tensor *tensor, const spw_unary_request *wanted, const spw_buffers *buffers,
                               spw_tensor *result, spw_refusal *refusal);

/* Maps the values where they lie; their memory must be writable. The result has the type of the operand; a function
 * that gives another type is refused with SPW_OBSTACLE_TYPES. COO that would have to be coalesced is refused with
 * SPW_OBSTACLE_DUPLICATE. Values of which two share memory, or that lie on the indices, are refused with
 * SPW_OBSTACLE_OVERLAP. Status as above. */
spw_status spw_unary_in_place(const spw_tensor *tensor, const spw_unary_request *wanted, spw_refusal *refusal);

/* spw_unary with memory of its own (libsparsewright_io): at most `limit` bytes (0: no limit), beyond that SPW_ENOMEM.
 * *out is to be freed with spw_owned_free. The tensor is judged once. */
spw_status spw_unary_new(const spw_tensor *tensor, const spw_unary_request *wanted, size_t limit, spw_owned **out,
                         spw_refusal *refusal);

#ifdef __cplusplus
}
#endif

#endif
