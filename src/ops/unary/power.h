/* SPDX-License-Identifier: Apache-2.0 */
/* Powers and quotients of doubles, for types of which every number is a double. */
#ifndef SPW_OPS_UNARY_POWER_H
#define SPW_OPS_UNARY_POWER_H

/* x^e, e > 0, in a double that is rounded correctly to float32 and narrower types: `rounds` says whether two doubles beside the
 * power are one number of the type. */
double spw_power(double x, double e, int rounds(double, double));

/* The largest integer below the exact x / s, or with `trunc` the nearest one towards 0, rounded to odd in a double: another
 * rounding to fewer bits is then the first. With `whole` it is rounded to nearest, as a double. */
double spw_whole_quotient(double x, double s, int trunc, int whole);

#endif
