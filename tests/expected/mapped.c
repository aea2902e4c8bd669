/* SPDX-License-Identifier: Apache-2.0 */
#include "mapped.h"

#include "../attempts/fenced.h"
#include "meaning.h"
#include "scalar.h"

#include "../../fuzz/inputs/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SCALARS = 3000 };

static char text[300];

#define WRONG(...) (snprintf(text, sizeof text, __VA_ARGS__), text)

/* ---- Functions of reals ---------------------------------------------------------------------------------- */

static long double degrees(long double x) { return x * (3.14159265358979323846264338327950288L / 180); }
static long double radians(long double x) { return x * (180 / 3.14159265358979323846264338327950288L); }
static long double inverse_root(long double x) { return 1 / sqrtl(x); }
static long double inverse(long double x) { return 1 / x; }
static long double sigmoid(long double x) { return 1 / (1 + expl(-x)); }

/* By Newton's steps from the left: of erf, which is concave, or of the logarithm of its complement. */
static long double inverse_erf(long double x)
{
  const long double a = fabsl(x), slope = 1.12837916709551257389615890312154517L;
  if (a == 1 || x == 0) return x == 0 ? x : x / 0.0L;
  if (!(a < 1)) return (long double)NAN;
  long double y = a * 0.886226925452758013649083741670572591L;
  for (int i = 0; i < 200; i++) {
    const long double step = a < 0.5L ? (erfl(y) - a) / (slope * expl(-y * y))
                                      : -(logl(erfcl(y)) - log1pl(-a)) * erfcl(y) / (slope * expl(-y * y));
    y -= step;
    if (fabsl(step) <= y * 0x1p-63L) break;
  }
  return x < 0 ? -y : y;
}

typedef struct known {
  const char *name;
  const char *types; /* b, i, f and c: bool, integers, floats, complex types */
  long double (*real)(long double);
} known;

static const known all[] = {
    {"sin", "bif", sinl}, {"tan", "bif", tanl}, {"asin", "bif", asinl}, {"atan", "bif", atanl}, {"sinh", "bif", sinhl},
    {"tanh", "bif", tanhl}, {"asinh", "bif", asinhl}, {"atanh", "bif", atanhl}, {"expm1", "bif", expm1l},
    {"log1p", "bif", log1pl}, {"erf", "bif", erfl}, {"erfinv", "bif", inverse_erf}, {"deg2rad", "bif", degrees},
    {"rad2deg", "bif", radians}, {"sqrt", "bif", sqrtl}, {"acos_specified", "bif", acosl}, {"cos_specified", "bif", cosl},
    {"cosh_specified", "bif", coshl}, {"exp_specified", "bif", expl}, {"log_specified", "bif", logl},
    {"log10_specified", "bif", log10l}, {"log2_specified", "bif", log2l}, {"rsqrt_specified", "bif", inverse_root},
    {"reciprocal_specified", "bif", inverse}, {"sigmoid_specified", "bif", sigmoid},
    {"ceil", "if", NULL}, {"floor", "if", NULL}, {"trunc", "if", NULL}, {"round", "if", NULL}, {"frac", "f", NULL},
    {"abs", "ifc", NULL}, {"neg", "ifc", NULL}, {"positive", "bifc", NULL}, {"conj_physical", "bifc", NULL},
    {"sign", "bif", NULL}, {"sgn", "bifc", NULL}, {"angle", "bif", NULL}, {"relu", "if", NULL}, {"nan_to_num", "ifc", NULL},
    {"isnan", "bifc", NULL}, {"isinf", "bifc", NULL}, {"isposinf", "bif", NULL}, {"isneginf", "bif", NULL},
    {"signbit", "bif", NULL}, {"square", "ifc", NULL}, {"pow", "if", NULL}, {"div", "f", NULL}, {"div_floor", "if", NULL},
    {"div_trunc", "if", NULL}, {"cast", "bifc", NULL}};

/* Null: it is refused. Its name is looked for once. */
static const known *function_of(const spw_unary_request *w)
{
  static const known *found[SPW_UNARY_COUNT];
  static bool sought[SPW_UNARY_COUNT];
  const char *const name = spw_unary_name(w->function);
  if (!name) return NULL;
  if (sought[w->function]) return found[w->function];
  sought[w->function] = true;
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
    if (strcmp(all[i].name, name) == 0) found[w->function] = &all[i];
  return found[w->function];
}

static char kind_of(spw_dtype dtype)
{
  return dtype == SPW_BOOL ? 'b' : dtype < SPW_FLOAT16 ? 'i' : dtype < SPW_COMPLEX64 ? 'f' : 'c';
}

