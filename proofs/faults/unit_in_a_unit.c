/* SPDX-License-Identifier: Apache-2.0 */
/* expect: the linker would choose one */
/* with: none.c */
#include "none.c"
