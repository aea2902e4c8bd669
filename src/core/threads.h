/* SPDX-License-Identifier: Apache-2.0 */
/* So many threads at most are asked for, whatever the caller allows: OpenMP keeps a record of each on the stack of the one that
 * begins them, and ends the program where it cannot begin one. */
#ifndef SPW_CORE_THREADS_H
#define SPW_CORE_THREADS_H

#define SPW_THREADS_MOST 256
#define SPW_AT_MOST(threads) ((threads) < SPW_THREADS_MOST ? (threads) : SPW_THREADS_MOST)

#endif
