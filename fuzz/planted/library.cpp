// SPDX-License-Identifier: Apache-2.0
// A library with two planted faults, as a test of `make fuzz-library`: PLANTED=1 does not look at the order in rows from 256 on,
// PLANTED=2 numbers the columns of what it converts with a byte.
#include "../library.h"

#include <vector>

namespace {

std::vector<int64_t> offsets, indices;
std::vector<float> values;

int64_t at(const spw_index_array &a, int64_t i) { return a.i64[a.array.offset + i * a.array.strides[0]]; }

float value_at(const spw_tensor *t, int64_t k)
{
  const spw_array &a = t->values.array;
  return static_cast<const float *>(t->values.data)[a.offset + k * a.strides[0]];
}

bool ascends(const spw_tensor *t, int64_t row)
{
  if (PLANTED == 1 && row >= 256) return true;
  for (int64_t k = at(t->compressed, row) + 1; k < at(t->compressed, row + 1); k++)
    if (at(t->plain, k) <= at(t->plain, k - 1)) return false;
  return true;
}

}  // namespace

fuzz_answer fuzz_library_check(const spw_tensor *t)
{
  bool shape = false, structure = false;
  if (t->layout != SPW_CSR || !t->has_size || t->ndim != 2 || t->values.array.ndim != 1) return FUZZ_UNSUPPORTED;
  if (t->plain.array.dtype != SPW_INT64 || t->values.array.dtype != SPW_FLOAT32) return FUZZ_UNSUPPORTED;
  if (spw_is_valid(t, SPW_SHAPE, &shape) != SPW_OK || !shape) return FUZZ_REJECTS;
  if (spw_is_valid(t, SPW_STRUCTURE, &structure) != SPW_OK || !structure) return FUZZ_REJECTS;
  for (int64_t row = 0; row < t->size[0]; row++)
    if (!ascends(t, row)) return FUZZ_REJECTS;
  return FUZZ_ACCEPTS;
}

void fuzz_library_use(const spw_tensor *) {}

fuzz_answer fuzz_library_convert(const spw_tensor *t, spw_tensor *result, spw_zeros *)
{
  static int64_t lengths[3];
  static const int64_t stride = 1;
  const int64_t rows = t->size[0], columns = t->size[1], nse = t->plain.array.shape[0];
  offsets.assign(static_cast<size_t>(columns) + 1, 0);
  indices.assign(static_cast<size_t>(nse), 0);
  values.assign(static_cast<size_t>(nse), 0);
  const auto place = [](int64_t column) { return static_cast<size_t>(PLANTED == 2 ? static_cast<uint8_t>(column) : column); };
  for (int64_t k = 0; k < nse; k++) offsets[place(at(t->plain, k)) + 1]++;
  for (size_t c = 1; c < offsets.size(); c++) offsets[c] += offsets[c - 1];
  std::vector<int64_t> next(offsets.begin(), offsets.end() - 1);
  for (int64_t row = 0; row < rows; row++)
    for (int64_t k = at(t->compressed, row); k < at(t->compressed, row + 1); k++) {
      const size_t to = static_cast<size_t>(next[place(at(t->plain, k))]++);
      indices[to] = row;
      values[to] = value_at(t, k);
    }
  lengths[0] = columns + 1;
  lengths[1] = lengths[2] = nse;
  *result = *t;
  result->layout = SPW_CSC;
  result->compressed = {{SPW_INT64, 1, &lengths[0], &stride, 0, lengths[0]}, nullptr, offsets.data(), nullptr};
  result->plain = {{SPW_INT64, 1, &lengths[1], &stride, 0, lengths[1]}, nullptr, indices.data(), nullptr};
  result->values = {{SPW_FLOAT32, 1, &lengths[2], &stride, 0, lengths[2]}, values.data()};
  return FUZZ_ACCEPTS;
}
