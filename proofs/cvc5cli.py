# SPDX-License-Identifier: Apache-2.0
"""cvc5cli.py SECONDS FILE.smt2: the cvc5 wheel of PyPI as the command line solver that Why3 expects.

Why3 limits CPU time itself; the wall-clock limit set here is four times as long and only a backstop,
so that a busy machine does not turn a provable goal into a timeout.
"""
import sys

import cvc5


def main():
    seconds, path = float(sys.argv[1]), sys.argv[2]
    solver = cvc5.Solver()
    solver.setOption("tlimit-per", str(int(seconds * 4000)))
    parser = cvc5.InputParser(solver)
    parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, path)
    command = parser.nextCommand()
    while not command.isNull():
        sys.stdout.write(str(command.invoke(solver, parser.getSymbolManager())))
        sys.stdout.flush()
        command = parser.nextCommand()


if __name__ == "__main__":
    main()
