#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an adapter in Python leaves out by hand has a reason: its own (`because`), or the one that libraries share. It reads
the adapters and starts none, as most libraries are not there."""
import ast
import sys
import unittest
from pathlib import Path

sys.dont_write_bytecode = True
HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "adapters")]
import protocol  # noqa: E402
from judging import judge  # noqa: E402
from schemas.vocabulary import FLAGS  # noqa: E402

NAMES = ("lacks", "LACKS", "EMPTY", "because", "BECAUSE")
# Stand for libraries in tests, and write their own answers.
STAND_INS = ("broken_adapter.py", "hostile_adapter.py", "planted_adapter.py")


def named(tree):
    """What stands in the source under one of these names: as a key, as an argument, or assigned."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            yield from ((key.value, value) for key, value in zip(node.keys, node.values) if isinstance(key, ast.Constant))
        elif isinstance(node, ast.keyword):
            yield node.arg, node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                pairs = zip(target.elts, node.value.elts) if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple) else [(target, node.value)]
                yield from ((item.id, value) for item, value in pairs if isinstance(item, ast.Name))


def words(node):
    return {item.value for item in ast.walk(node) if isinstance(item, ast.Constant) and isinstance(item.value, str)}


def without_reason(source):
    found = {name: set() for name in NAMES}
    for name, value in named(ast.parse(source)):
        if name in found:
            found[name] |= words(value)
    reasons = {word.rpartition("/")[2] for word in found["because"] | found["BECAUSE"]} | set(protocol.REASONS)
    return sorted((found["lacks"] | found["LACKS"] | found["EMPTY"]) & set(FLAGS) - reasons)


class Reasons(unittest.TestCase):
    def test_every_adapter_says_why(self):
        for path in sorted((HERE.parent / "adapters").glob("*_adapter.py")):
            if path.name not in STAND_INS:
                with self.subTest(adapter=path.name):
                    self.assertEqual(without_reason(path.read_text()), [])

    def test_a_flag_without_reason_is_found(self):
        text = (HERE.parent / "adapters" / "qutip_adapter.py").read_text()
        self.assertEqual(without_reason(text.replace('"because"', '"other"')), ["empty-size"])
        self.assertEqual(without_reason('MANIFEST = {"lacks": ["nan", "batched"]}'), ["nan"])
        self.assertEqual(without_reason('a, lacks = 1, ["inf"]'), ["inf"])

    def test_a_manifest_gets_the_reasons(self):
        told = protocol.with_reasons({"lacks": ["batched", "nan"], "because": {"sum/inf": "no"},
                                      "operations": {"sum": {"lacks": ["inf"]}, "cat": {"lacks": ["hybrid"]}}})
        self.assertEqual(judge.not_asked(told), [["batched", protocol.REASONS["batched"]], ["nan", None], ["sum/inf", "no"],
                                                 ["cat/hybrid", protocol.REASONS["hybrid"]]])

    def test_reasons_are_texts(self):
        manifest = {"operations": {}, "index_dtypes": [], "lacks": ["nan"], "names_rules": "none"}
        self.assertIsNone(judge.problem_of_manifest({**manifest, "because": {"nan": "it has none"}}))
        for because in (["nan"], {"nan": ""}, {"nan": 1}, None):
            self.assertIsNotNone(judge.problem_of_manifest({**manifest, "because": because}))


if __name__ == "__main__":
    unittest.main()
