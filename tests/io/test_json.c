/* SPDX-License-Identifier: Apache-2.0 */
/* JSON tensor files: what the format accepts and refuses, bits, limits, hostile bytes. */
#define _GNU_SOURCE
#include "../../src/sparsewright.h"
#include "../support/memory.h"
#include "../support/some_locale.h"

#include <criterion/criterion.h>
#include <jansson.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Helpers ---- */

/* JSON with ' for ", which reads better in C. */
static char *json_of(const char *quoted)
{
  char *text = strdup(quoted);
  for (char *c = text; *c; c++)
    if (*c == '\'') *c = '"';
  return text;
}

static spw_owned *read_ok(const char *quoted)
{
  char *text = json_of(quoted);
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_read_json(text, strlen(text), 0, &owned, &error);
  cr_assert(status == SPW_OK, "%s: %s: %s", text, error.where, error.message);
  free(text);
  return owned;
}

static void refused_with(spw_status expected, const char *quoted, const char *where)
{
  char *text = json_of(quoted);
  spw_owned *const untouched = (spw_owned *)(void *)text;
  spw_owned *owned = untouched;
  spw_error error = {"", ""};
  const spw_status status = spw_read_json(text, strlen(text), 0, &owned, &error);
  cr_assert(status == expected, "%s: status %d (%s: %s)", text, status, error.where, error.message);
  cr_assert(owned == untouched, "%s: *out was touched", text);
  cr_assert_str_eq(error.where, where, "%s: %s instead of %s", text, error.where, where);
  cr_assert(error.message[0], "%s: no message", text);
  cr_assert(spw_read_json(text, strlen(text), 0, &owned, NULL) == expected, "without error");
  free(text);
}

static char *written(const spw_tensor *tensor, size_t *size)
{
  void *bytes = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_write_json(tensor, &bytes, size, &error);
  cr_assert(status == SPW_OK, "%s: %s", error.where, error.message);
  return bytes;
}

static size_t storage_bytes(const spw_array *array)
{
  return (size_t)(array->length * spw_dtype_size(array->dtype));
}

static void same_array(const spw_array *a, const void *x, const spw_array *b, const void *y)
{
  const size_t entries = (size_t)a->ndim * sizeof(int64_t);
  cr_assert(a->dtype == b->dtype && a->ndim == b->ndim, "type or dimensions");
  cr_assert(a->offset == b->offset && a->length == b->length, "offset or length");
  cr_assert(!entries || memcmp(a->shape, b->shape, entries) == 0, "shape");
  cr_assert(!entries || memcmp(a->strides, b->strides, entries) == 0, "strides");
  cr_assert(!a->length || memcmp(x, y, storage_bytes(a)) == 0, "storage");
}

static const void *index_storage(const spw_index_array *a)
{
  if (a->array.dtype == SPW_INT32) return a->i32;
  return a->array.dtype == SPW_INT64 ? (const void *)a->i64 : a->raw;
}

static void same_tensor(const spw_tensor *a, const spw_tensor *b)
{
  cr_assert(a->layout == b->layout && a->has_size == b->has_size, "layout or size");
  if (a->has_size) {
    cr_assert(a->ndim == b->ndim, "dimensions");
    cr_assert(!a->ndim || memcmp(a->size, b->size, (size_t)a->ndim * sizeof(int64_t)) == 0, "size");
  }
  cr_assert(a->index_dtype == b->index_dtype && a->dtype == b->dtype, "declared types");
  cr_assert(a->coalesced == b->coalesced, "claim");
  same_array(&a->plain.array, index_storage(&a->plain), &b->plain.array, index_storage(&b->plain));
  same_array(&a->values.array, a->values.data, &b->values.array, b->values.data);
  if (a->layout == SPW_COO) return;
  same_array(&a->compressed.array, index_storage(&a->compressed), &b->compressed.array,
             index_storage(&b->compressed));
}

/* Writes, reads, compares, writes again: the same bytes. */
static void round_trip(const spw_tensor *tensor)
{
  size_t size, again_size;
  char *text = written(tensor, &size);
  spw_owned *back = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_read_json(text, size, 0, &back, &error);
  cr_assert(status == SPW_OK, "%.*s: %s: %s", (int)size, text, error.where, error.message);
  same_tensor(tensor, spw_owned_tensor(back));
  char *again = written(spw_owned_tensor(back), &again_size);
  cr_assert(size == again_size && memcmp(text, again, size) == 0, "%.*s", (int)size, text);
  free(text);
  free(again);
  spw_owned_free(back);
}

static const int64_t one_stride[] = {1};

static spw_array array_1d(spw_dtype dtype, const int64_t *shape)
{
  return (spw_array){dtype, 1, shape, one_stride, 0, *shape};
}

/* A COO tensor whose values are these elements and whose indices are none. */
static spw_tensor tensor_of(spw_dtype dtype, const void *data, const int64_t *count)
{
  static const int64_t none[] = {0}, nothing = 0;
  spw_tensor tensor = {.layout = SPW_COO, .coalesced = SPW_CLAIM_NONE};
  tensor.plain.array = array_1d(SPW_INT64, none);
  tensor.plain.i64 = &nothing;
  tensor.values.array = array_1d(dtype, count);
  tensor.values.data = data;
  return tensor;
}

