/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a dense matrix of a stranger's tensor: judged first, and in no more memory than is allowed. */
#include <inttypes.h>
#include <sparsewright.h>
#include <stdio.h>
#include <stdlib.h>

enum { FILE_LIMIT = 1 << 20, MEMORY_LIMIT = 1 << 24 };

static int refused(spw_status status, const spw_refusal *r)
{
  if (status != SPW_EINVALID) return fprintf(stderr, "%s\n", spw_status_string(status)), 2;
  const spw_violation *v = &r->violation;
  printf("rule %s at position %" PRId64 ": %" PRId64 " against %" PRId64 "\n", spw_rule_get(v->rule)->id,
         v->position, v->lhs, v->rhs);
  return 1;
}

static void print(const spw_tensor *dense)
{
  const float *x = dense->values.data;
  for (int64_t k = 0; k < dense->values.array.length; k++)
    printf("%g%c", (double)x[k], (k + 1) % dense->size[dense->ndim - 1] ? ' ' : '\n');
}

int main(int argc, char **argv)
{
  static char bytes[FILE_LIMIT];
  FILE *file = argc == 2 ? fopen(argv[1], "rb") : NULL;
  if (!file) return fprintf(stderr, "usage: to_dense TENSOR.spw.json\n"), 2;
  const size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  spw_owned *sparse, *dense;
  spw_error error;
  spw_status status = spw_read_json(bytes, size, MEMORY_LIMIT, &sparse, &error);
  if (status != SPW_OK) return fprintf(stderr, "%s: %s\n", error.where, error.message), 2;
  const spw_conversion to = {.layout = SPW_DENSE, .batch_dims = -1, .dense_dims = -1};
  spw_refusal refusal;
  status = spw_convert_new(spw_owned_tensor(sparse), &to, MEMORY_LIMIT, &dense, &refusal);
  const int code = status == SPW_OK ? 0 : refused(status, &refusal);
  if (status == SPW_OK && spw_owned_tensor(dense)->dtype == SPW_FLOAT32 && spw_owned_tensor(dense)->ndim > 0)
    print(spw_owned_tensor(dense));
  if (status == SPW_OK) spw_owned_free(dense);
  spw_owned_free(sparse);
  return code;
}
