/* SPDX-License-Identifier: Apache-2.0 */
/* use_pack cases/matvec.jsonl.gz: multiplies the CSR matrices of a pack with vectors, without any driver; put your
   library's product in the place of matvec(). Exit code 1 if something is wrong, or if nothing was asked.
   gcc use_pack.c -o use_pack -ljansson -lz */
#include <jansson.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static void matvec(size_t rows, const double *offset, const double *index, const double *value,
                   const double *x, double *y)
{
  for (size_t i = 0; i < rows; i++) {
    y[i] = 0;
    for (size_t k = (size_t)offset[i]; k < (size_t)offset[i + 1]; k++) y[i] += value[k] * x[(size_t)index[k]];
  }
}

static int is_for_us(const json_t *item)
{
  const char *const fits[] = {"explicit-zeros", "no-elements", "empty-size", "tall"};
  const json_t *tensor = json_object_get(item, "tensor"), *flag;
  const json_t *sums = json_object_get(json_object_get(item, "expect"), "sums");
  const char *layout = json_string_value(json_object_get(tensor, "layout"));
  const char *dtype = json_string_value(json_object_get(json_object_get(tensor, "values"), "dtype"));
  size_t k, known = 0;
  json_array_foreach(json_object_get(item, "flags"), k, flag)
    for (size_t j = 0; j < sizeof fits / sizeof *fits; j++) known += !strcmp(json_string_value(flag), fits[j]);
  return !strcmp(json_string_value(json_object_get(item, "operation")), "matvec") && layout && dtype
         && !strcmp(layout, "csr") && !strcmp(dtype, "float64") && (!sums || json_is_true(json_object_get(sums, "lattice")))
         && known == json_array_size(json_object_get(item, "flags"));
}

/* The elements of a member of an object, and how many. */
static double *numbers(const json_t *holder, const char *name, size_t *count)
{
  const json_t *data = json_object_get(json_object_get(holder, name), "data");
  *count = json_array_size(data);
  double *array = calloc(*count + 1, sizeof *array);
  if (!array) exit(2);
  for (size_t k = 0; k < *count; k++) array[k] = json_number_value(json_array_get(data, k));
  return array;
}

static int is_right(const json_t *item)
{
  const json_t *tensor = json_object_get(item, "tensor");
  size_t n, rows;
  double *offset = numbers(tensor, "compressed_indices", &n), *index = numbers(tensor, "plain_indices", &n);
  double *value = numbers(tensor, "values", &n), *x = numbers(json_object_get(item, "arguments"), "x", &n);
  double *expected = numbers(json_object_get(item, "expect"), "dense", &rows);
  double *y = calloc(rows + 1, sizeof *y);
  if (!y) exit(2);
  matvec(rows, offset, index, value, x, y);
  int right = 1;
  for (size_t i = 0; i < rows; i++) right = right && y[i] == expected[i];
  free(offset), free(index), free(value), free(x), free(expected), free(y);
  return right;
}

int main(int argc, char **argv)
{
  enum { LONGEST = 1 << 24 };
  gzFile file = argc == 2 ? gzopen(argv[1], "r") : NULL;
  char *line = malloc(LONGEST);
  if (!file || !line) return fputs("use_pack cases/matvec.jsonl.gz\n", stderr), 2;
  int asked = 0, wrong = 0, damage;
  for (json_t *item; gzgets(file, line, LONGEST); json_decref(item)) {
    json_error_t why;
    item = json_loads(line, 0, &why);
    if (!item && json_error_code(&why) == json_error_numeric_overflow) continue; /* jansson has no uint64; we ask doubles */
    if (!item) return fputs("a line is no JSON: the file is damaged, or cut off\n", stderr), 2;
    if (!is_for_us(item)) continue;
    asked++;
    if (is_right(item)) continue;
    wrong++;
    puts(json_string_value(json_object_get(item, "id")));
  }
  free(line);
  gzerror(file, &damage);
  if (gzclose(file) != Z_OK || damage < 0) return fputs("the file is damaged, or cut off\n", stderr), 2;
  printf("%d asked, %d wrong\n", asked, wrong);
  return wrong || !asked;
}
