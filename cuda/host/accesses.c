/* SPDX-License-Identifier: Apache-2.0 */
/* What clang's -fsanitize-coverage-trace-loads and -trace-stores call before each plain access: there,
 * too, another thread may go first. Builds for TSan compile kernels so. */
#include "engine.h"

#define ACCESS(kind, size)                          \
  void __sanitizer_cov_##kind##size(void *address); \
  void __sanitizer_cov_##kind##size(void *address)  \
  {                                                 \
    (void)address;                                  \
    if (spw_engine_self) spw_engine_between();      \
  }
#define ACCESSES(kind) \
  ACCESS(kind, 1) ACCESS(kind, 2) ACCESS(kind, 4) ACCESS(kind, 8) ACCESS(kind, 16)
ACCESSES(load)
ACCESSES(store)
