/* SPDX-License-Identifier: Apache-2.0 */
/* One change that matters: the mutator of libFuzzer and of AFL++. */
#ifndef FUZZ_MUTATOR_H
#define FUZZ_MUTATOR_H

#include "target.h"

/* The format of a target whose inputs are files. Other targets do not define it. */
const fuzz_format *fuzz_input_format(void) __attribute__((weak));

/* Changes an input in place; returns its size, 1 .. capacity. `format` is null for encoded models.
 * Four fifths of the changes are made to what the bytes mean, one fifth to the bytes. */
size_t fuzz_mutate(const fuzz_format *format, uint8_t *bytes, size_t size, size_t capacity,
                   uint64_t seed);

/* `a` with an operand, contents, a member or the parameters of `b`, into `out`. */
size_t fuzz_cross(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                  size_t capacity, uint64_t seed);

/* Another number: by 1, by what wraps in narrower types, or an extreme. */
int64_t fuzz_nudge(int64_t old, dice *d);

/* Changes a model in place: what is asked, the operands among each other, or, mostly, one of them. */
void fuzz_change(fuzz_model *model, dice *d);

/* `to` gets the values, a member, contents or what it is built of from another operand. */
void fuzz_splice(fuzz_operand *to, const fuzz_operand *from, dice *d);

/* Some model to begin with: one operand, mostly a valid tensor. */
void fuzz_random_model(fuzz_model *model, dice *d);

#endif
