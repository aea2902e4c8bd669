/* SPDX-License-Identifier: Apache-2.0 */
/* Files by their names: what is written reads back, in every format; and what cannot be read or written is said, and harms
 * nothing. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"

#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(files, .init = enter_directory, .fini = leave_directory);

static const int64_t crow[] = {0, 1, 3}, col[] = {2, 0, 1}, indices[] = {0, 1, 1, 2, 0, 1};
static const double values[] = {1.5, -2, 0.25, 0, 0, 0};

static void expect_same(const spw_tensor *a, const spw_tensor *b)
{
  bool same = false;
  spw_refusal refusal;
  if (a->layout == SPW_DENSE) {
    cr_expect(b->layout == SPW_DENSE && memcmp(a->values.data, b->values.data, 6 * sizeof(double)) == 0);
    return;
  }
  cr_expect(spw_certify(a, b, SPW_ZEROS_KEPT, &same, &refusal) == SPW_OK && same && a->layout == b->layout);
}

static void expect_round_trip(const spw_tensor *tensor, const char *path)
{
  spw_owned *read;
  spw_error error;
  cr_assert(spw_write_file(path, tensor, &error) == SPW_OK, "%s: %s", path, error.message);
  cr_assert(spw_read_file(path, 0, &read, &error) == SPW_OK, "%s: %s", path, error.message);
  expect_same(tensor, spw_owned_tensor(read));
  spw_owned_free(read);
}

Test(files, read_back)
{
  spw_view a, b, c;
  const spw_tensor *const csr = spw_csr(&a, 2, 3, 3, SPW_INT64, crow, col, SPW_FLOAT64, values);
  spw_tensor coo = *spw_coo(&b, 2, 3, 3, SPW_INT64, indices, SPW_FLOAT64, values);
  coo.coalesced = SPW_CLAIM_YES;
  const spw_tensor *const dense = spw_dense(&c, 2, 3, SPW_FLOAT64, values);
  const char *const any[] = {"t.spw.json", "t.json", "t.spw.jsonl", "t.npz"};
  for (int i = 0; i < 4; i++) expect_round_trip(csr, any[i]);
  expect_round_trip(&coo, "t.mtx");
  expect_round_trip(dense, "t.npy");
  expect_round_trip(dense, "dense.json");
  expect_round_trip(csr, "t.json"); /* over the old file */
}

Test(files, are_recognised_by_their_contents)
{
  static const char *const formats[] = {"t.npz", "t.spw.json", "t.mtx"};
  spw_view b;
  spw_owned *read;
  spw_error error;
  spw_tensor coo = *spw_coo(&b, 2, 3, 3, SPW_INT64, indices, SPW_FLOAT64, values);
  coo.coalesced = SPW_CLAIM_YES;
  for (int i = 0; i < 3; i++) {
    cr_assert(spw_write_file(formats[i], &coo, &error) == SPW_OK && rename(formats[i], "other.npy") == 0);
    cr_assert(spw_read_file("other.npy", 0, &read, &error) == SPW_OK, "%s: %s", formats[i], error.message);
    spw_owned_free(read);
  }
}

static void expect_unread(const char *path, size_t limit, spw_status status, const char *says)
{
  spw_owned *read = NULL;
  spw_error error = {"?", "?"};
  cr_expect(spw_read_file(path, limit, &read, &error) == status && !read, "%s", path);
  cr_expect(strstr(error.message, says), "%s: %s", path, error.message);
  cr_expect(spw_read_file(path, limit, &read, NULL) == status);
}

Test(files, that_cannot_be_read_say_why)
{
  write_bytes("empty.json", "", 0);
  write_bytes("words.txt", "some words", 10);
  write_bytes("zeros.npz", "\0\0\0\0", 4);
  write_bytes("bad.spw.json", "{\"spw\": 1, \"layout\": \"tree\"}", 28);
  cr_assert(mkdir("folder", 0700) == 0);
  expect_unread("none.npz", 0, SPW_EIO, "No such file");
  expect_unread("folder", 0, SPW_EIO, "directory");
  expect_unread("words.txt", 0, SPW_EFORMAT, "no known format");
  expect_unread("zeros.npz", 0, SPW_EFORMAT, "no known format");
  expect_unread("bad.spw.json", 0, SPW_EFORMAT, "unknown layout");
  spw_owned *read;
  spw_error error;
  cr_expect(spw_read_file("empty.json", 0, &read, &error) == SPW_EFORMAT && error.message[0]);
  cr_expect(spw_read_file("none.npz", 0, &read, &error) == SPW_EIO);
  cr_expect_str_eq(error.where, "none.npz");
  cr_expect(spw_read_file(NULL, 0, &read, &error) == SPW_EINVAL && error.message[0]);
}

