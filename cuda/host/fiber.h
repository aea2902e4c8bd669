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
  void *stack_pointer;
#endif
} fiber;

enum { SPW_FIBER_STACK = (TSAN_ON ? 512 : 64) << 10 };

/* A fiber that starts in `entry`, which never returns; null without memory. */
fiber *spw_fiber_new(void (*entry)(void));
void spw_fiber_free(fiber *f);

/* First thing that `entry` does. */
void spw_fiber_entered(void);

void spw_fiber_switch(fiber *from, fiber *to);

#endif
