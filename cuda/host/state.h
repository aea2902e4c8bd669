/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the engine share: the grid that is running, its blocks, warps and threads. */
#ifndef SPW_HOST_STATE_H
#define SPW_HOST_STATE_H

#include "engine.h"
#include "fiber.h"

enum { SPW_ENGINE_SLOTS = 64, SPW_WARP = 32 };

typedef enum thread_state { FRESH, READY, RUNNING, AT_BARRIER, AT_WARP, DONE } thread_state;

typedef struct thread {
  spw_engine_thread is; /* first: kernels see it through spw_engine_self */
  thread_state state;
  unsigned number; /* in its block */
  struct block *block;
  fiber *fiber;
  const char *where; /* the call it waits in */
  bool vote;
  unsigned mask, argument;
  uint64_t value;
} thread;

/* Lanes that have come to a warp function with one mask and wait for the others that it names. */
typedef struct rendezvous {
  unsigned mask, arrived;
  spw_warp_op op;
} rendezvous;

typedef struct warp {
  unsigned live; /* lanes that have not returned */
  unsigned count;
  rendezvous open[SPW_WARP]; /* [0 .. count-1], with disjoint masks */
} warp;

/* Shared memory of a place of declaration. */
typedef struct shared_array {
  void *bytes;
  size_t size;
  bool in_use; /* by the block that runs now */
} shared_array;

typedef struct block {
  bool running;
  unsigned threads, done, waiting; /* waiting: at the barrier */
  unsigned votes;                  /* of the last barrier */
  unsigned generation;             /* number of barriers passed */
  size_t static_bytes;
  shared_array shared[SPW_ENGINE_SLOTS], dynamic;
  warp warps[SPW_ENGINE_BLOCK / SPW_WARP];
  thread thread[SPW_ENGINE_BLOCK];
  char *tokens; /* TSan: what threads of this block synchronise on, fresh for each block */
} block;

typedef struct engine {
  bool running;
  const spw_engine_kernel *kernel;
  const void *arguments;
  uint64_t seed, random;
  unsigned long long idle_yields; /* since a thread last did something else */
  fiber main, *current, *free, **free_end;
  TSAN(unsigned fibers; char launched, finished;)
  block *blocks[SPW_ENGINE_RESIDENT];
  thread *queue[SPW_ENGINE_RESIDENT * SPW_ENGINE_BLOCK]; /* a ring of those that can go on */
  unsigned head, ready;
} engine;

extern engine spw_engine;

static inline thread *spw_current(void)
{
  return (thread *)spw_engine_self;
}

/* TSan tokens of a block: two for its barriers, one a warp. */
enum { TOKEN_BARRIER = 0, TOKEN_WARP = 2, TOKENS = 2 + SPW_ENGINE_BLOCK / SPW_WARP };

uint32_t spw_engine_random(void);

/* Puts a thread among those that can go on. */
void spw_make_ready(thread *t);

/* The current thread cannot go on: another does. Returns when it is its turn again. */
void spw_go_on(void);

/* Runs ready threads until a block has ended; called by the main fiber. */
void spw_run_until_block_ends(void);

/* A barrier or a warp function may have been waiting for nobody but the thread that returned. */
void spw_barrier_check(block *b);
void spw_warp_check(block *b, unsigned warp_number);

void spw_shared_begin(block *b, size_t dynamic);
void spw_shared_end_of_grid(void);
void spw_shared_release(block *b);

/* Memory that is never reused within a grid, for TSan. */
void *spw_fresh(size_t bytes);

#endif
