#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""workflows.py: the workflows of GitHub can be parsed, and what their steps run is there: shell that
bash accepts, goals that make has, scripts and actions of this repository. Needs PyYAML."""
import os
import re
import subprocess
import sys
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
WORKFLOWS = ROOT / ".github/workflows"
FIELDS = {"name", True, "permissions", "concurrency", "jobs"}  # `on` is a truth value in YAML 1.1


def scripts_of(job):
    """What its steps run, once for each entry of its matrix."""
    entries = job.get("strategy", {}).get("matrix", {}).get("include", [{}])
    texts = [step["run"] for step in job["steps"] if "run" in step]
    return {re.sub(r"\$\{\{ matrix\.(\w+) \}\}", lambda match: entry[match[1]], text) for text in texts for entry in entries}


def said_by(*command, **options):
    done = subprocess.run(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **options)
    return done.stdout.strip() or f"exit code {done.returncode}" if done.returncode else ""


def problems_of(script):
    """Why a script cannot work here."""
    wrong = [said_by("bash", "-n", input=script)]
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    for command in re.split(r"&&|\n", script):
        words = command.split()
        if words and words[0] == "make":
            wrong.append(said_by("make", "-n", *words[1:], env=environment))
        elif words and words[0].startswith((".", "/")) and not os.access(ROOT / words[0], os.X_OK):
            wrong.append(f"there is no program {words[0]}")
    if "${{" in script:
        wrong.append("an expression in a script that the test cannot replace")
    return [problem for problem in wrong if problem]


def problems_of_file(text):
    workflow = yaml.safe_load(text)
    wrong = [f"unknown or missing: {name}" for name in (set(workflow) - FIELDS) | ({"name", True, "jobs"} - set(workflow))]
    scripts = 0
    for name, job in workflow["jobs"].items():
        wrong += [f"{name}: {step} neither runs nor uses anything" for step in job["steps"] if not {"run", "uses"} & set(step)]
        wrong += [f"{name}: there is no action {step['uses']}" for step in job["steps"]
                  if step.get("uses", "").startswith("./") and not (ROOT / step["uses"] / "action.yml").exists()]
        wrong += [f"{name}: no limit of time"] * ("timeout-minutes" not in job)
        for script in scripts_of(job):
            wrong += [f"{name}: {script}: {problem}" for problem in problems_of(script)]
            scripts += 1
    return wrong, scripts


def main():
    files, scripts, wrong = sorted(WORKFLOWS.glob("*.yml")), 0, []
    for file in files:
        found, count = problems_of_file(file.read_text())
        wrong += [f"{file.name}: {problem}" for problem in found]
        scripts += count
    if wrong or not scripts:
        sys.exit("\n".join(wrong) or "workflows: nothing is run")
    print(f"workflows: {len(files)} run {scripts} scripts, all of which are there")


if __name__ == "__main__":
    main()
