#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Plants headers and programs that nobody installs, and expects tests/packages.py to find them."""
import shutil
import unittest

import packages

SCRIPT = r"""
set -eu   # file, less
helper() { xxd "$1"; }
needs=(
  "gcc command -v gcc"
)
if command -v jq >/dev/null && ! [ -e x ]; then jq . x | (unzip -p - | bc -l) || true; fi
LANG=C env A=1 nice -n 5 column "$(tree -L 1 "$(dirname "$x")")" `lsof -p 1` > file 2>&1
case $1 in
  zip|tar*) rsync a b ;;
  *) for word in less more; do helper "$word $((1 + 2)) ${x:-vim}"; done ;;
esac
cat <<'END' | bash -c 'curl x; ed y'
wget here
END
"$program" --option | tee -a y; wall
"""
PROGRAMS = "set [ command unzip bc true env nice column tree dirname lsof rsync cat bash curl ed $program tee wall xxd".split()

RECIPES = """
HERE := $(shell cat $(wildcard *.h) | ruby -e 'x' 2>/dev/null)
all: x
\t@mkdir -p $(@D); $(CC) x && \\
\t  dot $$HOME
\t$(if $(X),,@echo no)
"""


class Finds(unittest.TestCase):
    def test_programs_of_a_script(self):
        self.assertEqual(sorted(packages.commands_of(SCRIPT)), sorted(PROGRAMS))

    def test_programs_of_recipes(self):
        found = [name for script in packages.recipes_of(RECIPES) for name in packages.commands_of(script)]
        self.assertEqual(sorted(found), ["$", "$", "cat", "dot", "mkdir", "ruby"])

    def test_programs_of_c_and_python_and_documents(self):
        self.assertEqual(packages.c_commands('x = system("yes | \\"$P\\""\n  " >out"); puts("y");'), ['yes | "$P" >out'])
        found = packages.python_commands("run(['xz', 'y'])\ncommand = ['zstd']\nx = ['not', 'this']\n")
        self.assertEqual(sorted(found), ["xz", "zstd"])
        self.assertEqual(packages.documented_commands("```console\n$ jq x\nout\n```\n```sh\nmake y\n```\n"), ["jq x", "make y"])

    def test_headers(self):
        self.assertEqual(packages.headers_of('#include <a.h>\n #  include <b/c.h> // x\n#include "d.h"\n'), ["a.h", "b/c.h"])


@unittest.skipUnless(shutil.which("dpkg-query"), "there is no dpkg here")
class Judges(unittest.TestCase):
    def setUp(self):
        self.named = [line.split()[0] for line in packages.output_of(".ci/install-packages", "--list").splitlines()]

    def test_a_package_that_is_not_installed_on_purpose(self):
        debian = packages.Debian(self.named)
        self.assertIsNone(packages.header_problem(debian, "jansson.h", True))
        self.assertIsNone(packages.program_problem(debian, "gcc", True))
        debian = packages.Debian([name for name in self.named if name != "libjansson-dev"])
        self.assertIn("libjansson-dev", packages.header_problem(debian, "jansson.h", True))

    def test_what_is_nowhere(self):
        debian = packages.Debian(self.named)
        self.assertIn("there is no", packages.header_problem(debian, "no/such.h", True))
        self.assertIsNone(packages.header_problem(debian, "no/such.h", False))
        self.assertIn("there is no", packages.program_problem(debian, "no-such-program", True))

    def test_what_is_drawn_in(self):
        debian = packages.Debian(["gcc"])
        self.assertIsNone(packages.program_problem(debian, "readelf", True))
        self.assertIsNotNone(packages.program_problem(debian, "clang", True))


if __name__ == "__main__":
    unittest.main()
