/* SPDX-License-Identifier: Apache-2.0 */
/* Shared memory: each array a block of its own on the heap, of its exact size, so that ASan sees
 * the end of it, and poisoned when a block starts, so that MSan and the results show what was never
 * written. */
#include "state.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xA5 };

static unsigned slots; /* places of declaration seen so far */

#ifdef SPW_ENGINE_TSAN
static void **fresh;
static size_t fresh_count;

void *spw_fresh(size_t bytes)
{
  void *const memory = malloc(bytes);
  void **const grown = realloc(fresh, (fresh_count + 1) * sizeof *fresh);
  if (!memory || !grown) spw_engine_fault("no memory", NULL);
  fresh = grown;
  return fresh[fresh_count++] = memory;
}

void spw_shared_end_of_grid(void)
{
  while (fresh_count) free(fresh[--fresh_count]);
}
#else
void spw_shared_end_of_grid(void)
{
}
#endif

static void poison(void *bytes, size_t size)
{
  memset(bytes, POISON, size);
#ifdef SPW_ENGINE_MSAN
  __msan_poison(bytes, size);
#endif
}

/* Under TSan memory is used by one block only: its history must not join two blocks. */
static void provide(shared_array *a, size_t size)
{
#ifdef SPW_ENGINE_TSAN
  a->bytes = spw_fresh(size);
#else
  if (a->size != size) {
    free(a->bytes);
    a->bytes = malloc(size);
    if (!a->bytes) spw_engine_fault("no memory", NULL);
  }
#endif
  a->size = size;
  a->in_use = true;
  poison(a->bytes, size);
}

/* The place of a declaration in this block: each block has as many as the program has shown so far. To TSan the main thread
 * grows them, whichever does: no thread of a kernel is ordered before one of a launch before. */
static shared_array *array_at(block *b, unsigned slot)
{
  if (slot > b->shared_count) {
    TSAN(void *const self = __tsan_get_current_fiber();
         __tsan_switch_to_fiber(spw_engine.main_fiber.tsan, 1);)
    shared_array *const grown = realloc(b->shared, slot * sizeof *grown);
    if (grown) memset(grown + b->shared_count, 0, (slot - b->shared_count) * sizeof *grown);
    TSAN(__tsan_switch_to_fiber(self, 1);)
    if (!grown) spw_engine_fault("no memory", NULL);
    b->shared = grown;
    b->shared_count = slot;
  }
  return &b->shared[slot - 1];
}

static block *block_of_current(void)
{
  if (!spw_engine.kernel->barriers)
    spw_engine_fault("shared memory in a kernel that is declared to have no barriers", NULL);
  return spw_current()->warp->block;
}

void *spw_engine_shared(unsigned *slot, size_t bytes)
{
  block *const b = block_of_current();
  if (*slot == 0) *slot = ++slots;
  shared_array *const a = array_at(b, *slot);
  if (!a->in_use) {
    b->static_bytes += bytes;
    if (b->static_bytes > SPW_ENGINE_STATIC)
      spw_engine_fault("more than 48 KiB of static shared memory", NULL);
    if (b->static_bytes > spw_engine.shared_left)
      spw_engine_fault("static and dynamic shared memory are more than the launch may have", NULL);
    TSAN(void *const self = __tsan_get_current_fiber();
         __tsan_switch_to_fiber(spw_engine.main_fiber.tsan, 1);)
    provide(a, bytes);
    TSAN(__tsan_release(a->bytes); __tsan_switch_to_fiber(self, 1);)
  }
  TSAN(__tsan_acquire(a->bytes);)
  return a->bytes;
}

void *spw_engine_dynamic_shared(void)
{
  block *const b = block_of_current();
  shared_array *const a = &b->dynamic;
  if (!a->in_use)
    spw_engine_fault("dynamic shared memory, and none was asked for at the launch", NULL);
  return a->bytes;
}

void spw_shared_begin(block *b, size_t dynamic)
{
  b->static_bytes = 0;
  for (unsigned i = 0; i < b->shared_count; i++) b->shared[i].in_use = false;
  b->dynamic.in_use = false;
  if (dynamic) provide(&b->dynamic, dynamic);
}

void spw_shared_release(block *b)
{
#ifndef SPW_ENGINE_TSAN
  for (unsigned i = 0; i < b->shared_count; i++) free(b->shared[i].bytes);
  free(b->dynamic.bytes);
#endif
  free(b->shared);
}
