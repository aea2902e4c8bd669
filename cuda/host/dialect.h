/* SPDX-License-Identifier: Apache-2.0 */
/* CUDA's names for the host engine; included by kernels/dialect.h. */
#ifndef SPW_HOST_DIALECT_H
#define SPW_HOST_DIALECT_H

#include "engine.h"

#include <string.h>

#define SPW_DEVICE static inline __attribute__((unused))
#define SPW_UNROLL
#define SPW_HERE_(line) #line
#define SPW_HERE__(line) SPW_HERE_(line)
#define SPW_HERE __FILE__ ":" SPW_HERE__(__LINE__)

/* The kernel itself, the form in which the engine calls it, and its entry for the engine. */
#define SPW_KERNEL_AS(name, type, barriers) \
  static void name##_body(const type *a); \
  static void name##_run(const void *arguments) { name##_body(arguments); } \
  static size_t name##_allowed; \
  static const spw_engine_kernel name __attribute__((unused)) = {#name, name##_run, barriers, \
                                                                 &name##_allowed, sizeof(type)}; \
  static void name##_body(const type *a)
#define SPW_KERNEL(name, type) SPW_KERNEL_AS(name, type, true)
#define SPW_KERNEL_WITHIN(name, type, threads, blocks) SPW_KERNEL(name, type)
#define SPW_KERNEL_FREE(name, type) SPW_KERNEL_AS(name, type, false)
#define SPW_SHARED(type, array, n) \
  static unsigned array##_slot; \
  type *const array = spw_engine_shared(&array##_slot, sizeof(type) * (n))
#define SPW_DYNAMIC_SHARED(type, array) type *const array = spw_engine_dynamic_shared()

/* A stream of the host is a schedule. */
#define SPW_LAUNCH(stream, name, grid, block, dynamic, arguments) \
  ((dynamic) > 0 && spw_engine_allow_shared(&(name), (dynamic)) != SPW_ENGINE_OK \
       ? SPW_ENGINE_INVALID_VALUE \
       : spw_engine_launch(&(name), &(arguments), (grid), (block), (dynamic), (stream)))

#define threadIdx (spw_engine_self->thread)
#define blockIdx (*spw_engine_self->block)
#define blockDim spw_engine_block_dim
#define gridDim spw_engine_grid_dim

#define __syncthreads() spw_engine_barrier(false, SPW_HERE)
#define __syncthreads_count(p) (spw_engine_barrier((p) != 0, SPW_HERE), (int)spw_engine_votes())
#define __syncthreads_or(p) (__syncthreads_count(p) != 0)
#define __syncwarp(mask) ((void)spw_engine_warp(SPW_WARP_SYNC, mask, 0, 0, SPW_HERE))
#define __ballot_sync(mask, p)                                                                     \
  ((unsigned)spw_engine_warp(SPW_WARP_BALLOT, mask, (p) != 0, 0, SPW_HERE))
#define __any_sync(mask, p) (__ballot_sync(mask, p) != 0)
#define __all_sync(mask, p) (__ballot_sync(mask, !(p)) == 0)

static inline __attribute__((unused)) int __popc(unsigned x) { return __builtin_popcount(x); }
static inline __attribute__((unused)) int __ffs(int x) { return __builtin_ffs(x); }

/* Atomics order nothing, as on the device; another thread may come first. */
#define SPW_HOST_TYPE(type, suffix)                                                                \
  static inline __attribute__((unused)) type spw_atomic_add_##suffix(type *p, type v) {            \
    spw_engine_maybe_yield();                                                                      \
    return __atomic_fetch_add(p, v, __ATOMIC_RELAXED);                                             \
  }                                                                                                \
  static inline __attribute__((unused)) type spw_atomic_min_##suffix(type *p, type v) {            \
    spw_engine_maybe_yield();                                                                      \
    type old = __atomic_load_n(p, __ATOMIC_RELAXED);                                               \
    while (v < old &&                                                                              \
           !__atomic_compare_exchange_n(p, &old, v, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {   \
    }                                                                                              \
    return old;                                                                                    \
  }                                                                                                \
  static inline __attribute__((unused)) type spw_shuffle_##suffix(                                 \
      spw_warp_op op, unsigned mask, type v, unsigned argument, const char *where) {               \
    return (type)spw_engine_warp(op, mask, (uint64_t)v, argument, where);                          \
  }
SPW_HOST_TYPE(int, int)
SPW_HOST_TYPE(unsigned, unsigned)
SPW_HOST_TYPE(long, long)
SPW_HOST_TYPE(unsigned long, unsigned_long)
SPW_HOST_TYPE(long long, long_long)
SPW_HOST_TYPE(unsigned long long, word)
#undef SPW_HOST_TYPE

static inline __attribute__((unused)) unsigned spw_atomic_or(unsigned *p, unsigned v)
{
  spw_engine_maybe_yield();
  return __atomic_fetch_or(p, v, __ATOMIC_RELAXED);
}

#define SPW_HOST_OF(prefix, value) \
  _Generic((value), int: prefix##int, unsigned: prefix##unsigned, long: prefix##long, \
           unsigned long: prefix##unsigned_long, long long: prefix##long_long, \
           unsigned long long: prefix##word)
#define atomicAdd(p, v) SPW_HOST_OF(spw_atomic_add_, *(p))(p, v)
#define atomicMin(p, v) SPW_HOST_OF(spw_atomic_min_, *(p))(p, v)
#define atomicOr(p, v) spw_atomic_or(p, v)
#define SPW_SHUFFLE(op, mask, v, argument)                                                         \
  SPW_HOST_OF(spw_shuffle_, v)(op, mask, v, (unsigned)(argument), SPW_HERE)
#define __shfl_sync(mask, v, lane) SPW_SHUFFLE(SPW_WARP_SHUFFLE, mask, v, lane)
#define __shfl_up_sync(mask, v, by) SPW_SHUFFLE(SPW_WARP_UP, mask, v, by)
#define __shfl_down_sync(mask, v, by) SPW_SHUFFLE(SPW_WARP_DOWN, mask, v, by)
#define __shfl_xor_sync(mask, v, lanes) SPW_SHUFFLE(SPW_WARP_XOR, mask, v, lanes)

static inline __attribute__((unused)) void spw_load_16(void *to, const void *from)
{
  if ((uintptr_t)from % 16 != 0)
    spw_engine_fault("16 bytes are loaded from an address that is no multiple of 16", NULL);
  memcpy(to, from, 16);
}

static inline __attribute__((unused)) unsigned spw_fetch_add_ordered(unsigned *counter, unsigned by)
{
  spw_engine_maybe_yield();
  return __atomic_fetch_add(counter, by, __ATOMIC_ACQ_REL);
}

static inline __attribute__((unused)) void spw_publish(spw_word *where, spw_word value)
{
  spw_engine_maybe_yield();
  __atomic_store_n(where, value, __ATOMIC_RELEASE);
}

static inline __attribute__((unused)) spw_word spw_observe(const spw_word *where)
{
  spw_engine_between();
  return __atomic_load_n(where, __ATOMIC_ACQUIRE);
}

#define SPW_WAIT() spw_engine_yield(SPW_HERE)

#endif
