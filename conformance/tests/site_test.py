#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes a site of a report and looks at every page of it: well-formed, no link that leads nowhere, nothing that
needs a network or a script, every number from the report, and text that a hostile report brings as text."""
import json
import os
import re
import subprocess
import sys
import tempfile
import unittest
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path

sys.dont_write_bytecode = True
TOP = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(TOP))
import findings  # noqa: E402
from judging import judge  # noqa: E402
from reports.table import wrong  # noqa: E402

VOID = {"meta", "link", "br"}
HOSTILE = "<script>alert('x')</script>\"&../../x"
RESULTS = [("csr/5.3/fall-first/int32", "structure", "too lax (out of bounds)", "SIGSEGV"),
           ("csr/5.3/fall-last/int32", "structure", "right", ""),
           ("csr/matvec/scattered/float64-int32", "matvec", "wrong result", HOSTILE),
           ("csr/add/scattered-equal/float64-int32", "add", "unsupported", ""),
           ("a case/of another/suite", "matvec", "wrong flag", "\ud800 no character")]


def report(profile, version="1.0"):
    results = [{"id": name, "group": group, "rule": "valid", "outcome": outcome, "message": message}
               for name, group, outcome, message in RESULTS]
    counts = Counter(result["outcome"] for result in results)
    return {"library": profile, "version": version, "profile": profile, "executed": 4, "askable": 5, "failures": [],
            "outcomes": {outcome: counts[outcome] for outcome in judge.OUTCOMES}, "results": results}


class Page(HTMLParser):
    """Its links, its ids, its text by element; whether what is opened is closed in turn."""

    def __init__(self, path):
        super().__init__()
        self.open, self.links, self.ids, self.problems, self.text = [], [], [], [], ""
        self.tags, self.cells = Counter(), []
        self.feed(path.read_text(encoding="utf-8"))
        self.close()
        self.problems += [f"{tag} is not closed" for tag in self.open]
        self.problems += [f"id {name} twice" for name, number in Counter(self.ids).items() if number > 1]

    def handle_starttag(self, tag, attributes):
        self.tags[tag] += 1
        if tag not in VOID:
            self.open.append(tag)
        for key, value in attributes:
            if key in ("href", "src", "srcset", "action", "data"):
                self.links.append(value)
            if key == "id":
                self.ids.append(value)
            if key.startswith("on"):
                self.problems.append(f"{key} is a script")
        if tag == "td":
            self.cells.append("")

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.problems.append(f"{tag} is closed out of turn")

    def handle_data(self, data):
        self.text += data
        if self.open[-1:] != ["td"] and "td" not in self.open:
            return
        self.cells[-1] += data


def conform(*arguments):
    return subprocess.run([sys.executable, "-B", str(TOP / "conform"), *arguments], capture_output=True,
                          text=True, check=False)


class SiteTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        holder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(holder.cleanup)
        cls.holder = Path(holder.name)
        cls.libraries = [report("scipy"), report(HOSTILE, HOSTILE), report("a/b"), report("A/B"), report("scipy", "2.0")]
        files = []
        for k, part in enumerate((cls.libraries[:1], cls.libraries[1:])):
            files.append(cls.holder / f"report{k}.json")
            files[-1].write_text(json.dumps({"libraries": part}))
        cls.reports = [f"--report={file}" for file in files]
        cls.site = cls.holder / "site"
        done = conform("site", str(cls.site), *cls.reports)
        if done.returncode:
            raise AssertionError(done.stderr)
        cls.pages = {path.name: Page(path) for path in cls.site.glob("*.html")}

    def test_every_page_is_well_formed(self):
        for name, page in self.pages.items():
            self.assertEqual(page.problems, [], name)
            self.assertEqual((page.tags["h1"], page.tags["title"], page.tags["script"]), (1, 1, 0), name)

    def test_every_link_is_a_file_of_the_site(self):
        for name, page in self.pages.items():
            self.assertTrue(page.links, name)
            for link in page.links:
                self.assertRegex(link, r"^[A-Za-z0-9_.-]+(#[a-z0-9_-]+)?$", name)
                target, _, anchor = link.partition("#")
                self.assertTrue((self.site / target).is_file(), f"{name}: {link}")
                if anchor:
                    self.assertIn(anchor, self.pages[target].ids, f"{name}: {link}")

    def test_the_style_loads_nothing(self):
        style = (self.site / "style.css").read_text()
        self.assertNotRegex(style, r"url\(|@import|//[a-z]")
        self.assertIn("prefers-color-scheme: dark", style)
        self.assertEqual(style.count("{"), style.count("}"))

    def test_every_finding_and_every_library_has_a_page(self):
        reached = {link.partition("#")[0] for link in self.pages["index.html"].links}
        for finding in findings.findings():
            self.assertIn(f"finding-{finding.name}.html", reached)
            page = self.pages[f"finding-{finding.name}.html"]
            for told in (finding.title, finding.blocks[0][1][:200], finding.fields["version"]):
                self.assertIn(told, page.text)
            self.assertEqual(page.tags["h2"], 4, finding.name)
        libraries = [name for name in reached if name.startswith("library-")]
        self.assertEqual(len(libraries), len(self.libraries))
        self.assertEqual(len({name.lower() for name in libraries}), len(libraries))
        self.assertEqual(set(self.pages), (reached | {"index.html"}) - {"style.css"})

    def test_numbers_are_those_of_the_report(self):
        index = self.pages["index.html"]
        bad = sum(wrong(Counter(library["outcomes"])) for library in self.libraries)
        self.assertIn(f"20 answers, {bad} of them not right", index.text)
        self.assertEqual(index.cells[:15], ["1/2!"] * 5 + ["2/2"] * 5 + ["–"] * 5)
        self.assertIn("scipy 2.0", self.pages["library-scipy.1.html"].text)
        own = self.pages["library-scipy.html"]
        for name, _, outcome, _ in RESULTS:
            self.assertEqual(name in own.text, outcome not in ("right", "unsupported"), name)
        self.assertIn("check_format(full_check=True)", own.text)  # the program that asks the same
        self.assertIn("finding-scipy-market-plus.html", own.links)

    def test_what_a_report_brings_stays_text(self):
        for path in self.site.iterdir():
            self.assertNotIn("<script", path.read_text(encoding="utf-8"), path)
        self.assertIn(HOSTILE, self.pages["index.html"].text)
        self.assertEqual(list(self.holder.rglob("x")), [])

    def test_a_folder_that_is_not_empty_is_left(self):
        folder = self.holder / "kept"
        folder.mkdir()
        (folder / "mine").write_text("mine")
        done = conform("site", str(folder), *self.reports)
        self.assertEqual(done.returncode, 2)
        self.assertIn("not empty", done.stderr)
        self.assertEqual(os.listdir(folder), ["mine"])

    def test_what_is_no_report_is_refused(self):
        for number, content in enumerate(("", "[]", "{}", '{"libraries": 3}', '{"libraries": [{}]}',
                                          '{"libraries": [3]}', '{"libraries": [{"profile": 3}]}')):
            file, folder = self.holder / f"no{number}.json", self.holder / f"none{number}"
            file.write_text(content)
            done = conform("site", str(folder), f"--report={file}")
            self.assertEqual((done.returncode, re.search("Traceback", done.stderr)), (2, None), content)
            self.assertFalse(folder.exists(), content)
        for arguments in ((), ("--report=x",), ("one", "two"), ("-x",), (str(self.holder / "s"), "--report=/no/such")):
            self.assertEqual(conform("site", *arguments).returncode, 2, arguments)


if __name__ == "__main__":
    unittest.main()
