# SPDX-License-Identifier: Apache-2.0
"""cvc5cli.py SECONDS FILE.smt2: the cvc5 wheel of PyPI as the command line solver that Why3 expects.

The limit is CPU time, not wall-clock time, so that a busy machine does not turn a provable goal into a
timeout. The solver runs in a child process because the signal of the limit cannot be caught inside it.
"""
import os
import resource
import signal
import sys

import cvc5


def solve(path):
    solver = cvc5.Solver()
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, path)
    command = parser.nextCommand()
    while not command.isNull():
        sys.stdout.write(str(command.invoke(solver, parser.getSymbolManager())))
        sys.stdout.flush()
        command = parser.nextCommand()


def main():
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.setitimer(signal.ITIMER_PROF, float(sys.argv[1]))
        solve(sys.argv[2])
        sys.stdout.flush()
        os._exit(0)
    _, status = os.waitpid(child, 0)
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGXCPU):
        print("cvc5 interrupted by timeout.")
        return 0
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
