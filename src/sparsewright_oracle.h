/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle: is a sum or a product right? A part of sparsewright.h, for callers who test numerical code. There is no
 * tolerance: sums are exact, and the bound on an error follows from the declared precision (J1 to J12 of
 * spec/semantics.def).
 *
 * No function allocates, prints or keeps state. No verdict rests on floating-point computation. */
#ifndef SPARSEWRIGHT_ORACLE_H
#define SPARSEWRIGHT_ORACLE_H

#include "sparsewright_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Verdicts -------------------------------------------------------------------------------- */

/* The declared precision of a sum (J2). Each multiplication and addition, or both at once, is rounded to nearest: in
 * this format, in one of at least ten bits more, or in that one and then in this. Any order is allowed. The result is
 * rounded to its type. */
typedef enum spw_precision {
  SPW_PRECISION_NONE = 0, /* not declared: nothing is judged */
  SPW_IN_FLOAT64,
  SPW_IN_FLOAT32,
  SPW_IN_FLOAT32_FTZ,     /* numbers below the normal ones may be taken for zero, operands too */
  SPW_FROM_TF32,          /* float32 sums. Operands, or what alpha or duplicates make of them, are rounded in either direction
                           * to 11 significant bits */
  SPW_FROM_BFLOAT16,      /* the same with 8 significant bits */
  SPW_IN_FLOAT16,
  SPW_IN_BFLOAT16
} spw_precision;

/* Zero means that nothing was judged, so untouched memory has not passed. */
typedef enum spw_verdict {
  SPW_NOT_JUDGED = 0,
  SPW_RIGHT_EXACT,   /* exactly what every order gives */
  SPW_RIGHT_BOUNDED, /* within the bound */
  SPW_RIGHT_SPECIAL, /* the NaN or infinity that the operands demand */
  SPW_UNDECIDED,     /* an infinity or NaN that some order may give: partial sums may overflow, the factor of an infinity may
                      * become zero, or a complex factor may be applied or not. Or any number, if the bound is no smaller than
                      * the gauge */
  SPW_WRONG
} spw_verdict;

/* What is wrong, or why nothing was judged. */
typedef enum spw_fault {
  SPW_FAULT_NONE = 0,
  SPW_FAULT_VALUE,         /* finite, and not what every order gives, or further away than the bound */
  SPW_FAULT_NAN,           /* NaN where no order gives one */
  SPW_FAULT_NOT_NAN,       /* a number where every order gives NaN */
  SPW_FAULT_INFINITE,      /* an infinity that no order gives */
  SPW_FAULT_NOT_INFINITE,  /* not the infinity that the operands demand */
  SPW_FAULT_SIGN_OF_ZERO,  /* -0.0 where every order gives +0.0 */
  SPW_FAULT_SHAPE,         /* shape of `operand`: lhs instead of rhs. The result is wrong if it is the result's; nothing is
                            * judged if it is another operand's, or if a sparse result has no size (-1) */
  SPW_FAULT_TYPE,          /* the same for its type, an spw_dtype */
  SPW_FAULT_PRECISION,     /* not judged: no precision was declared, or it cannot hold the operands */
  SPW_FAULT_RULE,          /* not judged: an operand or the result breaks a rule: `violation` */
  SPW_FAULT_LAYOUT,        /* not judged: an operand has a layout that is not handled, dense dimensions, fewer than two or more
                            * than 32 */
  SPW_FAULT_WORK,          /* not judged: more terms or bytes than int64 can number, or lhs terms, more than `most` */
  SPW_FAULT_DUPLICATE      /* not judged: `operand` stores two elements at one place, the first of which is `batch`, `row`,
                            * `column`. Special values depend on whether they are summed before they are multiplied */
} spw_fault;

/* The name of a verdict or a fault: "value", "nan" ...; never null. */
const char *spw_verdict_name(spw_verdict verdict);
const char *spw_fault_name(spw_fault fault);

/* The name of a precision: "float32", "tf32" ...; null for any other value. The reverse: SPW_PRECISION_NONE if unknown. */
const char *spw_precision_name(spw_precision precision);
spw_precision spw_precision_from_name(const char *name);

/* The usual precision of a type: float32 for float16 and bfloat16, otherwise the type itself. */
spw_precision spw_precision_of(spw_dtype dtype);

/* ---- Exact sums ------------------------------------------------------------------------------ */

/* Limbs of 32 bits. The first bit stands for 2^SPW_EXACT_LEAST; every product of three doubles is a multiple of it. The
 * last bit stands for 2^3391; SPW_EXACT_TERMS such products stay below 2^3132. */
#define SPW_EXACT_LIMBS 208
#define SPW_EXACT_LEAST (-3264)
#define SPW_EXACT_TERMS ((int64_t)1 << 60)

