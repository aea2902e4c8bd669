/* SPDX-License-Identifier: Apache-2.0 */
/* exhaustive NAME PART: looks at every operand of float32 of a function whose bits are PART modulo 64 (PART 64: at all operands
 * of float16 and bfloat16, and at the table), and says on one line what is found: U4 in spec/semantics.def.
 *
 * A double of the function decides the float that is nearest to it, unless the middle of two floats is within BOUND of it. There
 * MPFR decides. Of most operands mathematics decides. The kernel of the library has to give the same float: "wrong" lines are
 * failures, "hard" lines are what its table has to hold. Of some other operands the error of the double is measured. */
#include "../../../src/ops/unary/maps.h"
#include "../../../src/ops/unary/round.h"

#include "../../expected/reals.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Three times what the library is unsure of: whatever double within 2^-50 of the function another C library has, the table holds
 * what it cannot decide. */
#define BOUND 0x1.8p-49
#define UNSURE 0x1p-50

enum { PARTS = 64, BITS = 320, MEASURED = 1 << 14 };

typedef struct found {
  unsigned long long operands, unsure, hard, wrong_alone, failures;
  double worst; /* error of a double, in units of the last place */
} found;

/* ---- Exact -------------------------------------------------------------------------------------------- */

static mpfr_t exact, work;

/* Where mathematics decides: of operands below `tiny` or from `large` on (0: nowhere), the sign aside, the result is x, 1, 1 / 2,
 * an infinity, a NaN or a limit, and nothing between that and the exact result is the middle of two floats. Of odd and even
 * functions, operands below 0 are those above. */
typedef enum symmetry { NEITHER, ODD, EVEN, POSITIVE /* NaN below 0 */ } symmetry;

static const struct known {
  const char *name;
  float tiny, large;
  symmetry symmetry;
} functions[] = {
    {"sin", 0x1p-26f, 0, ODD},                         /* x - x^3 / 6 */
    {"tan", 0x1p-26f, 0, ODD},                         /* x + x^3 / 3 */
    {"asin", 0x1p-26f, 2, ODD},                        /* x + x^3 / 6; NaN */
    {"atan", 0x1p-26f, 0x1p30f, ODD},                  /* x - x^3 / 3; pi / 2 - 1 / x, and 2^-26 is to the next middle */
    {"sinh", 0x1p-26f, 0x1p7f, ODD},                   /* x + x^3 / 6; an infinity */
    {"tanh", 0x1p-26f, 0x1p4f, ODD},                   /* x - x^3 / 3; 1 - 2^-45 */
    {"asinh", 0x1p-26f, 0, ODD},                       /* x - x^3 / 6 */
    {"atanh", 0x1p-26f, 2, ODD},                       /* x + x^3 / 3; NaN */
    {"expm1", 0x1p-26f, 0x1p7f, NEITHER},              /* x + x^2 / 2; an infinity, or -1 */
    {"log1p", 0x1p-26f, 0, NEITHER},                   /* x - x^2 / 2 */
    {"erf", 0, 8, ODD},                                /* 1 */
    {"erfinv", 0, 2, ODD},                             /* NaN */
    {"deg2rad", 0, 0, ODD},
    {"rad2deg", 0, 0, ODD},
    {"sqrt", 0, 0, POSITIVE},
    {"acos_specified", 0x1p-30f, 2, NEITHER},          /* pi / 2 - x; NaN */
    {"cos_specified", 0x1p-13f, 0, EVEN},              /* 1 - x^2 / 2 */
    {"cosh_specified", 0x1p-13f, 0x1p7f, EVEN},        /* 1 + x^2 / 2; an infinity */
    {"exp_specified", 0x1p-26f, 0x1p7f, NEITHER},      /* 1 + x; an infinity or 0 */
    {"log_specified", 0, 0, POSITIVE},
    {"log10_specified", 0, 0, POSITIVE},
    {"log2_specified", 0, 0, POSITIVE},
    {"rsqrt_specified", 0, 0, POSITIVE},
    {"reciprocal_specified", 0, 0, ODD},
    {"sigmoid_specified", 0x1p-26f, 0x1p7f, NEITHER}}; /* 1 / 2 + x / 4; 1, or 0 */

