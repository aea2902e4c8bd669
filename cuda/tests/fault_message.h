/* SPDX-License-Identifier: Apache-2.0 */
/* Runs something that must stop the program, in a child process, and reads its last words. */
#ifndef CUDA_TESTS_FAULT_MESSAGE_H
#define CUDA_TESTS_FAULT_MESSAGE_H

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What `run` writes to stderr before it aborts, in static storage; "" when it does not abort. */
static inline const char *fault_message(void (*run)(void))
{
  static char text[4096];
  int ends[2], status = 0;
  size_t length = 0;
  text[0] = 0;
  if (pipe(ends) != 0) return "";
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    signal(SIGABRT, SIG_DFL);
    run();
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t got = 1; got > 0 && length < sizeof text - 1; length += (size_t)(got > 0 ? got : 0))
    got = read(ends[0], text + length, sizeof text - 1 - length);
  text[length] = 0;
  close(ends[0]);
  if (child < 0 || waitpid(child, &status, 0) != child) return "";
  return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT ? text : "";
}

#endif
