/* SPDX-License-Identifier: Apache-2.0 */
/* UMFPACK: its reports check matrices; besides, it converts between CSC and COO, and transposes. */
#include "kit.h"

#include <stdio.h>
#include <umfpack.h>

typedef struct session {
  kit_answer *answer;
  kit_phase phase;
  bool stop;
} session;

static bool did(session *s, long status, const char *function)
{
  if (status == UMFPACK_OK) return !s->stop;
  if (!s->stop) kit_reject(s->answer, s->phase, "%s: %ld", function, status);
  s->stop = true;
  return false;
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

#define INDEX       int
#define INDEX_DTYPE SPW_INT32
#define NAME(name)  i_##name
#define D(name)     umfpack_di_##name
#define Z(name)     umfpack_zi_##name
#include "umfpack_functions.inc"
#define INDEX       SuiteSparse_long
#define INDEX_DTYPE SPW_INT64
#define NAME(name)  l_##name
#define D(name)     umfpack_dl_##name
#define Z(name)     umfpack_zl_##name
#include "umfpack_functions.inc"

static void judge(const kit_question *q, kit_answer *answer)
{
  session s = {answer, KIT_USED, false};
  if (q->tensor->plain.array.dtype == SPW_INT32)
    i_judge(&s, q);
  else
    l_judge(&s, q);
}

/* float32 is widened where no values come back. */
#define WIDER_DTYPES "\"dtypes\": [\"float32\", \"float64\", \"complex128\"]"
#define DTYPES       "\"dtypes\": [\"float64\", \"complex128\"]"
#define CHECKED      "{\"layouts\": [\"coo\", \"csr\", \"csc\"], " WIDER_DTYPES "}"

int main(void)
{
  static char version[16];
  snprintf(version, sizeof version, "%d.%d.%d", UMFPACK_MAIN_VERSION, UMFPACK_SUB_VERSION,
           UMFPACK_SUBSUB_VERSION);
  const kit_library umfpack = {
      .name = "umfpack",
      .version = version,
      .judge = judge,
      .isolated = true,
      .manifest =
          "{\"operations\": {\"check\": " CHECKED
          ", \"use\": {\"layouts\": [\"coo\", \"csc\"], " WIDER_DTYPES
          "}, \"transpose\": {\"layouts\": [\"csc\"], " DTYPES
          "}, \"convert\": {\"layouts\": [\"coo\", "
          "\"csc\"], " DTYPES
          ", \"to\": {\"coo\": [\"csc\"], \"csc\": [\"coo\"]}}}, \"index_dtypes\": "
          "[\"int32\", \"int64\"], \"names_rules\": \"none\", \"guards\": [\"after\", \"before\"], "
          "\"lacks\": [" KIT_LACKS_OF_POINTERS ", \"empty-size\"]}"};
  return kit_serve(&umfpack);
}
