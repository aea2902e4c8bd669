/* SPDX-License-Identifier: Apache-2.0 */
/* Tensors as JSON, a line each, for the tests of commands. */
#ifndef TESTS_TENSOR_TEXT_H
#define TESTS_TENSOR_TEXT_H

#define ARRAY(name, dtype, shape, data) \
  "\"" name "\":{\"dtype\":\"" dtype "\",\"shape\":[" shape "],\"data\":[" data "]}"
#define TYPED_COO(dtype, size, dims, nse, indices, values) \
  "{\"spw\":1,\"layout\":\"coo\",\"size\":[" size "]," ARRAY("indices", "int64", dims "," nse, indices) "," \
  ARRAY("values", dtype, nse, values) "}\n"
#define COO(size, dims, nse, indices, values) TYPED_COO("float64", size, dims, nse, indices, values)
#define DENSE(shape, data) "{\"spw\":1,\"layout\":\"dense\"," ARRAY("values", "float64", shape, data) "}\n"

#endif
