/* SPDX-License-Identifier: Apache-2.0 */
/* CHOLMOD: structs over the user's arrays, checked by cholmod_check_sparse and _triplet. CSC and
 * COO. */
#define _POSIX_C_SOURCE 200809L
#include "kit.h"

#include <cholmod.h>
#include <stdio.h>
#include <string.h>

typedef struct session {
  kit_answer *answer;
  kit_phase phase;
  bool stop;
  cholmod_common common;
} session;

static bool did(session *s, int done, const char *function)
{
  if (done) return !s->stop;
  if (!s->stop) kit_reject(s->answer, s->phase, "%s: status %d", function, s->common.status);
  s->stop = true;
  return false;
}

static int xtype_of(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX128 ? CHOLMOD_COMPLEX : CHOLMOD_REAL;
}

static spw_dtype dtype_of(int xtype)
{
  return xtype == CHOLMOD_COMPLEX ? SPW_COMPLEX128 : SPW_FLOAT64;
}

static bool matrix_of(session *s, const spw_tensor *tensor, kit_matrix *m)
{
  const char *why = kit_matrix_of(tensor, m);
  if (!why) why = kit_lengths_of(m);
  if (!why) kit_widen(m);
  if (!why) return true;
  kit_unsupported(s->answer, why);
  s->stop = true;
  return false;
}

/* Row-major to CHOLMOD's column-major, and back. */
static cholmod_dense zeros_view(size_t rows, size_t columns, int xtype)
{
  void *const x = kit_guarded(rows * columns * (xtype == CHOLMOD_COMPLEX ? 16 : 8));
  return (cholmod_dense){.nrow = rows,
                         .ncol = columns,
                         .nzmax = rows * columns,
                         .d = rows,
                         .x = x,
                         .xtype = xtype,
                         .dtype = CHOLMOD_DOUBLE};
}

static cholmod_dense dense_view(const kit_dense *dense)
{
  const size_t rows = (size_t)dense->shape[0],
               columns = dense->ndim == 2 ? (size_t)dense->shape[1] : 1;
  const size_t width = (size_t)spw_dtype_size(dense->dtype);
  const cholmod_dense view = zeros_view(rows, columns, xtype_of(dense->dtype));
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < columns; j++)
      memcpy((char *)view.x + (j * rows + i) * width,
             (char *)dense->data + (i * columns + j) * width, width);
  return view;
}

static void column_major_answer(session *s, const cholmod_dense *d, int64_t ndim)
{
  const size_t width = d->xtype == CHOLMOD_COMPLEX ? 16 : 8;
  char *const rows = kit_guarded(d->nrow * d->ncol * width);
  for (size_t i = 0; i < d->nrow; i++)
    for (size_t j = 0; j < d->ncol; j++)
      memcpy(rows + (i * d->ncol + j) * width, (char *)d->x + (j * d->d + i) * width, width);
  const int64_t shape[] = {(int64_t)d->nrow, (int64_t)d->ncol};
  kit_dense_result(s->answer, dtype_of(d->xtype), ndim, shape, rows);
}

/* cholmod_transpose has the conjugate transpose only. */
static void conjugate(cholmod_sparse *a, size_t count)
{
  for (size_t k = 0; k < count; k++) ((double *)a->x)[2 * k + 1] *= -1;
}

#define C(name)     cholmod_##name
#define NAME(name)  i_##name
#define ITYPE       CHOLMOD_INT
#define INDEX_DTYPE SPW_INT32
#include "cholmod_functions.inc"
#define C(name)     cholmod_l_##name
#define NAME(name)  l_##name
#define ITYPE       CHOLMOD_LONG
#define INDEX_DTYPE SPW_INT64
#include "cholmod_functions.inc"

static void judge(const kit_question *q, kit_answer *answer)
{
  session s = {.answer = answer, .phase = KIT_USED};
  if (q->operation == KIT_SUM) return;
  if (q->tensor && q->tensor->plain.array.dtype == SPW_INT32)
    i_judge(&s, q);
  else
    l_judge(&s, q);
}

/* float32 is widened where no values come back. */
#define WIDER_DTYPES "\"dtypes\": [\"float32\", \"float64\", \"complex128\"]"
#define DTYPES       "\"dtypes\": [\"float64\", \"complex128\"]"
#define ALL_LAYOUTS  "[\"coo\", \"csc\"]"
#define WIDER        "{\"layouts\": " ALL_LAYOUTS ", " WIDER_DTYPES "}"
#define ALL          "{\"layouts\": " ALL_LAYOUTS ", " DTYPES "}"

int main(void)
{
  static char version[16];
  snprintf(version, sizeof version, "%d.%d.%d", CHOLMOD_MAIN_VERSION, CHOLMOD_SUB_VERSION,
           CHOLMOD_SUBSUB_VERSION);
  const kit_library cholmod = {
      .name = "cholmod",
      .version = version,
      .judge = judge,
      .isolated = true,
      .manifest =
          "{\"operations\": {\"check\": " WIDER ", \"use\": " WIDER ", \"to_dense\": " ALL
          ", \"from_dense\": " ALL ", \"transpose\": " ALL
          ", \"convert\": {\"layouts\": " ALL_LAYOUTS ", " DTYPES ", \"to\": {\"coo\": " ALL_LAYOUTS
          ", \"csc\": " ALL_LAYOUTS "}}, \"matvec\": " ALL ", \"matmat\": " ALL
          ", \"add\": {\"layouts\": " ALL_LAYOUTS
          ", \"dtypes\": [\"float64\"]}, \"read\": {\"formats\": [\"mtx\"], " DTYPES "}}, "
          "\"index_dtypes\": [\"int32\", \"int64\"], \"names_rules\": \"none\", \"guards\": "
          "[\"after\", "
          "\"before\"], \"lacks\": [" KIT_LACKS_OF_POINTERS "]}"};
  return kit_serve(&cholmod);
}