spw_dtype mapped_dtype(const spw_unary_request *w, spw_dtype dtype)
{
  const known *const f = function_of(w);
  if (!f || !strchr(f->types, kind_of(dtype))) return SPW_DTYPE_NONE;
  if (w->function == SPW_UNARY_CAST) return w->dtype;
  if (f->real || w->function == SPW_UNARY_ANGLE) return dtype < SPW_FLOAT16 ? SPW_FLOAT32 : dtype;
  if (w->function == SPW_UNARY_ABS) return scalar_part_type(dtype);
  return strncmp(f->name, "is", 2) == 0 || w->function == SPW_UNARY_SIGNBIT ? SPW_BOOL : dtype;
}

/* ---- Numbers ------------------------------------------------------------------------------------------------ */

static long double part_of(spw_dtype dtype, const void *x, int part)
{
  const uint64_t bits = scalar_bits(dtype, x, part);
  if (dtype == SPW_BOOL) return bits != 0;
  if (dtype == SPW_UINT8) return (long double)bits;
  if (dtype == SPW_INT8) return (int8_t)bits;
  if (dtype == SPW_INT16) return (int16_t)bits;
  if (dtype == SPW_INT32) return (int32_t)bits;
  if (dtype == SPW_INT64) return (int64_t)bits;
  const spw_dtype own = scalar_part_type(dtype);
  return (long double)scalar_to_double(own, bits);
}

/* The nearest double, or the one beside it with an odd last bit where it is none: so it can be rounded again. */
static double odd_double(long double v)
{
  double d = (double)v;
  if ((long double)d == v || d != d) return d;
  if (fabsl((long double)d) > fabsl(v)) d = nextafter(d, 0);
  uint64_t bits;
  memcpy(&bits, &d, sizeof bits);
  bits |= 1;
  memcpy(&d, &bits, sizeof bits);
  return d;
}

static uint64_t nearest(spw_dtype dtype, long double v)
{
  uint64_t bits = 0;
  const double d = (double)v;
  if (dtype != SPW_FLOAT64) return scalar_of_double(dtype, odd_double(v));
  memcpy(&bits, &d, sizeof bits);
  return bits;
}

static bool same_number(spw_dtype dtype, uint64_t bits, uint64_t got)
{
  const double x = scalar_to_double(dtype, bits), y = scalar_to_double(dtype, got);
  return bits == got || (x != x && y != y);
}

/* Is it the number nearest to v, whose error is below unsure * |v|? Of float64: within so many units. */
static bool is_nearest(spw_dtype dtype, long double v, uint64_t got, long double unsure, int units)
{
  if (v != v || v - v != 0 || v == 0) return same_number(dtype, nearest(dtype, v), got);
  if (dtype != SPW_FLOAT64 || units == 0)
    return same_number(dtype, nearest(dtype, v - fabsl(v) * unsure), got) ||
           same_number(dtype, nearest(dtype, v + fabsl(v) * unsure), got);
  const double y = scalar_to_double(dtype, got), middle = (double)v;
  double low = middle, high = middle;
  for (int i = 0; i < units; i++) low = nextafter(low, -INFINITY), high = nextafter(high, INFINITY);
  return y >= low && y <= high;
}

static int64_t whole_of(spw_dtype dtype, const void *x)
{
  return (int64_t)part_of(dtype, x, 0);
}

static bool is_bits(spw_dtype dtype, const void *got, int part, uint64_t bits)
{
  const int width = (int)scalar_width(scalar_part_type(dtype)) * 8;
  if (width < 64) bits &= ((uint64_t)1 << width) - 1;
  return scalar_bits(dtype, got, part) == bits;
}

/* ---- Quotients that are made whole ---------------------------------------------------------------------------- */

/* |x / s| of finite numbers that are not 0, bit by bit: the quotient's integer part, its highest bit first, rounded to `bits`
 * bits after one more is added to it or not. */
static long double whole_quotient(double x, double s, bool upwards, int bits)
{
  enum { MOST = 2300 };
  static unsigned char digits[MOST + 1];
  int ex, es, count = 0, kept = 0;
  const uint64_t a = (uint64_t)ldexp(frexp(fabs(x), &ex), 53), b = (uint64_t)ldexp(frexp(fabs(s), &es), 53);
  const int shift = ex - es; /* a / b * 2^shift */
  uint64_t rest = 0;
  for (int i = 52; i > -1 - (shift > 0 ? shift : 0); i--) { /* schoolbook, of a followed by zeros */
    rest = rest * 2 + (i >= 0 ? a >> i & 1 : 0);
    digits[count++] = rest >= b;
    if (rest >= b) rest -= b;
  }
  bool fraction = rest != 0;
  for (int i = shift; i < 0 && count > 0; i++) fraction |= digits[--count];
  if (upwards && fraction) {
    int i = count - 1;
    while (i >= 0 && digits[i]) digits[i--] = 0;
    if (i >= 0) {
      digits[i] = 1;
    } else {
      memmove(digits + 1, digits, (size_t)count);
      digits[0] = 1;
      count++;
    }
  }
  while (kept < count && !digits[kept]) kept++;
  if (kept == count) return 0;
  uint64_t number = 0;
  int used = 0;
  while (kept < count && used < bits) number = number * 2 + digits[kept++], used++;
  const int behind = count - kept;
  bool more = false;
  for (int i = kept + 1; i < count; i++) more |= digits[i];
  if (behind > 0 && digits[kept] && (more || number % 2)) number++;
  return ldexpl((long double)number, behind);
}

