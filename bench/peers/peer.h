/* SPDX-License-Identifier: Apache-2.0 */
/* What a library is asked for by bench/others.py: a product is begun (the matrix is taken over, not measured), run as often
 * as wanted (measured), asked for its result, cleared (not measured), and ended. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include <stdint.h>

enum peer_operation { PEER_MV, PEER_MM, PEER_SQUARE, PEER_PLUS, PEER_SAMPLED };

/* CSR with index arrays of int32 or int64 and float32 or float64 values, and dense operands in rows. */
typedef struct peer_csr {
  const void *compressed, *plain, *values;
} peer_csr;

typedef struct peer_request {
  int64_t rows, columns, nse; /* of A */
  int64_t width;              /* of the dense operands; of a vector 1 */
  int64_t nse_b;              /* of B in A + B */
  peer_csr a, b;
  const void *x, *y; /* columns by width; of PEER_SAMPLED rows by width, and columns by width, B transposed */
  int32_t operation, index_bytes, value_bytes, threads;
} peer_request;

/* Null where the library does not have it. What the request points to outlives the product. */
void *peer_begin(const peer_request *request);
/* Not 0: it failed. */
int peer_run(void *product);
/* Frees the result of the last run, where the next one makes another. */
void peer_clear(void *product);
/* Of PEER_MV and PEER_MM all the values, rows by width; of the others those of a CSR matrix in order, with at most `most`
 * elements. The number of values, or below 0. */
int64_t peer_result(void *product, int64_t most, int64_t *compressed, int64_t *plain, void *values);
void peer_end(void *product);

#endif
