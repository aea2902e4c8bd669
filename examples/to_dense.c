/* SPDX-License-Identifier: Apache-2.0 */
/* Makes a dense matrix of a stranger's tensor: judged first, and in no more memory than is allowed. */
#include <sparsewright.h>
#include <stdio.h>

enum { MEMORY_LIMIT = 1 << 24 };

static int refused(const spw_tensor *tensor, const spw_conversion *to, spw_status status, const spw_refusal *refusal)
{
  char text[256];
  spw_refused what = SPW_REFUSED(SPW_CONVERTING, tensor, NULL);
  what.conversion = to;
  spw_refusal_text(&what, status, refusal, text, sizeof text);
  puts(text);
  return status == SPW_EINVALID ? 1 : 2;
}

static void print(const spw_tensor *dense)
{
  const float *x = (const float *)dense->values.data;
  for (int64_t k = 0; k < dense->values.array.length; k++)
    printf("%g%c", (double)x[k], (k + 1) % dense->size[dense->ndim - 1] ? ' ' : '\n');
}

int main(int argc, char **argv)
{
  spw_owned *sparse, *dense;
  spw_error error;
  char text[512];
  if (argc != 2) return fprintf(stderr, "usage: to_dense TENSOR\n"), 2;
  spw_status status = spw_read_file(argv[1], MEMORY_LIMIT, &sparse, &error);
  if (status != SPW_OK) return spw_status_text(status, &error, text, sizeof text), fprintf(stderr, "%s\n", text), 2;
  const spw_conversion to = SPW_TO(SPW_DENSE);
  spw_refusal refusal;
  status = spw_convert_new(spw_owned_tensor(sparse), &to, MEMORY_LIMIT, &dense, &refusal);
  const int code = status == SPW_OK ? 0 : refused(spw_owned_tensor(sparse), &to, status, &refusal);
  if (status == SPW_OK && spw_owned_tensor(dense)->dtype == SPW_FLOAT32 && spw_owned_tensor(dense)->ndim > 0)
    print(spw_owned_tensor(dense));
  if (status == SPW_OK) spw_owned_free(dense);
  spw_owned_free(sparse);
  return code;
}