static const struct known *about;
static real_formula *formula;

/* The function of x in `exact`. */
static void compute(double x)
{
  mpfr_t operand;
  mpfr_init2(operand, 53);
  mpfr_set_d(operand, x, MPFR_RNDN);
  formula(exact, operand, MPFR_RNDN);
  mpfr_clear(operand);
}

/* The error of y in units of its last place. */
static double error_of(double x, double y)
{
  if (!(fabs(y) > 0x1p-1000) || isinf(y)) return 0;
  compute(x);
  mpfr_sub_d(work, exact, y, MPFR_RNDN);
  int e;
  (void)frexp(y, &e);
  return fabs(ldexp(mpfr_get_d(work, MPFR_RNDN), 53 - e));
}

/* ---- Operands ----------------------------------------------------------------------------------------- */

static void map_one(const spw_function *f, spw_dtype dtype, const void *x, void *y)
{
  const spw_map_how how = {.function = f, .from = dtype, .dtype = dtype};
  f->kernel[dtype](x, y, 1, &how);
}

/* Of odd and even functions, with that below 0. */
static void print_hard(uint32_t x, uint32_t y)
{
  const uint32_t sign = 0x80000000u;
  printf("hard %08x %08x\n", x, y);
  if (about->symmetry == ODD) printf("hard %08x %08x\n", x | sign, y ^ sign);
  if (about->symmetry == EVEN) printf("hard %08x %08x\n", x | sign, y);
}

static void look_closer(const spw_function *f, uint32_t bits, double y, found *all)
{
  const float x = spw_float_of_bits(bits), alone = (float)y;
  float given;
  map_one(f, SPW_FLOAT32, &x, &given);
  if (y != y || y - y != 0) { /* a NaN or an infinity is what it is */
    const bool same = spw_bits_of_float(given) == spw_bits_of_float(alone) || given != given;
    if (!same) printf("wrong %08x\n", bits), all->failures++;
    return;
  }
  compute((double)x);
  const float right = mpfr_get_flt(exact, MPFR_RNDN);
  const double worse = error_of((double)x, y);
  if (worse > all->worst) all->worst = worse;
  const unsigned times = about->symmetry == ODD || about->symmetry == EVEN ? 2 : 1;
  all->hard += times;
  all->unsure += (float)(y - y * UNSURE) != (float)(y + y * UNSURE) ? times : 0;
  all->wrong_alone += right != alone ? times : 0;
  print_hard(bits, spw_bits_of_float(right));
  if (spw_bits_of_float(given) != spw_bits_of_float(right)) {
    printf("wrong %08x: %a and not %a\n", bits, (double)given, (double)right);
    all->failures++;
  }
}

/* Operands whose bits are `sign`, and part modulo PARTS, and that nothing decides. */
static void look_at_sign(const spw_function *f, uint32_t sign, uint32_t part, found *all)
{
  const uint32_t tiny = spw_bits_of_float(about->tiny), large = about->large > 0 ? spw_bits_of_float(about->large) : 0x7f800000;
  for (uint32_t i = part; i < large; i += PARTS) {
    if (i < tiny) i += (tiny - i + PARTS - 1) / PARTS * PARTS;
    const double x = (double)spw_float_of_bits(i | sign), y = f->real(x), bound = y * BOUND;
    if ((float)(y - bound) != (float)(y + bound)) look_closer(f, i | sign, y, all);
    if (i / PARTS % MEASURED == 0 && y - y == 0) {
      const double error = error_of(x, y);
      if (error > all->worst) all->worst = error;
    }
  }
}

/* A sample of all operands: the kernel gives what mathematics decides, and below 0 what it gives above. */
static void look_at_sample(const spw_function *f, uint32_t part, found *all)
{
  for (uint64_t i = part; i <= UINT32_MAX; i += (uint64_t)PARTS * MEASURED / 16) {
    const float x = spw_float_of_bits((uint32_t)i);
    float given;
    if (x - x != 0) continue;
    map_one(f, SPW_FLOAT32, &x, &given);
    compute((double)x);
    const float right = mpfr_get_flt(exact, MPFR_RNDN);
    if (spw_bits_of_float(given) == spw_bits_of_float(right) || (given != given && right != right)) continue;
    printf("wrong %08x: %a and not %a\n", (uint32_t)i, (double)given, (double)right);
    all->failures++;
  }
}