static bool is_quotient(const spw_unary_request *w, spw_dtype dtype, const void *x, const void *got)
{
  static const int bits[] = {[SPW_FLOAT16] = 11, [SPW_BFLOAT16] = 8, [SPW_FLOAT32] = 24, [SPW_FLOAT64] = 53};
  const double a = (double)part_of(dtype, x, 0), s = (double)part_of(dtype, w->scalar, 0);
  const bool floors = w->function == SPW_UNARY_DIV_FLOOR, negative = !__builtin_signbit(a) != !__builtin_signbit(s);
  long double q;
  if (a != a || s != s || a - a != 0 || a == 0 || s == 0)
    q = (long double)(a / s);
  else if (s - s != 0)
    q = negative ? (floors ? -1.0L : -0.0L) : 0.0L;
  else
    q = copysignl(whole_quotient(a, s, floors && negative, bits[dtype]), negative ? -1.0L : 1.0L);
  return same_number(dtype, nearest(dtype, q), scalar_bits(dtype, got, 0));
}

/* ---- Casts ---------------------------------------------------------------------------------------------------- */

static bool place_of_integer(spw_dtype to, long double v)
{
  static const long double least[] = {[SPW_UINT8] = 0, [SPW_INT8] = -0x1p7L, [SPW_INT16] = -0x1p15L, [SPW_INT32] = -0x1p31L,
                                      [SPW_INT64] = -0x1p63L};
  static const long double most[] = {[SPW_UINT8] = 255, [SPW_INT8] = 0x1p7L - 1, [SPW_INT16] = 0x1p15L - 1,
                                     [SPW_INT32] = 0x1p31L - 1, [SPW_INT64] = 0x1p63L - 1};
  return v == v && truncl(v) >= least[to] && truncl(v) <= most[to];
}

static bool is_cast(spw_dtype from, spw_dtype to, const void *x, const void *got, bool *fits)
{
  const long double re = part_of(from, x, 0), im = scalar_is_complex(from) ? part_of(from, x, 1) : 0;
  *fits = true;
  if (from == to) return memcmp(x, got, (size_t)scalar_width(from)) == 0;
  if (to == SPW_BOOL) return scalar_bits(to, got, 0) == (re != 0 || im != 0);
  if (!scalar_is_complex(to) && im != 0) return *fits = false, true;
  if (to < SPW_FLOAT16) {
    *fits = place_of_integer(to, re);
    return !*fits || is_bits(to, got, 0, (uint64_t)(int64_t)truncl(re));
  }
  const spw_dtype part = scalar_part_type(to);
  return same_number(part, nearest(part, re), scalar_bits(to, got, 0)) &&
         (!scalar_is_complex(to) || same_number(part, nearest(part, im), scalar_bits(to, got, 1)));
}

/* ---- Scalars --------------------------------------------------------------------------------------------------- */

static bool is_integer_mapped(const spw_unary_request *w, spw_dtype dtype, const void *x, const void *got)
{
  const int64_t v = whole_of(dtype, x), s = w->scalar ? whole_of(dtype, w->scalar) : 1;
  const uint64_t u = (uint64_t)v;
  uint64_t power = 1;
  if (w->function == SPW_UNARY_ABS) return is_bits(dtype, got, 0, v < 0 ? 0 - u : u);
  if (w->function == SPW_UNARY_NEG) return is_bits(dtype, got, 0, 0 - u);
  if (w->function == SPW_UNARY_SIGN || w->function == SPW_UNARY_SGN)
    return is_bits(dtype, got, 0, v > 0 ? 1 : v < 0 ? UINT64_MAX : 0);
  if (w->function == SPW_UNARY_RELU) return is_bits(dtype, got, 0, v < 0 ? 0 : u);
  if (w->function == SPW_UNARY_SQUARE) return is_bits(dtype, got, 0, u * u);
  if (w->function == SPW_UNARY_POW) {
    for (int bit = 62; bit >= 0; bit--) power = power * power * (s >> bit & 1 ? u : 1);
    return is_bits(dtype, got, 0, power);
  }
  if (strncmp(spw_unary_name(w->function), "div_", 4) == 0) {
    const uint64_t m = v < 0 ? 0 - u : u, n = s < 0 ? 0 - (uint64_t)s : (uint64_t)s, q = m / n;
    const bool below = (v < 0) != (s < 0), more = w->function == SPW_UNARY_DIV_FLOOR && below && m % n != 0;
    return is_bits(dtype, got, 0, below ? 0 - (q + more) : q);
  }
  return is_bits(dtype, got, 0, u); /* rounding, and what leaves integers as they are */
}

