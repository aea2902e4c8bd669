/* SPDX-License-Identifier: Apache-2.0 */
/* to_dense TENSOR ARRAY: writes a stranger's tensor, of any type, as a dense array; in no more memory than is allowed. */
#include <sparsewright.h>
#include <stdio.h>

enum { MEMORY_LIMIT = 1 << 24 };

static int say(const char *text, int code) { return fprintf(stderr, "%s\n", text), code; }

/* The refusal in words, with its numbers. */
static int refused(const spw_tensor *tensor, const spw_conversion *to, spw_status status, const spw_refusal *refusal)
{
  char text[256];
  spw_refused what = SPW_REFUSED(SPW_CONVERTING, tensor, NULL);
  what.conversion = to;
  spw_refusal_text(&what, status, refusal, text, sizeof text);
  return say(text, status == SPW_EINVALID ? 1 : 2);
}

int main(int argc, char **argv)
{
  spw_owned *sparse, *dense;
  spw_error error;
  char text[512];
  if (argc != 3) return say("usage: to_dense TENSOR ARRAY", 2);
  spw_status status = spw_read_file(argv[1], MEMORY_LIMIT, &sparse, &error);
  if (status != SPW_OK) return spw_status_text(status, &error, text, sizeof text), say(text, 2);
  const spw_conversion to = SPW_TO(SPW_DENSE);
  spw_refusal refusal;
  status = spw_convert_new(spw_owned_tensor(sparse), &to, MEMORY_LIMIT, &dense, &refusal);
  int code = status == SPW_OK ? 0 : refused(spw_owned_tensor(sparse), &to, status, &refusal);
  if (status == SPW_OK) {
    status = spw_write_file(argv[2], spw_owned_tensor(dense), &error);
    if (status != SPW_OK) spw_status_text(status, &error, text, sizeof text), code = say(text, 2);
    spw_owned_free(dense);
  }
  spw_owned_free(sparse);
  return code;
}
