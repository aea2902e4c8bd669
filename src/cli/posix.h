/* SPDX-License-Identifier: Apache-2.0 */
/* Selects POSIX and files of any size; every header of the command includes it before others. */
#ifndef SPW_CLI_POSIX_H
#define SPW_CLI_POSIX_H

#define _XOPEN_SOURCE 700
#define _FILE_OFFSET_BITS 64

#endif
