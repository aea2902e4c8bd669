/* SPDX-License-Identifier: Apache-2.0 */
/* GraphBLAS and CHOLMOD have checkers too: where they can be asked, they say what we say.
 * Asked are 2-D CSR and CSC tensors whose shape rules hold, without batch or dense dimensions. What
 * a library cannot express or permits on purpose is not asked: see expect_cholmod and the other. */
#include "../harness/target.h"

#include "../../tests/expected/oracle.h"

#include <GraphBLAS.h>
#include <cholmod.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORK = 3000, LARGEST_SIZE = 1 << 20 };

/* Both index arrays in the type that a library takes. */
typedef struct arrays {
  int64_t compressed[FUZZ_ELEMENTS + 1], plain[FUZZ_ELEMENTS + 1];
} arrays;

static bool is_plain_matrix(const spw_tensor *x)
{
  return (x->layout == SPW_CSR || x->layout == SPW_CSC) && x->has_size && x->ndim == 2 &&
         x->size[0] > 0 && x->size[1] > 0 && x->size[0] < LARGEST_SIZE && x->size[1] < LARGEST_SIZE;
}

static int64_t index_at(const spw_index_array *a, int64_t i)
{
  const int64_t at = a->array.offset + i * a->array.strides[a->array.ndim - 1];
  return a->array.dtype == SPW_INT32 ? a->i32[at] : a->i64[at];
}

static void copy(const spw_index_array *a, int64_t count, int64_t *to)
{
  for (int64_t i = 0; i < count; i++) to[i] = index_at(a, i);
}

static bool violated(const spw_report *report, spw_rule rule)
{
  return report->findings[rule].state == SPW_VIOLATED;
}

/* ---- CHOLMOD: a packed sparse matrix of 64-bit integers, CSC --------------------------------- */

static cholmod_common *common(void)
{
  static cholmod_common c;
  static bool started;
  if (!started) {
    cholmod_l_start(&c);
    c.print = 0;
  }
  started = true;
  return &c;
}

/* It also judges sorted, and p[C] against nzmax: storage that is not used is allowed (5.2). */
static void expect_cholmod(const spw_tensor *x, const spw_report *report, arrays *a)
{
  const bool by_rows = x->layout == SPW_CSR;
  if (violated(report, SPW_RULE_5_2)) return;
  cholmod_sparse matrix = {.nrow = (size_t)x->size[by_rows], .ncol = (size_t)x->size[!by_rows],
                           .nzmax = (size_t)report->nse, .p = a->compressed, .i = a->plain,
                           .itype = CHOLMOD_LONG, .xtype = CHOLMOD_PATTERN, .dtype = CHOLMOD_DOUBLE,
                           .sorted = 1, .packed = 1};
  const bool accepts = cholmod_l_check_sparse(&matrix, common());
  if (accepts != report->valid)
    fuzz_fail("CHOLMOD disagrees", "it %s\n%s", accepts ? "accepts" : "rejects",
              oracle_describe(x));
}

/* ---- GraphBLAS: secure import of CSR, which takes over memory from malloc -------------------- */

static void *block(const int64_t *from, int64_t count)
{
  const size_t bytes = (size_t)count * sizeof *from;
  void *to = malloc(bytes > 0 ? bytes : sizeof *from);
  if (!to) exit(70);
  if (bytes > 0) memcpy(to, from, bytes);
  return to;
}

/* Says that its input is not to be trusted; by default it is. */
static GrB_Descriptor distrust(void)
{
  static GrB_Descriptor descriptor;
  if (descriptor) return descriptor;
  if (GrB_init(GrB_BLOCKING) != GrB_SUCCESS || GrB_Descriptor_new(&descriptor) != GrB_SUCCESS ||
      GxB_Desc_set(descriptor, GxB_IMPORT, GxB_SECURE_IMPORT) != GrB_SUCCESS ||
      GxB_Global_Option_set(GxB_NTHREADS, 1) != GrB_SUCCESS) {
    fputs("fuzz: GraphBLAS does not start\n", stderr);
    exit(70);
  }
  return descriptor;
}

/* Its offsets are unsigned: it cannot be told of one below 0. */
static bool has_negative(const int64_t *compressed, int64_t C)
{
  for (int64_t i = 0; i <= C; i++)
    if (compressed[i] < 0) return true;
  return false;
}

static bool graphblas_accepts(const spw_tensor *x, int64_t nse, const arrays *a)
{
  const bool by_rows = x->layout == SPW_CSR;
  const int64_t C = x->size[!by_rows];
  GrB_Matrix matrix = NULL;
  GrB_Index *p = block(a->compressed, C + 1), *i = block(a->plain, nse);
  void *values = calloc(1, 1); /* one for all */
  const GrB_Info info = GxB_Matrix_import_CSR(
      &matrix, GrB_BOOL, (GrB_Index)C, (GrB_Index)x->size[by_rows], &p, &i, &values,
      (GrB_Index)(C + 1) * sizeof *p, (GrB_Index)(nse + !nse) * sizeof *i, 1, true, false,
      distrust());
  if (matrix) GrB_Matrix_free(&matrix);
  free(p);
  free(i);
  free(values);
  return info == GrB_SUCCESS;
}

static void expect_graphblas(const spw_tensor *x, const spw_report *report, const arrays *a)
{
  if (violated(report, SPW_RULE_5_2) || has_negative(a->compressed, x->size[x->layout == SPW_CSC]))
    return;
  const bool accepts = graphblas_accepts(x, report->nse, a);
  if (accepts != report->valid)
    fuzz_fail("GraphBLAS disagrees", "it %s\n%s", accepts ? "accepts" : "rejects",
              oracle_describe(x));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static arrays a;
  spw_report report;
  bool shape;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_tensor_from(model, 0, WORK);
  if (!t || !is_plain_matrix(&t->tensor)) return 0;
  const spw_tensor *x = &t->tensor;
  if (spw_is_valid(x, SPW_SHAPE, &shape) || !shape || x->values.array.ndim != 1) return 0;
  if (x->compressed.array.ndim != 1) return 0;
  if (spw_check(x, SPW_CANONICAL, &report) != SPW_OK)
    fuzz_fail("spw_check refuses", "see the input");
  copy(&x->compressed, x->size[x->layout == SPW_CSC] + 1, a.compressed);
  copy(&x->plain, report.nse, a.plain);
  expect_cholmod(x, &report, &a);
  expect_graphblas(x, &report, &a);
  return 0;
}
