/* SPDX-License-Identifier: Apache-2.0 */
/* expect: no goals */
#include <stdint.h>

int64_t nothing(void);