static uint64_t replaced(const spw_unary_request *w, spw_dtype part, uint64_t bits)
{
  const double x = scalar_to_double(part, bits);
  const bool infinite = x - x != 0 && x == x;
  const void *const given = x != x ? w->nan : infinite && x > 0 ? w->posinf : infinite ? w->neginf : NULL;
  if (given) return scalar_bits(part, given, 0);
  if (x != x) return 0;
  const int width = (int)scalar_width(part) * 8;
  const uint64_t sign = bits & (uint64_t)1 << (width - 1);
  if (infinite) return sign | ((bits ^ sign) - 1); /* the number before an infinity */
  return bits;
}

static bool is_bitwise(const spw_unary_request *w, spw_dtype dtype, const void *x, const void *got, int part, bool *known_here)
{
  const spw_dtype own = scalar_part_type(dtype);
  const spw_dtype to = mapped_dtype(w, dtype);
  const uint64_t bits = scalar_bits(dtype, x, part), is = scalar_bits(to, got, to == dtype ? part : 0);
  const uint64_t sign = (uint64_t)1 << (scalar_width(own) * 8 - 1);
  *known_here = true;
  if (w->function == SPW_UNARY_POSITIVE || (w->function == SPW_UNARY_CONJ_PHYSICAL && part == 0)) return is == bits;
  if (w->function == SPW_UNARY_NEG || w->function == SPW_UNARY_CONJ_PHYSICAL) return is == (bits ^ sign);
  if (w->function == SPW_UNARY_NAN_TO_NUM) return is == replaced(w, own, bits);
  return *known_here = false;
}

static bool is_complex_mapped(const spw_unary_request *w, spw_dtype dtype, const void *x, const void *got)
{
  const spw_dtype part = scalar_part_type(dtype);
  const long double re = part_of(dtype, x, 0), im = part_of(dtype, x, 1), size = hypotl(re, im), unsure = 0x1p-60L;
  const bool infinite = fabsl(re) == HUGE_VALL || fabsl(im) == HUGE_VALL, nan = re != re || im != im;
  if (w->function == SPW_UNARY_ISNAN) return scalar_bits(SPW_BOOL, got, 0) == nan;
  if (w->function == SPW_UNARY_ISINF) return scalar_bits(SPW_BOOL, got, 0) == infinite;
  if (w->function == SPW_UNARY_ABS) return is_nearest(part, infinite ? HUGE_VALL : size, scalar_bits(part, got, 0), unsure, 0);
  if (w->function == SPW_UNARY_SGN) {
    for (int i = 0; i < 2; i++) {
      const long double v = nan || infinite ? (long double)NAN : size == 0 ? 0 : (i == 0 ? re : im) / size;
      if (!is_nearest(part, v, scalar_bits(dtype, got, i), unsure, 0)) return false;
    }
    return true;
  }
  if (w->function == SPW_UNARY_SQUARE) { /* by the rule of products */
    uint8_t square[16];
    memcpy(square, x, (size_t)scalar_width(dtype));
    scalar_multiply(dtype, x, square);
    return scalar_same(dtype, square, got, true);
  }
  bool here[2];
  return is_bitwise(w, dtype, x, got, 0, &here[0]) && is_bitwise(w, dtype, x, got, 1, &here[1]);
}

