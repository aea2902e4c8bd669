/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors that own their arrays, and the errors of those who make them. */
#define _GNU_SOURCE 1
#include "owned.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

/* Fills larger than a page are mapped, not written. A page is larger where there would be too many mappings: a process has
 * no more than some 65000, and each takes as long as writing a few kilobytes. */
enum { FILL_PAGE = 1 << 21, MOST_MAPPINGS = 1 << 12 };

typedef struct block {
  struct block *next;
  void *memory;
  size_t mapped; /* bytes to unmap; 0 for memory from calloc */
} block;

struct spw_owned {
  spw_tensor tensor;
  size_t left;
  block *blocks;
};

spw_owned *spw_owned_new(size_t limit)
{
  spw_owned *owned = calloc(1, sizeof *owned);
  if (!owned) return NULL;
  owned->left = limit;
  owned->tensor.coalesced = SPW_CLAIM_NONE;
  return owned;
}

const spw_tensor *spw_owned_tensor(const spw_owned *owned)
{
  return owned ? &owned->tensor : NULL;
}

spw_tensor *spw_owned_edit(spw_owned *owned)
{
  return &owned->tensor;
}

size_t spw_owned_left(const spw_owned *owned)
{
  return owned->left;
}

void spw_owned_give(spw_owned *owned, size_t bytes)
{
  owned->left += bytes;
}

void spw_owned_free(spw_owned *owned)
{
  if (!owned) return;
  for (block *b = owned->blocks, *next; b; b = next) {
    next = b->next;
    if (b->mapped)
      munmap(b->memory, b->mapped);
    else
      free(b->memory);
    free(b);
  }
  free(owned);
}

static block *push_block(spw_owned *owned)
{
  block *b = calloc(1, sizeof *b);
  if (!b) return NULL;
  b->next = owned->blocks;
  owned->blocks = b;
  return b;
}

/* Memory of this size and more is asked for in huge pages: reading it takes less time then. */
enum { WORTH_HUGE_PAGES = 1 << 22, HUGE_PAGE = 1 << 21 };

/* Zeroed bytes that begin where a huge page does. The system may have none to give. */
static bool map_zeros(block *b, size_t bytes)
{
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  if (bytes > SIZE_MAX / 2) return false;
  const size_t whole = (bytes + page - 1) / page * page, asked = whole + HUGE_PAGE;
  char *const base = mmap(NULL, asked, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED) return false;
  const size_t before = (HUGE_PAGE - (uintptr_t)base % HUGE_PAGE) % HUGE_PAGE, behind = asked - before - whole;
  if (before > 0) munmap(base, before);
  if (behind > 0) munmap(base + before + whole, behind);
  madvise(base + before, whole, MADV_HUGEPAGE);
  b->memory = base + before;
  b->mapped = whole;
  return true;
}

void *spw_owned_alloc(spw_owned *owned, size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > owned->left) return NULL;
  block *b = push_block(owned);
  if (!b) return NULL;
  if (bytes < WORTH_HUGE_PAGES || !map_zeros(b, bytes)) b->memory = calloc(bytes ? bytes : 1, 1);
  if (b->memory) owned->left -= bytes;
  return b->memory;
}

static void write_pattern(char *to, size_t bytes, size_t size, const void *element)
{
  for (size_t i = 0; i < bytes; i += size) memcpy(to + i, element, size);
}

static bool is_zero(const void *element, size_t size)
{
  static const char zero[16];
  return memcmp(element, zero, size) == 0;
}

static size_t page_for(size_t bytes)
{
  size_t page = FILL_PAGE;
  while (bytes / page > MOST_MAPPINGS) page *= 2;
  return page;
}

