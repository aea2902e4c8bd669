/* SPDX-License-Identifier: Apache-2.0 */
/* Files of torch.save: every sparse tensor in them is found at its path, nothing is executed, and what two readers could take
 * for different tensors is refused. */
#define _XOPEN_SOURCE 700

#include "../../src/sparsewright.h"
#include "../support/torch_file.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COUNT(array) ((int)(sizeof(array) / sizeof(array)[0]))

/* ---- Files ----------------------------------------------------------------------------------- */

static const int64_t CROW[] = {0, 2, 4}, COL[] = {0, 1, 2, 3};
static const float VALUES[] = {1, 2, 3, 4};
static const int64_t SIZE[] = {2, 6};

static const torch_view CSR[] = {
    {"0", "Long", 3, 0, 1, {3}, {1}}, {"1", "Long", 4, 0, 1, {4}, {1}}, {"2", "Float", 4, 0, 1, {4}, {1}}};

static void put_csr(torch_bytes *to)
{
  put_sparse(to, "torch.sparse_csr", 3, CSR, 2, SIZE, 0);
}

/* The archive of a pickle, which begins with its protocol and ends with STOP; more members may follow. */
static torch_bytes file_of(const torch_bytes *pickle, int more, const torch_member *others)
{
  torch_bytes whole = {0}, file = {0};
  put_string(&whole, "\x80\x02");
  put_bytes(&whole, pickle->bytes, pickle->size);
  put_string(&whole, ".");
  torch_member members[16] = {
      {"a/data.pkl", whole.bytes, whole.size}, {"a/byteorder", "little", 6},  {"a/version", "3\n", 2},
      {"a/data/0", CROW, sizeof CROW},         {"a/data/1", COL, sizeof COL}, {"a/data/2", VALUES, sizeof VALUES}};
  for (int i = 0; i < more; i++) members[6 + i] = others[i];
  put_zip(&file, 6 + more, members);
  return file;
}

static torch_bytes good_file(void)
{
  torch_bytes pickle = {0};
  put_csr(&pickle);
  return file_of(&pickle, 0, NULL);
}

static spw_archive *open_file(const torch_bytes *file)
{
  spw_archive *archive = NULL;
  spw_error error = {0};
  const spw_status status = spw_archive_open_pt(file->bytes, file->size, 0, &archive, &error);
  cr_assert_eq(status, SPW_OK, "%s: %s", error.where, error.message);
  return archive;
}

static spw_owned *read_tensor(const spw_archive *archive, size_t i)
{
  spw_owned *owned = NULL;
  spw_error error = {0};
  cr_assert_eq(spw_archive_read(archive, i, 0, &owned, &error), SPW_OK, "%s: %s", error.where, error.message);
  return owned;
}

static void expect_refused(const torch_bytes *file, spw_status status, const char *why)
{
  spw_archive *archive = NULL;
  spw_error error = {0};
  cr_assert_eq(spw_archive_open_pt(file->bytes, file->size, 0, &archive, &error), status, "%s: %s %s", why, error.where,
               error.message);
  cr_assert(strstr(error.message, why), "'%s' is not in '%s'", why, error.message);
  cr_assert_null(archive);
}

static spw_rule first_rule(const spw_tensor *t)
{
  spw_violation v;
  cr_assert_eq(spw_first_violation(t, SPW_CANONICAL, &v), SPW_OK);
  return v.rule;
}

/* ---- What is read ---------------------------------------------------------------------------- */

static void expect_csr(const spw_tensor *t)
{
  cr_assert_eq(t->layout, SPW_CSR);
  cr_assert(t->has_size && t->ndim == 2 && t->size[0] == 2 && t->size[1] == 6);
  cr_assert_eq(t->compressed.array.length, 3);
  cr_assert_eq(memcmp(t->compressed.i64, CROW, sizeof CROW), 0);
  cr_assert_eq(memcmp(t->plain.i64, COL, sizeof COL), 0);
  cr_assert_eq(t->values.array.dtype, SPW_FLOAT32);
  cr_assert_eq(memcmp(t->values.data, VALUES, sizeof VALUES), 0);
  cr_assert_eq(first_rule(t), SPW_RULE_NONE);
}

Test(pt, reads_a_tensor_that_is_the_object)
{
  const torch_bytes file = good_file();
  spw_archive *const archive = open_file(&file);
  cr_assert_eq(spw_archive_count(archive), 1);
  cr_assert_eq(spw_archive_dense_count(archive), 0);
  cr_assert_str_eq(spw_archive_path(archive, 0), "");
  cr_assert_null(spw_archive_path(archive, 1));
  spw_owned *const owned = read_tensor(archive, 0);
  spw_archive_close(archive);
  expect_csr(spw_owned_tensor(owned));
  spw_owned_free(owned);
}