static uint64_t next_random(uint64_t *state)
{
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

#define CI "'compressed_indices':{'dtype':'int64','shape':[3],'data':[0,1,1]}"
#define PI "'plain_indices':{'dtype':'int32','shape':[1],'data':[0]}"
#define VA "'values':{'dtype':'float32','shape':[1],'data':[1]}"
#define CSR(head, members) "{'spw':1,'layout':'csr'" head "," members "}"
#define COO(members) "{'spw':1,'layout':'coo'," members "}"
#define IN "'indices':{'dtype':'int64','shape':[2,1],'data':[0,1]}"
#define DENSE(head) "{'spw':1,'layout':'dense'" head ",'values':{'dtype':'int8','shape':[2,3],'length':6,'fill':7}}"
#define VALUES(text) COO(IN ",'values':{" text "}")
#define VALUE(dtype, item) VALUES("'dtype':'" dtype "','shape':[1],'data':[" item "]")

/* ---- What is accepted ---- */

static const char *const samples[] = {
    "{'spw':1,'layout':'csr','size':[2,6],'index_dtype':'int64','dtype':'float32',"
    "'compressed_indices':{'dtype':'int64','shape':[3],'data':[0,6,4]},"
    "'plain_indices':{'dtype':'int64','shape':[4],'data':[0,1,2,3]},"
    "'values':{'dtype':'float32','shape':[4],'data':[1,1,1,1]}}\n",
    "{'spw':1,'layout':'coo','size':[],'coalesced':true,"
    "'indices':{'dtype':'int16','shape':[0,-3],'strides':[7,-1],'offset':-2,'data':[-32768,32767]},"
    "'values':{'dtype':'complex64','shape':[],'data':[[0.5,'-0.0'],['bits:7fc00001','-inf']]}}\n",
    "{'spw':1,'layout':'bsc','dtype':'bool',"
    "'compressed_indices':{'dtype':'uint8','shape':[1],'offset':3,'data':[255]},"
    "'plain_indices':{'dtype':'float64','shape':[9223372036854775807],'data':['nan',1e+300]},"
    "'values':{'dtype':'int8','shape':[2,3,100],'length':100,'fill':-7}}\n",
    "{'spw':1,'layout':'dense','dtype':'float16',"
    "'values':{'dtype':'float64','shape':[2,3],'strides':[1,2],"
    "'offset':1,'data':[9,1,2,3,4,5,6]}}\n",
};
enum { SAMPLES = sizeof samples / sizeof samples[0] };

Test(json, accepts_the_format)
{
  for (size_t i = 0; i < SAMPLES; i++) {
    char *expected = json_of(samples[i]);
    spw_owned *owned = read_ok(samples[i]);
    size_t size;
    char *text = written(spw_owned_tensor(owned), &size);
    cr_assert(size == strlen(expected) && memcmp(text, expected, size) == 0, "%.*s", (int)size,
              text);
    round_trip(spw_owned_tensor(owned));
    free(text);
    free(expected);
    spw_owned_free(owned);
  }

  spw_owned *csr = read_ok(samples[0]);
  const spw_tensor *t = spw_owned_tensor(csr);
  cr_assert(t->layout == SPW_CSR && t->has_size && t->ndim == 2 && t->size[1] == 6);
  cr_assert(t->index_dtype == SPW_INT64 && t->dtype == SPW_FLOAT32);
  cr_assert(t->coalesced == SPW_CLAIM_NONE);
  cr_assert(t->compressed.i64[1] == 6 && !t->compressed.i32 && !t->compressed.raw);
  cr_assert(t->plain.array.shape[0] == 4 && t->plain.array.strides[0] == 1);
  cr_assert(t->values.array.offset == 0 && ((const float *)t->values.data)[3] == 1);
  spw_owned_free(csr);

  spw_owned *coo = read_ok(" " COO(IN "," VA) " \n\t\r\n");
  t = spw_owned_tensor(coo);
  cr_assert(!t->has_size && t->index_dtype == SPW_DTYPE_NONE && t->dtype == SPW_DTYPE_NONE);
  cr_assert(t->plain.array.strides[0] == 1 && t->plain.array.strides[1] == 1);
  spw_owned_free(coo);

  spw_owned *mixed = read_ok(CSR(",'size':[-9223372036854775808]", VA "," PI "," CI));
  t = spw_owned_tensor(mixed);
  cr_assert(t->size[0] == INT64_MIN && t->plain.i32[0] == 0 && !t->plain.i64 && !t->plain.raw);
  spw_owned_free(mixed);

  spw_owned *raw = read_ok(samples[1]);
  t = spw_owned_tensor(raw);
  cr_assert(t->coalesced == SPW_CLAIM_YES && t->has_size && t->ndim == 0);
  cr_assert(!t->plain.i32 && !t->plain.i64 && ((const int16_t *)t->plain.raw)[0] == -32768);
  cr_assert(t->plain.array.offset == -2 && t->plain.array.strides[1] == -1);
  cr_assert(t->values.array.ndim == 0 && t->values.array.length == 2);
  spw_owned_free(raw);

  spw_owned *dense = read_ok(samples[3]);
  t = spw_owned_tensor(dense);
  cr_assert(t->layout == SPW_DENSE && t->dtype == SPW_FLOAT16 && t->index_dtype == SPW_DTYPE_NONE);
  cr_assert(t->has_size && t->ndim == 2 && t->size[0] == 2 && t->size[1] == 3, "the shape is the size");
  cr_assert(t->values.array.strides[1] == 2 && ((const double *)t->values.data)[6] == 6);
  spw_owned_free(dense);
  spw_owned *sized = read_ok(DENSE(",'size':[2,3]"));
  t = spw_owned_tensor(sized);
  cr_assert(t->has_size && t->ndim == 2 && t->size[1] == 3 && t->dtype == SPW_DTYPE_NONE);
  round_trip(t);
  spw_owned_free(sized);

  spw_owned *empty = read_ok(COO("'coalesced':false,'indices':{'dtype':'int32','shape':[0,0],"
                                 "'data':[]},'values':{'dtype':'int8','shape':[0],'length':0,"
                                 "'fill':1}"));
  t = spw_owned_tensor(empty);
  cr_assert(t->coalesced == SPW_CLAIM_NO && t->plain.i32 && t->values.data, "non-null when empty");
  spw_owned_free(empty);
  expect_no_leaks();
}

static void strides_are(const char *shape, size_t count, const int64_t *expected)
{
  char text[512];
  snprintf(text, sizeof text, VALUES("'dtype':'int8','shape':%s,'data':[]"), shape);
  spw_owned *owned = read_ok(text);
  const spw_array *array = &spw_owned_tensor(owned)->values.array;
  cr_assert(array->ndim == (int64_t)count, "%s", shape);
  for (size_t d = 0; d < count; d++)
    cr_assert(array->strides[d] == expected[d], "%s: strides[%zu] = %lld", shape, d,
              (long long)array->strides[d]);
  round_trip(spw_owned_tensor(owned));
  spw_owned_free(owned);
}

Test(json, default_strides_never_fail)
{
  strides_are("[2,3,4]", 3, (const int64_t[]){12, 4, 1});
  strides_are("[2,0,4]", 3, (const int64_t[]){4, 4, 1});
  strides_are("[2,-3,4]", 3, (const int64_t[]){4, 4, 1});
  strides_are("[5,4611686018427387904,2]", 3, (const int64_t[]){INT64_MAX, 2, 1});
  strides_are("[5,5,4611686018427387904,2]", 4, (const int64_t[]){INT64_MAX, INT64_MAX, 2, 1});
  expect_no_leaks();
}

/* ---- What is refused, and where ---- */

Test(json, refuses_with_a_path)
{
  static const struct {
    const char *text, *where;
  } cases[] = {
      {"[]", "$"},
      {"[{}]", "$"},
      {"{}", "$.spw"},
      {"{'spw':2,'layout':'csr'," CI "," PI "," VA "}", "$.spw"},
      {"{'spw':1.0,'layout':'csr'," CI "," PI "," VA "}", "$.spw"},
      {"{'spw':true,'layout':'csr'," CI "," PI "," VA "}", "$.spw"},
      {"{'layout':'csr'," CI "," PI "," VA "}", "$.spw"},
      {"{'spw':1," CI "," PI "," VA "}", "$.layout"},
      {"{'spw':1,'layout':'dia'," CI "," PI "," VA "}", "$.layout"},
      {"{'spw':1,'layout':'CSR'," CI "," PI "," VA "}", "$.layout"},
      {"{'spw':1,'layout':1," CI "," PI "," VA "}", "$.layout"},
      {CSR("", PI "," VA), "$.compressed_indices"},
      {CSR("", CI "," VA), "$.plain_indices"},
      {CSR("", CI "," PI), "$.values"},
      {COO(VA), "$.indices"},
      {COO(IN), "$.values"},
      {COO(IN "," VA "," PI), "$.plain_indices"},
      {COO(IN "," VA "," CI), "$.compressed_indices"},
      {CSR("", CI "," PI "," VA "," IN), "$.indices"},
      {CSR(",'coalesced':true", CI "," PI "," VA), "$.coalesced"},
      {COO(IN "," VA ",'coalesced':1"), "$.coalesced"},
      {COO(IN "," VA ",'coalesced':null"), "$.coalesced"},
      {COO(IN "," VA ",'extra':1"), "$.extra"},
      {COO(IN "," VA ",'\\u001b[31m':1"), "$"},
      {COO(IN "," VA ",'':1"), "$"},
      {COO(IN "," VA ",'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa':1"), "$"},
      {CSR(",'size':null", CI "," PI "," VA), "$.size"},
      {CSR(",'size':{}", CI "," PI "," VA), "$.size"},
      {CSR(",'size':[2,1.0]", CI "," PI "," VA), "$.size[1]"},
      {CSR(",'size':['2']", CI "," PI "," VA), "$.size[0]"},
      {CSR(",'index_dtype':'int'", CI "," PI "," VA), "$.index_dtype"},
      {CSR(",'index_dtype':null", CI "," PI "," VA), "$.index_dtype"},
      {CSR(",'dtype':'float8'", CI "," PI "," VA), "$.dtype"},
      {CSR(",'dtype':'none'", CI "," PI "," VA), "$.dtype"},
      {CSR(",'dtype':''", CI "," PI "," VA), "$.dtype"},
      {DENSE(",'size':[2,3,1]"), "$.size"},
      {DENSE(",'size':[]"), "$.size"},
      {DENSE(",'size':[2,4]"), "$.size[1]"},
      {DENSE(",'size':[2,3.0]"), "$.size[1]"},
      {DENSE(",'index_dtype':'int64'"), "$.index_dtype"},
      {DENSE(",'coalesced':true"), "$.coalesced"},
      {DENSE("," PI), "$.plain_indices"},
      {DENSE("," IN), "$.indices"},
      {DENSE(",'dtype':'float'"), "$.dtype"},
      {"{'spw':1,'layout':'dense'}", "$.values"},
      {COO(IN ",'values':[1]"), "$.values"},
      {COO(IN ",'values':null"), "$.values"},
      {VALUES("'shape':[1],'data':[1]"), "$.values.dtype"},
      {VALUES("'dtype':'float','shape':[1],'data':[1]"), "$.values.dtype"},
      {VALUES("'dtype':7,'shape':[1],'data':[1]"), "$.values.dtype"},
      {VALUES("'dtype':'int8','data':[1]"), "$.values.shape"},
      {VALUES("'dtype':'int8','shape':1,'data':[1]"), "$.values.shape"},
      {VALUES("'dtype':'int8','shape':[1,true],'data':[1]"), "$.values.shape[1]"},
      {VALUES("'dtype':'int8','shape':[1],'strides':[],'data':[1]"), "$.values.strides"},
      {VALUES("'dtype':'int8','shape':[1],'strides':[1,1],'data':[1]"), "$.values.strides"},
      {VALUES("'dtype':'int8','shape':[1],'strides':[0.5],'data':[1]"), "$.values.strides[0]"},
      {VALUES("'dtype':'int8','shape':[1],'strides':null,'data':[1]"), "$.values.strides"},
      {VALUES("'dtype':'int8','shape':[1],'offset':'0','data':[1]"), "$.values.offset"},
      {VALUES("'dtype':'int8','shape':[1],'order':'C','data':[1]"), "$.values.order"},
      {VALUES("'dtype':'int8','shape':[1],'a b':'C','data':[1]"), "$.values"},
      {VALUES("'dtype':'int8','shape':[1]"), "$.values.data"},
      {VALUES("'dtype':'int8','shape':[1],'data':1"), "$.values.data"},
      {VALUES("'dtype':'int8','shape':[1],'data':null"), "$.values.data"},
      {VALUES("'dtype':'int8','shape':[1],'data':[1],'length':1"), "$.values.length"},
      {VALUES("'dtype':'int8','shape':[1],'data':[1],'fill':1"), "$.values.fill"},
      {VALUES("'dtype':'int8','shape':[1],'data':[1],'length':1,'fill':1"), "$.values.length"},
      {VALUES("'dtype':'int8','shape':[1],'length':1"), "$.values.fill"},
      {VALUES("'dtype':'int8','shape':[1],'fill':1"), "$.values.length"},
      {VALUES("'dtype':'int8','shape':[1],'length':-1,'fill':1"), "$.values.length"},
      {VALUES("'dtype':'int8','shape':[1],'length':2147483649,'fill':1"), "$.values.length"},
      {VALUES("'dtype':'int8','shape':[1],'length':1.0,'fill':1"), "$.values.length"},
      {VALUES("'dtype':'int8','shape':[1],'length':1,'fill':128"), "$.values.fill"},
      {VALUES("'dtype':'int8','shape':[1],'length':0,'fill':[1]"), "$.values.fill"},
      {VALUES("'dtype':'complex64','shape':[1],'length':1,'fill':[1,'x']"), "$.values.fill[1]"},
      {VALUES("'dtype':'int8','shape':[9],'data':[0,1,2,300]"), "$.values.data[3]"},
      {COO("'indices':{'dtype':'int32','shape':[1,1],'data':[2147483648]}," VA),
       "$.indices.data[0]"},
      {CSR("", CI "," VA ",'plain_indices':{'dtype':'int64','shape':[4],'data':[1,2,3,'4']}"),
       "$.plain_indices.data[3]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
    refused_with(SPW_EFORMAT, cases[i].text, cases[i].where);

  static const char *const bad_values[][2] = {
      {"bool", "2"}, {"bool", "-1"}, {"bool", "1.0"}, {"bool", "'true'"}, {"bool", "null"},
      {"uint8", "-1"}, {"uint8", "256"}, {"uint8", "1.0"}, {"uint8", "true"}, {"uint8", "'1'"},
      {"int8", "-129"}, {"int16", "32768"}, {"int16", "-32769"}, {"int32", "-2147483649"},
      {"int64", "1e3"}, {"int64", "[1]"}, {"int64", "'0x1p0'"}, {"float32", "true"},
      {"float32", "null"}, {"float32", "[1,0]"}, {"float32", "'1'"}, {"float32", "''"},
      {"float32", "'NaN'"}, {"float32", "'+inf'"}, {"float32", "'infinity'"}, {"float32", "'-nan'"},
      {"float32", "'0.0'"}, {"float32", "'0x1.8'"}, {"float32", "'0xp1'"}, {"float32", "'0x.p1'"},
      {"float32", "'0x1p'"}, {"float32", "'0x1p+'"}, {"float32", "'0x1p1 '"},
      {"float32", "' 0x1p1'"},
      {"float32", "'0x1.8.0p1'"}, {"float32", "'0x1g0p1'"}, {"float32", "'+0x1p1'"},
      {"float32", "'--0x1p1'"}, {"float32", "'0X1p1'"}, {"float32", "'0x1p1.0'"},
      {"float32", "'bits:'"}, {"float32", "'bits:7fc0000'"}, {"float32", "'bits:7fc000010'"},
      {"float32", "'bits:7fc0000g'"}, {"float32", "'bits:0x7fc000'"},
      {"float16", "'bits:7fc00001'"},
      {"bfloat16", "'bits:7f8'"}, {"float64", "'bits:7fc00001'"}, {"float16", "65520"},
      {"float16", "-65520.0"}, {"float16", "'0x1.ffep+15'"}, {"bfloat16", "1e39"},
      {"float32", "3.4028236e38"}, {"float32", "'0x1.ffffffp+127'"}, {"float64", "'0x1p1024'"},
      {"float64", "'0x1p99999999999999999999999999'"}, {"complex64", "1"}, {"complex64", "[]"},
      {"complex64", "[1]"}, {"complex64", "[1,2,3]"}, {"complex64", "'nan'"},
  };
  char text[512];
  for (size_t i = 0; i < sizeof bad_values / sizeof bad_values[0]; i++) {
    snprintf(text, sizeof text, VALUE("%s", "%s"), bad_values[i][0], bad_values[i][1]);
    refused_with(SPW_EFORMAT, text, "$.values.data[0]");
  }
  refused_with(SPW_EFORMAT, VALUE("complex64", "['x',0]"), "$.values.data[0][0]");
  refused_with(SPW_EFORMAT, VALUE("complex64", "[0,1],[1,1e39]"), "$.values.data[1][1]");
  refused_with(SPW_EFORMAT, VALUE("complex64", "[0,'bits:7ff8000000000001']"),
               "$.values.data[0][1]");
  refused_with(SPW_EFORMAT, VALUE("complex128", "[[0,1],1]"), "$.values.data[0][0]");
  expect_no_leaks();
}

static void syntax_error(const char *text, size_t size, int byte, int line)
{
  char where[32], start[32];
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  snprintf(where, sizeof where, "byte %d", byte);
  snprintf(start, sizeof start, "line %d: ", line);
  cr_assert(spw_read_json(text, size, 0, &owned, &error) == SPW_EFORMAT && !owned, "%s", text);
  cr_assert(strcmp(error.where, where) == 0, "%s: %s: %s", text, error.where, error.message);
  cr_assert(strncmp(error.message, start, strlen(start)) == 0, "%s: %s", text, error.message);
  for (const char *c = error.message; *c; c++) cr_assert(*c >= ' ' && *c <= '~', "clean message");
}

Test(json, refuses_bad_syntax_with_a_place)
{
  syntax_error("", 0, 0, 1);
  syntax_error("{", 1, 1, 1);
  syntax_error("{\n\"spw\":1,}", 11, 11, 2);
  syntax_error("{} x", 4, 4, 1);
  syntax_error("{}{}", 4, 3, 1);
  syntax_error("\x1b", 1, 1, 1);
  syntax_error("{\"spw\":1,\"spw\":1}", 17, 14, 1);
  syntax_error("{\"spw\":01}", 10, 8, 1);
  syntax_error("{\"spw\":NaN}", 11, 10, 1);
  syntax_error("{\"spw\":9223372036854775808,}", 28, 28, 1);
  syntax_error("{\"spw\":-9223372036854775809,\"9223372036854775809\\\"\":}", 53, 53, 1);
  syntax_error("[x,9223372036854775808", 22, 2, 1);
  syntax_error("[9223372036854775808e]", 22, 21, 1);
  syntax_error("[0009223372036854775808]", 24, 2, 1);
  syntax_error("{\"spw\":1e999}", 13, 12, 1);
  syntax_error("{\"s\0w\":1}", 9, 3, 1);
  syntax_error("{\"spw\":1}\0", 10, 9, 1);
  syntax_error("{\n\"spw\":1\0}", 11, 9, 2);

  char *deep = malloc(100000);
  spw_owned *owned = NULL;
  memset(deep, '[', 100000);
  cr_assert(spw_read_json(deep, 100000, 0, &owned, NULL) == SPW_EFORMAT && !owned, "too deep");
  free(deep);

  cr_assert(spw_read_json(NULL, 0, 0, &owned, NULL) == SPW_EFORMAT && !owned, "empty");
  cr_assert(spw_read_json(NULL, 1, 0, &owned, NULL) == SPW_EINVAL && !owned, "null bytes");
  cr_assert(spw_read_json("{}", 2, 0, NULL, NULL) == SPW_EINVAL, "null out");
  expect_no_leaks();
}

static void says(spw_status expected, const char *text, size_t limit, const char *what)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_read_json(text, strlen(text), limit, &owned, &error);
  cr_assert(status == expected && !owned && strstr(error.message, what), "%s: %d %s: %s", text,
            status, error.where, error.message);
}

Test(json, says_what_can_be_done)
{
  says(SPW_EFORMAT, "{}\n{}", 0, "line 2: end of file expected behind the first object");
  says(SPW_EFORMAT, "\xef\xbb\xbf{}", 0, "byte order mark of UTF-8");
  says(SPW_EFORMAT, "\xff\xfe{", 0, "byte order mark of UTF-16");
  says(SPW_EFORMAT, "\xfe\xff", 0, "byte order mark of UTF-16");
  says(SPW_EFORMAT, "\xfe", 0, "unable to decode");
  says(SPW_ENOMEM, "{\"spw\":1}", 100, "may take 820 bytes of memory, and the limit is 100: allow");
  says(SPW_ENOMEM, "[18446744073709551616]", 510, "may take 524 bytes");
  expect_no_leaks();
}

/* Too long for int64: a real number where one may be, and else said to be too long. */
Test(json, reads_long_integers_as_real_numbers)
{
  refused_with(SPW_EFORMAT, "{'spw':9223372036854775808}", "$.spw");
  refused_with(SPW_EFORMAT, VALUE("int64", "9223372036854775808"), "$.values.data[0]");
  refused_with(SPW_EFORMAT, VALUE("uint8", "-9223372036854775809"), "$.values.data[0]");
  refused_with(SPW_EFORMAT, VALUE("float16", "100000000000000000000"), "$.values.data[0]");
  says(SPW_EFORMAT, "{\"spw\":9223372036854775808}", 0, "beyond 64 bits");
  says(SPW_EFORMAT, "{\"spw\":-9223372036854775809}", 0, "beyond 64 bits");
  says(SPW_EFORMAT, "{\"spw\":1e18}", 0, "expected an integer");
  static const char digits[] =
      "1000000000000000000000000000000000000000000000000000000000000000000";
  char text[1024] = "{\"spw\":1";
  for (int i = 0; i < 8; i++) strcat(text, digits + 1);
  strcat(text, "}");
  says(SPW_EFORMAT, text, 0, "real number overflow");
}

/* ---- Bits ---- */

static uint64_t value_bits(const char *dtype, const char *item)
{
  char text[512];
  snprintf(text, sizeof text, VALUE("%s", "%s"), dtype, item);
  spw_owned *owned = read_ok(text);
  const spw_value_array *values = &spw_owned_tensor(owned)->values;
  uint64_t bits = 0;
  memcpy(&bits, values->data, storage_bytes(&values->array)); /* little-endian hosts only */
  spw_owned_free(owned);
  return bits;
}

Test(json, elements_have_the_right_bits)
{
  static const struct {
    const char *dtype, *item;
    uint64_t bits;
  } cases[] = {
      {"bool", "true", 1}, {"bool", "false", 0}, {"bool", "1", 1}, {"bool", "0", 0},
      {"uint8", "255", 0xff}, {"int8", "-128", 0x80}, {"int16", "-2", 0xfffe},
      {"int32", "-2147483648", 0x80000000}, {"int64", "9223372036854775807", INT64_MAX},
      {"int64", "-9223372036854775808", 0x8000000000000000},
      {"float16", "1", 0x3c00}, {"float16", "65504", 0x7bff}, {"float16", "65519.99", 0x7bff},
      {"float16", "'0x1p-24'", 1}, {"float16", "'0x1p-25'", 0}, {"float16", "'0x1.8p-25'", 1},
      {"float16", "'0x1.000001p-25'", 1}, {"float16", "'0x1.8p-24'", 2},
      {"float16", "'-0x1p-26'", 0x8000},
      {"float16", "'0x1p-9999999999'", 0}, {"float16", "2049", 0x6800}, {"float16", "2051", 0x6802},
      {"float16", "'0x1.ff8p-15'", 0x3ff}, {"float16", "'0x1.ffbp-15'", 0x3ff},
      {"float16", "'0x1.ffcp-15'", 0x400},
      {"float16", "'nan'", 0x7e00}, {"float16", "'bits:fe01'", 0xfe01},
      {"float16", "'-inf'", 0xfc00},
      {"bfloat16", "1", 0x3f80}, {"bfloat16", "'nan'", 0x7fc0}, {"bfloat16", "257", 0x4380},
      {"bfloat16", "259", 0x4382}, {"bfloat16", "'bits:7F81'", 0x7f81},
      {"bfloat16", "'inf'", 0x7f80},
      {"float32", "'nan'", 0x7fc00000}, {"float32", "'-0.0'", 0x80000000},
      {"float32", "-0.0", 0x80000000}, {"float32", "-0", 0},
      /* rounded once it would be 0x5a000001 */
      {"float32", "9007199791611905", 0x5a000000}, {"float32", "9007199791611905.0", 0x5a000000},
      {"float32", "'0x1.0000010000008p53'", 0x5a000001}, {"float32", "-9007199791611905", 0xda000000},
      {"float32", "16777217", 0x4b800000}, {"float32", "16777219", 0x4b800002},
      {"float32", "'bits:7fc00001'", 0x7fc00001}, {"float32", "0.1", 0x3dcccccd},
      {"float32", "'0x1.8p+1'", 0x40400000}, {"float32", "'-0x1.8p+1'", 0xc0400000},
      {"float32", "'0x18p-3'", 0x40400000}, {"float32", "'0x.3p4'", 0x40400000},
      {"float32", "'0x3.p0'", 0x40400000},
      {"float32", "'0x0p0'", 0}, {"float32", "'-0x0.00p-5'", 0x80000000},
      {"float32", "'0x1.0000010000000000000000000000000000001p0'", 0x3f800001},
      {"float32", "'0x1.0000010000000000000000000000000000000p0'", 0x3f800000},
      {"float32", "'0x100000100000000000000000000000000000001p-152'", 0x3f800001},
      {"float32", "9223372036854775807", 0x5f000000},
      {"float32", "100000000000000000000", 0x60ad78ec},
      {"float64", "100000000000000000000", 0x4415af1d78b58c40},
      {"float64", "-9223372036854775809", 0xc3e0000000000000},
      {"float64", "18446744073709551615", 0x43f0000000000000},
      {"float64", "'nan'", 0x7ff8000000000000}, {"float64", "9007199254740993", 0x4340000000000000},
      {"float64", "-9007199254740995", 0xc340000000000002}, {"float64", "5e-324", 1},
      {"float64", "1.7976931348623157e308", 0x7fefffffffffffff}, {"float64", "1e-999", 0},
      {"float64", "'bits:0000000000000001'", 1},
      {"float64", "'0x1.fffffffffffffp+1023'", 0x7fefffffffffffff},
      {"complex64", "[1,-2]", 0xc00000003f800000},
      {"complex64", "['nan','bits:ffffffff']", 0xffffffff7fc00000},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const uint64_t bits = value_bits(cases[i].dtype, cases[i].item);
    cr_assert(bits == cases[i].bits, "%s %s: %llx", cases[i].dtype, cases[i].item,
              (unsigned long long)bits);
  }

  uint64_t seed = 7;
  char item[64];
  for (int i = 0; i < 3000; i++) { /* hex floats against the C library, which rounds correctly */
    const uint64_t r = next_random(&seed);
    snprintf(item, sizeof item, "'0x%llx.%llxp%d'", (unsigned long long)(r >> (r % 64)),
             (unsigned long long)next_random(&seed), (int)(next_random(&seed) % 2300) - 1250);
    item[strlen(item) - 1] = '\0';
    const double wide = strtod(item + 1, NULL);
    const float narrow = strtof(item + 1, NULL);
    strcat(item, "'");
    uint64_t wide_bits, narrow_bits = 0;
    memcpy(&wide_bits, &wide, sizeof wide);
    memcpy(&narrow_bits, &narrow, sizeof narrow);
    if (isfinite(wide)) cr_assert(value_bits("float64", item) == wide_bits, "%s", item);
    if (isfinite(narrow)) cr_assert(value_bits("float32", item) == narrow_bits, "%s", item);
  }
  for (int i = 0; i < 3000; i++) { /* float16 against rounding on its grid */
    const double x = ldexp((double)(next_random(&seed) >> 11), (int)(next_random(&seed) % 48) - 90);
    const int leading = x > 0 ? ilogb(x) : -14;
    const int grid = (leading < -14 ? -14 : leading) - 10;
    const double rounded = ldexp(nearbyint(ldexp(x, -grid)), grid);
    if (rounded > 65504) continue;
    snprintf(item, sizeof item, "%.17e", x); /* never an integer for JSON */
    const uint64_t bits = value_bits("float16", item);
    const uint64_t fraction = (bits & 0x3ff) + (bits < 0x400 ? 0 : 0x400);
    const double back = ldexp((double)fraction, bits < 0x400 ? -24 : (int)(bits >> 10) - 25);
    cr_assert(back == rounded, "%s: %a", item, back);
  }
  expect_no_leaks();
}

Test(json, every_bit_pattern_survives)
{
  static uint64_t words[40000];
  enum { WORDS = sizeof words / sizeof words[0] };
  static const uint64_t special[] = {
      0, 1, 0x8000000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000,
      0x7ff8000000000001, 0xfff8000000000000, 0x7ff0000000000001, 0x7fefffffffffffff,
      0x000fffffffffffff, 0x0010000000000000, 0x3ff0000000000000, 0x3fb999999999999a,
      0x7f8000007f800001, 0x7fc000007fc00001, 0x80000000ff800000, 0x007fffff00800000,
      0x0000000100000000, 0x7f7fffffff7fffff, 0x7bff7c007c017e00, 0x7e018000040003ff,
      0x43e0000000000000, 0x4340000000000001, 0x4b8000014b800000, 0x0101010001000101};
  memcpy(words, special, sizeof special);
  uint64_t seed = 11;
  for (size_t i = sizeof special / sizeof special[0]; i < WORDS; i++) {
    words[i] = next_random(&seed);
    if (i % 3 == 0) { /* numbers with few digits */
      const double x = (double)(int64_t)(words[i] % 2000000) / (i % 2 ? 1000 : 1) - 1000;
      memcpy(&words[i], &x, sizeof x);
    }
  }
  for (int dtype = SPW_BOOL; dtype < SPW_DTYPE_COUNT; dtype++) {
    const int64_t count = (int64_t)sizeof words / spw_dtype_size((spw_dtype)dtype);
    const int64_t used = dtype == SPW_BOOL || count > WORDS ? WORDS : count;
    static uint8_t bools[WORDS];
    for (size_t i = 0; i < WORDS; i++) bools[i] = words[i] & 1;
    const void *data = dtype == SPW_BOOL ? (const void *)bools : words;
    const spw_tensor tensor = tensor_of((spw_dtype)dtype, data, &used);
    round_trip(&tensor);
  }
  static uint16_t all[65536];
  const int64_t count = 65536;
  for (int i = 0; i < 65536; i++) all[i] = (uint16_t)i;
  const spw_tensor half = tensor_of(SPW_FLOAT16, all, &count);
  const spw_tensor brain = tensor_of(SPW_BFLOAT16, all, &count);
  round_trip(&half);
  round_trip(&brain);
  expect_no_leaks();
}

/* ---- The writer ---- */

static void values_text_is(spw_dtype dtype, const void *data, int64_t count, const char *expected)
{
  const spw_tensor tensor = tensor_of(dtype, data, &count);
  size_t size;
  char *text = written(&tensor, &size), *wanted = json_of(expected);
  const char *at = memmem(text, size, "\"values\"", 8);
  cr_assert(text[size - 1] == '\n' && !memchr(text, '\n', size - 1) && !memchr(text, ' ', size));
  cr_assert(at && memmem(at, size - (size_t)(at - text), wanted, strlen(wanted)), "%.*s", (int)size,
            text);
  free(text);
  free(wanted);
}

Test(json, writer_is_compact_and_exact)
{
  const float floats[] = {1, -2.5f, 0.1f, 1e20f, -0.0f, INFINITY};
  const double doubles[] = {0.1, 1e16, 123456789012345680.0, 5e-324};
  const uint32_t nans[] = {0x7fc00000, 0xffc00000, 0x7fc00001, 0x7f800001};
  values_text_is(SPW_FLOAT32, floats, 6, "'data':[1,-2.5,0.1,1e+20,'-0.0','inf']}");
  values_text_is(SPW_FLOAT64, doubles, 4, "'data':[0.1,1e+16,1.2345678901234568e+17,");
  values_text_is(SPW_FLOAT32, nans, 4,
                 "'data':['nan','bits:ffc00000','bits:7fc00001','bits:7f800001']");
  values_text_is(SPW_COMPLEX64, nans, 2, "'data':[['nan','bits:ffc00000'],['bits:7fc00001',");

  int32_t run[65] = {0};
  for (int i = 0; i < 65; i++) run[i] = -4;
  values_text_is(SPW_INT32, run, 65, "'shape':[65],'length':65,'fill':-4}}");
  values_text_is(SPW_INT32, run, 64, "'shape':[64],'data':[-4,-4,");
  run[64] = 4;
  values_text_is(SPW_INT32, run, 65, "'shape':[65],'data':[-4,-4,");
  expect_no_leaks();
}

/* ---- Locale ---- */

static void is_the_same_in_a_locale(const char *name, const char *point)
{
  enter_locale(name, point);
  const double doubles[] = {0.1, 1e16, 1.2345678901234568e+17, 5e-324};
  values_text_is(SPW_FLOAT64, doubles, 4, "'data':[0.1,1e+16,1.2345678901234568e+17,");
  spw_owned *owned = read_ok("{'spw':1,'layout':'dense','values':{'dtype':'float64','shape':[3],"
                             "'data':[0.1,-1.5e300,9223372036854775808]}}");
  const double *read = spw_owned_tensor(owned)->values.data;
  cr_assert(read[0] == 0.1 && read[1] == -1.5e300 && read[2] == 0x1p63);
  spw_owned_free(owned);
  cr_assert_str_eq(localeconv()->decimal_point, point, "the program's locale is as it was");
}

Test(json, ignores_a_decimal_comma)
{
  is_the_same_in_a_locale("de_DE", ",");
}

/* For which jansson has no answer. */
Test(json, ignores_a_decimal_point_of_two_bytes)
{
  is_the_same_in_a_locale("ps_AF", "\xd9\xab");
}

static void cannot_write(spw_status expected, const spw_tensor *tensor, const char *where)
{
  void *bytes = &bytes;
  size_t size = 99;
  spw_error error = {"", ""};
  const spw_status status = spw_write_json(tensor, &bytes, &size, &error);
  cr_assert(status == expected, "%s: status %d, %s", where, status, error.message);
  cr_assert(bytes == &bytes && size == 99, "%s: outputs untouched", where);
  cr_assert_str_eq(error.where, where);
  cr_assert(error.message[0], "%s: no message", where);
}

Test(json, writer_refuses_wrong_calls)
{
  const uint8_t data[] = {0, 1, 2};
  const int64_t three = 3;
  const spw_tensor good = tensor_of(SPW_INT8, data, &three);
  round_trip(&good);
  spw_tensor t = good;
  cannot_write(SPW_EINVAL, NULL, "");
  cr_assert(spw_write_json(&good, NULL, &(size_t){0}, NULL) == SPW_EINVAL);
  cr_assert(spw_write_json(&good, &(void *){NULL}, NULL, NULL) == SPW_EINVAL);
  t.has_size = true, t.ndim = 1;
  cannot_write(SPW_EINVAL, &t, "$.size");
  t.ndim = -1;
  cannot_write(SPW_EINVAL, &t, "$.size");
  t.ndim = (int64_t)SPW_NDIM_MAX + 1, t.size = &three; /* which is not looked at */
  cannot_write(SPW_EINVAL, &t, "$.size");
  t = good, t.values.array.ndim = -1;
  cannot_write(SPW_EINVAL, &t, "$.values");
  t = good, t.values.array.ndim = (int64_t)SPW_NDIM_MAX + 1;
  cannot_write(SPW_EINVAL, &t, "$.values");
  t = good, t.values.array.length = -1;
  cannot_write(SPW_EINVAL, &t, "$.values");
  t = good, t.values.array.shape = NULL;
  cannot_write(SPW_EINVAL, &t, "$.values");
  t = good, t.values.array.strides = NULL;
  cannot_write(SPW_EINVAL, &t, "$.values");
  t = good, t.values.data = NULL;
  cannot_write(SPW_EINVAL, &t, "$.values");
  t = good, t.plain.array.length = 1, t.plain.i64 = NULL, t.plain.raw = data;
  cannot_write(SPW_EINVAL, &t, "$.indices");
  t = good, t.layout = SPW_DENSE, t.plain.i64 = NULL, t.plain.array.length = 9, t.ndim = -3, t.has_size = true;
  t.index_dtype = (spw_dtype)99; /* nothing of which a dense array has */
  static const char wanted[] =
      "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[3],\"data\":[0,1,2]}}\n";
  size_t size;
  char *text = written(&t, &size);
  cr_assert(size == sizeof wanted - 1 && memcmp(text, wanted, size) == 0, "%.*s", (int)size, text);
  free(text);
  t.dtype = (spw_dtype)99;
  cannot_write(SPW_EUNSUPPORTED, &t, "$.dtype");
  t = good, t.layout = (spw_layout)(SPW_DENSE + 1);
  cannot_write(SPW_EUNSUPPORTED, &t, "$.layout");
  t = good, t.dtype = (spw_dtype)13;
  cannot_write(SPW_EUNSUPPORTED, &t, "$.dtype");
  t = good, t.index_dtype = (spw_dtype)-1;
  cannot_write(SPW_EUNSUPPORTED, &t, "$.index_dtype");
  t = good, t.values.array.dtype = SPW_DTYPE_NONE;
  cannot_write(SPW_EUNSUPPORTED, &t, "$.values");
  t = good, t.values.array.dtype = SPW_BOOL;
  cannot_write(SPW_EUNSUPPORTED, &t, "$.values.data[2]");
  t = good, t.values.array.length = ((int64_t)1 << 31) + 1;
  cannot_write(SPW_EUNSUPPORTED, &t, "$.values");
  expect_no_leaks();
}

/* ---- Hostile bytes ---- */

/* Reads; what is accepted must survive a round trip. Returns whether it was. */
static bool survives(const char *text, size_t size)
{
  char *exact = malloc(size ? size : 1); /* so that a sanitizer sees one byte too many */
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  memcpy(exact, text, size);
  const spw_status status = spw_read_json(exact, size, 0, &owned, &error);
  cr_assert(status == SPW_OK || status == SPW_EFORMAT || status == SPW_ENOMEM, "%.*s", (int)size,
              text);
  cr_assert((status == SPW_OK) == (owned != NULL), "%.*s", (int)size, text);
  cr_assert(status == SPW_OK || error.message[0], "%.*s", (int)size, text);
  free(exact);
  if (!owned) return false;
  const spw_tensor *t = spw_owned_tensor(owned);
  if (t->values.array.length < 100000 && t->plain.array.length < 100000) round_trip(t);
  spw_owned_free(owned);
  return true;
}

Test(json, survives_truncation_and_flips)
{
  for (size_t i = 0; i < SAMPLES; i++) {
    char *text = json_of(samples[i]);
    const size_t size = strlen(text);
    for (size_t n = 0; n + 1 < size; n++) cr_assert(!survives(text, n), "truncated at %zu", n);
    cr_assert(survives(text, size - 1), "the newline is optional");
    for (size_t bit = 0; bit < 8 * size; bit++) {
      text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
      survives(text, size);
      text[bit / 8] = (char)(text[bit / 8] ^ 1 << bit % 8);
    }
    free(text);
  }
  expect_no_leaks();
}

static void mutate(char *text, size_t *size, size_t capacity, uint64_t *seed)
{
  static const char *const pieces[] = {"-", "0", "9", "e9", ".5", ",", "[", "]", "{", "}", ":",
                                       "\"",
                                       "null", "true", "\"nan\"", "\"bits:7e01\"", "\"0x1p-3\"",
                                       "\"fill\":0,", "\"length\":3,", "\"offset\":1,", "\\u0000",
                                       "\xc3\xa9", "\xff", "int8", "coo", " "};
  if (next_random(seed) % 2) { /* another digit often gives another file that is well-formed */
    char *digit = text + next_random(seed) % *size;
    if (*digit >= '0' && *digit <= '9') *digit = (char)('0' + next_random(seed) % 10);
    return;
  }
  const char *piece = pieces[next_random(seed) % (sizeof pieces / sizeof pieces[0])];
  const size_t at = next_random(seed) % (*size + 1), length = strlen(piece);
  size_t cut = next_random(seed) % 3 ? next_random(seed) % 4 : next_random(seed) % 20;
  if (cut > *size - at) cut = *size - at;
  if (*size + length - cut > capacity) return;
  memmove(text + at + length, text + at + cut, *size - at - cut);
  memcpy(text + at, piece, length);
  *size += length - cut;
}

Test(json, survives_mutations)
{
  uint64_t seed = 20240607;
  long accepted = 0;
  const long rounds = SANITIZED ? 20000 : 100000;
  for (long i = 0; i < rounds; i++) {
    char text[2048];
    char *sample = json_of(samples[(size_t)i % SAMPLES]);
    size_t size = strlen(sample);
    memcpy(text, sample, size);
    free(sample);
    const uint64_t count = 1 + next_random(&seed) % 3;
    for (uint64_t k = 0; k < count; k++) mutate(text, &size, sizeof text, &seed);
    accepted += survives(text, size);
  }
  cr_assert(accepted > rounds / 20 && accepted < rounds / 2, "%ld accepted", accepted);
  expect_no_leaks();
}

/* ---- Memory ---- */

static size_t resident_bytes(void)
{
  unsigned long total, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  cr_assert(f && fscanf(f, "%lu %lu", &total, &resident) == 2, "statm");
  fclose(f);
  return resident * (size_t)sysconf(_SC_PAGESIZE);
}

Test(json, fill_costs_no_memory)
{
  const size_t before = resident_bytes();
  spw_owned *owned = read_ok(
      COO("'indices':{'dtype':'int32','shape':[2,1073741824],'length':2147483648,'fill':-3},"
          "'values':{'dtype':'int32','shape':[2147483648],'length':2147483648,'fill':0}"));
  const spw_tensor *t = spw_owned_tensor(owned);
  const size_t last = ((size_t)1 << 31) - 1;
  cr_assert(t->plain.i32[0] == -3 && t->plain.i32[last] == -3 && t->plain.i32[last / 3] == -3);
  cr_assert(((const int32_t *)t->values.data)[last] == 0 && t->values.array.length == 1L << 31);
  const size_t taken = resident_bytes() - before;
  cr_assert(taken < (size_t)64 << 20 || resident_bytes() < before, "%zu bytes", taken);
  spw_owned_free(owned);
  expect_no_leaks();
}

static int count_mappings(void)
{
  FILE *maps = fopen("/proc/self/maps", "r");
  int lines = 0;
  cr_assert(maps != NULL);
  for (int c; (c = getc(maps)) != EOF;) lines += c == '\n';
  fclose(maps);
  return lines;
}

/* A process may have 65530 mappings: 32 GiB in pieces of 2 MiB would take a quarter of them. */
Test(json, fill_takes_few_mappings)
{
  const int before = count_mappings();
  spw_owned *owned = read_ok("{'spw':1,'layout':'dense','values':{'dtype':'complex128','shape':[1],'length':2147483648,"
                             "'fill':[0,1]}}");
  const double *const values = spw_owned_tensor(owned)->values.data;
  cr_assert(values[0] == 0 && values[1] == 1 && values[(1L << 32) - 1] == 1 && values[(1L << 32) - 2] == 0);
  cr_assert(count_mappings() - before < 4200, "%d mappings", count_mappings() - before);
  spw_owned_free(owned);
  expect_no_leaks();
}

/* What is mapped again and again counts once, and what is zero does not. */
Test(json, fill_counts_to_the_limit)
{
  static const char text[] = "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[1],"
                             "\"length\":2147483648,\"fill\":%d}}";
  for (int fill = 0; fill < 2; fill++) {
    char json[200];
    spw_owned *owned = NULL;
    snprintf(json, sizeof json, text, fill);
    cr_assert_eq(spw_read_json(json, strlen(json), 1 << 21, &owned, NULL), fill ? SPW_ENOMEM : SPW_OK);
    if (!fill) spw_owned_free(owned);
    cr_assert_eq(spw_read_json(json, strlen(json), 1 << 22, &owned, NULL), SPW_OK);
    spw_owned_free(owned);
  }
  expect_no_leaks();
}

static spw_status read_limited(const char *text, size_t limit)
{
  spw_owned *owned = NULL;
  const spw_status status = spw_read_json(text, strlen(text), limit, &owned, NULL);
  cr_assert((status == SPW_OK) == (owned != NULL), "out");
  spw_owned_free(owned);
  return status;
}

/* A text of many copies of `item`, as the values' data. */
static char *long_text(const char *dtype, const char *item, size_t count)
{
  char *text = malloc(400 + count * (strlen(item) + 1)), *at = text;
  char *start = json_of("{'spw':1,'layout':'coo'," IN ",'values':{'shape':[1],'dtype':'");
  char *one = json_of(item);
  at += sprintf(at, "%s%s\",\"data\":[", start, dtype);
  for (size_t i = 0; i < count; i++) at += sprintf(at, "%s%s", i ? "," : "", one);
  sprintf(at, "]}}");
  free(start);
  free(one);
  return text;
}

/* The smallest limit that suffices; nothing in between gives another status. */
static size_t needed_memory(const char *text)
{
  size_t low = 1, high = spw_memory_limit(strlen(text));
  cr_assert(read_limited(text, high) == SPW_OK, "%.60s", text);
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    const spw_status status = read_limited(text, middle);
    cr_assert(status == SPW_OK || status == SPW_ENOMEM, "status %d", status);
    if (status == SPW_OK)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

Test(json, keeps_to_its_limit)
{
  static const struct {
    const char *dtype, *item;
  } cases[] = {{"int8", "0"}, {"bool", "1"}, {"float64", "'nan'"}, {"complex64", "[0,0]"},
               {"complex128", "[0.5,'bits:7ff8000000000001']"}, {"int64", "1000000000"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char *text = long_text(cases[i].dtype, cases[i].item, 5000);
    const size_t needed = needed_memory(text), bookkeeping = 4096;
    memory_watch(0);
    const spw_status status = read_limited(text, needed);
    memory_pause();
    cr_assert(status == SPW_OK, "the same answer twice");
    cr_assert(memory.bytes == 0, "%zu bytes lost", memory.bytes);
    cr_assert(memory.peak <= needed + bookkeeping, "%s %s: peak %zu, limit %zu", cases[i].dtype,
              cases[i].item, memory.peak, needed);
    free(text);
  }
  char *narrow = long_text("uint8", "7", 5000), *wide = long_text("int64", "7", 5000);
  cr_assert(needed_memory(wide) == needed_memory(narrow) + 5000 * 7, "text and storage add up");
  free(narrow);
  free(wide);
  /* refused for what they hold, or for the limit, but never after taking more */
  static const char *const hostile[] = {"{},", "[],", "\"\",", "[[[],", "{\"a\":{\"b\":0}},", "0,",
                                        "9223372036854775808,"};
  for (size_t i = 0; i < sizeof hostile / sizeof hostile[0]; i++) {
    char *text = calloc(1, 200000), *at = text;
    *at++ = '[';
    while (at < text + 60000) at = stpcpy(at, hostile[i]);
    spw_owned *owned = NULL;
    for (size_t limit = 1 << 16; limit <= 1 << 24; limit *= 2) {
      memory_watch(0);
      const spw_status status = spw_read_json(text, strlen(text), limit, &owned, NULL);
      memory_pause();
      cr_assert(status == SPW_EFORMAT || status == SPW_ENOMEM, "%s: %d", hostile[i], status);
      cr_assert(memory.bytes == 0 && memory.peak <= limit + 4096, "%s: %zu of %zu", hostile[i],
                memory.peak, limit);
    }
    free(text);
  }
  expect_no_leaks();
}

#if !SANITIZED
/* Where jansson's scanner lengthens its buffer: it does not notice that this fails, and then reads
 * past the end. The reader makes sure beforehand that it does not; here it is spared. */
static void spare_scanner_buffer(void)
{
  memory.sought = 32;
  memory_watch(0);
  json_t *value = json_loads("\"012345678901234567890123\"", JSON_DECODE_ANY, NULL);
  memory_pause();
  memory.spared = memory.found;
  cr_assert(value && memory.spared, "the site was seen");
  json_decref(value);
}

Test(json, every_allocation_may_fail)
{
  spare_scanner_buffer();
  for (size_t i = 0; i < SAMPLES; i++) {
    char *text = json_of(samples[i]);
    spw_owned *kept = read_ok(samples[i]);
    int own = 0, parser = 0;
    for (long n = 1;; n++) {
      memory_watch(n);
      const spw_status status = read_limited(text, 0);
      memory_pause();
      cr_assert(memory.bytes == 0, "allocation %ld: %zu bytes lost", n, memory.bytes);
      if (!memory.refused) {
        cr_assert(status == SPW_OK, "status %d", status);
        break;
      }
      const bool in_parser = memory_refused_in("jansson");
      /* jansson reports some failed allocations as bad syntax */
      cr_assert(status == SPW_ENOMEM || (in_parser && status == SPW_EFORMAT),
                "allocation %ld: status %d", n, status);
      *(in_parser ? &parser : &own) += 1;
    }
    const int least = spw_owned_tensor(kept)->layout == SPW_DENSE ? 8 : 16; /* one array, or more */
    cr_assert(own >= least, "%d own allocations failed, %d of the parser", own, parser);
    for (long n = 1;; n++) {
      void *bytes = NULL;
      size_t size = 0;
      memory_watch(n);
      const spw_status status = spw_write_json(spw_owned_tensor(kept), &bytes, &size, NULL);
      free(bytes);
      memory_pause();
      cr_assert(memory.bytes == 0, "allocation %ld: %zu bytes lost", n, memory.bytes);
      cr_assert(status == (memory.refused ? SPW_ENOMEM : SPW_OK), "allocation %ld: %d", n, status);
      if (!memory.refused) break;
      cr_assert(!bytes && !size, "outputs untouched");
    }
    spw_owned_free(kept);
    free(text);
  }
  expect_no_leaks();
}

/* The copy with marks is one more allocation, freed as soon as it is parsed. */
Test(json, a_copy_of_long_integers_may_fail)
{
  spare_scanner_buffer();
  bool failed = false;
  for (long n = 1;; n++) {
    memory_watch(n);
    const spw_status status = read_limited("[9223372036854775808]", 0);
    memory_pause();
    cr_assert(memory.bytes == 0, "allocation %ld: %zu bytes lost", n, memory.bytes);
    failed = failed || status == SPW_ENOMEM;
    cr_assert(status == SPW_EFORMAT || memory.refused, "allocation %ld: %d", n, status);
    if (!memory.refused) break;
  }
  cr_assert(failed);
}
#endif
