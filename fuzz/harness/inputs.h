/* SPDX-License-Identifier: Apache-2.0 */
/* The inputs of a program that runs a target without a fuzzer. */
#ifndef FUZZ_INPUTS_H
#define FUZZ_INPUTS_H

#include <stddef.h>
#include <stdint.h>

/* Gets the bytes of one file, exactly as many as it has, to free or to keep. */
typedef void fuzz_take_input(const char *path, uint8_t *bytes, size_t size);

/* A file, or the files of a directory: not those of directories in it. What cannot be read ends the
 * program with exit code 2. */
void fuzz_each_input(const char *path, fuzz_take_input *take);

_Noreturn void fuzz_refuse(const char *path, const char *why);

#endif