static bool is_float_mapped(const spw_unary_request *w, spw_dtype dtype, const void *x, const void *got)
{
  const long double v = part_of(dtype, x, 0), s = w->scalar ? part_of(dtype, w->scalar, 0) : 1;
  const uint64_t bits = scalar_bits(dtype, x, 0), is = scalar_bits(mapped_dtype(w, dtype), got, 0);
  const bool negative = bits >> (scalar_width(dtype) * 8 - 1) & 1;
  const uint64_t sign = (uint64_t)1 << (scalar_width(dtype) * 8 - 1);
  bool here;
  const bool same = is_bitwise(w, dtype, x, got, 0, &here);
  if (here) return same;
  if (w->function == SPW_UNARY_CEIL) return same_number(dtype, nearest(dtype, ceill(v)), is);
  if (w->function == SPW_UNARY_FLOOR) return same_number(dtype, nearest(dtype, floorl(v)), is);
  if (w->function == SPW_UNARY_TRUNC) return same_number(dtype, nearest(dtype, truncl(v)), is);
  if (w->function == SPW_UNARY_ROUND) return same_number(dtype, nearest(dtype, rintl(v)), is);
  if (w->function == SPW_UNARY_FRAC)
    return same_number(dtype, nearest(dtype, v == truncl(v) && v - v == 0 ? 0 : v - truncl(v)), is);
  if (w->function == SPW_UNARY_ABS) return is == (bits & ~sign);
  if (w->function == SPW_UNARY_SIGN || w->function == SPW_UNARY_SGN) return is == nearest(dtype, v > 0 ? 1 : v < 0 ? -1 : 0);
  if (w->function == SPW_UNARY_ANGLE)
    return same_number(dtype, nearest(dtype, v != v ? v : v < 0 ? 3.14159265358979323846264338327950288L : 0), is);
  if (w->function == SPW_UNARY_RELU) return is == (v < 0 ? 0 : bits);
  if (w->function == SPW_UNARY_SQUARE)
    return same_number(dtype, nearest(dtype, v * v), is) || is_nearest(dtype, v * v, is, 0x1p-62L, 0);
  if (w->function == SPW_UNARY_POW) return s == 1 ? same_number(dtype, bits, is) : is_nearest(dtype, powl(v, s), is, 0x1p-58L, 2);
  if (w->function == SPW_UNARY_DIV) return is_nearest(dtype, v / s, is, 0x1p-62L, 0);
  if (strncmp(spw_unary_name(w->function), "div_", 4) == 0) return is_quotient(w, dtype, x, got);
  const uint64_t truth = scalar_bits(SPW_BOOL, got, 0);
  if (w->function == SPW_UNARY_ISNAN) return truth == (v != v);
  if (w->function == SPW_UNARY_ISINF) return truth == (fabsl(v) == HUGE_VALL);
  if (w->function == SPW_UNARY_ISPOSINF) return truth == (v == HUGE_VALL);
  if (w->function == SPW_UNARY_ISNEGINF) return truth == (v == -HUGE_VALL);
  return w->function == SPW_UNARY_SIGNBIT && truth == negative;
}

static bool is_scalar(const spw_unary_request *w, spw_dtype dtype, const void *x, const void *got, bool *fits)
{
  const known *const f = function_of(w);
  const spw_dtype to = mapped_dtype(w, dtype);
  *fits = true;
  if (w->function == SPW_UNARY_CAST) return is_cast(dtype, to, x, got, fits);
  if (f->real) {
    const bool wide = dtype == SPW_FLOAT64;
    const long double v = dtype < SPW_FLOAT16 ? (long double)(float)part_of(dtype, x, 0) : part_of(dtype, x, 0);
    const bool once = wide && (w->function == SPW_UNARY_SQRT || w->function == SPW_UNARY_RECIPROCAL_SPECIFIED);
    return is_nearest(to, f->real(v), scalar_bits(to, got, 0), 0x1p-58L, once ? 0 : wide ? 3 : 0);
  }
  if (to == SPW_BOOL && dtype < SPW_FLOAT16 && dtype != SPW_BOOL)
    return scalar_bits(to, got, 0) == (w->function == SPW_UNARY_SIGNBIT && part_of(dtype, x, 0) < 0);
  if (dtype == SPW_BOOL && to == SPW_BOOL && (strncmp(f->name, "is", 2) == 0 || w->function == SPW_UNARY_SIGNBIT))
    return scalar_bits(to, got, 0) == 0;
  if (dtype == SPW_BOOL && to == SPW_BOOL) return (scalar_bits(to, got, 0) != 0) == (part_of(dtype, x, 0) != 0);
  if (w->function == SPW_UNARY_ANGLE && dtype < SPW_FLOAT16)
    return scalar_bits(to, got, 0) == nearest(to, part_of(dtype, x, 0) < 0 ? 3.14159265358979323846264338327950288L : 0);
  if (dtype < SPW_FLOAT16) return is_integer_mapped(w, dtype, x, got);
  return scalar_is_complex(dtype) ? is_complex_mapped(w, dtype, x, got) : is_float_mapped(w, dtype, x, got);
}

const char *wrong_scalar(const spw_unary_request *w, spw_dtype dtype, const void *x, const void *got, bool *value_fits)
{
  if (is_scalar(w, dtype, x, got, value_fits)) return NULL;
  return WRONG("%s of %s %llx%016llx is not %llx", spw_unary_name(w->function), spw_dtype_name(dtype),
               scalar_is_complex(dtype) ? (unsigned long long)scalar_bits(dtype, x, 1) : 0ULL,
               (unsigned long long)scalar_bits(dtype, x, 0), (unsigned long long)scalar_bits(mapped_dtype(w, dtype), got, 0));
}

/* ---- Refusals --------------------------------------------------------------------------------------------------- */

static bool is_linear(const spw_unary_request *w, spw_dtype dtype)
{
  return w->function == SPW_UNARY_NEG || w->function == SPW_UNARY_POSITIVE || w->function == SPW_UNARY_CONJ_PHYSICAL ||
         w->function == SPW_UNARY_DIV || (w->function == SPW_UNARY_CAST && w->dtype == dtype);
}

