/* SPDX-License-Identifier: Apache-2.0 */
/* What the engine tells the sanitizers. Under ThreadSanitizer the engine itself is compiled without
 * it, with SPW_ENGINE_TSAN, so that only kernels are watched. */
#ifndef SPW_HOST_SANITIZERS_H
#define SPW_HOST_SANITIZERS_H

#if defined __SANITIZE_ADDRESS__
#define SPW_ENGINE_ASAN 1
#elif defined __has_feature
#if __has_feature(address_sanitizer)
#define SPW_ENGINE_ASAN 1
#endif
#if __has_feature(memory_sanitizer)
#define SPW_ENGINE_MSAN 1
#endif
#if __has_feature(thread_sanitizer)
#define SPW_KERNEL_TSAN 1 /* kernels; the engine has SPW_ENGINE_TSAN */
#endif
#endif

#ifdef SPW_ENGINE_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#ifdef SPW_ENGINE_MSAN
#include <sanitizer/msan_interface.h>
#endif
#ifdef SPW_ENGINE_TSAN
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
void *__tsan_get_current_fiber(void);
void __tsan_acquire(void *token);
void __tsan_release(void *token);
#define TSAN(...) __VA_ARGS__
#define TSAN_ON 1
#else
#define TSAN(...)
#define TSAN_ON 0
#endif

#endif