/* This file ends torch.load(weights_only=True) of PyTorch 2.15.0 with a segmentation fault. */
Test(pt, reads_the_offsets_that_end_torch_load)
{
  static const int64_t crow[] = {0, 2, 0};
  const torch_view views[] = {
      {"0", "Long", 3, 0, 1, {3}, {1}}, {"1", "Long", 0, 0, 1, {0}, {1}}, {"2", "Float", 0, 0, 1, {0}, {1}}};
  torch_bytes pickle = {0}, whole = {0}, file = {0};
  put_sparse(&pickle, "torch.sparse_csr", 3, views, 2, (const int64_t[]){2, 2}, 0);
  put_string(&whole, "\x80\x02");
  put_bytes(&whole, pickle.bytes, pickle.size);
  put_string(&whole, ".");
  const torch_member members[] = {{"a/data.pkl", whole.bytes, whole.size},
                                  {"a/version", "3\n", 2},
                                  {"a/data/0", crow, sizeof crow},
                                  {"a/data/1", "", 0},
                                  {"a/data/2", "", 0}};
  put_zip(&file, COUNT(members), members);
  spw_archive *const archive = open_file(&file);
  spw_owned *const owned = read_tensor(archive, 0);
  cr_assert_eq(first_rule(spw_owned_tensor(owned)), SPW_RULE_5_3);
  spw_owned_free(owned);
  spw_archive_close(archive);
}

static void expect_path(const spw_archive *archive, size_t i, const char *path)
{
  cr_assert_str_eq(spw_archive_path(archive, i), path);
  cr_assert_eq(spw_archive_find(archive, path), i);
}

Test(pt, finds_every_tensor_at_its_path)
{
  torch_bytes pickle = {0};
  put_string(&pickle, "}(");
  put_text(&pickle, "state_dict");
  put_name(&pickle, "collections", "OrderedDict");
  put_string(&pickle, ")R(");
  put_text(&pickle, "a/b~\n");
  put_csr(&pickle);
  put_text(&pickle, "list");
  put_string(&pickle, "](N");
  put_csr(&pickle);
  put_csr(&pickle);
  put_string(&pickle, "\x86"
                      "e"); /* a tuple of the last two, as the second item of the list */
  put_string(&pickle, "u}(");
  put_text(&pickle, "_metadata");
  put_csr(&pickle);
  put_string(&pickle, "ub\x88"); /* attributes of the OrderedDict; then the key True */
  put_csr(&pickle);
  put_string(&pickle, "K\x07]q"); /* key 7: a list that holds itself, a tensor, and that tensor again */
  put_bytes(&pickle, "\0(h\0", 4);
  put_view(&pickle, &CSR[0], 0);
  put_string(&pickle, "q\x01h\x01"
                      "eu");
  const torch_bytes file = file_of(&pickle, 0, NULL);
  spw_archive *const archive = open_file(&file);
  cr_assert_eq(spw_archive_count(archive), 5);
  expect_path(archive, 0, "state_dict/a~1b~0\\x0a");
  expect_path(archive, 1, "state_dict/list/1/0");
  expect_path(archive, 2, "state_dict/list/1/1");
  expect_path(archive, 3, "state_dict/__dict__/_metadata");
  expect_path(archive, 4, "True");
  cr_assert_eq(spw_archive_dense_count(archive), 1);
  cr_assert_eq(spw_archive_find(archive, "nowhere"), SIZE_MAX);
  cr_assert_eq(spw_archive_find(archive, NULL), SIZE_MAX);
  for (size_t i = 0; i < 5; i++) {
    spw_owned *const owned = read_tensor(archive, i);
    expect_csr(spw_owned_tensor(owned));
    spw_owned_free(owned);
  }
  spw_archive_close(archive);
}

static const char *written(const torch_bytes *bytes)
{
  static char name[] = "test_pt.XXXXXX";
  strcpy(name, "test_pt.XXXXXX");
  const int fd = mkstemp(name);
  cr_assert(fd >= 0 && write(fd, bytes->bytes, bytes->size) == (ssize_t)bytes->size && close(fd) == 0);
  return name;
}

Test(pt, is_read_by_its_name_where_it_is_one_tensor)
{
  spw_owned *owned = NULL;
  spw_error error;
  const torch_bytes good = good_file();
  const char *name = written(&good);
  cr_assert_eq(spw_read_file(name, 0, &owned, &error), SPW_OK, "%s", error.message);
  expect_csr(spw_owned_tensor(owned));
  spw_owned_free(owned);
  unlink(name);
  torch_bytes pickle = {0};
  put_string(&pickle, "](");
  put_csr(&pickle);
  put_csr(&pickle);
  put_string(&pickle, "e");
  const torch_bytes two = file_of(&pickle, 0, NULL);
  name = written(&two);
  cr_assert_eq(spw_read_file(name, 0, &owned, &error), SPW_EUNSUPPORTED);
  cr_assert(strstr(error.message, "2 sparse tensors"), "%s", error.message);
  unlink(name);
  cr_assert_not(spw_is_pt("PK", 2) || spw_is_pt(NULL, 0) || spw_is_pt(good.bytes, 29));
  cr_assert(spw_is_pt(good.bytes, 40));
}

Test(pt, finds_no_tensor_at_a_path_that_two_have)
{
  torch_bytes pickle = {0};
  put_string(&pickle, "}(");
  for (int i = 0; i < 2; i++) {
    put_text(&pickle, "w");
    put_csr(&pickle);
  }
  put_string(&pickle, "u");
  const torch_bytes file = file_of(&pickle, 0, NULL);
  spw_archive *const archive = open_file(&file);
  cr_assert_eq(spw_archive_count(archive), 2);
  cr_assert_eq(spw_archive_find(archive, "w"), SIZE_MAX);
  spw_archive_close(archive);
}

