/* SPDX-License-Identifier: Apache-2.0 */
/* What the template of lines from dense matrices stands on. */
#ifndef SPW_CONVERT_KERNELS_FROM_DENSE_USES_H
#define SPW_CONVERT_KERNELS_FROM_DENSE_USES_H

#include "../../../../proofs/lemmas/lines.h"
#include "../../../../proofs/lemmas/meaning.h"
#include "../../../../proofs/lemmas/times_at.h"

/* Zeros are skipped so many at a time. */
#define SPW_GROUP 8

#endif