/* An exact sum of values, of products of two, and of such sums times a factor; with its gauge, the sum of magnitudes,
 * and what a verdict has to know. Positive and negative terms are kept apart: the sum is the difference of both, the
 * gauge is their sum. Callers do not use the members. */
typedef struct spw_exact {
  uint32_t positive[SPW_EXACT_LIMBS];
  uint32_t negative[SPW_EXACT_LIMBS];
  uint32_t flushed[SPW_EXACT_LIMBS]; /* gauge of the products with an operand below 2^-126 */
  int64_t terms;       /* number of terms */
  int64_t nonzero;     /* number of terms that are not zero */
  int32_t factors;     /* of the longest product: 1, 2 or 3 */
  int32_t operand_low; /* every operand is a multiple of 2^operand_low, */
  int32_t operand_top; /* and below 2^operand_top, */
  int32_t operand_bits;/* with at most this many significant bits */
  int32_t unit;        /* every term is a multiple of 2^unit */
  int32_t lowest;      /* every term and its operands are multiples of 2^lowest */
  int32_t reach;       /* all terms together were below 2^reach before a factor was applied */
  int32_t factor_top;  /* the applied factor is below 2^factor_top, if that is not 0; */
  int32_t factored_top; /* its terms have operands below 2^factored_top; */
  int32_t factored_bits; /* and one of those times the factor has at most this many significant bits */
  int32_t fine_top;    /* the least operand that is no multiple of 2^-24 is below 2^fine_top, and not below half of that */
  int32_t beside;      /* what may be added times 0 is below 2^beside */
  uint32_t seen;       /* signs and special values */
  int32_t facing;      /* the least finite factor of an infinity is below 2^facing, */
  int32_t facing_after; /* and times a factor that is applied to it first, below 2^facing_after */
} spw_exact;

/* Makes a sum without terms: 0. */
void spw_exact_start(spw_exact *sum);

/* Adds a value, or a product. Convert float16, bfloat16 and float32 to double: that is exact. SPW_ERANGE, with nothing
 * added: there are
 * SPW_EXACT_TERMS terms already. */
spw_status spw_exact_add(spw_exact *sum, double value);
spw_status spw_exact_add_product(spw_exact *sum, double a, double b);

/* Adds factor * other; a factor of 1 or -1 adds or subtracts the terms. `sum` is not `other`. SPW_ERANGE, with nothing
 * added: `other` has products of more than two factors, or a factor was applied to it, or both have more than
 * SPW_EXACT_TERMS terms. */
spw_status spw_exact_add_scaled(spw_exact *sum, const spw_exact *other, double factor);

/* The sum rounded to nearest, ties to even, as the bits of a floating type (SPW_FLOAT16 ... SPW_FLOAT64; otherwise 0).
 * It is an infinity beyond the largest number, +0 for 0, and NaN or an infinity if the terms demand it. */
uint64_t spw_exact_round(const spw_exact *sum, spw_dtype dtype);

/* The judgement of one number. sum, bound and ratio are for people: no verdict rests on them. */
typedef struct spw_finding_of_sum {
  spw_verdict verdict;
  spw_fault fault;
  double sum;   /* nearest to the exact sum, or the demanded NaN or infinity */
  double bound; /* on the error, rounded up; 0 if every order gives the same */
  double ratio; /* of the error to the bound, with the rounding to a narrower type. 0 for 0 / 0; an infinity for other errors
                 * over 0, and for a wrong NaN or infinity */
} spw_finding_of_sum;

/* Judges y, the bits of a number of a floating type, as a result for the sum. If the type of y holds all numbers of the
 * precision, y is right if |y - sum| <= bound. Otherwise y has to lie between sum - bound and sum + bound, both rounded
 * to its type. The bound is that of J3, rounded up to 64 significant bits. An infinity is right only if the sum is
 * rounded to it, and so is any number if the bound is no smaller than the gauge. Only spw_judge_product knows which
 * elements are stored twice. SPW_NOT_JUDGED: dtype is no real floating type, the precision is none, or it cannot hold
 * the operands. */
spw_finding_of_sum spw_exact_judge(const spw_exact *sum, spw_precision precision, spw_dtype dtype, uint64_t y);

/* ---- Products -------------------------------------------------------------------------------- */

/* alpha or beta: `integer` for integer types and bool (true unless 0), else `real`, and `imaginary` for complex
 * types. */
typedef struct spw_weight {
  double real, imaginary;
  int64_t integer;
} spw_weight;

