/* SPDX-License-Identifier: Apache-2.0 */
/* What must hold of a reader, whatever bytes it is given. */
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORK = 100000, LARGE = 1 << 20, LONG = 1 << 24, SLACK = 1 << 16 };

const fuzz_format fuzz_formats[FUZZ_FORMATS] = {{"json", false, spw_read_json, spw_write_json},
                                                {"mtx", false, spw_read_mtx, spw_write_mtx},
                                                {"npz", true, spw_read_npz, spw_write_npz},
                                                {"npy", false, spw_read_npy, spw_write_npy}};

/* MemorySanitizer does not see what jansson and zlib write. */
#if defined __has_feature
#if __has_feature(memory_sanitizer)
#define UNINSTRUMENTED true
#endif
#endif
#ifndef UNINSTRUMENTED
#define UNINSTRUMENTED false
#endif

/* ---- Memory: the sanitizers call back, other builds do not ----------------------------------- */

int __sanitizer_install_malloc_and_free_hooks(void (*)(const volatile void *, size_t),
                                              void (*)(const volatile void *))
    __attribute__((weak));
size_t __sanitizer_get_allocated_size(const volatile void *) __attribute__((weak));

static _Thread_local size_t held, peak;

static void on_malloc(const volatile void *block, size_t size)
{
  (void)block;
  held += size;
  if (held > peak && held < (size_t)1 << 60) peak = held;
}

static void on_free(const volatile void *block)
{
  if (block) held -= __sanitizer_get_allocated_size(block);
}

void fuzz_memory_watch(void)
{
  static bool installed;
  if (!installed && __sanitizer_install_malloc_and_free_hooks)
    __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
  installed = true;
  held = peak = 0;
}

size_t fuzz_memory_peak(void)
{
  return peak;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static void expect_refusal(const fuzz_format *f, spw_status status, const spw_error *error)
{
  if (status > 0 || status < SPW_EIO) fuzz_fail("a status that is none", "%d", (int)status);
  if (status == SPW_EINVAL) fuzz_fail("a reader calls its call wrong", "%s", f->name);
  if (!memchr(error->where, 0, sizeof error->where) ||
      !memchr(error->message, 0, sizeof error->message) || !error->message[0])
    fuzz_fail("no message with a refusal", "%s, status %d", f->name, (int)status);
}

/* Reads from a block of exactly the size, which is gone before the tensor is looked at. */
static spw_status read_exactly(const fuzz_format *f, const uint8_t *data, size_t size,
                               spw_owned **result)
{
  static char sentinel;
  spw_owned *const untouched = (spw_owned *)(void *)&sentinel, *owned = untouched;
  spw_error error = {"", ""};
  const size_t limit = LARGE + 64 * size;
  uint8_t *exact = malloc(size);
  if (!exact && size > 0) return SPW_EIO;
  if (size > 0) memcpy(exact, data, size);
  fuzz_memory_watch();
  const bool is_plain_mtx = f->read == spw_read_mtx && size > 0 && data[0] != 0x1f;
  const spw_status status = f->read(exact, size, limit, &owned, &error);
  if (fuzz_memory_peak() > limit + SLACK)
    fuzz_fail("more memory than the limit", "%s: %zu of %zu", f->name, fuzz_memory_peak(), limit);
  free(exact);
  if (status == SPW_OK && owned == untouched) fuzz_fail("success without a tensor", "%s", f->name);
  *result = owned;
  if (status == SPW_OK) return SPW_OK;
  if (owned != untouched) fuzz_fail("a refusal touches the output", "%s", f->name);
  if (is_plain_mtx && status == SPW_ENOMEM) /* no entry needs so much more than its own text */
    fuzz_fail("memory for entries that the file cannot have", "%s", error.message);
  expect_refusal(f, status, &error);
  return status;
}

/* Written, read again and written once more: the same tensor, the same file. */
static void expect_identity(const fuzz_format *f, const spw_tensor *x)
{
  void *once, *twice;
  size_t once_size, twice_size;
  spw_error error = {"", ""};
  const spw_status status = f->write(x, &once, &once_size, &error);
  if (status == SPW_EUNSUPPORTED && f->write != spw_write_json) return;
  if (status) fuzz_fail("what was read cannot be written", "%s: %s", f->name, error.message);
  spw_owned *again = NULL;
  if (f->read(once, once_size, 0, &again, &error))
    fuzz_fail("what was written cannot be read", "%s: %s %s", f->name, error.where, error.message);
  /* a npz or npy file may have its values in Fortran order, which the writer does not use */
  const bool is_numpy = f->write == spw_write_npz || f->write == spw_write_npy;
  if (!fuzz_same_tensor(x, spw_owned_tensor(again), true) &&
      !(is_numpy && fuzz_same_elements(x, spw_owned_tensor(again))))
    fuzz_fail("print and parse are not the identity", "%s:\n%.*s", f->name, (int)once_size,
              is_numpy ? "" : (const char *)once);
  if (f->write(spw_owned_tensor(again), &twice, &twice_size, &error))
    fuzz_fail("what was read twice cannot be written", "%s: %s", f->name, error.message);
  if (once_size != twice_size || memcmp(once, twice, once_size) != 0)
    fuzz_fail("the second file differs from the first", "%s", f->name);
  free(once);
  free(twice);
  spw_owned_free(again);
}

spw_status fuzz_try_reader(const fuzz_format *format, const uint8_t *data, size_t size)
{
  const bool is_ours = format->read == spw_read_npy || (format->read == spw_read_mtx && !(size > 0 && data[0] == 0x1f));
  if (UNINSTRUMENTED && !is_ours) return SPW_EUNSUPPORTED;
  spw_owned *owned;
  const spw_status status = read_exactly(format, data, size, &owned);
  if (status) return status;
  const spw_tensor *x = spw_owned_tensor(owned);
  if (fuzz_work(x) <= WORK && fuzz_length(x) <= LONG) (void)fuzz_check_agrees(x);
  if (fuzz_volume(x) <= LARGE && fuzz_length(x) <= LARGE) expect_identity(format, x);
  spw_owned_free(owned);
  return SPW_OK;
}