Test(pt, takes_offsets_strides_and_shared_storages)
{
  static const int64_t indices[] = {9, 0, 5, 1, 6, 1, 7}; /* from 1 on, by column: (0, 5), (1, 6), (1, 7) */
  const torch_view views[] = {{"3", "Long", 7, 1, 2, {2, 3}, {1, 2}}, {"2", "Float", 4, 1, 1, {3}, {0}}};
  torch_bytes pickle = {0};
  put_sparse(&pickle, "torch.sparse_coo", 2, views, 2, (const int64_t[]){2, 8}, 0);
  const torch_bytes file = file_of(&pickle, 1, &(const torch_member){"a/data/3", indices, sizeof indices});
  spw_archive *const archive = open_file(&file);
  spw_owned *const owned = read_tensor(archive, 0);
  const spw_tensor *const t = spw_owned_tensor(owned);
  cr_assert(t->plain.array.length == 6 && t->plain.array.strides[0] == 1 && t->plain.array.strides[1] == 2);
  cr_assert_eq(memcmp(t->plain.i64, indices + 1, 6 * sizeof *indices), 0);
  cr_assert(t->values.array.length == 1 && *(const float *)t->values.data == 2);
  cr_assert_eq(t->coalesced, SPW_CLAIM_NONE);
  cr_assert_eq(first_rule(t), SPW_RULE_NONE);
  spw_owned_free(owned);
  spw_archive_close(archive);
}

static void turn(void *bytes, size_t size, size_t part)
{
  unsigned char *const b = bytes;
  for (size_t at = 0; at < size; at += part)
    for (size_t i = 0; i < part / 2; i++) {
      const unsigned char kept = b[at + i];
      b[at + i] = b[at + part - 1 - i];
      b[at + part - 1 - i] = kept;
    }
}

Test(pt, turns_the_other_byte_order)
{
  int64_t crow[3], col[4];
  float values[4];
  torch_bytes pickle = {0}, file = {0};
  memcpy(crow, CROW, sizeof crow);
  memcpy(col, COL, sizeof col);
  memcpy(values, VALUES, sizeof values);
  turn(crow, sizeof crow, 8);
  turn(col, sizeof col, 8);
  turn(values, sizeof values, 4);
  put_string(&pickle, "\x80\x02");
  put_csr(&pickle);
  put_string(&pickle, ".");
  const torch_member members[] = {
      {"x/data.pkl", pickle.bytes, pickle.size}, {"x/byteorder", "big", 3},     {"x/version", "3\n", 2},
      {"x/data/0", crow, sizeof crow},           {"x/data/1", col, sizeof col}, {"x/data/2", values, sizeof values}};
  put_zip(&file, COUNT(members), members);
  spw_archive *const archive = open_file(&file);
  spw_owned *const owned = read_tensor(archive, 0);
  expect_csr(spw_owned_tensor(owned));
  spw_owned_free(owned);
  spw_archive_close(archive);
}

/* Of the older format: `keys` and what follows them are the caller's. */
static torch_bytes legacy_file(const char *keys)
{
  static const unsigned char magic[] = {0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19, '.'};
  torch_bytes file = {0};
  put_bytes(&file, magic, sizeof magic);
  put_string(&file, "\x80\x02M\xe9\x03.\x80\x02}");
  put_text(&file, "little_endian");
  put_string(&file, "\x88s.\x80\x02");
  put_sparse(&file, "torch.sparse_csr", 3, CSR, 2, SIZE, 1);
  put_string(&file, ".\x80\x02](");
  for (; *keys; keys++) put_text(&file, (const char[]){*keys, 0});
  put_string(&file, "e.");
  return file;
}

static void put_elements(torch_bytes *to, int64_t count, const void *elements, size_t size)
{
  put_bytes(to, &count, sizeof count);
  put_bytes(to, elements, size);
}

Test(pt, reads_the_legacy_format)
{
  torch_bytes file = legacy_file("201");
  put_elements(&file, 4, VALUES, sizeof VALUES);
  put_elements(&file, 3, CROW, sizeof CROW);
  put_elements(&file, 4, COL, sizeof COL);
  spw_archive *const archive = open_file(&file);
  spw_owned *const owned = read_tensor(archive, 0);
  expect_csr(spw_owned_tensor(owned));
  spw_owned_free(owned);
  spw_archive_close(archive);
  for (size_t size = 0; size < file.size; size++) {
    torch_bytes part = {.size = size};
    memcpy(part.bytes, file.bytes, size);
    spw_archive *none = NULL;
    cr_assert_neq(spw_archive_open_pt(part.bytes, part.size, 0, &none, NULL), SPW_OK, "the first %zu bytes", size);
  }
  put_string(&file, "x");
  expect_refused(&file, SPW_EFORMAT, "bytes behind the last storage");
}

