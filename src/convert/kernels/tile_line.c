/* SPDX-License-Identifier: Apache-2.0 */
#include "tile_line.h"
