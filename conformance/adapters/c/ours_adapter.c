/* SPDX-License-Identifier: Apache-2.0 */
/* sparsewright's C API, the control: every rule that it names must be violated. */
#include "kit.h"

#include <stdlib.h>
#include <string.h>

/* The tensor again with guarded storages. One too large to copy stays where it is. */
enum { LARGEST_COPY = 1 << 24 };

static const void *guarded(const spw_array *array, const void *data)
{
  const int64_t bytes = array->length * spw_dtype_size(array->dtype);
  return data && bytes <= LARGEST_COPY ? kit_guarded_copy(data, (size_t)bytes) : data;
}

static void guard_indices(spw_index_array *indices)
{
  indices->i32 = guarded(&indices->array, indices->i32);
  indices->i64 = guarded(&indices->array, indices->i64);
  indices->raw = guarded(&indices->array, indices->raw);
}

static void judge_tensor(const spw_tensor *read, kit_answer *answer)
{
  spw_tensor tensor = *read;
  spw_report report;
  guard_indices(&tensor.compressed);
  guard_indices(&tensor.plain);
  tensor.values.data = guarded(&tensor.values.array, tensor.values.data);
  const spw_status status = spw_check(&tensor, SPW_CANONICAL, &report);
  if (status) {
    kit_unsupported(answer, spw_status_string(status));
    return;
  }
  if (report.valid) {
    kit_accept(answer, KIT_VALIDATE);
    return;
  }
  const char *first = NULL;
  for (spw_rule rule = 0; rule < SPW_RULE_COUNT; rule++) {
    if (report.findings[rule].state != SPW_VIOLATED) continue;
    kit_rule(answer, spw_rule_get(rule)->id);
    if (!first) first = spw_rule_get(rule)->formula;
  }
  kit_reject(answer, KIT_VALIDATE, "%s", first);
}

static spw_status read_file(const kit_question *q, spw_owned **owned, spw_error *error)
{
  if (strcmp(q->format, "npz") == 0) return spw_read_npz(q->file, q->file_size, 0, owned, error);
  if (strcmp(q->format, "mtx") == 0) return spw_read_mtx(q->file, q->file_size, 0, owned, error);
  if (strcmp(q->format, "json") == 0) return spw_read_json(q->file, q->file_size, 0, owned, error);
  return SPW_EUNSUPPORTED;
}

static void judge_file(const kit_question *q, kit_answer *answer)
{
  spw_owned *owned = NULL;
  spw_error error = {"", "no such format here"};
  const spw_status status = read_file(q, &owned, &error);
  if (status == SPW_EUNSUPPORTED && !*error.where)
    kit_unsupported(answer, error.message);
  else if (status)
    kit_reject(answer, KIT_CONSTRUCT, "%s: %s", error.where, error.message);
  else if (spw_owned_tensor(owned)->layout == SPW_DENSE)
    kit_reject(answer, KIT_CONSTRUCT, "a dense array is no sparse tensor");
  else
    judge_tensor(spw_owned_tensor(owned), answer);
  if (!status && kit_is_accepted(answer)) kit_tensor_result(answer, spw_owned_tensor(owned));
  spw_owned_free(owned);
}

static void judge(const kit_question *question, kit_answer *answer)
{
  if (question->operation == KIT_CHECK)
    judge_tensor(question->tensor, answer);
  else if (question->operation == KIT_USE)
    kit_accept(answer, KIT_USED);
  else if (question->operation == KIT_READ)
    judge_file(question, answer);
}

#define ALL_DTYPES                                                                                 \
  "[\"bool\", \"uint8\", \"int8\", \"int16\", \"int32\", \"int64\", \"float16\", "                 \
  "\"bfloat16\", \"float32\", \"float64\", \"complex64\", \"complex128\"]"
#define ALL_LAYOUTS "[\"coo\", \"csr\", \"csc\", \"bsr\", \"bsc\"]"
#define ALL         "{\"layouts\": " ALL_LAYOUTS ", \"dtypes\": " ALL_DTYPES "}"

int main(void)
{
  static const kit_library ours = {
      .name = "sparsewright",
      .version = SPW_VERSION,
      .judge = judge,
      .manifest = "{\"operations\": {\"check\": " ALL ", \"use\": " ALL
                  ", \"read\": {\"formats\": [\"mtx\", \"npz\"], \"dtypes\": " ALL_DTYPES
                  "}}, \"index_dtypes\": " ALL_DTYPES ", \"lacks\": [], \"names_rules\": \"all\", "
                  "\"guards\": [\"after\", \"before\"]}"};
  return kit_serve(&ours);
}
