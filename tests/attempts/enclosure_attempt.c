/* SPDX-License-Identifier: Apache-2.0 */
#include "enclosure_attempt.h"

#include "../../fuzz/inputs/values.h"
#include "../../src/sparsewright.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 3, MOST = 2 * PAIRS, CLAIMS = 3 };

typedef struct claims {
  int64_t n, k;
  spw_dtype dtype;
  double a[PAIRS], b[PAIRS];                                        /* of each block */
  double values[CLAIMS], right[MOST * CLAIMS], left[MOST * CLAIMS]; /* vectors are columns */
  bool exact[CLAIMS];
} claims;

/* ---- What is claimed ----------------------------------------------------------------------------- */

static double small(dice *d)
{
  return (double)(roll_below(d, 17) - 8);
}

/* An eigenvector of one block, or any numbers; and a value, the right one or another. */
static void draw_claim(claims *c, int64_t j, bool singular, dice *d)
{
  const int64_t block = roll_below(d, c->n / 2);
  const double sign = roll_below(d, 2) ? 1 : -1, value = c->a[block] + sign * c->b[block];
  const double length = ldexp(1, (int)roll_below(d, 5) - 2);
  const bool any = roll_below(d, 3) == 0, off = roll_below(d, 3) == 0;
  c->values[j] = (singular ? fabs(value) : value) + (off ? small(d) / 4 : 0);
  c->exact[j] = !any && !off;
  for (int64_t i = 0; i < c->n; i++) {
    const double at = i / 2 != block ? 0 : i % 2 ? sign * length : length;
    c->right[i * c->k + j] = any ? small(d) : at;
    c->left[i * c->k + j] = any ? small(d) : value < 0 ? -at : at;
  }
}

static void draw_claims(claims *c, bool singular, dice *d)
{
  c->n = 2 * (1 + roll_below(d, PAIRS));
  c->k = 1 + roll_below(d, CLAIMS);
  c->dtype = roll_below(d, 2) ? SPW_FLOAT64 : SPW_FLOAT32;
  for (int64_t i = 0; i < c->n / 2; i++) c->a[i] = small(d), c->b[i] = small(d);
  for (int64_t j = 0; j < c->k; j++) draw_claim(c, j, singular, d);
}

/* ---- A second opinion ---------------------------------------------------------------------------- */

/* Row i of the matrix times column j: small multiples of a power of two, so exact. */
static double times(const claims *c, int64_t i, const double *columns, int64_t j)
{
  return c->a[i / 2] * columns[i * c->k + j] + c->b[i / 2] * columns[(i ^ 1) * c->k + j];
}

static double radius_of(const claims *c, int64_t j, bool singular)
{
  const double *const left = singular ? c->left : c->right;
  long double squares = 0, lengths = 0;
  for (int64_t i = 0; i < c->n; i++) {
    const double r = times(c, i, c->right, j) - c->values[j] * left[i * c->k + j];
    const double s = singular ? times(c, i, left, j) - c->values[j] * c->right[i * c->k + j] : 0;
    squares += (long double)r * r + (long double)s * s;
    lengths += (long double)c->right[i * c->k + j] * c->right[i * c->k + j];
    if (singular) lengths += (long double)left[i * c->k + j] * left[i * c->k + j];
  }
  return lengths > 0 ? (double)sqrtl(squares / lengths) : INFINITY;
}

static bool holds_one(const claims *c, const spw_enclosure *e, bool singular)
{
  bool found = false;
  for (int64_t i = 0; i < c->n; i++) {
    const double signed_value = c->a[i / 2] + (i % 2 ? -c->b[i / 2] : c->b[i / 2]);
    const double value = singular ? fabs(signed_value) : signed_value;
    found |= e->low <= value && value <= e->high;
  }
  return found;
}

static const char *compare(const claims *c, const spw_enclosure *e, bool singular, int64_t *certified)
{
  for (int64_t j = 0; j < c->k; j++) {
    const double radius = radius_of(c, j, singular);
    const bool known = !isinf(radius) && !(singular && !(radius < c->values[j]));
    const bool near = singular && fabs(radius - c->values[j]) < 1e-9; /* rounding may decide otherwise */
    if (e[j].certified != known && !near) return "what is certified is not what may be";
    if (!e[j].certified) continue;
    ++*certified;
    if (!(e[j].radius >= radius * (1 - 0x1p-50) && e[j].radius <= radius * (1 + 0x1p-40))) return "the radius is another";
    if (!(e[j].low <= c->values[j] && c->values[j] <= e[j].high)) return "the value is not in its enclosure";
    if (!(e[j].high - e[j].low >= 2 * radius * (1 - 0x1p-40))) return "the enclosure is too short";
    if (!holds_one(c, &e[j], singular)) return "there is no eigenvalue in an enclosure";
    if (c->exact[j] && !(e[j].radius == 0 && e[j].low == c->values[j] && e[j].high == c->values[j]))
      return "the enclosure of an exact value is no point";
  }
  return NULL;
}

