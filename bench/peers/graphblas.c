/* SPDX-License-Identifier: Apache-2.0 */
/* Products by SuiteSparse:GraphBLAS. A dense result is filled with zeros and added to, which is its quickest way where
 * rows are empty; a sparse one is finished (GrB_Matrix_wait) within the measured time. */
#include <GraphBLAS.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "peer.h"

typedef struct product {
  peer_request request;
  GrB_Type type;
  GrB_BinaryOp plus;
  GrB_Semiring multiply;
  GrB_Matrix a, b, x, y, c;
  GrB_Vector vector, sums;
} product;

static bool begin_once(void)
{
  static bool begun;
  if (!begun) begun = GrB_init(GrB_NONBLOCKING) == GrB_SUCCESS;
  return begun;
}

static void set_threads(int threads)
{
  GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads);
}

static GrB_Index *widened(const void *from, int64_t n, int32_t bytes)
{
  GrB_Index *const to = malloc((size_t)(n + 1) * sizeof *to);
  for (int64_t i = 0; to && i < n; i++)
    to[i] = (GrB_Index)(bytes == 4 ? (int64_t)((const int32_t *)from)[i] : ((const int64_t *)from)[i]);
  return to;
}

static GrB_Matrix sparse(const product *p, const peer_csr *m, int64_t nse)
{
  const peer_request *const r = &p->request;
  GrB_Matrix a = NULL;
  GrB_Index *const c = widened(m->compressed, r->rows + 1, r->index_bytes);
  GrB_Index *const k = widened(m->plain, nse, r->index_bytes);
  const GrB_Index rows = (GrB_Index)r->rows, columns = (GrB_Index)r->columns, n = (GrB_Index)nse;
  if (c && k) {
    if (r->value_bytes == 8)
      GrB_Matrix_import_FP64(&a, p->type, rows, columns, c, k, m->values, rows + 1, n, n, GrB_CSR_FORMAT);
    else
      GrB_Matrix_import_FP32(&a, p->type, rows, columns, c, k, m->values, rows + 1, n, n, GrB_CSR_FORMAT);
  }
  free(c);
  free(k);
  if (a) GrB_Matrix_wait(a, GrB_MATERIALIZE);
  return a;
}

static void *copied(const void *from, size_t bytes)
{
  void *const to = malloc(bytes);
  if (to) memcpy(to, from, bytes);
  return to;
}

static GrB_Matrix full(const product *p, int64_t rows, const void *values)
{
  const size_t bytes = (size_t)(rows * p->request.width * p->request.value_bytes);
  void *own = copied(values, bytes);
  GrB_Matrix a = NULL;
  if (own && GrB_Matrix_new(&a, p->type, (GrB_Index)rows, (GrB_Index)p->request.width) == GrB_SUCCESS)
    GxB_Matrix_pack_FullR(a, &own, bytes, false, NULL);
  free(own);
  return a;
}

static GrB_Vector full_vector(const product *p)
{
  const size_t bytes = (size_t)(p->request.columns * p->request.value_bytes);
  void *own = copied(p->request.x, bytes);
  GrB_Vector a = NULL;
  if (own && GrB_Vector_new(&a, p->type, (GrB_Index)p->request.columns) == GrB_SUCCESS)
    GxB_Vector_pack_Full(a, &own, bytes, false, NULL);
  free(own);
  return a;
}

static bool has_operands(product *p)
{
  const peer_request *const r = &p->request;
  const GrB_Index rows = (GrB_Index)r->rows;
  p->a = sparse(p, &r->a, r->nse);
  if (!p->a) return false;
  switch (r->operation) {
  case PEER_MV:
    p->vector = full_vector(p);
    return p->vector && GrB_Vector_new(&p->sums, p->type, rows) == GrB_SUCCESS;
  case PEER_MM:
    p->x = full(p, r->columns, r->x);
    return p->x && GrB_Matrix_new(&p->c, p->type, rows, (GrB_Index)r->width) == GrB_SUCCESS;
  case PEER_SAMPLED:
    p->x = full(p, r->rows, r->x);
    p->y = full(p, r->columns, r->y);
    return p->x && p->y;
  case PEER_PLUS: p->b = sparse(p, &r->b, r->nse_b); return p->b;
  default: return true;
  }
}

void *peer_begin(const peer_request *r)
{
  if (!begin_once()) return NULL;
  set_threads(r->threads);
  product *const p = calloc(1, sizeof *p);
  if (!p) return NULL;
  const bool wide = r->value_bytes == 8;
  *p = (product){.request = *r, .type = wide ? GrB_FP64 : GrB_FP32, .plus = wide ? GrB_PLUS_FP64 : GrB_PLUS_FP32,
                 .multiply = wide ? GrB_PLUS_TIMES_SEMIRING_FP64 : GrB_PLUS_TIMES_SEMIRING_FP32};
  if (has_operands(p)) return p;
  peer_end(p);
  return NULL;
}

