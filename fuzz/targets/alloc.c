/* SPDX-License-Identifier: Apache-2.0 */
/* The n-th allocation fails: readers and writers say so, lose nothing and leave outputs alone.
 * Linked with --wrap, so that allocations of this program (and no library's) can be refused; what
 * is lost is found by LeakSanitizer. Operation: the format. Parameter 0: n. */
#include "../harness/target.h"

#include <stdlib.h>

enum { LARGEST = 20000, MOST = 64 };

void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

static long left; /* allocations until one fails; 0: none does */
static bool refused;

static bool refuses(void)
{
  if (left == 0 || --left > 0) return false;
  refused = true;
  return true;
}

void *__wrap_malloc(size_t size)
{
  return refuses() ? NULL : __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size)
{
  return refuses() ? NULL : __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size)
{
  return refuses() ? NULL : __real_realloc(block, size);
}

static void refuse(long number)
{
  left = number;
  refused = false;
}

static bool stop_refusing(void)
{
  left = 0;
  return refused;
}

/* ENOMEM for what was refused; a tensor that no file can say may be found to be that later. */
static void expect_status(const fuzz_format *f, const char *what, spw_status status,
                          bool was_refused)
{
  if (was_refused && status != SPW_ENOMEM && status != SPW_EUNSUPPORTED)
    fuzz_fail("a failed allocation gives another status", "%s %s: %d", what, f->name, (int)status);
  if (!was_refused && status == SPW_ENOMEM)
    fuzz_fail("no memory, though there is", "%s %s", what, f->name);
}

/* True when the writer has written: the bytes are then the caller's. */
static bool write_refused(const fuzz_format *f, const spw_tensor *x, long number, void **bytes,
                          size_t *size)
{
  static char sentinel;
  spw_error error = {"", ""};
  *bytes = &sentinel;
  *size = 77;
  refuse(number);
  const spw_status status = f->write(x, bytes, size, &error);
  expect_status(f, "writing", status, stop_refusing());
  if (status == SPW_OK) return true;
  if (*bytes != &sentinel || *size != 77) fuzz_fail("a refusal touches the output", "%s", f->name);
  return false;
}

static void read_refused(const fuzz_format *f, const void *bytes, size_t size, long number)
{
  static char sentinel;
  spw_owned *const untouched = (spw_owned *)(void *)&sentinel, *owned = untouched;
  refuse(number);
  const spw_status status = f->read(bytes, size, 0, &owned, NULL);
  expect_status(f, "reading", status, stop_refusing());
  if (status == SPW_OK) spw_owned_free(owned);
  else if (owned != untouched) fuzz_fail("a refusal touches the output", "%s", f->name);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  void *bytes;
  size_t length;
  const fuzz_model *model = fuzz_model_from(data, size);
  if (!model) return 0;
  const fuzz_tensor *t = fuzz_tensor_from(model, 0, 1e300);
  if (!t || !t->has_values || fuzz_volume(&t->tensor) > LARGEST) return 0;
  const spw_tensor x = fuzz_for_file(model, 0, t);
  const fuzz_format *f = &fuzz_formats[fuzz_operation(model, FUZZ_FORMATS)];
  const long number = 1 + (long)fuzz_parameter(model, 0, MOST);
  if (write_refused(f, &x, number, &bytes, &length)) free(bytes);
  if (!write_refused(f, &x, 0, &bytes, &length)) return 0;
  read_refused(f, bytes, length, number);
  free(bytes);
  return 0;
}
