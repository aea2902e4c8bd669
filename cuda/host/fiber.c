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
/* Saves the registers that a call preserves and the stack pointer, and takes up those of another
 * fiber. */
void spw_fiber_jump(void **save, void *to);
__asm__(".text\n"
        ".globl spw_fiber_jump\n"
        ".hidden spw_fiber_jump\n"
        ".type spw_fiber_jump,@function\n"
        "spw_fiber_jump:\n"
        "  push %rbp\n  push %rbx\n  push %r12\n  push %r13\n  push %r14\n  push %r15\n"
        "  mov %rsp, (%rdi)\n"
        "  mov %rsi, %rsp\n"
        "  pop %r15\n  pop %r14\n  pop %r13\n  pop %r12\n  pop %rbx\n  pop %rbp\n"
        "  ret\n"
        ".size spw_fiber_jump,.-spw_fiber_jump\n");

enum { SAVED_REGISTERS = 6 };

/* As if `entry` had been called with six saved registers of 0 behind it: the stack pointer is then
 * 8 beyond a multiple of 16, as the calling convention has it on entry. */
static void prepare(fiber *f, void (*entry)(void))
{
  void **top = (void **)(void *)(f->stack + SPW_FIBER_STACK - next_colour()) - 1;
  *--top = (void *)(uintptr_t)entry;
  for (int i = 0; i < SAVED_REGISTERS; i++) *--top = NULL;
  f->stack_pointer = top;
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

static void jump(fiber *from, fiber *to)
{
#ifdef SPW_ENGINE_UCONTEXT
  swapcontext(&from->context, &to->context);
#else
  spw_fiber_jump(&from->stack_pointer, to->stack_pointer);
#endif
}

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
/* The stack of the caller of spw_engine_launch, learnt when the first fiber is entered. */
static const void *main_stack;
static size_t main_size;

void spw_fiber_entered(void)
{
  const void *bottom;
  size_t size;
  __sanitizer_finish_switch_fiber(NULL, &bottom, &size);
  if (!main_stack) main_stack = bottom, main_size = size;
}

void spw_fiber_switch(fiber *from, fiber *to)
{
  const void *const bottom = to->stack ? to->stack : main_stack;
  __sanitizer_start_switch_fiber(&from->fake_stack, bottom,
                                 to->stack ? SPW_FIBER_STACK : main_size);
  jump(from, to);
  __sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
}
#else
void spw_fiber_entered(void)
{
}

void spw_fiber_switch(fiber *from, fiber *to)
{
  jump(from, to);
}
#endif