static bool combines(const spw_tensor *a, const spw_unary_request *w)
{
  return a->layout == SPW_COO && a->coalesced != SPW_CLAIM_YES && !is_linear(w, a->values.array.dtype);
}

/* A reason that the values do not have; 0: there is none. */
static spw_obstacle obstacle_of(const spw_tensor *a, const spw_unary_request *w)
{
  const spw_dtype dtype = a->values.array.dtype;
  if (!function_of(w)) return SPW_OBSTACLE_ZERO;
  if (mapped_dtype(w, dtype) == SPW_DTYPE_NONE) return SPW_OBSTACLE_TYPES;
  const long double s = w->scalar ? part_of(dtype, w->scalar, 0) : 1;
  if (w->function == SPW_UNARY_POW && !(s > 0)) return SPW_OBSTACLE_SCALAR;
  if (strncmp(spw_unary_name(w->function), "div_", 4) == 0 && dtype < SPW_FLOAT16 && s == 0) return SPW_OBSTACLE_SCALAR;
  return SPW_OBSTACLE_NONE;
}

/* ---- Results ---------------------------------------------------------------------------------------------------- */

static const char *wrong_form(const spw_tensor *a, const spw_unary_request *w, const spw_tensor *r)
{
  const spw_dtype dtype = mapped_dtype(w, a->values.array.dtype);
  const spw_array *const arrays[] = {&r->compressed.array, &r->plain.array, &r->values.array};
  if (r->layout != a->layout || !r->has_size || r->values.array.dtype != dtype || r->dtype != dtype) return WRONG("another form");
  if (r->plain.array.dtype != a->plain.array.dtype || r->index_dtype != a->plain.array.dtype) return WRONG("another index type");
  if (r->coalesced != (combines(a, w) ? SPW_CLAIM_YES : a->coalesced)) return WRONG("another claim");
  for (int i = r->layout == SPW_COO; i < 3; i++) {
    int64_t stride = 1;
    for (int64_t d = arrays[i]->ndim - 1; d >= 0 && arrays[i]->length > 0; d--) {
      if (arrays[i]->strides[d] != stride) return WRONG("strides of array %d", i);
      stride *= arrays[i]->shape[d];
    }
  }
  bool valid = false;
  if (spw_is_valid(r, SPW_CANONICAL, &valid) != SPW_OK || !valid) return WRONG("the result is not valid");
  return NULL;
}

/* The cells of the operand as they are mapped. */
static bool read_operand(const spw_tensor *a, const spw_unary_request *w, meaning *m)
{
  if (!meaning_of(a, 0, m)) return false;
  if (!combines(a, w)) return true;
  meaning_sort(m);
  meaning_combine(m, w->duplicates);
  return true;
}

static bool is_twice(const spw_tensor *a)
{
  meaning m;
  bool twice = false;
  if (!meaning_of(a, 0, &m)) return true;
  meaning_sort(&m);
  for (int64_t k = 1; k < m.count && !twice; k++)
    twice = memcmp(m.cells[k].at, m.cells[k - 1].at, (size_t)m.leading * sizeof m.cells[k].at[0]) == 0;
  meaning_free(&m);
  return twice;
}

static const char *wrong_cells(const spw_unary_request *w, const meaning *m, const meaning *r)
{
  const int64_t from = scalar_width(m->dtype), to = scalar_width(r->dtype);
  if (m->count != r->count || m->ndim != r->ndim || m->leading != r->leading) return WRONG("another number of cells");
  if (m->ndim > 0 && memcmp(m->size, r->size, (size_t)m->ndim * sizeof m->size[0]) != 0) return WRONG("another size");
  for (int64_t k = 0; k < m->count; k++) {
    const cell *const x = &m->cells[k], *const y = &r->cells[k];
    if (m->leading > 0 && memcmp(x->at, y->at, (size_t)m->leading * sizeof x->at[0]) != 0)
      return WRONG("cell %lld lies elsewhere", (long long)k);
    for (int64_t i = 0; i < m->scalars; i++) {
      bool fits;
      const uint8_t *const scalar = x->scalars + i * from;
      if (x->computed && scalar_is_float(m->dtype) && part_of(m->dtype, scalar, 0) != part_of(m->dtype, scalar, 0)) continue;
      const char *const wrong = wrong_scalar(w, m->dtype, scalar, y->scalars + i * to, &fits);
      if (wrong) return wrong;
      if (!fits) return WRONG("a value that has no place is cast");
    }
  }
  return NULL;
}

/* Is there a value that has no place? */
static bool has_misfit(const spw_tensor *a, const spw_unary_request *w, bool *seen)
{
  meaning m;
  bool misfit = false;
  if (w->function != SPW_UNARY_CAST) return false;
  if (!read_operand(a, w, &m)) return *seen = false;
  for (int64_t i = 0; i < m.count * m.scalars; i++) {
    uint8_t got[16] = {0};
    bool fits;
    (void)is_cast(m.dtype, w->dtype, m.cells[i / m.scalars].scalars + i % m.scalars * scalar_width(m.dtype), got, &fits);
    misfit |= !fits;
  }
  meaning_free(&m);
  return misfit;
}

