/* SPDX-License-Identifier: Apache-2.0 */
/* What the templates of conversions to dense arrays stand on: rules, and lemmas that are proved by themselves. */
#ifndef SPW_CONVERT_KERNELS_TO_DENSE_USES_H
#define SPW_CONVERT_KERNELS_TO_DENSE_USES_H

#include "../../../check/compressed.h"
#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../../proofs/lemmas/times_apart.h"
#include "../../../../proofs/lemmas/times_at.h"

#endif
