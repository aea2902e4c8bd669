/* SPDX-License-Identifier: Apache-2.0 */
/* Stacks that can be switched between, announced to ASan and TSan. */
#ifndef SPW_HOST_FIBER_H
#define SPW_HOST_FIBER_H

#include "jump.h"

#include <stddef.h>

#ifdef SPW_ENGINE_UCONTEXT
#include <ucontext.h>
#endif

typedef struct fiber {
  struct fiber *next; /* in a list of free ones */
  char *stack;        /* null: the stack of the caller of spw_engine_launch */
  void *fake_stack;   /* ASan's */
  void *tsan;
  void *at;           /* where it goes on, while no thread has it */
#ifdef SPW_ENGINE_UCONTEXT
  ucontext_t context;
#endif
} fiber;

enum { SPW_FIBER_STACK = (TSAN_ON ? 512 : 64) << 10 };

/* A fiber that starts in `entry`, which never returns; null without memory. */
fiber *spw_fiber_new(void (*entry)(void));
void spw_fiber_free(fiber *f);

/* First thing that `entry` does. */
void spw_fiber_entered(void);

#ifdef SPW_ENGINE_ASAN
/* The stack of the caller of spw_engine_launch, learnt when the first fiber is entered. */
extern const void *spw_main_stack;
extern size_t spw_main_stack_size;
#endif

/* Leaves one fiber, telling where it goes on, and goes on with another. */
static inline void spw_fiber_switch(fiber *from, void **left, fiber *to, void *at)
{
#ifdef SPW_ENGINE_ASAN
  __sanitizer_start_switch_fiber(&from->fake_stack, to->stack ? to->stack : spw_main_stack,
                                 to->stack ? SPW_FIBER_STACK : spw_main_stack_size);
#endif
#ifdef SPW_ENGINE_UCONTEXT
  (void)left, (void)at; /* contexts know */
  swapcontext(&from->context, &to->context);
#else
  (void)from, (void)to;
  spw_jump(left, at);
#endif
#ifdef SPW_ENGINE_ASAN
  __sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
#endif
}

#endif