Test(pt, refuses_storages_that_a_legacy_file_has_not_once_each)
{
  static const char *const keys[] = {"01", "0123", "001", "012"};
  for (int i = 0; i < COUNT(keys); i++) {
    torch_bytes file = legacy_file(keys[i]);
    put_elements(&file, 3, CROW, sizeof CROW);
    put_elements(&file, i == 3 ? INT64_MAX / 4 : 4, COL, sizeof COL);
    expect_refused(&file, SPW_EFORMAT,
                   i < 3 ? "keys of storages" : "a storage has 2305843009213693951 elements, and the object says 4");
  }
}

/* ---- What is refused ------------------------------------------------------------------------- */

typedef struct refusal {
  const char *ops, *why;
  spw_status status;
} refusal;

Test(pt, executes_nothing)
{
  static const struct {
    const char *module, *name;
  } names[] = {
      {"posix", "system"}, {"builtins", "eval"}, {"os", "popen"}, {"torch", "load"}, {"torch.nn.modules.linear", "Linear"},
      {"numpy", "dtype"}};
  for (int i = 0; i < COUNT(names); i++) {
    char why[64];
    torch_bytes pickle = {0};
    put_name(&pickle, names[i].module, names[i].name);
    put_string(&pickle, "(");
    put_text(&pickle, "touch executed");
    put_string(&pickle, "tR");
    const torch_bytes file = file_of(&pickle, 0, NULL);
    snprintf(why, sizeof why, "it names %s.%s, which is not read", names[i].module, names[i].name);
    expect_refused(&file, SPW_EUNSUPPORTED, why);
  }
}

Test(pt, refuses_opcodes_and_pickles_that_torch_does_not_write)
{
  static const refusal all[] = {{"(iposix\nsystem\n", "opcode 0x69", SPW_EUNSUPPORTED},
                                {"(o", "opcode 0x6f", SPW_EUNSUPPORTED},
                                {"ctorch\nTensor\n)\x81", "opcode 0x81", SPW_EUNSUPPORTED},
                                {"\x82\x01", "opcode 0x82", SPW_EUNSUPPORTED},
                                {"Px\n", "opcode 0x50", SPW_EUNSUPPORTED},
                                {"]]0", "opcode 0x30", SPW_EUNSUPPORTED},
                                {"\x80\x01", "a protocol", SPW_EUNSUPPORTED},
                                {"]]", "another number of values", SPW_EFORMAT},
                                {"(]", "another number of values", SPW_EFORMAT},
                                {"e", "no mark", SPW_EFORMAT},
                                {"(\x85", "fewer values", SPW_EFORMAT},
                                {"(e", "no container below", SPW_EFORMAT},
                                {"]((Ne", "no container below", SPW_EFORMAT},
                                {"](](Ne", "another number of values", SPW_EFORMAT},
                                {"}(NNNu", "a key without a value", SPW_EFORMAT},
                                {"}]Ns", "a key of a dict", SPW_EUNSUPPORTED},
                                {"}NNa", "no list", SPW_EFORMAT},
                                {"]NNs", "no dict", SPW_EFORMAT},
                                {"h\x07", "no such entry", SPW_EFORMAT},
                                {"]r\xff\xff\xff\x7f", "not numbered in order", SPW_EFORMAT},
                                {"]}b", "a state for an object", SPW_EUNSUPPORTED},
                                {"NNR", "a call of what is no name", SPW_EFORMAT},
                                {"ctorch\nSize\nNR", "arguments are no tuple", SPW_EFORMAT},
                                {"ctorch\nFloatStorage\n)R", "only named", SPW_EFORMAT},
                                {"ctorch\nSize\n)R", "several arguments", SPW_EFORMAT},
                                {"ctorch.serialization\n_get_layout\n)R", "a layout that is none", SPW_EUNSUPPORTED},
                                {"ctorch._utils\n_rebuild_sparse_tensor\n)R", "not made of a layout", SPW_EFORMAT},
                                {"ctorch._utils\n_rebuild_tensor_v2\n)R", "another number of parts", SPW_EFORMAT},
                                {"ccollections\nOrderedDict\n(NtR", "made with arguments", SPW_EUNSUPPORTED},
                                {"NQ", "not named as torch.save", SPW_EFORMAT},
                                {"X\xff\xff\xff\x7f", "ends early", SPW_EFORMAT},
                                {"X\x02\x01\x01\x01"
                                 "a",
                                 "ends early", SPW_EFORMAT},
                                {"\x8c\x02\xc0\x80", "not UTF-8", SPW_EFORMAT},
                                {"ctorch\nSiz\xc3\xa9\n", "not of printable", SPW_EFORMAT},
                                {"c\n\n", "it names .", SPW_EUNSUPPORTED},
                                {"NN\x93", "a name that is no text", SPW_EFORMAT}};
  for (int i = 0; i < COUNT(all); i++) {
    torch_bytes pickle = {0};
    put_string(&pickle, all[i].ops);
    const torch_bytes file = file_of(&pickle, 0, NULL);
    expect_refused(&file, all[i].status, all[i].why);
  }
}

