/* SPDX-License-Identifier: Apache-2.0 */
/* The oracle, a part of sparsewright.h: is somebody's sum or product right? There is no tolerance: sums
 * are exact, and the bound on an error is the one that floating point has for the precision that was
 * declared (J1 to J12 of spec/semantics.def).
 *
 * No function allocates, prints, keeps state, or computes in floating point what a verdict rests on. */
#ifndef SPARSEWRIGHT_ORACLE_H
#define SPARSEWRIGHT_ORACLE_H

#include "sparsewright_core.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Verdicts -------------------------------------------------------------------------------- */

/* How somebody says that a sum was accumulated: each multiplication and addition, or both at once, rounded to
 * nearest in this format, in one of ten bits more, at least, or in that and then in this, in any order; the result rounded to
 * the type of the result. */
typedef enum spw_precision {
  SPW_PRECISION_NONE = 0, /* not declared: nothing is judged */
  SPW_IN_FLOAT64,
  SPW_IN_FLOAT32,
  SPW_IN_FLOAT32_FTZ,     /* what is below the normal numbers may be taken for zero, operands too */
  SPW_FROM_TF32,          /* operands, or what alpha or duplicates make of them, rounded, either way, to 11 significant bits;
                           * float32 sums */
  SPW_FROM_BFLOAT16,      /* the same to 8 significant bits */
  SPW_IN_FLOAT16,
  SPW_IN_BFLOAT16
} spw_precision;

/* Zero is no verdict: memory that nothing was written to has not passed. */
typedef enum spw_verdict {
  SPW_NOT_JUDGED = 0,
  SPW_RIGHT_EXACT,   /* every order gives this, and it is */
  SPW_RIGHT_BOUNDED, /* within the bound */
  SPW_RIGHT_SPECIAL, /* the NaN or infinity that the operands demand */
  SPW_UNDECIDED,     /* an infinity or NaN that some order may give, because partial sums may overflow, what an infinity is
                      * multiplied by may become zero, or a complex one is applied or not; or any number, where the bound is no
                      * smaller than the gauge */
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
  SPW_FAULT_SHAPE,         /* of `operand`: lhs instead of rhs. The result's is wrong; with another's, nothing is judged, nor
                            * with a sparse result that has no size (-1) */
  SPW_FAULT_TYPE,          /* the same of its type, an spw_dtype */
  SPW_FAULT_PRECISION,     /* not judged: none was declared, or it does not hold the operands */
  SPW_FAULT_RULE,          /* not judged: an operand, or the result, breaks a rule: `violation` */
  SPW_FAULT_LAYOUT,        /* not judged: an operand of this layout is not handled, or has dense dimensions,
                            * fewer than two or more than 32 */
  SPW_FAULT_WORK,          /* not judged: more terms or bytes than int64 can number, or more terms than `most`: lhs */
  SPW_FAULT_DUPLICATE      /* not judged: `operand` stores two elements at one place, of the first in `batch`, `row`, `column`:
                            * whether they are summed before they are multiplied, special values would tell */
} spw_fault;

/* "value", "nan" ... ; never null. */
const char *spw_verdict_name(spw_verdict verdict);
const char *spw_fault_name(spw_fault fault);

/* "float32", "float32-ftz", "tf32", ...; null for a value that is none. The reverse: SPW_PRECISION_NONE. */
const char *spw_precision_name(spw_precision precision);
spw_precision spw_precision_from_name(const char *name);

/* The one in which a library computes that says nothing else: of float16 and bfloat16, in float32. */
spw_precision spw_precision_of(spw_dtype dtype);

/* ---- Exact sums ------------------------------------------------------------------------------ */

/* Limbs of 32 bits: the first bit stands for 2^SPW_EXACT_LEAST, of which every product of three doubles is a
 * multiple, and the last for 2^3391, while SPW_EXACT_TERMS such products stay below 2^3132. */
#define SPW_EXACT_LIMBS 208
#define SPW_EXACT_LEAST (-3264)
#define SPW_EXACT_TERMS ((int64_t)1 << 60)

/* A sum of values, of products of two, and of such sums times a factor, without any rounding; its gauge, which is
 * the sum of their magnitudes; and what a verdict has to know of them. Positive and negative terms are kept
 * apart: the sum is the difference of both, the gauge the sum of both. Members are not for callers. */
