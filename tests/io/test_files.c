/* SPDX-License-Identifier: Apache-2.0 */
/* Files by their names: what is written reads back, in every format; and what cannot be read or written is said, and harms
 * nothing. */
#define _XOPEN_SOURCE 700

#include "../support/command.h"
#include "../support/memory.h"

#include "../../src/sparsewright.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#define LONG_NAME "a_name_that_is_too_long_to_stand_before_the_place.json"

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
  const char *const any[] = {"t.spw.json", "t.json", "t.spw.jsonl", "t.npz", "t.safetensors"};
  for (int i = 0; i < 5; i++) expect_round_trip(csr, any[i]);
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
  write_bytes("nothing", "", 0);
  write_bytes("words.mtx.gz", "words", 5);
  expect_unread("nothing", 0, SPW_EFORMAT, "the file is empty");
  expect_unread("words.mtx.gz", 0, SPW_EFORMAT, "MatrixMarket");
  expect_unread("words.txt", 0, SPW_EFORMAT, "no known format");
  write_bytes("some.pkl", "\x80\4N.", 4);
  expect_unread("some.pkl", 0, SPW_EUNSUPPORTED, "it is a pickle of Python, and not of torch.save");
  expect_unread("zeros.npz", 0, SPW_EFORMAT, "no known format");
  expect_unread("bad.spw.json", 0, SPW_EFORMAT, "unknown layout");
  spw_owned *read;
  spw_error error;
  cr_expect(spw_read_file("empty.json", 0, &read, &error) == SPW_EFORMAT && error.message[0]);
  cr_expect(spw_read_file("none.npz", 0, &read, &error) == SPW_EIO);
  cr_expect_str_eq(error.where, "none.npz");
  cr_expect(spw_read_file("./bad.spw.json", 0, &read, &error) == SPW_EFORMAT);
  cr_expect_str_eq(error.where, "bad.spw.json: $.layout");
  write_bytes(LONG_NAME, "{", 1);
  cr_expect(spw_read_file(LONG_NAME, 0, &read, &error) == SPW_EFORMAT && !strstr(error.where, "long"), "%s", error.where);
  cr_expect(spw_read_file(NULL, 0, &read, &error) == SPW_EINVAL && error.message[0]);
  cr_expect(spw_read_file("none.npz", 0, NULL, &error) == SPW_EINVAL);
}

Test(files, are_read_within_a_limit)
{
  spw_view a;
  spw_owned *read;
  const spw_tensor *const csr = spw_csr(&a, 2, 3, 3, SPW_INT64, crow, col, SPW_FLOAT64, values);
  cr_assert(spw_write_file("t.npz", csr, NULL) == SPW_OK);
  cr_expect(spw_read_file("t.npz", 64, &read, NULL) == SPW_ENOMEM);
}

static void expect_sevens(const char *path, const char *before, size_t blanks)
{
  static const char text[] = "{\"spw\":1,\"layout\":\"dense\",\"values\":{\"dtype\":\"int8\",\"shape\":[1],\"data\":[7]}}";
  FILE *const file = fopen(path, "w");
  spw_owned *read;
  spw_error error;
  cr_assert(file && fprintf(file, "%s%*s%s", before, (int)blanks, "", text) > 0 && fclose(file) == 0);
  cr_assert(spw_read_file(path, 0, &read, &error) == SPW_OK, "%s: %s", path, error.message);
  cr_expect(*(const signed char *)spw_owned_tensor(read)->values.data == 7);
  spw_owned_free(read);
}

Test(files, of_json_may_begin_with_blanks)
{
  expect_sevens("a", "", 1);
  expect_sevens("b", "\n\t", 0);
  expect_sevens("c", "\r\n", 100000);
}

Test(files, may_be_compressed_by_gzip)
{
  static const char text[] = "%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2 0.5\n";
  spw_owned *read;
  gzFile const file = gzopen("any", "wb");
  cr_assert(file && gzputs(file, text) > 0 && gzclose(file) == Z_OK);
  cr_assert(spw_read_file("any", 0, &read, NULL) == SPW_OK && spw_owned_tensor(read)->plain.array.shape[1] == 1);
  spw_owned_free(read);
}

