/* SPDX-License-Identifier: Apache-2.0 */
/* z3cli SECONDS ARGUMENT...: runs Z3 for so many seconds of CPU time, and says "timeout" where that was too short.
   Z3's own limit is wall-clock time, of which a prover that shares its core with three others has a quarter: a busy machine
   would turn a provable goal into a timeout. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--version") == 0) return execl(Z3, "z3", argv[1], (char *)NULL);
    const long seconds = argc > 2 ? strtol(argv[1], NULL, 10) : 0;
    if (seconds <= 0) {
        fputs("usage: z3cli SECONDS ARGUMENT...\n", stderr);
        return 2;
    }
    const pid_t prover = fork();
    if (prover < 0) return 1;
    if (prover == 0) {
        const struct rlimit limit = {(rlim_t)seconds, (rlim_t)seconds};
        setrlimit(RLIMIT_CPU, &limit);
        prctl(PR_SET_PDEATHSIG, SIGKILL);   /* who stops this one means both */
        argv[1] = "z3";
        execv(Z3, argv + 1);
        _exit(127);
    }
    int status;
    while (waitpid(prover, &status, 0) < 0)
        if (errno != EINTR) return 1;
    if (WIFEXITED(status)) return WEXITSTATUS(status);
    if (WTERMSIG(status) == SIGXCPU || WTERMSIG(status) == SIGKILL) puts("timeout");
    return 0;
}
