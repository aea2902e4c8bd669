/* SPDX-License-Identifier: Apache-2.0 */
/* Fibers: their stacks, and the switch. */
#define _GNU_SOURCE
#include "fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>

/* Stacks begin at different distances from a page, or they would all want the same few lines of the
 * first cache. */
enum { GUARD = 4096, COLOURS = 16, COLOUR = 256 };

static size_t next_colour(void)
{
  static unsigned number;
  return (size_t)(number++ % COLOURS) * COLOUR;
}

#ifndef SPW_ENGINE_UCONTEXT
/* As if `entry` had been called from nowhere: rsp is then 8 beyond a multiple of 16. */
static void prepare(fiber *f, void (*entry)(void))
{
  void **const top = (void **)(void *)(f->stack + SPW_FIBER_STACK - next_colour()) - 1;
  spw_fiber_left *const left = (spw_fiber_left *)(void *)top - 1;
  *top = NULL;
  *left = (spw_fiber_left){top, NULL, (void *)(uintptr_t)entry};
  f->at = left;
}
#else
static void prepare(fiber *f, void (*entry)(void))
{
  getcontext(&f->context);
  f->context.uc_stack.ss_sp = f->stack;
  f->context.uc_stack.ss_size = SPW_FIBER_STACK - next_colour();
  makecontext(&f->context, entry, 0);
}
#endif

fiber *spw_fiber_new(void (*entry)(void))
{
  fiber *const f = calloc(1, sizeof *f);
  char *const pages = mmap(NULL, SPW_FIBER_STACK + GUARD, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (!f || pages == MAP_FAILED || mprotect(pages, GUARD, PROT_NONE) != 0) {
    if (pages != MAP_FAILED) munmap(pages, SPW_FIBER_STACK + GUARD);
    free(f);
    return NULL;
  }
  f->stack = pages + GUARD;
  TSAN(f->tsan = __tsan_create_fiber(0);)
  prepare(f, entry);
  return f;
}

void spw_fiber_free(fiber *f)
{
  munmap(f->stack - GUARD, SPW_FIBER_STACK + GUARD);
  free(f);
}

#ifdef SPW_ENGINE_ASAN
const void *spw_main_stack;
size_t spw_main_stack_size;

void spw_fiber_entered(void)
{
  const void *bottom;
  size_t size;
  __sanitizer_finish_switch_fiber(NULL, &bottom, &size);
  if (!spw_main_stack) spw_main_stack = bottom, spw_main_stack_size = size;
}
#else
void spw_fiber_entered(void)
{
}
#endif
