/* SPDX-License-Identifier: Apache-2.0 */
#include "types.h"

/* level L2 */
int64_t spw_payload_parts(spw_dtype dtype)
{
  return dtype == SPW_COMPLEX64 || dtype == SPW_COMPLEX128 ? 2 : 1;
}

/* level L2 */
int64_t spw_payload_width(spw_dtype dtype)
{
  if (dtype == SPW_BOOL || dtype == SPW_UINT8 || dtype == SPW_INT8) return 1;
  if (dtype == SPW_INT16 || dtype == SPW_FLOAT16 || dtype == SPW_BFLOAT16) return 2;
  if (dtype == SPW_INT32 || dtype == SPW_FLOAT32 || dtype == SPW_COMPLEX64) return 4;
  return dtype == SPW_INT64 || dtype == SPW_FLOAT64 || dtype == SPW_COMPLEX128 ? 8 : 0;
}
