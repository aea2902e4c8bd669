/* SPDX-License-Identifier: Apache-2.0 */
/* The switch from one stack to another. */
#ifndef SPW_HOST_JUMP_H
#define SPW_HOST_JUMP_H

#include "sanitizers.h"

/* It is written by hand for x86-64; elsewhere, or on demand, it is ucontext's, which costs a system call each time. */
#if !defined __x86_64__ && !defined SPW_ENGINE_UCONTEXT
#define SPW_ENGINE_UCONTEXT
#endif

#ifndef SPW_ENGINE_UCONTEXT
#ifdef __AVX512F__
#define SPW_MORE_REGISTERS                                                                         \
  , "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25",      \
      "xmm26", "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#define SPW_MORE_REGISTERS
#endif

/* What the stack of a fiber that was left keeps of it. */
typedef struct spw_fiber_left {
  void *rsp, *rbp, *rip; /* rip: where to go on */
} spw_fiber_left;

/* All registers but rsp and rbp are said to be lost, so the compiler saves those that it needs. */
static inline __attribute__((always_inline)) void spw_jump(void **left, void *at)
{
  spw_fiber_left here;
  void *save = &here;
  __asm__ volatile("mov %0, (%2)\n\t"
                   "lea 1f(%%rip), %%rax\n\t"
                   "mov %%rsp, (%0)\n\t"
                   "mov %%rbp, 8(%0)\n\t"
                   "mov %%rax, 16(%0)\n\t"
                   "mov (%1), %%rsp\n\t"
                   "mov 8(%1), %%rbp\n\t"
                   "jmp *16(%1)\n"
                   "1:"
                   : "+D"(save), "+S"(at), "+d"(left)
                   :
                   : "rax", "rbx", "rcx", "r8", "r9", "r10", "r11", "r12", "r13", "r14",
                     "r15", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8",
                     "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15" SPW_MORE_REGISTERS,
                     "cc", "memory");
}
#endif

#endif
