/* SPDX-License-Identifier: Apache-2.0 */
#include "../../check/verdict.h"
#include "payloads.h"

/* level L2 */
spw_payloads spw_payloads_of(const spw_value_array *values, int64_t parts, int64_t width)
{
  const spw_payloads p = {.first = values->data, .length = values->array.length * parts, .width = width};
  return p;
}

/* level L2 */
spw_payloads spw_payloads_of_buffer(const spw_buffers *b, int64_t width)
{
  const spw_payloads p = {.first = b->values, .length = b->room.values, .width = width};
  return p;
}