typedef struct spw_exact {
  uint32_t positive[SPW_EXACT_LIMBS];
  uint32_t negative[SPW_EXACT_LIMBS];
  uint32_t flushed[SPW_EXACT_LIMBS]; /* gauge of products that have an operand below 2^-126 */
  int64_t terms;       /* that were added */
  int64_t nonzero;     /* of them, that are not zero */
  int32_t factors;     /* of the longest product: 1, 2 or 3 */
  int32_t operand_low; /* every operand is a multiple of 2^operand_low, */
  int32_t operand_top; /* and below 2^operand_top, */
  int32_t operand_bits;/* with at most this many significant bits */
  int32_t unit;        /* every term is a multiple of 2^unit; */
  int32_t lowest;      /* and, as what it is made of, of 2^lowest; */
  int32_t reach;       /* before a factor was applied all together were below 2^reach */
  int32_t factor_top;  /* the factor that was applied is below 2^factor_top, if that is not 0, */
  int32_t factored_top; /* what it was applied to is made of operands below 2^factored_top, */
  int32_t factored_bits; /* and one of them times the factor has at most this many significant bits */
  int32_t fine_top;    /* the least operand that is no multiple of 2^-24 is below 2^fine_top, and not below half of that */
  int32_t beside;      /* what may be added times 0 is below 2^beside */
  uint32_t seen;       /* signs and special values */
  int32_t facing;      /* the least finite number that an infinity is multiplied by is below 2^facing, */
  int32_t facing_after; /* and, times a factor that is applied to it first, below 2^facing_after */
} spw_exact;

/* No terms: the sum is 0. */
void spw_exact_start(spw_exact *sum);

/* Adds a value, or a product. float16, bfloat16 and float32 are doubles, exactly. SPW_ERANGE, nothing added, when
 * there are SPW_EXACT_TERMS terms already. */
spw_status spw_exact_add(spw_exact *sum, double value);
spw_status spw_exact_add_product(spw_exact *sum, double a, double b);

/* Adds factor * other, where `other` has sums of at most two factors and no factor was applied to it: else, or with
 * more than SPW_EXACT_TERMS terms in both, SPW_ERANGE and nothing added. factor 1 or -1 adds or subtracts the
 * terms. `sum` is not `other`. */
spw_status spw_exact_add_scaled(spw_exact *sum, const spw_exact *other, double factor);

/* The sum rounded to nearest, ties to even, as the bits of a floating type (SPW_FLOAT16 ... SPW_FLOAT64; else 0):
 * an infinity beyond the largest number, +0 for 0; NaN or an infinity where the terms demand it. */
uint64_t spw_exact_round(const spw_exact *sum, spw_dtype dtype);

/* What was found of one number. sum, bound and ratio are for people: no verdict rests on them. */
typedef struct spw_finding_of_sum {
  spw_verdict verdict;
  spw_fault fault;
  double sum;   /* nearest to the exact sum, or the NaN or infinity that is demanded */
  double bound; /* on the error, rounded up; 0 where every order gives the same */
  double ratio; /* of the error to the bound, that of rounding to a narrower type too; 0 for 0 / 0, an infinity for other
                 * errors over 0, and for a NaN or an infinity that is wrong */
} spw_finding_of_sum;

/* Is this, the bits of a number of a floating type, a right result for the sum? |y - sum| <= bound where the type
 * of y holds all that the precision gives; else y has to lie between sum - bound and sum + bound, both rounded to
 * its type. The bound is that of J3, rounded up to 64 significant bits; an infinity, and any number where the bound is no
 * smaller than the gauge, is right only as what the sum is rounded to. What is stored twice, only spw_judge_product
 * knows. SPW_NOT_JUDGED when dtype is no real floating type, the precision is none, or it does not hold the operands. */
spw_finding_of_sum spw_exact_judge(const spw_exact *sum, spw_precision precision, spw_dtype dtype, uint64_t y);

/* ---- Products -------------------------------------------------------------------------------- */

/* alpha or beta: `integer` for integer types and bool (not 0: true), else real and, of complex types, imaginary. */
typedef struct spw_weight {
  double real, imaginary;
  int64_t integer;
} spw_weight;

/* What somebody says: y = beta * c + alpha * (a x). */
typedef struct spw_product_claim {
  const spw_tensor *a; /* any sparse layout, without dense dimensions; COO: the dimensions before the last two are
                        * batches */
  const spw_tensor *x; /* dense (SPW_DENSE): a's batch dimensions, columns of a, and then K or nothing; or sparse as a */
  const spw_tensor *c; /* null where beta is 0; else dense, as y */
  const spw_tensor *y; /* dense: a's batch dimensions, rows of a, and then K where x has it; or, of a sparse x, sparse
                        * as a: what it does not store is 0 */
  spw_weight alpha, beta; /* 0: a and x (c) are not read; 1: not applied. One of complex types may be, too: where the other part
                           * is an infinity or a NaN, or may become one, a NaN, as times 0, is undecided */
  spw_precision precision;
  int64_t most; /* terms of a product of sparse ones, and numbers of its result, that may be judged; 0: any */
} spw_product_claim;

