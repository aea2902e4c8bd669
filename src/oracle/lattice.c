/* SPDX-License-Identifier: Apache-2.0 */
/* Operands for which every order of accumulation gives the same bits. */
#include "precision.h"

#include <string.h>

enum { EXPONENT = -3 }; /* so that numbers are no integers, and their products, multiples of 1/64, in every format's range */

static int32_t least_of(int32_t a, int32_t b)
{
  return a < b ? a : b;
}

/* The smallest power of two that `terms` does not exceed. */
static int32_t bits_for(int64_t terms)
{
  return spw_bit_length((uint64_t)terms - 1);
}

spw_status spw_lattice_for(spw_dtype dtype, spw_precision precision, int64_t terms, spw_lattice *lattice)
{
  const spw_format f = spw_format_of(dtype);
  const spw_accumulation a = spw_accumulation_of(precision);
  const int32_t parts = dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128 ? 1 : 0;
  if (!lattice || f.width == 0 || a.sum.width == 0 || a.sum.most < f.most || terms < 1) return SPW_EINVAL;
  /* terms * 2^(a_bits + x_bits) <= 2^p, and below the largest number */
  const int32_t range = a.sum.most - 2 * EXPONENT, room = least_of(a.sum.bits, range) - bits_for(terms) - parts;
  const int32_t widest = least_of(f.bits, a.operand_bits);
  if (room < 3) return SPW_ERANGE; /* 1 and 3, so that neighbours differ by more than a sign */
  const spw_lattice l = {dtype, least_of(room / 2, widest), least_of(room - room / 2, widest), EXPONENT};
  *lattice = l;
  return SPW_OK;
}

/* An odd integer of 1 .. 2^bits - 1, times 2^exponent, as bits of the type. */
static uint64_t number(const spw_lattice *l, int32_t bits, bool negative, uint64_t any)
{
  const spw_format f = spw_format_of(l->dtype);
  const uint64_t odd = (any & (((uint64_t)1 << (bits - 1)) - 1)) * 2 + 1;
  const int32_t length = spw_bit_length(odd);
  const uint64_t exponent = (uint64_t)(length - 1 + l->exponent - f.least + 1);
  const uint64_t fraction = odd << (f.bits - length) & (((uint64_t)1 << (f.bits - 1)) - 1);
  return (negative ? (uint64_t)1 << (f.width - 1) : 0) | exponent << (f.bits - 1) | fraction;
}

uint64_t spw_lattice_a(const spw_lattice *lattice, uint64_t bits)
{
  return number(lattice, lattice->a_bits, bits >> 63 != 0, bits);
}

uint64_t spw_lattice_x(const spw_lattice *lattice, int64_t place, uint64_t bits)
{
  return number(lattice, lattice->x_bits, place % 2 != 0, bits);
}