/* Each allocation fails once; nothing is lost, and the old file stays where the new one is not written. */
Test(files, are_read_and_written_or_not_where_memory_ends)
{
  spw_view a;
  spw_owned *read = NULL;
  spw_error error;
  const spw_tensor *const dense = spw_dense(&a, 2, 3, SPW_FLOAT64, values);
  cr_assert(spw_write_file("t.npy", dense, NULL) == SPW_OK);
  for (long n = 1; n == 1 || memory.refused; n++) {
    memory_watch(n);
    const spw_status status = spw_read_file("t.npy", 0, &read, &error);
    memory_pause();
    cr_assert(status == SPW_OK || (status == SPW_ENOMEM && error.message[0]), "allocation %ld: %d", n, (int)status);
    memory_resume();
    if (status == SPW_OK) spw_owned_free(read);
    memory_pause();
    cr_assert(memory.blocks == 0, "allocation %ld: %ld blocks are lost", n, memory.blocks);
  }
  for (long n = 1; n == 1 || memory.refused; n++) {
    memory_watch(n);
    const spw_status status = spw_write_file("t.npy", dense, &error);
    memory_pause();
    cr_assert(status == SPW_OK || ((status == SPW_ENOMEM || status == SPW_EIO) && error.message[0]), "%ld: %d", n, (int)status);
    cr_assert(memory.blocks == 0, "allocation %ld: %ld blocks are lost", n, memory.blocks);
  }
  expect_no_leaks();
}

/* A hole takes no room on the disk. */
Test(files, of_more_than_16_gib_are_not_read)
{
  write_bytes("hole.npz", "", 0);
  cr_assert(truncate("hole.npz", ((off_t)16 << 30) + 1) == 0);
  expect_unread("hole.npz", 0, SPW_EIO, "more than the limit");
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

/* A disk that is full, a device that is, and the largest file that is allowed. */
Test(files, that_do_not_fit_are_not_written)
{
  spw_view a;
  struct stat file;
  struct rlimit any;
  const spw_tensor *const csr = spw_csr(&a, 2, 3, 3, SPW_INT64, crow, col, SPW_FLOAT64, values);
  cr_assert(symlink("/dev/full", "full.npz") == 0 && symlink("/dev/null", "null.npz") == 0);
  expect_unwritten("full.npz", csr, SPW_EIO, "space");
  cr_expect(spw_write_file("null.npz", csr, NULL) == SPW_OK);
  cr_expect(lstat("null.npz", &file) == 0 && S_ISLNK(file.st_mode));
  cr_assert(mkdir("folder", 0700) == 0);
  write_bytes("folder/old.json", "old", 3);
  signal(SIGXFSZ, SIG_IGN);
  cr_assert(getrlimit(RLIMIT_FSIZE, &any) == 0 && setrlimit(RLIMIT_FSIZE, &(struct rlimit){8, any.rlim_max}) == 0);
  expect_unwritten("folder/old.json", csr, SPW_EIO, "");
  cr_assert(setrlimit(RLIMIT_FSIZE, &any) == 0);
  cr_expect(stat("folder/old.json", &file) == 0 && file.st_size == 3);
  cr_expect(unlink("folder/old.json") == 0 && rmdir("folder") == 0, "something is left in the folder");
}

/* What another process of the same number has left behind is not touched. */
Test(files, find_a_name_that_is_free)
{
  spw_view a;
  char name[64];
  const spw_tensor *const csr = spw_csr(&a, 2, 3, 3, SPW_INT64, crow, col, SPW_FLOAT64, values);
  for (int i = 0; i < 100; i++) {
    if (i == 1) expect_round_trip(csr, "t.json");
    snprintf(name, sizeof name, ".spw-%ld-%d.tmp", (long)getpid(), i);
    write_bytes(name, "", 0);
  }
  expect_unwritten("t.json", csr, SPW_EIO, "exists");
  expect_unwritten("new.json", csr, SPW_EIO, "exists");
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
