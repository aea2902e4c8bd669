/* SPDX-License-Identifier: Apache-2.0 */
/* Its adapter in C, with jansson; tiny_adapter.py in conformance/README.md does the same. */
#include <jansson.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int tiny_check(int64_t, int64_t, int32_t, const int32_t *, const int32_t *);
void tiny_matvec(int64_t, const int32_t *, const int32_t *, const double *, const double *, double *);

static const char hello[] =
    "{\"ready\": true, \"name\": \"tiny\", \"version\": \"1\", \"manifest\": {\"operations\": {"
    "\"check\": {\"layouts\": [\"csr\"], \"dtypes\": [\"float32\"]},"
    "\"matvec\": {\"layouts\": [\"csr\"], \"dtypes\": [\"float64\"]}},"
    "\"index_dtypes\": [\"int32\"], \"names_rules\": \"none\", \"lacks\": [\"array-lengths\","
    "\"batched\", \"declared\", \"hybrid\", \"index-range\", \"inf\", \"negative-stride\", \"not-2d\","
    "\"out-of-storage\", \"sizeless\", \"strided\", \"strided-indices\"]}}";

static int32_t *ints(const json_t *member)
{
  const json_t *data = json_object_get(member, "data");
  const size_t n = json_array_size(data);
  int32_t *array = malloc(sizeof *array * (n ? n : 1));
  for (size_t k = 0; array && k < n; k++) array[k] = (int32_t)json_integer_value(json_array_get(data, k));
  return array;
}

static double *doubles(const json_t *member)
{
  const json_t *data = json_object_get(member, "data");
  const size_t n = json_array_size(data);
  double *array = malloc(sizeof *array * (n ? n : 1));
  for (size_t k = 0; array && k < n; k++) array[k] = json_number_value(json_array_get(data, k));
  return array;
}

static json_t *product(const json_t *question, const json_t *tensor, int64_t rows, int32_t *offset, int32_t *index)
{
  double *value = doubles(json_object_get(tensor, "values"));
  double *x = doubles(json_object_get(json_object_get(question, "arguments"), "x"));
  double *y = calloc((size_t)rows + 1, sizeof *y);
  tiny_matvec(rows, offset, index, value, x, y);
  json_t *data = json_array();
  for (int64_t i = 0; i < rows; i++) json_array_append_new(data, json_real(y[i]));
  free(value), free(x), free(y);
  return json_pack("{s:s, s:[I], s:o}", "dtype", "float64", "shape", (json_int_t)rows, "data", data);
}

static json_t *answer(const json_t *question)
{
  const json_t *tensor = json_object_get(question, "tensor"), *size = json_object_get(tensor, "size");
  const int64_t rows = json_integer_value(json_array_get(size, 0));
  const int64_t cols = json_integer_value(json_array_get(size, 1));
  const json_t *plain = json_object_get(tensor, "plain_indices");
  int32_t *offset = ints(json_object_get(tensor, "compressed_indices")), *index = ints(plain);
  json_t *said = json_pack("{s:O}", "id", json_object_get(question, "id"));
  if (strcmp(json_string_value(json_object_get(question, "operation")), "check") == 0) {
    const int64_t nse = json_integer_value(json_array_get(json_object_get(plain, "shape"), 0));
    const int wrong = tiny_check(rows, cols, (int32_t)nse, offset, index);
    json_object_set_new(said, "verdict", json_string(wrong ? "reject" : "accept"));
  } else {
    json_object_set_new(said, "verdict", json_string("accept"));
    json_object_set_new(said, "result", json_pack("{s:o}", "dense", product(question, tensor, rows, offset, index)));
  }
  free(offset), free(index);
  return said;
}

int main(void)
{
  for (json_t *question; (question = json_loadf(stdin, JSON_DISABLE_EOF_CHECK, NULL)); json_decref(question)) {
    const char *cmd = json_string_value(json_object_get(question, "cmd"));
    if (strcmp(cmd, "stop") == 0) return 0;
    if (strcmp(cmd, "start") == 0) {
      puts(hello);
    } else {
      json_t *said = answer(question);
      json_dumpf(said, stdout, JSON_COMPACT);
      putchar('\n');
      json_decref(said);
    }
    fflush(stdout);
  }
  return 0;
}