Test(files, are_read_within_a_limit)
{
  spw_view a;
  spw_owned *read;
  const spw_tensor *const csr = spw_csr(&a, 2, 3, 3, SPW_INT64, crow, col, SPW_FLOAT64, values);
  cr_assert(spw_write_file("t.npz", csr, NULL) == SPW_OK);
  cr_expect(spw_read_file("t.npz", 64, &read, NULL) == SPW_ENOMEM);
}

/* What has no size known before, and fills more than one buffer. */
Test(files, may_be_pipes)
{
  enum { BLANKS = 300000 };
  cr_assert(mkfifo("pipe.json", 0600) == 0);
  const pid_t writer = fork();
  cr_assert(writer >= 0);
  if (writer == 0) {
    FILE *const out = fopen("pipe.json", "w");
    for (int i = 0; i < BLANKS; i++) fputc(' ', out);
    fputs("{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[1],\"data\":[7]}}\n", out);
    _exit(fclose(out) != 0);
  }
  spw_owned *read;
  spw_error error;
  cr_assert(spw_read_file("pipe.json", 0, &read, &error) == SPW_OK, "%s", error.message);
  cr_expect(*(const signed char *)spw_owned_tensor(read)->values.data == 7);
  spw_owned_free(read);
  int code;
  cr_expect(waitpid(writer, &code, 0) == writer && code == 0);
}

static void expect_unwritten(const char *path, const spw_tensor *tensor, spw_status status, const char *says)
{
  spw_error error = {"?", "?"};
  cr_expect(spw_write_file(path, tensor, &error) == status, "%s", path);
  cr_expect(strstr(error.message, says), "%s: %s", path, error.message);
  cr_expect(spw_write_file(path, tensor, NULL) == status);
}

Test(files, that_cannot_be_written_stay_as_they_were)
{
  spw_view a;
  char kept[4] = "";
  const spw_tensor *const csr = spw_csr(&a, 2, 3, 3, SPW_INT64, crow, col, SPW_FLOAT64, values);
  write_bytes("old.mtx", "old", 3);
  expect_unwritten("old.mtx", csr, SPW_EUNSUPPORTED, "");
  expect_unwritten("old.mtx.gz", csr, SPW_EUNSUPPORTED, "no format");
  expect_unwritten("words", csr, SPW_EUNSUPPORTED, "no format");
  expect_unwritten("none/t.npz", csr, SPW_EIO, "No such file");
  cr_assert(mkdir("folder.npz", 0700) == 0);
  expect_unwritten("folder.npz", csr, SPW_EIO, "irectory");
  cr_expect(spw_write_file(NULL, csr, NULL) == SPW_EINVAL);
  FILE *const old = fopen("old.mtx", "r");
  cr_assert(old && fread(kept, 1, 3, old) == 3 && fclose(old) == 0);
  cr_expect_str_eq(kept, "old");
  cr_expect(access("words", F_OK) != 0);
}

/* A link leads to the new file, which is as readable as the old one was; nothing else is left. */
Test(files, take_the_place_of_old_ones)
{
  spw_view a;
  struct stat file;
  const spw_tensor *const csr = spw_csr(&a, 2, 3, 3, SPW_INT64, crow, col, SPW_FLOAT64, values);
  cr_assert(mkdir("folder", 0700) == 0);
  write_bytes("folder/old.json", "old", 3);
  cr_assert(chmod("folder/old.json", 0640) == 0 && symlink("folder/old.json", "link.json") == 0);
  expect_round_trip(csr, "link.json");
  cr_expect(lstat("link.json", &file) == 0 && S_ISLNK(file.st_mode));
  cr_expect(stat("folder/old.json", &file) == 0 && (file.st_mode & 0777) == 0640 && file.st_size > 3);
  cr_expect(rmdir("folder") != 0 && unlink("folder/old.json") == 0 && rmdir("folder") == 0, "something is left in the folder");
}
