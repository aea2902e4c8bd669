/* SPDX-License-Identifier: Apache-2.0 */
/* The counters lie in the file that SPW_FAULT_COUNTS names, so that they survive a crash. */
#define _GNU_SOURCE
#include "planted.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static int active = -1;
static unsigned long none[2], *counts = none;

__attribute__((constructor)) static void begin(void)
{
  const char *fault = getenv("SPW_FAULT"), *path = getenv("SPW_FAULT_COUNTS");
  if (!fault || !path) return;
  active = atoi(fault);
  const int file = open(path, O_RDWR);
  void *shared = MAP_FAILED;
  if (file >= 0) shared = mmap(NULL, sizeof none, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (file >= 0) close(file);
  if (shared != MAP_FAILED) counts = shared;
}

int spw_fault_is(int fault)
{
  if (fault != active) return 0;
  counts[0]++;
  return 1;
}

void spw_fault_triggered(void)
{
  counts[1]++;
}
