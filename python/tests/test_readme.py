# SPDX-License-Identifier: Apache-2.0
"""The examples of python/README.md, and those of Python in README.md, do what they say."""
import doctest
import os
import sys

PYTHON = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LEAST = {os.path.join(PYTHON, "README.md"): 10, os.path.join(os.path.dirname(PYTHON), "README.md"): 2}


def failures(path, least):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    # The end of a block of Markdown is no output.
    test = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, path, path, 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    if runner.tries < least:
        print("test_readme: only %d examples in %s" % (runner.tries, path))
    return runner.failures + (runner.tries < least)


def main():
    return 1 if sum(failures(path, least) for path, least in LEAST.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