static void look_at_floats(const spw_function *f, uint32_t part, found *all)
{
  look_at_sign(f, 0, part, all);
  if (about->symmetry == NEITHER) look_at_sign(f, 0x80000000u, part, all);
  look_at_sample(f, part, all);
  all->operands += (UINT64_C(1) << 32) / PARTS;
}

/* Whether a half is the nearest of its type: a double tells, or MPFR does. Two halves beside a number have one middle. */
static void look_at_half(const spw_function *f, spw_dtype dtype, uint16_t bits, found *all)
{
  const bool brain = dtype == SPW_BFLOAT16;
  const double x = (double)(brain ? spw_float_of_bfloat16(bits) : spw_float_of_float16(bits)), y = f->real(x);
  uint16_t given, right;
  all->operands++;
  map_one(f, dtype, &bits, &given);
  const double bound = y * BOUND;
  right = brain ? spw_bfloat16_of_double(y - bound) : spw_float16_of_double(y - bound);
  const uint16_t other = brain ? spw_bfloat16_of_double(y + bound) : spw_float16_of_double(y + bound);
  if (y == 0 || y - y != 0) {
    right = brain ? spw_bfloat16_of_double(y) : spw_float16_of_double(y);
  } else if (right != other) {
    all->unsure++;
    compute(x);
    const double near = mpfr_get_d(exact, MPFR_RNDZ);
    mpfr_sub_d(work, exact, near, MPFR_RNDN);
    const double odd = mpfr_zero_p(work) ? near : spw_double_from_bits(spw_bits_from_double(near) | 1);
    right = brain ? spw_bfloat16_of_double(odd) : spw_float16_of_double(odd);
  }
  const uint16_t infinite = brain ? 0x7f80 : 0x7c00;
  const bool both_nan = (given & 0x7fff) > infinite && (right & 0x7fff) > infinite;
  if (given == right || both_nan) return;
  printf("wrong %s %04x: %04x and not %04x\n", spw_dtype_name(dtype), bits, given, right);
  all->failures++;
}

/* The table holds what MPFR says. */
static void look_at_table(const spw_function *f, found *all)
{
  for (int64_t i = 0; i < f->hard_count; i++) {
    compute((double)spw_float_of_bits(f->hard[i].x));
    const bool ascends = i == 0 || f->hard[i - 1].x < f->hard[i].x;
    if (ascends && spw_bits_of_float(mpfr_get_flt(exact, MPFR_RNDN)) == f->hard[i].y) continue;
    printf("wrong %08x in the table\n", f->hard[i].x);
    all->failures++;
  }
}

int main(int argc, char **argv)
{
  const int number = argc == 3 ? spw_unary_from_name(argv[1]) : -1;
  const spw_function *const f = number < 0 ? NULL : spw_function_get((spw_unary_function)number);
  const int part = argc == 3 ? atoi(argv[2]) : -1;
  found all = {0};
  for (size_t i = 0; f && i < sizeof functions / sizeof functions[0]; i++)
    if (strcmp(functions[i].name, spw_unary_name((spw_unary_function)number)) == 0) about = &functions[i];
  formula = f ? real_formula_of((spw_unary_function)number) : NULL;
  if (!f || !f->real || !formula || !about || part < 0 || part > PARTS) return fputs("exhaustive NAME PART\n", stderr), 2;
  mpfr_inits2(BITS, exact, work, (mpfr_ptr)0);
  if (part < PARTS) {
    look_at_floats(f, (uint32_t)part, &all);
  } else {
    for (uint32_t i = 0; i <= UINT16_MAX; i++) {
      look_at_half(f, SPW_FLOAT16, (uint16_t)i, &all);
      look_at_half(f, SPW_BFLOAT16, (uint16_t)i, &all);
    }
    look_at_table(f, &all);
  }
  printf("counts %llu %llu %llu %llu %llu %.4f\n", all.operands, all.hard, all.unsure, all.wrong_alone, all.failures, all.worst);
  mpfr_clears(exact, work, (mpfr_ptr)0);
  mpfr_free_cache();
  return all.failures > 0;
}
