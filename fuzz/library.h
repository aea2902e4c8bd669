/* SPDX-License-Identifier: Apache-2.0 */
/* Your library as two functions, or three: link them with targets/library.c, see README.md. */
#ifndef FUZZ_LIBRARY_H
#define FUZZ_LIBRARY_H

#include "../src/sparsewright.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fuzz_answer { FUZZ_UNSUPPORTED, FUZZ_REJECTS, FUZZ_ACCEPTS } fuzz_answer;

/* Does the library take the tensor as valid? Its own check at its strongest, nothing else. */
fuzz_answer fuzz_library_check(const spw_tensor *tensor);

/* What its users do with a tensor that it accepts. It may read any array that the tensor says is
 * there; a sanitizer sees whatever else it reads. */
void fuzz_library_use(const spw_tensor *tensor);

/* What the library makes of a canonical tensor that it accepts, in a layout of its choice; the arrays of *result stay until the
 * next call, and what is not set claims nothing. The certifier (spw_certify) says whether it means the same, where it takes both:
 * give COO in order, and values one behind the other. *zeros, SPW_ZEROS_KEPT before, may allow that zeros are added or dropped:
 * values whose bits are all 0, as those of -0.0 are not. FUZZ_UNSUPPORTED: it converts no such tensor; FUZZ_REJECTS is a finding.
 * A library that does not define this is asked for no conversion. */
fuzz_answer fuzz_library_convert(const spw_tensor *tensor, spw_tensor *result, spw_zeros *zeros);

#ifdef __cplusplus
}
#endif

#endif
