/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as what libhdf5 would find in a file: a stand-in serves them to our reader, and the third and the fourth byte of them
 * say which of its calls fails. The list and the tensors are those of a second model; nothing stays open. */
#include "../../tests/expected/hdf5_expected.h"
#include "../../tests/support/hdf5_stand_in.h"
#include "../harness/archives.h"
#include "../harness/mutator.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 1 << 14, CALLS_AT = 8 };

static _Noreturn void wrong(const char *why)
{
  fuzz_fail("libhdf5 is called wrongly", "%s", why);
}

static spw_status read_first(const void *bytes, size_t size, size_t limit, spw_owned **out, spw_error *error)
{
  hdf5_stand_in(wrong);
  return fuzz_read_first(SPW_FORMAT_HDF5, bytes, size, limit, out, error);
}

static spw_status write_file(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error)
{
  hdf5_stand_in(wrong);
  return spw_write_binsparse(tensor, bytes, size, error);
}

static const fuzz_format format = {"hdf5", false, read_first, write_file};

const fuzz_format *fuzz_input_format(void)
{
  return &format;
}

/* ---- What must hold ---------------------------------------------------------------------------- */

static void expect_closed(void)
{
  if (hdf5_stand_in_open() != 0) fuzz_fail("something stays open in libhdf5", "%d", hdf5_stand_in_open());
}

static void expect_group(const spw_archive *archive, size_t i, const hdf5_tree *tree, int group, uint64_t limit)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  const spw_status status = spw_archive_read(archive, i, 0, &owned, &error);
  const char *const why = hdf5_judge(tree, group, status, status ? NULL : spw_owned_tensor(owned), limit);
  if (why) fuzz_fail("not what the file holds", "%s: %s (%s)", spw_archive_path(archive, i), why, error.message);
  spw_owned_free(owned);
}

static void expect_list(const spw_archive *archive, const hdf5_tree *tree, const hdf5_listing *l)
{
  const size_t count = spw_archive_count(archive), dense = spw_archive_dense_count(archive);
  if (count != (size_t)l->count || dense != l->dense)
    fuzz_fail("another number of tensors", "%zu and %zu, %d and %zu", count, dense, l->count, l->dense);
  for (int i = 0; i < l->count; i++) {
    if (strcmp(spw_archive_path(archive, (size_t)i), l->path[i]) != 0)
      fuzz_fail("another path", "%s, %s", spw_archive_path(archive, (size_t)i), l->path[i]);
    expect_group(archive, (size_t)i, tree, l->object[i], spw_memory_limit(tree->size));
  }
}

static void expect_file(const uint8_t *data, size_t size)
{
  static hdf5_tree tree;
  static hdf5_listing listing;
  spw_archive *archive = NULL;
  spw_error error = {"", ""};
  hdf5_tree_parse(&tree, data, size);
  const bool listed = hdf5_list(&tree, &listing);
  const spw_status status = spw_archive_open(SPW_FORMAT_HDF5, data, size, 0, &archive, &error);
  if ((status == SPW_OK) != listed) fuzz_fail("a file is wrongly refused or read", "%s %s", error.where, error.message);
  if (status == SPW_OK) expect_list(archive, &tree, &listing);
  spw_archive_close(archive);
  hdf5_listing_free(&listing);
  expect_closed();
}

/* One call fails: there is a status, and nothing stays open. */
static void expect_failure(const uint8_t *data, size_t size, unsigned call)
{
  spw_owned *owned = NULL;
  spw_error error = {"", ""};
  hdf5_stand_in_fail(call);
  const spw_status status = read_first(data, size, 1 << 26, &owned, &error);
  if (status != SPW_OK && !error.message[0]) fuzz_fail("no message with a refusal", "%d", (int)status);
  void *bytes = NULL;
  size_t length = 0;
  if (status == SPW_OK && fuzz_volume(spw_owned_tensor(owned)) <= MOST) {
    hdf5_stand_in_fail(call);
    if (write_file(spw_owned_tensor(owned), &bytes, &length, &error) != SPW_OK && bytes) fuzz_fail("a refusal touches the output",
                                                                                                   "%s", error.message);
  }
  free(bytes);
  spw_owned_free(owned);
  hdf5_stand_in_fail(0);
  expect_closed();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const uint8_t head[] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};
  static uint8_t file[sizeof head + MOST];
  if (size > MOST || size < 2) return 0;
  if (!spw_is_hdf5(data, size)) {
    memcpy(file, head, sizeof head);
    memcpy(file + sizeof head, data, size);
    data = file;
    size += sizeof head;
  }
  if (size < TREE_HEAD) return 0;
  hdf5_stand_in(wrong);
  expect_file(data, size);
  (void)fuzz_try_reader(&format, data, size);
  const unsigned call = data[CALLS_AT] | (unsigned)data[CALLS_AT + 1] << 8;
  if (call > 0) expect_failure(data, size, call);
  return 0;
}
