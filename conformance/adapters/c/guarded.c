/* SPDX-License-Identifier: Apache-2.0 */
/* Memory with an unreadable page at its end or at its beginning. Slots are used again by the next
 * question: three system calls for each array would cost more than the library under test. */
#define _GNU_SOURCE
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(address, size)   ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum { SLOTS = 64, SLOT_SIZE = 1 << 16, LARGE = 64, SLACK = 0x5a };

typedef struct mapping {
  char *base; /* the unreadable page in front is at base - page */
  size_t size;
} mapping;

static mapping slots[SLOTS], large[LARGE];
static int slots_used, large_used;
static bool guard_before;

void kit_guard_before(bool before)
{
  guard_before = before;
}

static size_t page_size(void)
{
  static size_t page;
  if (!page) page = (size_t)sysconf(_SC_PAGESIZE);
  return page;
}

static mapping map_between_pages(size_t size)
{
  const size_t page = page_size(), inner = (size + page - 1) / page * page;
  char *base = mmap(NULL, inner + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (base == MAP_FAILED || (inner && mprotect(base + page, inner, PROT_READ | PROT_WRITE))) {
    perror("guarded memory");
    exit(2);
  }
  return (mapping){base + page, inner};
}

/* What lies between the array and the far page is no array: under ASan nobody may touch it, and
 * elsewhere it holds numbers that are large as any index. */
static void *place(mapping m, size_t size)
{
  char *start = guard_before && size ? m.base : m.base + m.size - size;
  const size_t front = (size_t)(start - m.base), back = m.size - front - size;
  const size_t page = page_size();
  ASAN_UNPOISON_MEMORY_REGION(m.base, m.size);
  memset(start - (front < page ? front : page), SLACK, front < page ? front : page);
  memset(start + size, SLACK, back < page ? back : page);
  memset(start, 0, size);
  ASAN_POISON_MEMORY_REGION(m.base, front);
  ASAN_POISON_MEMORY_REGION(start + size, back);
  return start;
}

void *kit_guarded(size_t size)
{
  if (size <= SLOT_SIZE && slots_used < SLOTS) {
    if (!slots[slots_used].base) slots[slots_used] = map_between_pages(SLOT_SIZE);
    return place(slots[slots_used++], size);
  }
  if (large_used == LARGE) {
    fprintf(stderr, "more than %d large arrays in one question\n", LARGE);
    exit(2);
  }
  large[large_used] = map_between_pages(size);
  return place(large[large_used++], size);
}

void *kit_guarded_copy(const void *bytes, size_t size)
{
  void *copy = kit_guarded(size);
  if (size) memcpy(copy, bytes, size);
  return copy;
}

static bool lies_in(const mapping *mappings, int count, const char *pointer)
{
  for (int i = 0; i < count; i++)
    if (mappings[i].base && pointer >= mappings[i].base &&
        pointer <= mappings[i].base + mappings[i].size)
      return true;
  return false;
}

bool kit_is_guarded(const void *pointer)
{
  return lies_in(slots, SLOTS, pointer) || lies_in(large, large_used, pointer);
}

void kit_guarded_free_all(void)
{
  const size_t page = page_size();
  for (int i = 0; i < large_used; i++) {
    ASAN_UNPOISON_MEMORY_REGION(large[i].base, large[i].size);
    munmap(large[i].base - page, large[i].size + 2 * page);
  }
  slots_used = large_used = 0;
}
