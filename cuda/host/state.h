/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the engine share: the grid that is running, its blocks, warps and threads. */
#ifndef SPW_HOST_STATE_H
#define SPW_HOST_STATE_H

#include "engine.h"
#include "fiber.h"

enum {
  SPW_WARP = 32,
  SPW_ENGINE_NEAR = 8, /* a window in which mostly the threads of one warp are */
  SPW_ENGINE_QUEUE = SPW_ENGINE_RESIDENT * SPW_ENGINE_BLOCK /* a power of two */
};

/* One line of the cache, as each turn begins with it. */
typedef struct thread {
  _Alignas(64) spw_engine_thread is; /* first: kernels see it through spw_engine_self */
  const char *where;                 /* the call it waits in */
  struct warp *warp;                 /* null where a thread has no fiber */
  fiber *fiber;                      /* null before its first turn */
  TSAN(char *token;)                 /* what to acquire when it goes on, if anything */
} thread;

/* Lanes that have come to a warp function with one mask and wait for the others that it names. */
typedef struct rendezvous {
  unsigned mask, arrived, ballot;
  spw_warp_op op;
} rendezvous;

typedef struct warp {
  struct block *block;
  thread *lanes; /* the first of 32 */
  unsigned live; /* those that have not returned */
  unsigned count;
  rendezvous open[SPW_WARP]; /* [0 .. count-1], with disjoint masks */
  uint64_t value[SPW_WARP];  /* what each lane gave */
  unsigned argument[SPW_WARP];
} warp;

/* Shared memory of a place of declaration. */
typedef struct shared_array {
  void *bytes;
  size_t size;
  bool in_use; /* by the block that runs now */
} shared_array;

typedef struct block {
  bool running;
  spw_dim3 place; /* in the grid */
  unsigned threads, done, waiting; /* waiting: at the barrier */
  const char *where;               /* the barrier at which some are waiting */
  unsigned voting, votes;          /* of those waiting, and of the last barrier */
  unsigned generation;             /* number of barriers passed */
  size_t static_bytes;
  shared_array *shared, dynamic; /* shared: by place of declaration, as far as a block has come */
  unsigned shared_count;
  warp warps[SPW_ENGINE_BLOCK / SPW_WARP];
  thread thread[SPW_ENGINE_BLOCK];
  char *tokens; /* TSan: what threads of this block synchronise on, fresh for each block */
} block;

typedef struct engine {
  bool running;
  const spw_engine_kernel *kernel;
  const void *arguments;
  uint64_t seed, random;
  size_t shared_left; /* for the static arrays of a block */
  unsigned long long idle_yields; /* since a thread last did something else */
  thread main; /* no thread of a kernel: where spw_engine_launch was called */
  fiber main_fiber, *free, **free_end;
  void (*run_threads)(void); /* what each stack runs: spw_run_threads */
  TSAN(unsigned fibers; char launched, finished;)
  block *blocks[SPW_ENGINE_RESIDENT];
  thread *queue[SPW_ENGINE_QUEUE]; /* a ring of those that can go on */
  unsigned mask;                   /* its size - 1: no more than this launch needs, as all of it is gone through */
  unsigned head, ready;            /* [head .. head + ready - 1], modulo its size */
  unsigned window;                 /* so many of the first may be next */
} engine;

extern SPW_ENGINE_HIDDEN engine spw_engine;

static inline thread *spw_current(void)
{
  return (thread *)spw_engine_self;
}

/* TSan tokens of a block: two for its barriers, one a warp. */
enum { TOKEN_BARRIER = 0, TOKEN_WARP = 2, TOKENS = 2 + SPW_ENGINE_BLOCK / SPW_WARP };

/* A stack for a thread that starts; and one that no thread has any more. */
fiber *spw_free_fiber(void);
void spw_retire_fiber(fiber *f);

/* One CUDA thread after another, on one stack. */
void spw_run_threads(void);

/* Makes sure that there are so many stacks: a TSan fiber knows what its creator knew, so all are
 * made before any thread runs. */
TSAN(void spw_make_fibers(unsigned count);)

/* Runs ready threads until a block has ended; called by the main fiber. */
void spw_run_until_block_ends(void);

/* A barrier or a warp function may have been waiting for nobody but the thread that returned. */
void spw_barrier_check(block *b);
void spw_warp_check(warp *w);

void spw_shared_begin(block *b, size_t dynamic);
void spw_shared_end_of_grid(void);
void spw_shared_release(block *b);

/* Memory that is never reused within a grid, for TSan. */
void *spw_fresh(size_t bytes);

#endif
