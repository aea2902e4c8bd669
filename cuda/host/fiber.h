/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that can be switched between, announced to ASan and TSan. */
#ifndef SPW_HOST_FIBER_H
#define SPW_HOST_FIBER_H

#include "sanitizers.h"

#include <stddef.h>

/* The switch is written by hand for x86-64; elsewhere, or on demand, it is ucontext's, which costs
 * a system call each time. */
#if !defined __x86_64__ && !defined SPW_ENGINE_UCONTEXT
#define SPW_ENGINE_UCONTEXT
#endif
#ifdef SPW_ENGINE_UCONTEXT
#include <ucontext.h>
#endif

typedef struct fiber {
  struct fiber *next; /* in a list of free ones */
  char *stack;        /* null: the stack of the caller of spw_engine_launch */
  void *fake_stack;   /* ASan's */
  void *tsan;
#ifdef SPW_ENGINE_UCONTEXT
  ucontext_t context;
#else
  struct {
    void *rsp, *rbp, *rip; /* rip: where to go on */
  } saved;
#endif
} fiber;

enum { SPW_FIBER_STACK = (TSAN_ON ? 512 : 64) << 10 };

/* A fiber that starts in `entry`, which never returns; null without memory. */
fiber *spw_fiber_new(void (*entry)(void));
void spw_fiber_free(fiber *f);

/* First thing that `entry` does. */
void spw_fiber_entered(void);

/* Leaves one fiber and goes on with another, where that was left. */
#ifdef SPW_ENGINE_UCONTEXT
static inline void spw_fiber_jump(fiber *from, fiber *to)
{
  swapcontext(&from->context, &to->context);
}
#else
#ifdef __AVX512F__
#define SPW_MORE_REGISTERS                                                                         \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",      \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define SPW_MORE_REGISTERS
#endif

/* All registers but rsp and rbp are said to be lost, so the compiler saves those that it needs. */
static inline __attribute__((always_inline)) void spw_fiber_jump(fiber *from, fiber *to)
{
  void *save = &from->saved, *load = &to->saved;
  __asm__ volatile("lea 1f(%%rip), %%rax\n\t"
                   "mov %%rsp, (%0)\n\t"
                   "mov %%rbp, 8(%0)\n\t"
                   "mov %%rax, 16(%0)\n\t"
                   "mov (%1), %%rsp\n\t"
                   "mov 8(%1), %%rbp\n\t"
                   "jmp *16(%1)\n"
                   "1:"
                   : "+D"(save), "+S"(load)
                   :
                   : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                     "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                     "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15" SPW_MORE_REGISTERS,
                     "cc", "memory");
}
#endif

#ifdef SPW_ENGINE_ASAN
/* The stack of the caller of spw_engine_launch, learnt when the first fiber is entered. */
extern const void *spw_main_stack;
extern size_t spw_main_stack_size;
#endif

/* Called once for every wait of every thread, hence here. */
static inline void spw_fiber_switch(fiber *from, fiber *to)
{
#ifdef SPW_ENGINE_ASAN
  __sanitizer_start_switch_fiber(&from->fake_stack, to->stack ? to->stack : spw_main_stack,
                                 to->stack ? SPW_FIBER_STACK : spw_main_stack_size);
#endif
  spw_fiber_jump(from, to);
#ifdef SPW_ENGINE_ASAN
  __sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
#endif
}

#endif
