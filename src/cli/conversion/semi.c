/* SPDX-License-Identifier: Apache-2.0 */
#include "semi.h"

#include <stdlib.h>

/* Why there is no result. */
static spw_owned *refused(spw_status status, const spw_semi_refusal *why, size_t memory, const char *hint, cli_problem *problem)
{
  char text[256];
  if (status == SPW_ENOMEM) {
    set_problem(problem, "limit", "it takes more than the limit of %zu bytes; --max-memory=N changes the limit", memory);
    return NULL;
  }
  spw_semi_refusal_text(status, why, text, sizeof text);
  set_problem(problem, status == SPW_EINVALID || status == SPW_ERANGE || status == SPW_EUNSUPPORTED ? "impossible" : "internal",
              "%s%s", text, why->obstacle == SPW_SEMI_OBSTACLE_PATTERN ? hint : "");
  return NULL;
}

spw_owned *semi_from_tensor(const cli_judgement *judgement, const semi_wanted *wanted, size_t memory, const spw_semi **semi,
                            cli_problem *problem)
{
  const spw_semi_request request = {wanted->order, SPW_DTYPE_NONE, wanted->bits};
  const spw_semi_pruning pruning = wanted->tiles ? SPW_SEMI_TILES : SPW_SEMI_LARGEST;
  spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  spw_owned *owned = NULL;
  const spw_status status = spw_semi_from_new(judgement->input->tensor, &request, wanted->prune ? &pruning : NULL, memory, &owned,
                                              semi, &why);
  return status == SPW_OK ? owned : refused(status, &why, memory, "; --prune-24 keeps the largest", problem);
}

spw_owned *semi_in_order(const cli_judgement *judgement, const semi_wanted *wanted, size_t memory, const spw_semi **semi,
                         cli_problem *problem)
{
  spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  spw_owned *owned = NULL;
  const spw_status status = spw_semi_reorder_new(judgement->semi, wanted->order, memory, &owned, semi, &why);
  return status == SPW_OK ? owned : refused(status, &why, memory, "", problem);
}

spw_owned *tensor_from_semi(const cli_judgement *judgement, bool dense, spw_dtype index, size_t memory, cli_problem *problem)
{
  spw_semi_refusal why = {.obstacle = SPW_SEMI_OBSTACLE_NONE};
  spw_owned *owned = NULL;
  const spw_status status = dense ? spw_semi_to_dense_new(judgement->semi, memory, &owned, &why)
                                  : spw_semi_to_csr_new(judgement->semi, index ? index : SPW_INT64, memory, &owned, &why);
  return status == SPW_OK ? owned : refused(status, &why, memory, "", problem);
}