Test(pt, refuses_tensors_beyond_their_storage)
{
  static const struct {
    torch_view view;
    const char *why;
  } all[] = {{{"2", "Float", 4, 1, 1, {4}, {1}}, "reaches beyond its storage of 4 elements"},
             {{"2", "Float", 4, 0, 1, {4}, {2}}, "reaches beyond its storage"},
             {{"2", "Float", 4, 4, 1, {1}, {1}}, "reaches beyond its storage"},
             {{"2", "Float", 4, 0, 2, {5, 1}, {INT64_MAX / 2, 1}}, "reaches beyond its storage"},
             {{"2", "Float", 4, 0, 2, {INT64_MAX, 2}, {1, 1}}, "reaches beyond its storage"},
             {{"2", "Float", 4, INT64_MAX, 1, {4}, {1}}, "reaches beyond its storage"},
             {{"2", "Float", 4, 3, 1, {4}, {-1}}, "a size or stride of a tensor is negative"},
             {{"2", "Float", 4, 0, 1, {-4}, {1}}, "a size or stride of a tensor is negative"},
             {{"2", "Float", 4, -1, 1, {4}, {1}}, "the offset of a tensor"},
             {{"2", "Float", 5, 0, 1, {4}, {1}}, "storage 2 of 5 elements of 4 bytes is a member of 16 bytes"},
             {{"2", "Double", INT64_MAX / 4, 0, 1, {4}, {1}}, "is a member of 16 bytes"},
             {{"2", "Float", -1, 0, 1, {4}, {1}}, "not named as torch.save"},
             {{"9", "Float", 4, 0, 1, {4}, {1}}, "there is no member data/9"},
             {{"../data.pkl", "Float", 4, 0, 1, {4}, {1}}, "the key of a storage"},
             {{"", "Float", 4, 0, 1, {4}, {1}}, "the key of a storage"},
             {{"1", "Float", 8, 0, 1, {4}, {1}}, "one storage is named twice"},
             {{"1", "Double", 4, 0, 1, {4}, {1}}, "one storage is named twice"}};
  for (int i = 0; i < COUNT(all); i++) {
    torch_bytes pickle = {0};
    torch_view views[3] = {CSR[0], CSR[1], all[i].view};
    put_sparse(&pickle, "torch.sparse_csr", 3, views, 2, SIZE, 0);
    const torch_bytes file = file_of(&pickle, 0, NULL);
    expect_refused(&file, SPW_EFORMAT, all[i].why);
  }
}

/* A place far outside is no harm where there is no element. */
Test(pt, asks_nothing_of_the_place_of_no_elements)
{
  const torch_view views[] = {
      CSR[0], {"1", "Long", 4, INT64_MAX, 1, {0}, {1}}, {"2", "Float", 4, 0, 2, {INT64_MAX, 0}, {INT64_MAX, 1}}};
  torch_bytes pickle = {0};
  put_sparse(&pickle, "torch.sparse_csr", 3, views, 2, SIZE, 0);
  const torch_bytes file = file_of(&pickle, 0, NULL);
  spw_archive *const archive = open_file(&file);
  spw_owned *const owned = read_tensor(archive, 0);
  cr_assert_eq(spw_owned_tensor(owned)->values.array.length, 0);
  spw_owned_free(owned);
  spw_archive_close(archive);
}

Test(pt, refuses_archives_that_readers_take_differently)
{
  static const struct {
    torch_member more;
    spw_status status;
    const char *why;
  } all[] = {{{"a/data.pkl", "\x80\x02N.", 4}, SPW_EFORMAT, "duplicate member"},
             {{"a/DATA.PKL", "\x80\x02N.", 4}, SPW_EFORMAT, "duplicate member"},
             {{"b/x", "", 0}, SPW_EFORMAT, "more than one folder"},
             {{"x", "", 0}, SPW_EFORMAT, "folder"},
             {{"a/x\\y", "", 0}, SPW_EFORMAT, "without backslash"},
             {{"a/constants.pkl", "", 0}, SPW_EUNSUPPORTED, "TorchScript"}};
  for (int i = 0; i < COUNT(all); i++) {
    torch_bytes pickle = {0};
    put_csr(&pickle);
    const torch_bytes file = file_of(&pickle, 1, &all[i].more);
    expect_refused(&file, all[i].status, all[i].why);
  }
  torch_bytes file = good_file();
  put_string(&file, "x");
  expect_refused(&file, SPW_EFORMAT, "bytes behind an end record");
}

Test(pt, refuses_what_is_no_such_file)
{
  static const struct {
    const char *text;
    spw_status status;
    const char *why;
  } all[] = {{"", SPW_EFORMAT, "neither a zip archive"},
             {"x", SPW_EFORMAT, "neither a zip archive"},
             {"PK", SPW_EFORMAT, "no end record"},
             {"\x80\x04N.", SPW_EUNSUPPORTED, "a pickle that torch.save did not write"}};
  for (int i = 0; i < COUNT(all); i++) {
    torch_bytes file = {0};
    put_string(&file, all[i].text);
    expect_refused(&file, all[i].status, all[i].why);
  }
  torch_bytes other = {0};
  put_zip(&other, 1, &(const torch_member){"a/version", "3\n", 2});
  expect_refused(&other, SPW_EUNSUPPORTED, "without a member data.pkl");
}

