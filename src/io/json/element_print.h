/* SPDX-License-Identifier: Apache-2.0 */
/* One element of any type as text of JSON. */
#ifndef SPW_IO_ELEMENT_PRINT_H
#define SPW_IO_ELEMENT_PRINT_H

#include "../../sparsewright.h"

enum { SPW_ELEMENT_TEXT = 96 };

/* Prints JSON text which spw_element_read turns into the same bits. False when there is none: a
 * bool that is neither 0 nor 1, or no element type. */
bool spw_element_print(spw_dtype dtype, const void *element, char text[SPW_ELEMENT_TEXT]);

#endif
