/* SPDX-License-Identifier: Apache-2.0 */
/* exp and log, rounded once, in integers of 128 bits: shares nothing with src. */
#ifndef TESTS_EXACTLY_H
#define TESTS_EXACTLY_H

/* exp(x) for x <= 0, log(x) for finite x >= 1: rounded to nearest, to `bits` significant ones, as float (24) or double (53)
   has. */
double exactly_exp(double x, int bits);
double exactly_log(double x, int bits);

#endif