static void put_dict(torch_bytes *to)
{
  put_name(to, "collections", "OrderedDict");
  put_string(to, ")R");
}

static void expect_pickle_refused(const torch_bytes *pickle, spw_status status, const char *why)
{
  const torch_bytes file = file_of(pickle, 0, NULL);
  expect_refused(&file, status, why);
}

/* torch makes such a tensor, and looks at it the next time that it loads anything. */
Test(pt, refuses_tensors_in_arguments_that_are_dropped)
{
  torch_bytes device = {0}, parameter = {0};
  put_name(&device, "torch", "device");
  put_string(&device, "(");
  put_text(&device, "cpu");
  put_csr(&device);
  put_string(&device, "tR");
  expect_pickle_refused(&device, SPW_EFORMAT, "a device is not made of a name and a number");
  put_name(&parameter, "torch._utils", "_rebuild_parameter");
  put_string(&parameter, "(");
  put_view(&parameter, &CSR[0], 0);
  put_csr(&parameter);
  put_dict(&parameter);
  put_string(&parameter, "tR");
  expect_pickle_refused(&parameter, SPW_EFORMAT, "a parameter is not made of one tensor and a bool");
}

Test(pt, refuses_attributes_and_hooks)
{
  torch_bytes attributes = {0}, late = {0}, bits = {0};
  put_name(&attributes, "torch._tensor", "_rebuild_from_type_v2");
  put_string(&attributes, "(");
  put_name(&attributes, "torch._utils", "_rebuild_tensor_v2");
  put_name(&attributes, "torch", "Tensor");
  put_string(&attributes, "(");
  put_storage(&attributes, &CSR[0], 0);
  put_int(&attributes, 0);
  put_tuple(&attributes, 1, (const int64_t[]){3});
  put_tuple(&attributes, 1, (const int64_t[]){1});
  put_string(&attributes, "\x89");
  put_dict(&attributes);
  put_string(&attributes, "t}");
  put_text(&attributes, "_backward_hooks");
  put_string(&attributes, "K\x01stR");
  expect_pickle_refused(&attributes, SPW_EUNSUPPORTED, "a tensor with attributes");
  put_dict(&late);
  put_bytes(&late, "q\0", 2);
  put_name(&late, "torch._utils", "_rebuild_tensor_v2");
  put_string(&late, "(");
  put_storage(&late, &CSR[0], 0);
  put_int(&late, 0);
  put_tuple(&late, 1, (const int64_t[]){3});
  put_tuple(&late, 1, (const int64_t[]){1});
  put_bytes(&late, "\x89h\0tRh\0K\0K\0s", 12);
  expect_pickle_refused(&late, SPW_EUNSUPPORTED, "a container is filled after a call");
  put_name(&bits, "torch._utils", "_rebuild_tensor_v2");
  put_string(&bits, "(");
  put_storage(&bits, &CSR[0], 0);
  put_int(&bits, 0);
  put_tuple(&bits, 1, (const int64_t[]){3});
  put_tuple(&bits, 1, (const int64_t[]){1});
  put_string(&bits, "\x89");
  put_dict(&bits);
  put_string(&bits, "}(");
  for (int i = 0; i < 3; i++) {
    put_text(&bits, "neg");
    put_string(&bits, "\x89");
  }
  put_string(&bits, "utR");
  expect_pickle_refused(&bits, SPW_EFORMAT, "the metadata of a tensor");
}

/* A 2:4 matrix of 1 x 6 float32, whose members are these; `more` stands among its attributes. */
static torch_bytes semi_file(const char *class, const char *more, bool by_columns)
{
  static const torch_view packed = {"2", "Float", 4, 0, 2, {1, 3}, {3, 1}}, meta = {"0", "Long", 3, 0, 2, {1, 1}, {1, 1}};
  torch_bytes p = {0};
  put_name(&p, "torch._tensor", "_rebuild_from_type_v2");
  put_string(&p, "(");
  put_name(&p, "torch._utils", "_rebuild_wrapper_subclass");
  put_name(&p, "torch.sparse.semi_structured", class);
  put_string(&p, "(");
  put_name(&p, "torch.sparse.semi_structured", class);
  put_name(&p, "torch", "float32");
  put_tuple(&p, 2, (const int64_t[]){1, 6});
  put_tuple(&p, 2, (const int64_t[]){6, 1});
  put_int(&p, 0);
  put_string(&p, "NN\x89t}(");
  put_text(&p, "fuse_transpose_cusparselt");
  put_string(&p, "\x89");
  put_text(&p, more ? more : "alg_id_cusparselt");
  put_int(&p, 0);
  put_string(&p, "u}(");
  put_text(&p, "packed");
  put_view(&p, &packed, 0);
  put_text(&p, "meta");
  put_view(&p, &meta, 0);
  put_text(&p, "packed_t");
  if (by_columns) put_view(&p, &packed, 0);
  else put_string(&p, "N");
  put_text(&p, "meta_t");
  put_string(&p, "N");
  put_text(&p, "compressed_swizzled_bitmask");
  put_string(&p, "Nu");
  put_string(&p, "\x86tR");
  return file_of(&p, 0, NULL);
}

