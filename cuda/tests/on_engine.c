/* SPDX-License-Identifier: Apache-2.0 */
/* The host engine in the place of a device. */
#define _DEFAULT_SOURCE 1
#include "kernels_under_test.h"

#include "../convert/on_host.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int kernels_under_test_tile;

int kernels_under_test_begin(void)
{
  return 0;
}

void kernels_under_test_end(void)
{
  spw_engine_release();
}

static unsigned lesser(unsigned a, unsigned b)
{
  return a < b ? a : b;
}

/* Small grids more often than large ones: a thread costs the same in each. */
typedef struct launch {
  unsigned blocks, threads;
  uint64_t seed;
  bool small; /* tiles */
} launch;

static launch launch_of(uint64_t way)
{
  const unsigned w = (unsigned)(way >> 32);
  const unsigned blocks = lesser(w % 4, lesser(w / 4 % 4, w / 16 % 4)), warps = lesser(w / 64 % 3, w / 192 % 3);
  const launch l = {1 + blocks, 32 * (1 + warps), way % 3 ? way : 0,
                    kernels_under_test_tile ? kernels_under_test_tile == SMALL_TILE : w / 576 % 2};
  return l;
}

int kernels_under_test(const spw_tensor *tensor, spw_level level, uint64_t way,
                       spw_violation *first)
{
  const launch l = launch_of(way);
  return (l.small ? spw_first_violation_in_small_tiles : spw_first_violation_on_host)(tensor, level, l.blocks, l.threads,
                                                                                      l.seed, first);
}

/* Memory of a device, which the host cannot read, aligned as what lies in ours. */
static const void *far(const void *here)
{
  enum { PAGE = 4096 };
  static char *unreadable;
  if (!unreadable) unreadable = mmap(NULL, 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (unreadable == MAP_FAILED) abort();
  return here ? unreadable + (uintptr_t)here % PAGE : NULL;
}

static spw_tensor on_a_device(const spw_tensor *tensor)
{
  spw_tensor t = *tensor;
  spw_index_array *const indices[] = {&t.compressed, &t.plain};
  for (int i = 0; i < 2; i++) {
    indices[i]->i32 = far(indices[i]->i32);
    indices[i]->i64 = far(indices[i]->i64);
    indices[i]->raw = far(indices[i]->raw);
  }
  t.values.data = far(t.values.data);
  return t;
}

/* Whatever lies in the arrays: they are not read. */
int convert_room_under_test(const spw_tensor *tensor, const spw_conversion *wanted, spw_room *room, spw_refusal *refusal)
{
  spw_convert_plan plan, of_far;
  const spw_tensor copied = on_a_device(tensor);
  const spw_status status = spw_convert_plan_make(tensor, wanted, &plan, refusal);
  if (spw_convert_plan_make(&copied, wanted, &of_far, NULL) != status ||
      (status == SPW_OK && (of_far.room.values != plan.room.values || of_far.room.work != plan.room.work))) {
    puts("suite: a plan depends on what lies on the device");
    exit(1);
  }
  if (status == SPW_OK) *room = plan.room;
  return status;
}

int convert_under_test(const spw_tensor *tensor, const spw_conversion *wanted, const spw_buffers *buffers, uint64_t way,
                       spw_tensor *result, spw_refusal *refusal)
{
  const launch l = launch_of(way);
  return (l.small ? spw_convert_in_small_tiles : spw_convert_on_host)(tensor, wanted, buffers, l.blocks, l.threads, l.seed,
                                                                      result, refusal);
}