static GrB_Info with_vector(product *p)
{
  const GrB_Info info = GrB_Vector_assign_FP64(p->sums, NULL, NULL, 0, GrB_ALL, (GrB_Index)p->request.rows, NULL);
  return info == GrB_SUCCESS ? GrB_mxv(p->sums, NULL, p->plus, p->multiply, p->a, p->vector, NULL) : info;
}

static GrB_Info with_matrix(product *p)
{
  const GrB_Index rows = (GrB_Index)p->request.rows, width = (GrB_Index)p->request.width;
  const GrB_Info info = GrB_Matrix_assign_FP64(p->c, NULL, NULL, 0, GrB_ALL, rows, GrB_ALL, width, NULL);
  return info == GrB_SUCCESS ? GrB_mxm(p->c, NULL, p->plus, p->multiply, p->a, p->x, NULL) : info;
}

static GrB_Info sparse_of(product *p)
{
  const GrB_Index rows = (GrB_Index)p->request.rows, columns = (GrB_Index)p->request.columns;
  GrB_Info info = GrB_Matrix_new(&p->c, p->type, rows, columns);
  if (info != GrB_SUCCESS) return info;
  if (p->request.operation == PEER_SQUARE)
    info = GrB_mxm(p->c, NULL, NULL, p->multiply, p->a, p->a, NULL);
  else if (p->request.operation == PEER_PLUS)
    info = GrB_Matrix_eWiseAdd_BinaryOp(p->c, NULL, NULL, p->plus, p->a, p->b, NULL);
  else
    info = GrB_mxm(p->c, p->a, NULL, p->multiply, p->x, p->y, GrB_DESC_ST1);
  return info == GrB_SUCCESS ? GrB_Matrix_wait(p->c, GrB_MATERIALIZE) : info;
}

void peer_clear(void *given)
{
  product *const p = given;
  if (p->request.operation > PEER_MM) GrB_Matrix_free(&p->c);
}

int peer_run(void *given)
{
  product *const p = given;
  set_threads(p->request.threads);
  switch (p->request.operation) {
  case PEER_MV: return with_vector(p) != GrB_SUCCESS;
  case PEER_MM: return with_matrix(p) != GrB_SUCCESS;
  default: return sparse_of(p) != GrB_SUCCESS;
  }
}

static int64_t sparse_result(const product *p, int64_t most, int64_t *compressed, int64_t *plain, void *values)
{
  GrB_Index c = (GrB_Index)p->request.rows + 1, k = (GrB_Index)most, v = k;
  const GrB_Info info = p->request.value_bytes == 8
      ? GrB_Matrix_export_FP64((GrB_Index *)compressed, (GrB_Index *)plain, values, &c, &k, &v, GrB_CSR_FORMAT, p->c)
      : GrB_Matrix_export_FP32((GrB_Index *)compressed, (GrB_Index *)plain, values, &c, &k, &v, GrB_CSR_FORMAT, p->c);
  return info == GrB_SUCCESS ? (int64_t)v : -1;
}

int64_t peer_result(void *given, int64_t most, int64_t *compressed, int64_t *plain, void *values)
{
  const product *const p = given;
  const bool wide = p->request.value_bytes == 8;
  GrB_Index n = (GrB_Index)most;
  GrB_Info info = GrB_SUCCESS;
  if (p->request.operation > PEER_MM) return sparse_result(p, most, compressed, plain, values);
  if (p->request.operation == PEER_MV)
    info = wide ? GrB_Vector_extractTuples_FP64(NULL, values, &n, p->sums)
                : GrB_Vector_extractTuples_FP32(NULL, values, &n, p->sums);
  else
    info = wide ? GrB_Matrix_extractTuples_FP64(NULL, NULL, values, &n, p->c)
                : GrB_Matrix_extractTuples_FP32(NULL, NULL, values, &n, p->c);
  return info == GrB_SUCCESS ? (int64_t)n : -1;
}

void peer_end(void *given)
{
  product *const p = given;
  GrB_Matrix *const matrices[] = {&p->a, &p->b, &p->x, &p->y, &p->c};
  for (int i = 0; i < 5; i++) GrB_Matrix_free(matrices[i]);
  GrB_Vector_free(&p->vector);
  GrB_Vector_free(&p->sums);
  free(p);
}