Test(pt, reads_2_4_matrices_of_cutlass)
{
  const torch_bytes file = semi_file("SparseSemiStructuredTensorCUTLASS", NULL, false);
  spw_archive *const archive = open_file(&file);
  spw_owned *owned = NULL;
  const spw_semi *semi = NULL;
  spw_error error;
  cr_assert_eq(spw_archive_count(archive), 1);
  cr_assert(spw_archive_is_semi(archive, 0) && !spw_archive_is_semi(archive, 1) && !spw_archive_is_semi(NULL, 0));
  cr_assert_eq(spw_archive_read(archive, 0, 0, &owned, &error), SPW_EUNSUPPORTED);
  cr_assert(strstr(error.message, "it is a 2:4 matrix"));
  cr_assert_eq(spw_archive_read_semi(archive, 1, 0, &owned, &semi, &error), SPW_EINVAL);
  cr_assert_eq(spw_archive_read_semi(archive, 0, 8, &owned, &semi, &error), SPW_ENOMEM);
  cr_assert_eq(spw_archive_read_semi(archive, 0, 0, &owned, &semi, &error), SPW_OK);
  spw_archive_close(archive);
  cr_assert(semi->order == SPW_SEMI_CUTLASS && semi->rows == 1 && semi->columns == 6);
  cr_assert_eq(memcmp(semi->packed.data, VALUES, 3 * sizeof *VALUES), 0);
  cr_assert_eq(semi->metadata.array.dtype, SPW_INT64); /* which rule 7.3 refuses */
  spw_owned_free(owned);
  const torch_bytes tensor = good_file();
  spw_archive *const other = open_file(&tensor);
  cr_assert_eq(spw_archive_read_semi(other, 0, 0, &owned, &semi, &error), SPW_EUNSUPPORTED);
  spw_archive_close(other);
}

Test(pt, refuses_other_2_4_matrices)
{
  torch_bytes file = semi_file("SparseSemiStructuredTensorCUSPARSELT", NULL, false);
  expect_refused(&file, SPW_EUNSUPPORTED, "a 2:4 matrix of cuSPARSELt");
  file = semi_file("SparseSemiStructuredTensorCUTLASS", "_backward_hooks", false);
  expect_refused(&file, SPW_EUNSUPPORTED, "a 2:4 matrix with other members");
  file = semi_file("SparseSemiStructuredTensorCUTLASS", NULL, true);
  expect_refused(&file, SPW_EUNSUPPORTED, "a 2:4 matrix that is kept by columns, too");
}

/* torch finds members whatever the case of their letters, and turns no bytes of storages without a type. */
Test(pt, refuses_what_torch_takes_in_another_byte_order)
{
  torch_bytes pickle = {0}, untyped = {0}, file = {0};
  put_csr(&pickle);
  const torch_bytes misspelt = file_of(&pickle, 1, &(const torch_member){"a/Version", "3\n", 2});
  expect_refused(&misspelt, SPW_EFORMAT, "zip: ");
  const torch_bytes other = file_of(&pickle, 1, &(const torch_member){"a/.DATA/version", "1", 1});
  expect_refused(&other, SPW_EFORMAT, "a name that torch takes for another one");
  put_string(&untyped, "\x80\x02(");
  put_text(&untyped, "storage");
  put_name(&untyped, "torch.storage", "UntypedStorage");
  put_text(&untyped, "0");
  put_text(&untyped, "cpu");
  put_int(&untyped, sizeof CROW);
  put_string(&untyped, "tQ.");
  const torch_member members[] = {{"a/data.pkl", untyped.bytes, untyped.size},
                                  {"a/byteorder", "big", 3},
                                  {"a/version", "3\n", 2},
                                  {"a/data/0", CROW, sizeof CROW}};
  put_zip(&file, COUNT(members), members);
  expect_refused(&file, SPW_EUNSUPPORTED, "a storage without a type in an archive of big-endian numbers");
}

/* ---- Depth, memory and damage ---------------------------------------------------------------- */

static spw_status open_pickle_of(const char *before, int times, const char *repeated, const char *behind)
{
  enum { ROOM = 1 << 22 };
  unsigned char *const pickle = malloc(ROOM);
  size_t size = 0;
  cr_assert_not_null(pickle);
  const char *const parts[] = {"\x80\x02", before, repeated, behind, "."};
  for (int p = 0; p < COUNT(parts); p++)
    for (int i = 0; i < (p == 2 ? times : 1); i++) {
      memcpy(pickle + size, parts[p], strlen(parts[p]));
      size += strlen(parts[p]);
    }
  /* An archive of the one member, made in place: headers of 30 + 10 bytes before it, 2 * 46 and 22 behind. */
  torch_bytes front = {0};
  const torch_member empty[] = {{"a/data.pkl", "", 0}, {"a/version", "3\n", 2}};
  put_zip(&front, 2, empty);
  unsigned char *const file = malloc(front.size + size);
  cr_assert_not_null(file);
  memcpy(file, front.bytes, 40);
  memcpy(file + 40, pickle, size);
  memcpy(file + 40 + size, front.bytes + 40, front.size - 40);
  const size_t places[] = {18, 22}, behind_it = 40 + size + 30 + 9 + 2;
  for (int i = 0; i < 4; i++) {
    const unsigned char byte = (unsigned char)(size >> 8 * i);
    for (int k = 0; k < 2; k++) file[places[k] + (size_t)i] = file[behind_it + places[k] + 2 + (size_t)i] = byte;
    file[behind_it + 46 + 10 + 42 + (size_t)i] = (unsigned char)((40 + size) >> 8 * i);
    file[front.size + size - 6 + (size_t)i] = (unsigned char)(behind_it >> 8 * i);
  }
  spw_archive *archive = NULL;
  const spw_status status = spw_archive_open_pt(file, front.size + size, 0, &archive, NULL);
  spw_archive_close(archive);
  free(file);
  free(pickle);
  return status;
}