const char *wrong_mapping(const spw_tensor *a, const spw_unary_request *w, spw_status status, const spw_refusal *refusal,
                          const spw_tensor *result, bool *seen)
{
  const spw_obstacle why = obstacle_of(a, w);
  *seen = true;
  if (status == SPW_EUNSUPPORTED) return meaning_dims(a) > SPW_STRUCTURE_DIMS ? NULL : WRONG("it is not supported");
  if (why != SPW_OBSTACLE_NONE)
    return status == SPW_ERANGE && refusal->obstacle == why ? NULL : WRONG("status %d, not obstacle %d", (int)status, (int)why);
  if (status == SPW_ERANGE && refusal->obstacle == SPW_OBSTACLE_SIZE) return *seen = false, NULL;
  if (status == SPW_ERANGE && refusal->obstacle == SPW_OBSTACLE_DUPLICATE)
    return combines(a, w) && w->duplicates == SPW_COMBINE_REFUSE && is_twice(a) ? NULL : WRONG("nothing is there twice");
  if (status == SPW_ERANGE && refusal->obstacle == SPW_OBSTACLE_VALUE)
    return has_misfit(a, w, seen) || !*seen ? NULL : WRONG("every value has a place");
  if (status != SPW_OK) return WRONG("status %d, obstacle %d", (int)status, (int)refusal->obstacle);
  if (!result) return NULL;
  const char *wrong = wrong_form(a, w, result);
  meaning m, r;
  if (wrong) return wrong;
  if (!read_operand(a, w, &m)) return *seen = false, NULL;
  if (!meaning_of(result, 0, &r)) {
    meaning_free(&m);
    return *seen = false, NULL;
  }
  *seen = m.count * m.scalars <= MOST_SCALARS;
  if (*seen) wrong = wrong_cells(w, &m, &r);
  meaning_free(&m);
  meaning_free(&r);
  return wrong;
}

/* ---- Trying ------------------------------------------------------------------------------------------------------ */

typedef struct asked {
  const spw_tensor *a;
  const spw_unary_request *wanted;
} asked;

static spw_status size_asked(const void *context, bool judged, spw_room *room, spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_unary_size : spw_unary_size_unchecked)(q->a, q->wanted, room, refusal);
}

static spw_status fill_asked(const void *context, bool judged, const spw_buffers *buffers, spw_tensor *result,
                             spw_refusal *refusal)
{
  const asked *const q = context;
  return (judged ? spw_unary : spw_unary_unchecked)(q->a, q->wanted, buffers, result, refusal);
}

static const char *wrong_asked(const void *context, spw_status status, const spw_refusal *refusal, const spw_room *room,
                               const spw_tensor *result, bool *seen)
{
  const asked *const q = context;
  (void)room;
  return wrong_mapping(q->a, q->wanted, status, refusal, result, seen);
}

static int64_t count_of(const spw_array *a)
{
  int64_t count = 1;
  for (int64_t d = 0; d < a->ndim; d++)
    if (a->shape[d] == 0) return 0;
  for (int64_t d = 0; d < a->ndim; d++)
    if (__builtin_mul_overflow(count, a->shape[d], &count)) return INT64_MAX;
  return count;
}

/* Values in place, in memory of their own: each is mapped once, and nothing between them changes. */
static const char *wrong_in_place(const asked *q, spw_status status, const spw_value_array *now, const char *before)
{
  const spw_array *const v = &now->array;
  const spw_dtype to = mapped_dtype(q->wanted, v->dtype);
  const int64_t width = scalar_width(v->dtype), n = count_of(v);
  const bool changes = status == SPW_OK;
  if (changes && (to != v->dtype || (combines(q->a, q->wanted) && q->a->plain.array.shape[1] > 1)))
    return WRONG("it is done in place, and cannot be");
  unsigned char *const hit = calloc((size_t)v->length + 1, 1);
  const char *wrong = NULL;
  for (int64_t i = 0; i < n && n <= MOST_SCALARS && changes && !wrong; i++) {
    const int64_t place = meaning_place(v, i);
    bool fits;
    if (hit[place]) wrong = "two values in one place are mapped";
    hit[place] = 1;
    if (!wrong) wrong = wrong_scalar(q->wanted, v->dtype, before + place * width, (const char *)now->data + place * width, &fits);
  }
  for (int64_t i = 0; i < v->length && n <= MOST_SCALARS && !wrong; i++)
    if (!hit[i] && memcmp(before + i * width, (const char *)now->data + i * width, (size_t)width) != 0)
      wrong = "something else is written in place";
  free(hit);
  return wrong;
}