/* A process may be ended where it makes a file larger than it may, one in memory too. */
static bool may_make_file(size_t bytes)
{
  struct rlimit limit;
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

/* Maps one page of the pattern over and over, so that `bytes`, whole pages, cost the memory of one. */
static bool map_pattern(char *base, size_t bytes, size_t page, size_t size, const void *element)
{
  int fd = may_make_file(page) ? memfd_create("spw-fill", MFD_CLOEXEC) : -1;
  if (fd < 0) return false;
  bool ok = ftruncate(fd, (off_t)page) == 0;
  char *pattern = ok ? mmap(NULL, page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0) : MAP_FAILED;
  ok = pattern != MAP_FAILED;
  if (ok) {
    write_pattern(pattern, page, size, element);
    munmap(pattern, page);
  }
  for (size_t at = 0; ok && at < bytes; at += page)
    ok = mmap(base + at, page, PROT_READ, MAP_SHARED | MAP_FIXED, fd, 0) != MAP_FAILED;
  close(fd);
  return ok;
}

/* What is zero needs no page. */
static bool fill_mapping(spw_owned *owned, char *base, size_t bytes, size_t page, size_t size, const void *element)
{
  if (is_zero(element, size)) return true;
  if (page > owned->left || !map_pattern(base, bytes, page, size, element)) return false;
  owned->left -= page;
  return true;
}

static const void *write_fill(spw_owned *owned, size_t count, size_t size, const void *element)
{
  char *memory = spw_owned_alloc(owned, count, size);
  if (memory) write_pattern(memory, count * size, size, element);
  return memory;
}

/* Where nothing can be mapped, it is written, if there is memory left for that. */
const void *spw_owned_fill(spw_owned *owned, size_t count, size_t size, const void *element)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2) return NULL;
  if (bytes <= FILL_PAGE) return write_fill(owned, count, size, element);
  const size_t page = page_for(bytes), whole = (bytes + page - 1) / page * page;
  block *b = push_block(owned);
  if (!b) return NULL;
  char *base = mmap(NULL, whole, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (base == MAP_FAILED) return NULL;
  b->memory = base;
  b->mapped = whole;
  return fill_mapping(owned, base, whole, page, size, element) ? base : write_fill(owned, count, size, element);
}

spw_status spw_fail(spw_status status, spw_error *error, const char *where, const char *format, ...)
{
  if (!error) return status;
  snprintf(error->where, sizeof error->where, "%s", where);
  va_list args;
  va_start(args, format);
  vsnprintf(error->message, sizeof error->message, format, args);
  va_end(args);
  return status;
}

size_t spw_memory_limit(size_t size)
{
  const size_t base = (size_t)64 << 20;
  return size > (SIZE_MAX - base) / 64 ? SIZE_MAX : base + 64 * size;
}

bool spw_owned_buffers(spw_owned *owned, spw_buffers *b)
{
  const spw_room *r = &b->room;
  const size_t compressed = (size_t)r->compressed, plain = (size_t)r->plain;
  b->dims = spw_owned_alloc(owned, (size_t)r->dims, sizeof *b->dims);
  if (r->index_dtype == SPW_INT64) {
    b->compressed_i64 = spw_owned_alloc(owned, compressed, sizeof(int64_t));
    b->plain_i64 = spw_owned_alloc(owned, plain, sizeof(int64_t));
  } else {
    b->compressed_i32 = spw_owned_alloc(owned, compressed, sizeof(int32_t));
    b->plain_i32 = spw_owned_alloc(owned, plain, sizeof(int32_t));
  }
  b->values = spw_owned_alloc(owned, (size_t)r->values, (size_t)spw_dtype_size(r->dtype));
  return b->dims && (b->compressed_i32 || b->compressed_i64) && (b->plain_i32 || b->plain_i64) && b->values;
}

spw_status spw_owned_make(spw_owned_filler *fill, const void *context, size_t limit, spw_buffers *b, spw_owned **out,
                          spw_refusal *refusal)
{
  if (b->room.work > limit) return SPW_ENOMEM;
  spw_owned *const owned = spw_owned_new(limit - b->room.work);
  b->work = malloc(b->room.work ? b->room.work : 1);
  spw_status status = owned && b->work && spw_owned_buffers(owned, b) ? SPW_OK : SPW_ENOMEM;
  if (status == SPW_OK) status = fill(context, b, &owned->tensor, refusal);
  free(b->work);
  if (status == SPW_OK) {
    spw_owned_give(owned, b->room.work);
    *out = owned;
  } else {
    spw_owned_free(owned);
  }
  return status;
}
