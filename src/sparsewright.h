/* SPDX-License-Identifier: Apache-2.0 */
/* sparsewright.h -- the public interface of libsparsewright, in parts:
 *   sparsewright_core.h     tensors, rules, the checker, and files
 *   sparsewright_convert.h  what operations mean, conversions, structure
 *   sparsewright_certified.h  conversions whose result is certified
 *   sparsewright_ops.h      products, operations by element, reductions
 *   sparsewright_reduce.h   reductions over any dimensions
 *   sparsewright_make.h     constructors, copies, slices, diagonals, Kronecker products
 *   sparsewright_unary.h    functions of values, casts
 *   sparsewright_solve.h    triangular systems; is a solution right?
 *   sparsewright_compose.h  operations that are made of others, in memory of their own
 *   sparsewright_views.h    short constructors: a tensor over arrays that a program has
 *   sparsewright_oracle.h   is a sum or a product right?
 *   sparsewright_io.h       files by their names, and sentences about what was found
 *   sparsewright_files.h    files that hold several tensors
 *   sparsewright_semi.h     2:4 semi-structured matrices
 *   sparsewright_grad.h     gradients of operations, in memory of their own
 *   sparsewright_optim.h    optimisers that take sparse gradients
 * A part may be included alone. */
#ifndef SPARSEWRIGHT_H
#define SPARSEWRIGHT_H

#include "sparsewright_core.h"
#include "sparsewright_convert.h"
#include "sparsewright_certified.h"
#include "sparsewright_ops.h"
#include "sparsewright_reduce.h"
#include "sparsewright_make.h"
#include "sparsewright_unary.h"
#include "sparsewright_compose.h"
#include "sparsewright_views.h"
#include "sparsewright_oracle.h"
#include "sparsewright_solve.h"
#include "sparsewright_io.h"
#include "sparsewright_files.h"
#include "sparsewright_semi.h"
#include "sparsewright_grad.h"
#include "sparsewright_optim.h"

#endif
