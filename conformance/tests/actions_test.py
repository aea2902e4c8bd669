#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the shell steps of the GitHub actions and the entry of the pre-commit hook as they would be
run there, with good input and with bad, and looks at what they leave. Needs PyYAML."""
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
import json
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
ACTIONS = ROOT / ".github/actions"
INPUT = re.compile(r"\$\{\{ inputs\.(\w+) \}\}")


class Runner:
    """What a step finds around it."""

    def __init__(self, folder):
        self.folder = Path(folder)
        self.temp = self.folder / "temp"
        self.temp.mkdir()
        spw = Path(os.environ.get("SPW", ROOT / "build/spw")).resolve()
        (self.temp / "spw").symlink_to(spw)
        self.environment = {**os.environ, "SPW": str(spw), "RUNNER_TEMP": str(self.temp),
                            "PATH": f"{self.temp}:{os.environ['PATH']}",
                            "GITHUB_OUTPUT": str(self.folder / "output"),
                            "GITHUB_STEP_SUMMARY": str(self.folder / "summary")}

    def run(self, action, **inputs):
        """The exit codes of its shell steps but the building one."""
        text = yaml.safe_load((ACTIONS / action / "action.yml").read_text())
        given = {name: entry.get("default", "") for name, entry in text["inputs"].items()}
        assert set(inputs) <= set(given), inputs
        given.update(inputs)
        codes = []
        for step in text["runs"]["steps"]:
            if "run" not in step or step["name"] == "Build":
                continue
            environment = {name: INPUT.sub(lambda match: given[match.group(1)], value)
                           for name, value in step.get("env", {}).items()}
            assert not any("${{" in value for value in environment.values())
            done = subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
                                  cwd=self.folder, env={**self.environment, **environment},
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            codes.append(done.returncode)
        return codes


def check_action():
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder)
        assert runner.run("check", files=str(ROOT / "examples/layouts.spw.jsonl")) == [0]
        assert runner.run("check", files=str(ROOT / "examples")) == [1]
        reports = max(runner.temp.glob("sparsewright-check-*"), key=lambda path: path.stat().st_mtime_ns)
        log = json.loads((reports / "sparsewright.sarif").read_text())
        assert any(result["ruleId"] == "SPW-5.3" for result in log["runs"][0]["results"])
        assert ET.parse(reports / "sparsewright.xml").getroot().tag == "testsuites"


def conform_action():
    adapter = ROOT / "conformance/adapters/planted_adapter.py"
    with tempfile.TemporaryDirectory() as folder:
        runner = Runner(folder)
        narrow = "--run csr/5.1/*"
        assert runner.run("conform", adapter=str(adapter), options=narrow) == [0, 0]
        wrong = f"{adapter} ignores-the-first-offset"
        assert runner.run("conform", adapter=wrong, options=narrow) == [1, 0]
        assert "too lax (survived)" in (Path(folder) / "summary").read_text()
        suite = ET.parse(runner.temp / "conform/report.xml").getroot().find("testsuite")
        assert int(suite.get("failures")) > 0
        assert "#a40e26" in (runner.temp / "conform/badge.svg").read_text()


def hook():
    (entry,) = yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())
    names = ("a.npz", "b.mtx", "c.mtx.gz", "d.spw.json", "e.spw.jsonl")
    assert all(re.search(entry["files"], name) for name in names)
    assert not re.search(entry["files"], "notes.json")
    with tempfile.TemporaryDirectory() as folder:
        environment = Runner(folder).environment
        for name, code in {"layouts.spw.jsonl": 0, "row_past_the_end.spw.json": 1}.items():
            done = subprocess.run([*entry["entry"].split(), str(ROOT / "examples" / name)],
                                  env=environment, stdout=subprocess.DEVNULL, check=False)
            assert done.returncode == code, name


def main():
    for test in (check_action, conform_action, hook):
        test()
    print("actions: both do what they should with good input and with bad, and so does the hook")
    return 0


if __name__ == "__main__":
    sys.exit(main())
