/* SPDX-License-Identifier: Apache-2.0 */
/* SPW_PREFETCH(address) asks the processor for memory soon to be used, where the Makefile says how. */
#ifndef SPW_CORE_PREFETCH_H
#define SPW_CORE_PREFETCH_H

#ifndef SPW_PREFETCH
#define SPW_PREFETCH(address) ((void)(address))
#endif

#endif
