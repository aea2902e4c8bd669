/* SPDX-License-Identifier: Apache-2.0 */
/* The memory that a test uses: an allocator that counts and can be told to fail, and leaks. */
#ifndef TESTS_MEMORY_H
#define TESTS_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* A sanitizer has an allocator of its own: then nothing is counted, and no allocation fails. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define SANITIZED 1
#elif defined __has_feature
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif
#ifndef SANITIZED
#define SANITIZED 0
#endif

/* What was counted since memory_watch; nothing changes unless a test watches, which one thread at a
 * time may do. Volatile, or the compiler takes for granted that malloc and free do not see it. */
typedef struct memory_count {
  bool on;
  long calls, fail_at; /* 0: never */
  long blocks;         /* allocated and not freed */
  size_t bytes, peak;  /* in these blocks */
  void *refused;       /* the caller whose allocation failed; null: none did */
  void *spared;        /* a caller whose allocations are not counted as calls and never fail */
  size_t sought;       /* a request of this size is looked for: */
  void *found;         /* the caller that first made one */
} memory_count;

extern volatile memory_count memory;

/* Counts from zero, and lets the `fail_at`-th allocation fail; 0: none. */
void memory_watch(long fail_at);

/* Between these two nothing is counted and no allocation fails. */
void memory_pause(void);
void memory_resume(void);

/* Did the allocation that failed come from a file (library or program) whose name contains this? */
bool memory_refused_in(const char *file);

/* Last in every test, because Criterion counts no failure of a suite's .fini. Checks only under
 * LeakSanitizer. */
void expect_no_leaks(void);

#endif
