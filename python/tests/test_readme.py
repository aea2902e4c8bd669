# SPDX-License-Identifier: Apache-2.0
"""The examples of python/README.md do what they say."""
import doctest
import os
import sys

README = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "README.md")


def main():
    with open(README, encoding="utf-8") as file:
        text = file.read()
    # The end of a block of Markdown is no output.
    test = doctest.DocTestParser().get_doctest(text.replace("```", ""), {}, "README.md", README, 0)
    runner = doctest.DocTestRunner()
    runner.run(test)
    if runner.tries < 10:
        print("test_readme: only %d examples" % runner.tries)
    return 1 if runner.failures or runner.tries < 10 else 0


if __name__ == "__main__":
    sys.exit(main())
