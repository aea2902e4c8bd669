/* SPDX-License-Identifier: Apache-2.0 */
/* malloc and its kin, counted and made to fail on request; leaks. */
#define _GNU_SOURCE /* dladdr */
#include "memory.h"

#include <criterion/criterion.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

volatile memory_count memory;

void memory_watch(long fail_at)
{
  memory.on = false;
  memory.calls = memory.blocks = 0;
  memory.bytes = memory.peak = 0;
  memory.refused = memory.found = NULL;
  memory.fail_at = fail_at;
  memory.on = true;
}

void memory_pause(void)
{
  memory.on = false;
}

void memory_resume(void)
{
  memory.on = true;
}

bool memory_refused_in(const char *file)
{
  Dl_info info;
  return memory.refused && dladdr(memory.refused, &info) && strstr(info.dli_fname, file);
}

int __lsan_do_recoverable_leak_check(void) __attribute__((weak));

void expect_no_leaks(void)
{
  if (__lsan_do_recoverable_leak_check)
    cr_assert(__lsan_do_recoverable_leak_check() == 0, "leaks");
}

#if !SANITIZED
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void __libc_free(void *);

static bool refuses(size_t size, void *caller)
{
  if (!memory.on) return false;
  if (size == memory.sought && !memory.found) memory.found = caller;
  if (caller == memory.spared || ++memory.calls != memory.fail_at) return false;
  memory.refused = caller;
  return true;
}

static void *counted(void *block)
{
  if (!memory.on || !block) return block;
  memory.blocks++;
  memory.bytes += malloc_usable_size(block);
  if (memory.bytes > memory.peak) memory.peak = memory.bytes;
  return block;
}

static void discount(void *block)
{
  if (!memory.on || !block) return;
  memory.blocks--;
  memory.bytes -= malloc_usable_size(block);
}

void *malloc(size_t size)
{
  return refuses(size, __builtin_return_address(0)) ? NULL : counted(__libc_malloc(size));
}

void *calloc(size_t count, size_t size)
{
  if (refuses(count * size, __builtin_return_address(0))) return NULL;
  return counted(__libc_calloc(count, size));
}

void *realloc(void *block, size_t size)
{
  if (refuses(size, __builtin_return_address(0))) return NULL;
  discount(block);
  void *grown = __libc_realloc(block, size);
  counted(grown || size == 0 ? grown : block);
  return grown;
}

void free(void *block)
{
  discount(block);
  __libc_free(block);
}
#endif
