/* SPDX-License-Identifier: Apache-2.0 */
/* Why a step of an optimiser is refused. */
#include "text.h"

#include <string.h>

static const char *needed(int64_t number)
{
  switch (number) {
  case SPW_HYPER_NESTEROV: return "needs a momentum above 0 and no dampening, and is asked for with";
  case SPW_HYPER_BETA1: case SPW_HYPER_BETA2: return "has to be at least 0 and below 1, and is";
  case SPW_HYPER_EPS: return "has to be above 0 (adagrad: or 0), and is";
  case SPW_HYPER_WEIGHT_DECAY: return "has to be 0, because any other would touch every row, and is";
  case SPW_HYPER_DAMPENING: return "has to be a number, and is";
  default: return "has to be at least 0, and is";
  }
}

size_t spw_optimise_refusal_text(spw_status status, const spw_refusal *refusal, char *text, size_t length)
{
  static const char *const names[] = {"the gradient", "the momentum", "the parameter"};
  const char *const name = status == SPW_ERANGE && refusal && refusal->obstacle == SPW_OBSTACLE_SCALAR
                               ? spw_hyper_name((spw_hyper)refusal->place)
                               : NULL;
  spw_sentence out = spw_sentence_in(text, length);
  double value = 0;
  if (!name) {
    const spw_refused what = {.operation = SPW_ANY_OPERATION, .names = names};
    return spw_refusal_text(&what, status, refusal, text, length);
  }
  memcpy(&value, &refusal->lhs, sizeof value);
  spw_say(&out, "%s %s %.17g", name, needed(refusal->place), value);
  return out.needed;
}
