/* SPDX-License-Identifier: Apache-2.0 */
/* The host engine: runs one CUDA grid on one CPU thread, each CUDA thread a fiber.
 *
 * Kernels see CUDA's own names, which kernels/dialect.h maps to the functions below. The order in
 * which threads and blocks go on comes from a seed. What hardware leaves undefined stops the
 * program with a message (spw_engine_fault): barriers that not all threads reach, masks that lie,
 * launch limits. Shared memory starts poisoned. cuda/README.md says what the engine cannot see. */
#ifndef SPW_HOST_ENGINE_H
#define SPW_HOST_ENGINE_H

#include "jump.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct spw_dim3 {
  unsigned x, y, z;
} spw_dim3;

/* What a kernel can see of its own thread, and what waiting needs. */
typedef struct spw_engine_thread {
  spw_dim3 thread;
  uint16_t number, barriers; /* in its block; that it came to */
  const spw_dim3 *block;
  uint64_t got; /* from the last warp function */
  void *at;     /* where its stack was left */
} spw_engine_thread;

/* A kernel: `run` takes the address of its one argument. Without `barriers` it promises to call no
 * barrier and no warp function, and its threads run one after another without fibers. */
typedef struct spw_engine_kernel {
  const char *name;
  void (*run)(const void *arguments);
  bool barriers;
  size_t *allowed; /* dynamic shared memory beyond the default: spw_engine_allow_shared */
  size_t arguments; /* bytes */
} spw_engine_kernel;

typedef struct spw_engine_schedule {
  uint64_t seed;     /* 0: in order, one block after another */
  unsigned resident; /* blocks that run at a time, 1 .. SPW_ENGINE_RESIDENT; 0: from the seed */
  uint64_t first, some; /* run only these blocks of the grid, first .. first + some - 1; 0: all */
} spw_engine_schedule;

enum {
  SPW_ENGINE_RESIDENT = 4,
  SPW_ENGINE_BLOCK = 1024,
  SPW_ENGINE_STATIC = 48 << 10, /* static alone, and with the dynamic where no more is allowed */
  SPW_ENGINE_A100_SHARED = 163 << 10,
  SPW_ENGINE_H100_SHARED = 227 << 10
};

/* CUDA's numbers. */
enum { SPW_ENGINE_OK = 0, SPW_ENGINE_INVALID_VALUE = 1, SPW_ENGINE_INVALID_CONFIGURATION = 9 };

/* The most shared memory that a block of the device to pretend can have: the A100's, until this says
 * other. */
void spw_engine_pretend(size_t most_shared);

/* As cudaFuncSetAttribute with cudaFuncAttributeMaxDynamicSharedMemorySize: SPW_ENGINE_INVALID_VALUE
 * beyond what the device has. */
int spw_engine_allow_shared(const spw_engine_kernel *kernel, size_t dynamic_shared);

/* Runs the whole grid. A grid or block beyond CUDA's limits is refused, and nothing runs; so is more
 * than 48 KiB of dynamic shared memory that was not allowed before. */
int spw_engine_launch(const spw_engine_kernel *kernel, const void *arguments, spw_dim3 grid,
                      spw_dim3 block, size_t dynamic_shared, spw_engine_schedule schedule);

/* Frees the memory that is kept from one launch to the next. */
void spw_engine_release(void);

/* Prints what the kernel did, with the thread that did it, and aborts. */
_Noreturn void spw_engine_fault(const char *what, const char *where);

/* ---- What kernels call ----------------------------------------------------------------------- */

#define SPW_ENGINE_HIDDEN __attribute__((visibility("hidden"))) /* reached without a table */
extern SPW_ENGINE_HIDDEN spw_engine_thread *spw_engine_self;
extern SPW_ENGINE_HIDDEN spw_dim3 spw_engine_block_dim, spw_engine_grid_dim;

/* The shared array of this block that was declared in one place; `slot` identifies the place. */
void *spw_engine_shared(unsigned *slot, size_t bytes);
void *spw_engine_dynamic_shared(void);

typedef enum spw_warp_op {
  SPW_WARP_SYNC, SPW_WARP_BALLOT, SPW_WARP_SHUFFLE, SPW_WARP_UP, SPW_WARP_DOWN, SPW_WARP_XOR
} spw_warp_op;

/* A thread that waits, and the one whose turn it is then; they may be the same. */
typedef struct spw_engine_turn {
  spw_engine_thread *from, *to;
} spw_engine_turn;

/* A thread comes to a barrier, or to a warp function, whose values travel as 64 bits. */
spw_engine_turn spw_engine_at_barrier(bool vote, const char *where);
spw_engine_turn spw_engine_at_warp(spw_warp_op op, unsigned mask, uint64_t value, unsigned argument, const char *where);

/* Lets the other go on, and comes back when it is the turn of the first again. */
void spw_engine_pass(spw_engine_turn turn);

/* Both. */
void spw_engine_wait_at_barrier(bool vote, const char *where);
uint64_t spw_engine_wait_at_warp(spw_warp_op op, unsigned mask, uint64_t value, unsigned argument, const char *where);

/* The number of threads whose vote was not 0 at the last barrier. */
unsigned spw_engine_votes(void);

/* A function that comes back on another stack returns to where no processor expects it, which costs more than all the rest:
 * so kernels jump themselves, but where a sanitizer has to be told, or looks at each access. */
#if defined SPW_ENGINE_UCONTEXT || defined SPW_ENGINE_ASAN || defined SPW_KERNEL_TSAN
#define spw_engine_barrier spw_engine_wait_at_barrier
#define spw_engine_warp spw_engine_wait_at_warp
#else
static inline __attribute__((always_inline)) void spw_engine_jump(spw_engine_turn turn)
{
  if (turn.from == turn.to) return;
  spw_engine_self = turn.to;
  spw_jump(&turn.from->at, turn.to->at);
}

static inline __attribute__((always_inline)) void spw_engine_barrier(bool vote, const char *where)
{
  spw_engine_jump(spw_engine_at_barrier(vote, where));
}

static inline __attribute__((always_inline)) uint64_t spw_engine_warp(spw_warp_op op, unsigned mask, uint64_t value,
                                                                      unsigned argument, const char *where)
{
  spw_engine_jump(spw_engine_at_warp(op, mask, value, argument, where));
  return spw_engine_self->got;
}
#endif

/* Lets another thread go on: now and then (before an atomic), or always (in a loop that waits). */
void spw_engine_maybe_yield(void);
void spw_engine_between(void); /* seldom, and nobody gets the impression that work was done */
void spw_engine_yield(const char *where);

#endif
