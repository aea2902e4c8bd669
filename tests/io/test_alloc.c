/* SPDX-License-Identifier: Apache-2.0 */
/* Every allocation fails in turn: readers and writers of npz, npy and mtx give a status, lose nothing
 * and leave their outputs alone; the checker allocates nothing. (JSON: see test_json.c.) */
#include "../support/memory.h"
#include "../operands/specimen.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if SANITIZED
Test(alloc, skipped)
{
  puts("tests of failing allocations are skipped: a sanitizer has its own malloc");
}
#else

/* ---- Readers and writers --------------------------------------------------------------------- */

typedef spw_status reader(const void *bytes, size_t size, size_t limit, spw_owned **out,
                          spw_error *error);
typedef spw_status writer(const spw_tensor *tensor, void **bytes, size_t *size, spw_error *error);

typedef struct file {
  void *bytes;
  size_t size;
} file;

static file write_file(writer *write, const spw_tensor *tensor)
{
  file f = {NULL, 0};
  spw_error error = {"", ""};
  const spw_status status = write(tensor, &f.bytes, &f.size, &error);
  cr_assert(status == SPW_OK, "%s: %s", error.where, error.message);
  return f;
}

/* The allocation that failed is not ours. */
static bool refused_library(void)
{
  return memory_refused_in(".so");
}

static void expect_status(spw_status status, long n)
{
  cr_assert(status == (memory.refused ? SPW_ENOMEM : SPW_OK), "allocation %ld: status %d", n, (int)status);
}

static void expect_no_loss(long n)
{
  cr_assert(memory.blocks == 0, "allocation %ld: %ld blocks lost", n, memory.blocks);
}

static void expect_same_file(const file *found, const file *wanted)
{
  cr_assert(found->size == wanted->size && !memcmp(found->bytes, wanted->bytes, wanted->size));
}

/* One failure after the other; gives the number of allocations that are ours. */
static long fail_reading(reader *read, writer *write, const file *f)
{
  static char sentinel;
  spw_owned *const untouched = (spw_owned *)(void *)&sentinel;
  long own = 0;
  for (long n = 1;; n++) {
    spw_owned *owned = untouched;
    spw_error error;
    memory_watch(n);
    const spw_status status = read(f->bytes, f->size, 0, &owned, n % 2 ? &error : NULL);
    memory_pause();
    if (status == SPW_OK) {
      file copy = write_file(write, spw_owned_tensor(owned));
      expect_same_file(&copy, f);
      free(copy.bytes);
      memory_resume();
      spw_owned_free(owned);
      memory_pause();
    } else {
      cr_assert(owned == untouched, "allocation %ld fails: out was touched", n);
    }
    expect_status(status, n);
    expect_no_loss(n);
    if (!memory.refused) return own;
    own += !refused_library();
  }
}

static long fail_writing(writer *write, const spw_tensor *tensor, const file *whole)
{
  static char sentinel;
  long own = 0;
  for (long n = 1;; n++) {
    file f = {&sentinel, 77};
    memory_watch(n);
    const spw_status status = write(tensor, &f.bytes, &f.size, NULL);
    memory_pause();
    if (status == SPW_OK) {
      expect_same_file(&f, whole);
      memory_resume();
      free(f.bytes);
      memory_pause();
    } else {
      cr_assert(f.bytes == &sentinel && f.size == 77, "allocation %ld fails: out was touched", n);
    }
    expect_status(status, n);
    expect_no_loss(n);
    if (!memory.refused) return own;
    own += !refused_library();
  }
}

static void make_sample(specimen *s, spw_layout layout, spw_dtype type)
{
  static const float values[256] = {1, 2, 3, 4};
  dice d = {11};
  const plan p = {.layout = layout, .index_dtype = type, .has_size = true, .C = 5, .P = 4,
                  .nse = 9, .block = {2, 3}, .sparse_dim = 2, .sparse_size = {5, 4},
                  .coalesced = SPW_CLAIM_YES};
  specimen_make(s, &p, &d);
  s->tensor.values.data = values;
}

/* Calls `body` for each npz file that the readers and writers are tried on. */
static void for_each_npz(void (*body)(const specimen *s, const file *f))
{
  static specimen s;
  for (int layout = SPW_COO; layout <= SPW_BSR; layout++)
    for (int type = SPW_INT32; type <= SPW_INT64; type++) {
      make_sample(&s, (spw_layout)layout, (spw_dtype)type);
      const file f = write_file(spw_write_npz, &s.tensor);
      body(&s, &f);
      free(f.bytes);
    }
}

static void read_npz(const specimen *s, const file *f)
{
  (void)s;
  const long own = fail_reading(spw_read_npz, spw_write_npz, f);
  cr_assert(own >= 10, "%ld allocations", own);
}

static void write_npz(const specimen *s, const file *f)
{
  const long own = fail_writing(spw_write_npz, &s->tensor, f);
  cr_assert(own >= 5, "%ld allocations", own);
}

Test(alloc, npz_read)
{
  for_each_npz(read_npz);
}

Test(alloc, npz_write)
{
  for_each_npz(write_npz);
}

Test(alloc, npy)
{
  static const double values[] = {1, 2, 3, 4, 5, 6};
  static const int64_t shape[] = {2, 3}, strides[] = {1, 2};
  const spw_tensor dense = {.layout = SPW_DENSE, .values = {{SPW_FLOAT64, 2, shape, strides, 0, 6}, values}};
  const file f = write_file(spw_write_npy, &dense);
  const long reads = fail_reading(spw_read_npy, spw_write_npy, &f);
  const long writes = fail_writing(spw_write_npy, &dense, &f);
  cr_assert(reads >= 5 && writes == 1, "%ld and %ld allocations", reads, writes);
  free(f.bytes);
}

Test(alloc, mtx)
{
  static specimen s;
  make_sample(&s, SPW_COO, SPW_INT64);
  const file f = write_file(spw_write_mtx, &s.tensor);
  const long reads = fail_reading(spw_read_mtx, spw_write_mtx, &f);
  const long writes = fail_writing(spw_write_mtx, &s.tensor, &f);
  cr_assert(reads >= 5 && writes >= 1, "%ld and %ld allocations", reads, writes);
  free(f.bytes);
}

/* ---- The checker ----------------------------------------------------------------------------- */

Test(alloc, checker_allocates_nothing)
{
  static specimen s;
  long calls = 0;
  for (long run = 0; run < 2000; run++) {
    dice d = {(uint64_t)run};
    spw_report report;
    spw_violation first;
    bool valid;
    int64_t size[16], ndim;
    const plan p = plan_random(&d);
    specimen_make(&s, &p, &d);
    const int64_t place = roll_below(&d, 8);
    if (run % 2) s.i32[1][place] = -9;
    if (run % 2) s.i64[1][place] = -9;
    memory_watch(0);
    spw_check(&s.tensor, SPW_CANONICAL, &report);
    spw_is_valid(&s.tensor, SPW_CANONICAL, &valid);
    spw_first_violation(&s.tensor, SPW_CANONICAL, &first);
    spw_infer_size(&s.tensor, size, 16, &ndim);
    memory_pause();
    calls += memory.calls;
  }
  cr_assert(calls == 0, "%ld allocations", calls);
}
#endif