Test(pt, takes_no_stack_for_depth_and_no_time_for_what_is_shared)
{
  cr_assert_eq(open_pickle_of("", 1, "N", ""), SPW_OK);
  cr_assert_eq(open_pickle_of("(", 1000000, "N", "t"), SPW_OK);
  cr_assert_eq(open_pickle_of(")", 1000000, "\x85", ""), SPW_EUNSUPPORTED);
  cr_assert_eq(open_pickle_of("", 500000, "(", ""), SPW_EFORMAT);
}

/* Pairs of pairs of pairs, of which each is one object: written out, 2^100 of them. */
Test(pt, looks_once_at_what_is_shared)
{
  torch_bytes pickle = {0};
  put_csr(&pickle);
  put_bytes(&pickle, "q\0", 2);
  for (unsigned char i = 0; i < 100; i++) {
    const unsigned char pair[] = {'h', i, 0x86, 'q', (unsigned char)(i + 1)};
    put_bytes(&pickle, pair, sizeof pair);
  }
  const torch_bytes file = file_of(&pickle, 0, NULL);
  spw_archive *const archive = open_file(&file);
  cr_assert_eq(spw_archive_count(archive), 1);
  spw_archive_close(archive);
}

Test(pt, takes_no_more_memory_than_it_may)
{
  const torch_bytes file = good_file();
  spw_error error;
  for (size_t limit = 1; limit < 200000; limit += limit / 16 + 1) {
    spw_archive *archive = NULL;
    const spw_status status = spw_archive_open_pt(file.bytes, file.size, limit, &archive, &error);
    cr_assert(status == SPW_ENOMEM || status == SPW_OK, "%d: %s", status, error.message);
    spw_archive_close(archive);
  }
  spw_archive *const archive = open_file(&file);
  for (size_t limit = 1; limit < 400; limit++) {
    spw_owned *owned = NULL;
    const spw_status status = spw_archive_read(archive, 0, limit, &owned, &error);
    cr_assert(status == SPW_ENOMEM || status == SPW_OK, "%d: %s", status, error.message);
    spw_owned_free(owned);
  }
  spw_archive_close(archive);
}

Test(pt, survives_any_damage)
{
  const torch_bytes good = good_file();
  for (size_t at = 0; at < good.size; at++)
    for (int value = 0; value < 256; value += at < 600 ? 1 : 15) {
      torch_bytes file = good;
      spw_archive *archive = NULL;
      file.bytes[at] = (unsigned char)value;
      if (spw_archive_open_pt(file.bytes, file.size, 0, &archive, NULL) != SPW_OK) continue;
      for (size_t i = 0; i < spw_archive_count(archive); i++) {
        spw_owned *owned = NULL;
        if (spw_archive_read(archive, i, 0, &owned, NULL) != SPW_OK) continue;
        spw_violation v;
        cr_assert_eq(spw_first_violation(spw_owned_tensor(owned), SPW_CANONICAL, &v), SPW_OK);
        spw_owned_free(owned);
      }
      spw_archive_close(archive);
    }
  for (size_t size = 0; size < good.size; size++) {
    spw_archive *archive = NULL;
    cr_assert_neq(spw_archive_open_pt(good.bytes, size, 0, &archive, NULL), SPW_OK);
  }
}

Test(pt, refuses_null_pointers)
{
  spw_archive *archive = NULL;
  spw_owned *owned = NULL;
  const torch_bytes file = good_file();
  cr_assert_eq(spw_archive_open_pt(NULL, 1, 0, &archive, NULL), SPW_EINVAL);
  cr_assert_eq(spw_archive_open_pt(file.bytes, file.size, 0, NULL, NULL), SPW_EINVAL);
  cr_assert_eq(spw_archive_open_pt(NULL, 0, 0, &archive, NULL), SPW_EFORMAT);
  cr_assert_eq(spw_archive_read(NULL, 0, 0, &owned, NULL), SPW_EINVAL);
  archive = open_file(&file);
  cr_assert_eq(spw_archive_read(archive, 1, 0, &owned, NULL), SPW_EINVAL);
  cr_assert_eq(spw_archive_read(archive, 0, 0, NULL, NULL), SPW_EINVAL);
  spw_archive_close(archive);
  spw_archive_close(NULL);
  cr_assert_eq(spw_archive_count(NULL), 0);
}