static const char *try_in_place(const asked *q, spw_status out_of_place)
{
  const spw_array *const v = &q->a->values.array;
  const size_t bytes = (size_t)(v->length * scalar_width(v->dtype));
  spw_tensor own = *q->a;
  spw_refusal refusal;
  if (v->length > 1 << 16 || !q->a->values.data) return NULL;
  char *const now = malloc(bytes + 1);
  memcpy(now, q->a->values.data, bytes);
  own.values.data = now;
  const spw_status status = spw_unary_in_place(&own, q->wanted, &refusal);
  const char *wrong = wrong_in_place(q, status, &own.values, q->a->values.data);
  if (!wrong && status == SPW_OK && out_of_place != SPW_OK) wrong = "in place it is not refused";
  if (!wrong && status != SPW_OK && status != SPW_ERANGE && status != out_of_place) wrong = "another status in place";
  free(now);
  return wrong;
}

static bool is_judged_out(const spw_tensor *a, spw_status *status)
{
  bool valid = false;
  *status = spw_is_valid(a, SPW_CANONICAL, &valid);
  if (*status == SPW_OK && !valid) *status = SPW_EINVALID;
  return *status != SPW_OK;
}

static const char *wrong_judgement(const asked *q, spw_status status)
{
  spw_refusal refusal = {.operand = -77};
  spw_room room = {.dims = -77};
  const spw_buffers buffers = {.values = NULL};
  spw_tensor result = {.ndim = -77};
  const spw_status size = spw_unary_size(q->a, q->wanted, &room, &refusal);
  if (size != status) return WRONG("status %d, not %d", (int)size, (int)status);
  if (spw_unary(q->a, q->wanted, &buffers, &result, NULL) != status) return "another status of both calls";
  if (spw_unary_in_place(q->a, q->wanted, NULL) != status) return "another status in place";
  return room.dims == -77 && result.ndim == -77 ? NULL : "something is written of an invalid operand";
}

const char *attempt_unary(const spw_tensor *a, const spw_unary_request *wanted, spw_status *status, bool *seen)
{
  static const two_calls calls = {size_asked, fill_asked, wrong_asked};
  const asked q = {a, wanted};
  *seen = true;
  if (is_judged_out(a, status)) return wrong_judgement(&q, *status);
  const char *wrong = attempt_two_calls(&calls, &q, status, seen);
  if (!wrong && *status == SPW_OK) wrong = attempt_short_buffers(&calls, &q);
  return wrong ? wrong : try_in_place(&q, *status);
}

/* ---- Drawing ----------------------------------------------------------------------------------------------------- */

/* Powers and divisors that are often small, sometimes anything. */
static void draw_scalar(spw_dtype dtype, dice *d, uint64_t word[2])
{
  const int64_t tame = 1 << FUZZ_SMALL | 1 << FUZZ_NUMBER;
  word[0] = fuzz_draw(dtype, roll_below(d, 3) ? tame : FUZZ_EVERY_CLASS, roll(d));
  word[1] = word[0];
  if (dtype < SPW_FLOAT16 || scalar_is_complex(dtype) || roll_below(d, 2)) return;
  static const double often[] = {0.5, 2, 3, 1.5, 0.25, 1, 0.1, 1.0 / 3, 7, 0.75};
  const double value = often[roll_below(d, 10)];
  word[0] = 0;
  if (dtype == SPW_FLOAT64) memcpy(word, &value, sizeof value);
  else word[0] = scalar_of_double(dtype, value);
}

const char *attempt_any_unary(const spw_tensor *a, dice *d, spw_unary_request *wanted, spw_status *status, bool *seen)
{
  uint64_t scalar[2], numbers[3];
  const spw_dtype dtype = a->values.array.dtype;
  const bool known_type = dtype > SPW_DTYPE_NONE && (int)dtype < SPW_DTYPE_COUNT;
  *wanted = (spw_unary_request){.function = (spw_unary_function)roll_below(d, SPW_UNARY_COUNT),
                                .dtype = (spw_dtype)(1 + roll_below(d, SPW_DTYPE_COUNT - 1)),
                                .duplicates = (spw_combine)roll_below(d, 4)};
  if (roll_below(d, 6) == 0) wanted->function = SPW_UNARY_CAST;
  if (!known_type) return NULL;
  draw_scalar(dtype, d, scalar);
  for (int i = 0; i < 3; i++) numbers[i] = fuzz_draw(scalar_part_type(dtype), FUZZ_EVERY_CLASS, roll(d));
  wanted->scalar = scalar;
  if (roll_below(d, 2)) wanted->nan = &numbers[0];
  if (roll_below(d, 2)) wanted->posinf = &numbers[1];
  if (roll_below(d, 2)) wanted->neginf = &numbers[2];
  const char *const wrong = attempt_unary(a, wanted, status, seen);
  wanted->scalar = wanted->nan = wanted->posinf = wanted->neginf = NULL;
  return wrong;
}