typedef struct spw_judgement {
  spw_verdict verdict; /* of the whole: SPW_WRONG with one wrong number, else the least certain of all; of a result
                        * without elements SPW_RIGHT_EXACT */
  spw_fault fault;     /* of the first wrong number, or why nothing was judged */
  /* How many numbers there are, of complex types two for each element, and what became of them. */
  int64_t numbers, exact, bounded, special, undecided, wrong;
  /* Of a sparse result: elements with terms that it does not store, and elements that it stores without a term. No fault
   * as such (many libraries leave out zeros); each is judged as the number that it is, 0 where it is not stored. */
  int64_t absent, extra;
  /* The first wrong number, else the one of the largest ratio: its place, and what was found there. */
  int64_t batch, row, column, part;
  double found;
  spw_finding_of_sum worst;
  int64_t integer_found, integer_sum; /* of integer types and bool */
  /* Of what has a wrong shape or type, or why nothing was judged */
  const spw_tensor *operand;
  spw_violation violation;
  int64_t place, lhs, rhs; /* the dimension, or -1 */
} spw_judgement;

/* *bytes: the workspace that spw_judge_product takes, aligned as malloc aligns. Status as there. */
spw_status spw_judge_work(const spw_product_claim *claim, size_t *bytes, spw_judgement *judgement);

/* Judges every element of claim->y; of a sparse y those that it stores, and those that a x has (J12). a and x may be of the
 * same type, floating, complex, integer or bool; c and y are of it too, or of another real (complex) floating type where
 * that is one. Complex numbers by parts; integers modulo 2^w; bool: or of ands; these exactly, whatever the precision.
 * SPW_OK         judged: judgement->verdict says what
 * SPW_EINVAL     a pointer is null, as for the checks, or `work` is too short or lies on an operand, on what describes one, or
 *                on the claim
 * SPW_EOVERFLOW  as for the checks
 * SPW_EINVALID   an operand, or y, breaks a rule: SPW_FAULT_RULE, judgement->operand and violation
 * SPW_ERANGE     the operands do not fit each other, or the precision, the work is too much, or of sparse a and x
 *                one, or y, stores two elements at one place: judgement->fault, operand, lhs and rhs
 * SPW_EUNSUPPORTED SPW_FAULT_LAYOUT
 * *judgement is always written where it is not null: without SPW_OK its verdict is SPW_NOT_JUDGED. A result of the
 * wrong shape or type is judged, and wrong. O(rows + n log n + n * K + elements of y + batches * compressed
 * dimension of a) where n are the elements of a; of a sparse x O(n log n + rows) where n are the elements of a, x and y and
 * the terms of the product. */
spw_status spw_judge_product(const spw_product_claim *claim, void *work, size_t bytes, spw_judgement *judgement);

/* ---- Operands for which every order gives the same bits ---------------------------------------- */

/* Numbers that are integers times 2^exponent: of an operand a below 2^a_bits, of an operand x below 2^x_bits, never 0,
 * and such that no sum of `terms` products is rounded: terms * 2^(a_bits + x_bits) <= 2^p. */
typedef struct spw_lattice {
  spw_dtype dtype;
  int32_t a_bits, x_bits, exponent;
} spw_lattice;

/* The widest lattice on which no sum of up to `terms` products of numbers of a type is rounded in a precision; of
 * complex types, of the 2 * terms products of a part. SPW_ERANGE when there is none: terms are too many. SPW_EINVAL when
 * dtype is not floating, terms < 1, or the precision is none or too narrow for the type's range. */
spw_status spw_lattice_for(spw_dtype dtype, spw_precision precision, int64_t terms, spw_lattice *lattice);

/* The bits of a real number of the lattice (of a part, for complex types), chosen by any 64 bits. x(place) differs from
 * x(place + 1) whatever the bits are, so that no column can be taken for its neighbour. */
uint64_t spw_lattice_a(const spw_lattice *lattice, uint64_t bits);
uint64_t spw_lattice_x(const spw_lattice *lattice, int64_t place, uint64_t bits);

#ifdef __cplusplus
}
#endif

#endif
