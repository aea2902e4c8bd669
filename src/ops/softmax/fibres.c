/* SPDX-License-Identifier: Apache-2.0 */
#include "softmax.h"
#include "../../core/names.h"
#include "../../number/exponential.h"

#include <math.h>

#define REAL float
#define EXP spw_expf
#define LOG spw_logf
#define FIBRE spw_softmax_float
#include "fibre.inc"
#undef REAL
#undef EXP
#undef LOG
#undef FIBRE

#define REAL double
#define EXP spw_exp
#define LOG spw_log
#define FIBRE spw_softmax_double
#include "fibre.inc"
