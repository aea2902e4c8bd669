/* SPDX-License-Identifier: Apache-2.0 */
/* Your library as two functions: link them with target_library.c, see README.md. */
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

#ifdef __cplusplus
}
#endif

#endif
