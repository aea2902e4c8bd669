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
        self.expect("src/io/owned_more.c", HEAD + '#include "owned.h"\n')

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
        self.expect("src/cli/x.c", GOOD + '#include "../io/owned.h"\n', "src/io/owned.h")
        self.expect("src/io/x.c", GOOD + '#include "../core/size.h"\n', "src/core/size.h")
        self.expect("src/infer/x.c", GOOD + '#include "../core/size.h"\n')


if __name__ == "__main__":
    unittest.main()