/* The claim to judge: y = beta * c + alpha * (a x). */
typedef struct spw_product_claim {
  const spw_tensor *a; /* any sparse layout, without dense dimensions; in COO the dimensions before the last two are
                        * batches */
  const spw_tensor *x; /* dense (SPW_DENSE): batch dimensions of a, columns of a, and then K or nothing; or sparse
                        * like a */
  const spw_tensor *c; /* null if beta is 0, else dense like y */
  const spw_tensor *y; /* dense: batch dimensions of a, rows of a, and then K if x has it. If x is sparse, y may be sparse like
                        * a: what it does not store is 0 */
  spw_weight alpha, beta; /* 0: a and x (c) are not read; 1: not applied. A complex 1 may be applied: a NaN, as from times 0, is
                           * then undecided if the other part is an infinity or a NaN, or may become one */
  spw_precision precision;
  int64_t most; /* the most terms of a product of sparse operands, and numbers of its result, to judge; 0: no limit */
} spw_product_claim;

typedef struct spw_judgement {
  spw_verdict verdict; /* of the whole: SPW_WRONG if one number is wrong, else the least certain of all; SPW_RIGHT_EXACT for a
                        * result without elements */
  spw_fault fault;     /* of the first wrong number, or why nothing was judged */
  /* The number of numbers (two for each complex element), and of each verdict. */
  int64_t numbers, exact, bounded, special, undecided, wrong;
  /* A sparse result: elements with terms that it does not store, and elements that it stores without a term. They are
   * no fault as such, since many libraries leave out zeros. Each is judged as the number that it is, 0 if it is not
   * stored. */
  int64_t absent, extra;
  /* The first wrong number, else the one with the largest ratio: its place, and what was found there. */
  int64_t batch, row, column, part;
  double found;
  spw_finding_of_sum worst;
  int64_t integer_found, integer_sum; /* for integer types and bool */
  /* The operand of a wrong shape or type, or of what prevented judging. */
  const spw_tensor *operand;
  spw_violation violation;
  int64_t place, lhs, rhs; /* the dimension, or -1 */
} spw_judgement;

/* *bytes: the workspace of spw_judge_product, aligned as malloc aligns. Status as there. */
spw_status spw_judge_work(const spw_product_claim *claim, size_t *bytes, spw_judgement *judgement);

/* Judges every element of claim->y. If y is sparse, these are those that it stores and those that a x has (J12). Types:
 * a and x have one type: floating, complex, integer or bool. c and y have it too, or another real (complex) floating
 * type if it is one. Complex numbers are judged by parts, integers modulo 2^w, bool as or of ands; integers and bool
 * exactly, whatever the precision.
 *
 *   SPW_OK           judged: judgement->verdict is the answer
 *   SPW_EINVAL       a pointer is null, as for the checks; or `work` is too short, or overlaps an operand, what
 *                    describes one, or the claim
 *   SPW_EOVERFLOW    as for the checks
 *   SPW_EINVALID     an operand, or y, breaks a rule: SPW_FAULT_RULE, judgement->operand and violation
 *   SPW_ERANGE       the operands do not fit each other or the precision; the work is too much; or, if a and x are
 *                    sparse, one of them or y stores two elements at one place: judgement->fault, operand, lhs and rhs
 *   SPW_EUNSUPPORTED SPW_FAULT_LAYOUT
 * *judgement, unless null, is always written; its verdict is SPW_NOT_JUDGED unless the status is SPW_OK. A result of
 * the wrong shape or type is judged, and wrong.
 * O(rows + n log n + n * K + elements of y + batches * compressed dimension of a), where n counts the elements of a. If
 * x is sparse:
 * O(n log n + rows), where n counts the elements of a, x and y and the terms of the product. */
spw_status spw_judge_product(const spw_product_claim *claim, void *work, size_t bytes, spw_judgement *judgement);

/* ---- Operands for which every order gives the same bits ---------------------------------------- */

/* A lattice: integers times 2^exponent, never 0, below 2^a_bits for operands a and below 2^x_bits for operands x. No
 * sum of `terms` products is rounded: terms * 2^(a_bits + x_bits) <= 2^p. */
typedef struct spw_lattice {
  spw_dtype dtype;
  int32_t a_bits, x_bits, exponent;
} spw_lattice;

/* The widest lattice of a type on which no sum of up to `terms` products is rounded in a precision; for complex types,
 * of the 2 * terms products of a part. SPW_ERANGE: there is none, because terms are too many. SPW_EINVAL: dtype is not
 * floating, terms < 1, or the precision is none or too narrow for the range of the type. */
spw_status spw_lattice_for(spw_dtype dtype, spw_precision precision, int64_t terms, spw_lattice *lattice);

/* The bits of a real number of the lattice (complex types: of a part), chosen by any 64 bits. x(place) differs from
 * x(place + 1) whatever the bits are, so a column cannot be taken for its neighbour. */
uint64_t spw_lattice_a(const spw_lattice *lattice, uint64_t bits);
uint64_t spw_lattice_x(const spw_lattice *lattice, int64_t place, uint64_t bits);

#ifdef __cplusplus
}
#endif

#endif
