#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants what tests/style.py must find."""
import unittest
from pathlib import Path

import style

HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n"
GOOD = HEAD + "/* What this is for. */\nint x;\n"
LONG = "x" * 131


class Finds(unittest.TestCase):
    def expect(self, path, text, *problems):
        found = style.problems_of(Path(path), text)
        self.assertEqual(len(found), len(problems), found)
        for expected, problem in zip(problems, found):
            self.assertIn(expected, problem)

    def test_nothing_wrong(self):
        self.expect("src/io/x.c", GOOD)
        self.expect("src/io/x.c", GOOD + f"/*@ requires {LONG}; */\n")
        self.expect("tests/x.py", '#!/usr/bin/env python3\n# SPDX-License-Identifier: Apache-2.0\n"""What this is."""\n')
        self.expect("src/owned/owned_more.c", HEAD + '#include "owned.h"\n')

    def test_top(self):
        self.expect("src/x.c", "/* What this is. */\n" + HEAD, "licence")
        self.expect("src/x.c", HEAD + "#include <stdio.h>\n", "says what it is")
        self.expect("src/x.c", HEAD + '#include "no_such.h"\n/* What this is. */\n', "says what it is")
        self.expect("src/x.inc", HEAD + "/*@ requires true and more; */\n", "says what it is")

    def test_lines(self):
        self.expect("src/x.c", GOOD + LONG + "\n", "line 4 has 131 columns")
        self.expect("src/x.c", GOOD + "int y; \n\tint z;\n", "line 4 ends with a blank", "line 5 has a tab")
        self.expect("src/x.c", GOOD[:-1], "line end")
        self.expect("src/x.c", GOOD + "\n", "line end")
        self.expect("src/rules.mk", "# SPDX-License-Identifier: Apache-2.0\n# What this makes.\nx:\n\ttouch x\n")

    def test_includes(self):
        self.expect("src/cli/text/x.c", GOOD + '#include "../cli.h"\n#include "../../sparsewright.h"\n')
        self.expect("src/cli/x.c", GOOD + '#include "../owned/owned.h"\n', "src/owned/owned.h")
        self.expect("src/io/x.c", GOOD + '#include "../core/size.h"\n', "src/core/size.h")
        self.expect("src/infer/x.c", GOOD + '#include "../core/size.h"\n')

    def test_shells(self):
        top = "\n# SPDX-License-Identifier: Apache-2.0\n# What this does.\n"
        for line in ("[ a = a ] && grep '[[:space:]]' x # [[ x =~ y ]]", 'echo "${1:-a}" "${1#b}" a==b >&2', "f() { return 0; }",
                     "my_function x", "set -eu", "make test || exit 1\nawk '$1 == 2' x", "if true; then test x = y; fi", 'cat <<end | sed "s/#//"\nx\nend'):
            self.expect("x", "#!/bin/sh" + top + line + "\n")
        bash = ("cat <<<x", "cat <(echo x)", "x=(1 2)")
        for line in bash:
            self.expect("x", "#!/usr/bin/env bash" + top + line + "\n")
            self.assertIn("cannot be read", style.problems_of(Path("x"), "#!/bin/sh" + top + line + "\n")[0])
        for line in ("[[ x ]]", "true && [[ -n x ]]", "[ x =~ y ]", "[ x == x ]", "test x == x", "if [ x == x ]; then true; fi", "true || [ a == b ]", "set -euo pipefail",
                     "function f\n{ true; }", "true &>x", "source x", 'echo "${x/a/b}"', "echo ${x:1:2}", "echo ${!x}", "echo ${x[0]}"):
            self.expect("x", "#!/bin/sh" + top + line + "\n", "line 4")
        self.expect("x", "#!/usr/bin/env bash" + top + "if true; then\n", "cannot be read")
        self.expect("x", "#!/bin/bash" + top + "cat <<end\n", "cannot be read")
        self.expect("x", "#!/bin/sh" + top + 'if true; then\n', "cannot be read")

    def test_sentences(self):
        words, path = "word " * 30, Path("README.md")
        for text in (f"{words}word.\n", f"{words}. {words}.", f"- {words}\n- {words}\n", f"| {words} | {words} |\n", f"# {words}\n\n{words}\n",
                     f"```sh\n{words * 2}\n```\n", f"`{words * 2}`", f"{words}; {words}", f"Formula:\n\n    {words * 2}\n\nText.\n"):
            self.assertEqual(style.sentence_problems(path, text), [], text)
        for text in (f"{words * 2}.", f"A word. {words}\n{words}\n", f"- {words}\n  {words}\n", f"| {words}{words} | x |\n", f"{words}`a b` {words}"):
            self.assertEqual(len(style.sentence_problems(path, text)), 1, text)
        header = Path("src/sparsewright.h")
        self.assertEqual(len(style.sentence_problems(header, f"/* {words}\n * {words} */\nint x;\n")), 1)
        self.assertEqual(style.sentence_problems(header, f"int {words * 2};\n/*@ requires {words * 2}; */\n/* {words}.\n * {words} */\n"), [])


if __name__ == "__main__":
    unittest.main()
