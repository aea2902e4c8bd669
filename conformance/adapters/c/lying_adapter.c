/* SPDX-License-Identifier: Apache-2.0 */
/* Our adapter with a fault that only chains show, named by its argument: each operation alone is right. chains_test.py
 * sees that each is found. A second argument has it answer in processes of their own. */
int ours_main(void); /* that of the adapter, and never called */
#define main ours_main
#include "ours_adapter.c"
#undef main

static const char *lie;

static bool is_lie(const char *name)
{
  return strcmp(lie, name) == 0;
}

/* One element of what the step before has left is another by now. */
static void change_value(const spw_tensor *live)
{
  if (live->values.array.dtype != SPW_FLOAT64 || live->values.array.length == 0) return;
  double *const first = (double *)(uintptr_t)live->values.data;
  *first += 1;
}

/* The last two elements of COO in the other order, whatever it claims. */
static void swap_places(const spw_tensor *live)
{
  if (live->layout != SPW_COO || live->plain.array.shape[1] < 2) return;
  for (int64_t d = 0; d < live->plain.array.shape[0]; d++) {
    const int64_t last = (d + 1) * live->plain.array.shape[1] - 1;
    if (live->plain.array.dtype == SPW_INT64) {
      int64_t *const row = (int64_t *)(uintptr_t)live->plain.i64 + last;
      const int64_t index = row[0];
      row[0] = row[-1], row[-1] = index;
    } else {
      int32_t *const row = (int32_t *)(uintptr_t)live->plain.i32 + last;
      const int32_t index = row[0];
      row[0] = row[-1], row[-1] = index;
    }
  }
}

/* A size in which the last row is missing. */
static void lose_a_row(const spw_tensor *live)
{
  int64_t *const size = (int64_t *)(uintptr_t)live->size;
  if (live->has_size && size[0] > 0) size[0]--;
}

/* Before every step after the second. */
static void lie_about(const spw_tensor *live)
{
  if (is_lie("changes-a-value")) change_value(live);
  if (is_lie("swaps-places")) swap_places(live);
  if (is_lie("loses-a-row")) lose_a_row(live);
}

static void judge_and_lie(const kit_question *question, kit_answer *answer)
{
  static int step;
  static void *second;
  kit_question asked = *question;
  if (question->operation == KIT_SUM && is_lie("dies-of-a-sum")) abort();
  step = question->live ? step + 1 : 1;
  if (step == 2) second = question->live;
  if (step > 2 && is_lie("answers-with-the-second-operand")) asked.live = second;
  if (step > 2) lie_about(asked.live);
  judge(&asked, answer);
  if (kit_keeps(answer) && step >= 2 && is_lie("keeps-nothing")) kit_keep(answer, NULL, NULL);
}

int main(int argc, char **argv)
{
  const kit_library lying = {
      .isolated = argc > 2,
      .name = "lying", .version = SPW_VERSION, .judge = judge_and_lie, .manifest = manifest};
  lie = argc > 1 ? argv[1] : "";
  return kit_serve(&lying);
}
