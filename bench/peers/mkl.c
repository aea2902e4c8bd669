/* SPDX-License-Identifier: Apache-2.0 */
/* Products by oneMKL's inspector-executor: the arrays stay where they are, and it may look at them first
 * (mkl_sparse_optimize). */
#include <mkl_service.h>
#include <mkl_spblas.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef struct product {
  peer_request request;
  sparse_matrix_t a, b, c;
  void *y;
} product;

static const struct matrix_descr GENERAL = {.type = SPARSE_MATRIX_TYPE_GENERAL};

static bool did(sparse_status_t status)
{
  return status == SPARSE_STATUS_SUCCESS;
}

/* MKL does not write to what it is given here. */
static sparse_matrix_t view(const peer_request *r, const peer_csr *m)
{
  sparse_matrix_t a = NULL;
  MKL_INT *const c = (MKL_INT *)(uintptr_t)m->compressed, *const p = (MKL_INT *)(uintptr_t)m->plain;
  void *const v = (void *)(uintptr_t)m->values;
  const MKL_INT rows = (MKL_INT)r->rows, columns = (MKL_INT)r->columns;
  const sparse_status_t status = r->value_bytes == 8
      ? mkl_sparse_d_create_csr(&a, SPARSE_INDEX_BASE_ZERO, rows, columns, c, c + 1, p, v)
      : mkl_sparse_s_create_csr(&a, SPARSE_INDEX_BASE_ZERO, rows, columns, c, c + 1, p, v);
  return did(status) ? a : NULL;
}

static bool looked_at(const product *p)
{
  const peer_request *const r = &p->request;
  if (r->operation == PEER_MV)
    return did(mkl_sparse_set_mv_hint(p->a, SPARSE_OPERATION_NON_TRANSPOSE, GENERAL, 1000)) && did(mkl_sparse_optimize(p->a));
  if (r->operation == PEER_MM)
    return did(mkl_sparse_set_mm_hint(p->a, SPARSE_OPERATION_NON_TRANSPOSE, GENERAL, SPARSE_LAYOUT_ROW_MAJOR, (MKL_INT)r->width,
                                      1000)) && did(mkl_sparse_optimize(p->a));
  return true;
}

void *peer_begin(const peer_request *r)
{
  if (r->index_bytes != (int32_t)sizeof(MKL_INT) || r->operation == PEER_SAMPLED) return NULL;
  product *const p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->request = *r;
  mkl_set_num_threads_local(r->threads);
  p->a = view(r, &r->a);
  p->b = r->operation == PEER_PLUS ? view(r, &r->b) : NULL;
  p->y = calloc((size_t)(r->rows * r->width) + 1, (size_t)r->value_bytes);
  if (p->a && p->y && (r->operation != PEER_PLUS || p->b) && looked_at(p)) return p;
  peer_end(p);
  return NULL;
}

static sparse_status_t multiplied(const product *p)
{
  const peer_request *const r = &p->request;
  const MKL_INT width = (MKL_INT)r->width;
  const sparse_operation_t as_it_is = SPARSE_OPERATION_NON_TRANSPOSE;
  if (r->operation == PEER_MV)
    return r->value_bytes == 8 ? mkl_sparse_d_mv(as_it_is, 1, p->a, GENERAL, r->x, 0, p->y)
                               : mkl_sparse_s_mv(as_it_is, 1, p->a, GENERAL, r->x, 0, p->y);
  return r->value_bytes == 8
      ? mkl_sparse_d_mm(as_it_is, 1, p->a, GENERAL, SPARSE_LAYOUT_ROW_MAJOR, r->x, width, width, 0, p->y, width)
      : mkl_sparse_s_mm(as_it_is, 1, p->a, GENERAL, SPARSE_LAYOUT_ROW_MAJOR, r->x, width, width, 0, p->y, width);
}

/* The result is in order, as ours is. */
static sparse_status_t combined(product *p)
{
  const peer_request *const r = &p->request;
  if (r->operation == PEER_PLUS)
    return r->value_bytes == 8 ? mkl_sparse_d_add(SPARSE_OPERATION_NON_TRANSPOSE, p->a, 1, p->b, &p->c)
                               : mkl_sparse_s_add(SPARSE_OPERATION_NON_TRANSPOSE, p->a, 1, p->b, &p->c);
  const sparse_status_t status = mkl_sparse_spmm(SPARSE_OPERATION_NON_TRANSPOSE, p->a, p->a, &p->c);
  return did(status) ? mkl_sparse_order(p->c) : status;
}

int peer_run(void *given)
{
  product *const p = given;
  mkl_set_num_threads_local(p->request.threads);
  return !did(p->request.operation <= PEER_MM ? multiplied(p) : combined(p));
}

void peer_clear(void *given)
{
  product *const p = given;
  if (p->c) mkl_sparse_destroy(p->c);
  p->c = NULL;
}

static int64_t sparse_result(const product *p, int64_t most, int64_t *compressed, int64_t *plain, void *values)
{
  sparse_index_base_t base = SPARSE_INDEX_BASE_ZERO;
  MKL_INT rows = 0, columns = 0, *start = NULL, *end = NULL, *column = NULL;
  void *v = NULL;
  const sparse_status_t status = p->request.value_bytes == 8
      ? mkl_sparse_d_export_csr(p->c, &base, &rows, &columns, &start, &end, &column, (double **)&v)
      : mkl_sparse_s_export_csr(p->c, &base, &rows, &columns, &start, &end, &column, (float **)&v);
  if (!did(status) || base != SPARSE_INDEX_BASE_ZERO || end[rows - 1] > most) return -1;
  for (int64_t i = 0; i < rows; i++) compressed[i] = start[i];
  const int64_t nse = compressed[rows] = end[rows - 1];
  for (int64_t k = 0; k < nse; k++) plain[k] = column[k];
  memcpy(values, v, (size_t)(nse * p->request.value_bytes));
  return nse;
}

int64_t peer_result(void *given, int64_t most, int64_t *compressed, int64_t *plain, void *values)
{
  const product *const p = given;
  if (p->request.operation > PEER_MM) return sparse_result(p, most, compressed, plain, values);
  const int64_t n = p->request.rows * p->request.width;
  if (n > most) return -1;
  memcpy(values, p->y, (size_t)(n * p->request.value_bytes));
  return n;
}

void peer_end(void *given)
{
  product *const p = given;
  if (p->a) mkl_sparse_destroy(p->a);
  if (p->b) mkl_sparse_destroy(p->b);
  peer_clear(p);
  free(p->y);
  free(p);
}
