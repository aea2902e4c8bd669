/* SPDX-License-Identifier: Apache-2.0 */
/* Products by librsb: its own blocks of the matrix, as they come without rsb_tune_spmm. */
#include <rsb.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef struct product {
  peer_request request;
  struct rsb_mtx_t *a;
  void *y;
} product;

static bool did(rsb_err_t error)
{
  return error == RSB_ERR_NO_ERROR;
}

static rsb_type_t type_of(const peer_request *r)
{
  return r->value_bytes == 8 ? RSB_NUMERICAL_TYPE_DOUBLE : RSB_NUMERICAL_TYPE_FLOAT;
}

static struct rsb_mtx_t *taken(const peer_request *r)
{
  rsb_err_t error = RSB_ERR_NO_ERROR;
  struct rsb_mtx_t *const a =
      rsb_mtx_alloc_from_csr_const(r->a.values, r->a.compressed, r->a.plain, (rsb_nnz_idx_t)r->nse, type_of(r),
                                   (rsb_coo_idx_t)r->rows, (rsb_coo_idx_t)r->columns, 1, 1, RSB_FLAG_NOFLAGS, &error);
  return did(error) ? a : NULL;
}

static bool set_threads(int threads)
{
  return did(rsb_lib_set_opt(RSB_IO_WANT_EXECUTING_THREADS, &threads));
}

void *peer_begin(const peer_request *r)
{
  if (r->index_bytes != 4 || r->operation > PEER_MM) return NULL;
  if (!did(rsb_lib_init(RSB_NULL_INIT_OPTIONS)) || !set_threads(r->threads)) return NULL;
  product *const p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->request = *r;
  p->a = taken(r);
  p->y = calloc((size_t)(r->rows * r->width), (size_t)r->value_bytes);
  if (p->a && p->y) return p;
  peer_end(p);
  return NULL;
}

int peer_run(void *given)
{
  product *const p = given;
  const peer_request *const r = &p->request;
  const double one = 1, zero = 0;
  const float one_f = 1, zero_f = 0;
  const void *const alpha = r->value_bytes == 8 ? (const void *)&one : &one_f;
  const void *const beta = r->value_bytes == 8 ? (const void *)&zero : &zero_f;
  if (!set_threads(r->threads)) return 1;
  if (r->operation == PEER_MV) return !did(rsb_spmv(RSB_TRANSPOSITION_N, alpha, p->a, r->x, 1, beta, p->y, 1));
  const rsb_coo_idx_t width = (rsb_coo_idx_t)r->width;
  return !did(rsb_spmm(RSB_TRANSPOSITION_N, alpha, p->a, width, RSB_FLAG_WANT_ROW_MAJOR_ORDER, r->x, width, beta, p->y, width));
}

void peer_clear(void *given)
{
  (void)given;
}

int64_t peer_result(void *given, int64_t most, int64_t *compressed, int64_t *plain, void *values)
{
  const product *const p = given;
  const int64_t n = p->request.rows * p->request.width;
  (void)compressed;
  (void)plain;
  if (n > most) return -1;
  memcpy(values, p->y, (size_t)(n * p->request.value_bytes));
  return n;
}

void peer_end(void *given)
{
  product *const p = given;
  rsb_mtx_free(p->a);
  free(p->y);
  free(p);
}
