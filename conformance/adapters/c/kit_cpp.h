/* SPDX-License-Identifier: Apache-2.0 */
/* What adapters in C++ share: a question that a library has no answer to, and what a library throws. */
#ifndef CONFORMANCE_KIT_CPP_H
#define CONFORMANCE_KIT_CPP_H

#include "kit.h"

#include <stdexcept>

struct unsupported : std::runtime_error {
  using runtime_error::runtime_error;
};

/* Has `judge_any` answer; what it throws is the answer else. */
template <class Judge> void kit_answer_by(Judge judge_any, const kit_question *q, kit_answer *answer)
{
  try {
    judge_any(q, answer);
  } catch (const unsupported &error) {
    kit_unsupported(answer, error.what());
  } catch (const std::exception &error) {
    kit_reject(answer, q->operation == KIT_CHECK ? KIT_CONSTRUCT : KIT_USED, "%s", error.what());
  }
}

#endif