/* ---- The calls ----------------------------------------------------------------------------------- */

static spw_tensor array_of(spw_dtype dtype, int64_t ndim, const int64_t *shape, const int64_t *strides, int64_t length,
                           const void *data)
{
  const spw_array array = {dtype, ndim, shape, strides, 0, length};
  return (spw_tensor){.layout = SPW_DENSE, .coalesced = SPW_CLAIM_NONE, .dtype = dtype, .values = {array, data}};
}

/* The numbers as values of the type, in memory to be freed. */
static void *typed(spw_dtype dtype, const double *numbers, int64_t count)
{
  void *const made = malloc((size_t)count * 8);
  for (int64_t i = 0; made && i < count; i++) {
    const float narrow = (float)numbers[i];
    if (dtype == SPW_FLOAT64)
      memcpy((char *)made + 8 * i, &numbers[i], 8);
    else
      memcpy((char *)made + 4 * i, &narrow, 4);
  }
  return made;
}

static spw_owned *matrix_of(const claims *c, spw_layout layout)
{
  double full[MOST * MOST] = {0};
  const int64_t shape[] = {c->n, c->n}, strides[] = {c->n, 1}, side = layout == SPW_BSR || layout == SPW_BSC ? 2 : 0;
  for (int64_t i = 0; i < c->n; i++) {
    full[i * c->n + i] = c->a[i / 2];
    full[i * c->n + (i ^ 1)] = c->b[i / 2];
  }
  void *const values = typed(c->dtype, full, c->n * c->n);
  const spw_tensor dense = array_of(c->dtype, 2, shape, strides, c->n * c->n, values);
  const spw_conversion to = {.layout = layout, .block_rows = side, .block_columns = side, .batch_dims = -1, .dense_dims = -1};
  spw_owned *made = NULL;
  const spw_status status = spw_convert_new(&dense, &to, 0, &made, NULL);
  free(values);
  return status == SPW_OK ? made : NULL;
}

static const char *judge(const claims *c, const spw_tensor *a, bool singular, int64_t *certified)
{
  const int64_t shape[] = {c->n, c->k}, strides[] = {c->k, 1}, own[] = {c->k}, one[] = {1};
  void *const numbers[] = {typed(c->dtype, c->values, c->k), typed(c->dtype, c->left, c->n * c->k),
                           typed(c->dtype, c->right, c->n * c->k)};
  const spw_tensor values = array_of(c->dtype, 1, own, one, c->k, numbers[0]);
  const spw_tensor left = array_of(c->dtype, 2, shape, strides, c->n * c->k, numbers[1]);
  const spw_tensor right = array_of(c->dtype, 2, shape, strides, c->n * c->k, numbers[2]);
  const spw_eigen_claim pairs = {a, &values, &right, NULL};
  const spw_singular_claim triples = {a, &values, &left, &right, NULL};
  spw_enclosure e[CLAIMS];
  size_t bytes = 0;
  double apart;
  spw_status status =
      singular ? spw_judge_singular_work(&triples, &bytes, NULL) : spw_judge_eigenpairs_work(&pairs, &bytes, NULL);
  void *const work = status == SPW_OK ? malloc(bytes ? bytes : 1) : NULL;
  if (work)
    status = singular ? spw_judge_singular(&triples, e, &apart, work, bytes, NULL)
                      : spw_judge_eigenpairs(&pairs, e, &apart, work, bytes, NULL);
  free(work);
  for (int i = 0; i < 3; i++) free(numbers[i]);
  return status != SPW_OK ? "a claim is refused" : compare(c, e, singular, certified);
}

const char *attempt_any_enclosure(dice *d, int64_t *certified)
{
  claims c;
  const bool singular = roll_below(d, 2);
  draw_claims(&c, singular, d);
  spw_owned *const a = matrix_of(&c, (spw_layout)roll_below(d, 5));
  if (!a) return "a matrix is not made";
  const char *const wrong = judge(&c, spw_owned_tensor(a), singular, certified);
  spw_owned_free(a);
  return wrong;
}
