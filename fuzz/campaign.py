# SPDX-License-Identifier: Apache-2.0
"""A campaign over all targets in slices of time. What is done is written down after every slice, so
that a campaign can be stopped at any time and taken up again with the same command."""
import concurrent.futures
import datetime
import html
import json
import os
import shutil
import sys
import time

import engines
import speed
from engines import Trouble

ENGINES = ("plain", "asan", "plain", "afl")  # the order of slices
NAMES = {"plain": "libFuzzer", "asan": "libFuzzer ASan+UBSan", "afl": "AFL++ ASan+UBSan CMPLOG"}
STATE = os.path.join(engines.WORK, "report.json")
SHORTEST, LONGEST = 10, 600


def load():
    try:
        with open(STATE, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {"started": now(), "targets": {}}
    except ValueError:
        raise Trouble(f"{STATE} is damaged: remove it to begin a new campaign") from None


def now():
    return datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="seconds")


def save(state):
    state["updated"] = now()
    state["executions"] = sum(sum(t["executions"].values()) for t in state["targets"].values())
    with open(STATE + ".new", "w", encoding="utf-8") as file:
        json.dump(state, file, indent=1)
    os.replace(STATE + ".new", STATE)
    with open(STATE.replace(".json", ".html"), "w", encoding="utf-8") as file:
        file.write(page(state))


def fuzz_slice(engine, target, seconds, corpus, crashes):
    """Gives {executions, seconds, coverage, stability} or, when the engine fails, {problem}."""
    try:
        if engine == "afl":
            copy = os.path.join(engines.WORK, "afl", target + ".in")
            shutil.rmtree(copy, ignore_errors=True)
            shutil.copytree(corpus, copy)
            result = engines.afl(target, seconds, copy, os.path.join(engines.WORK, "afl", target), crashes)
            engines.merge("asan", target, [corpus, copy], corpus)
            return result
        # Half of the runs follow the values of comparisons too.
        profile = f"-use_value_profile={int(time.time()) % 2}"
        return engines.libfuzzer(engine, target, seconds, corpus, crashes, profile)
    except Trouble as trouble:
        return {"problem": str(trouble)}


def note(state, target, engine, result):
    entry = state["targets"].setdefault(target, {"executions": {}, "seconds": {}, "coverage": [], "stability": "", "problems": []})
    if "problem" in result:
        entry["problems"].append(result["problem"])
        return
    name = NAMES[engine]
    entry["executions"][name] = entry["executions"].get(name, 0) + result["executions"]
    entry["seconds"][name] = round(entry["seconds"].get(name, 0) + result["seconds"], 1)
    if engine == "asan":
        entry["coverage"].append([round(sum(entry["seconds"].values())), result["coverage"]])
    if result.get("stability"):
        entry["stability"] = result["stability"]
    if not result["executions"]:
        entry["problems"].append(f"{name} executed nothing")


def progress(state, begun, total):
    if sys.stderr.isatty():
        done = min(time.monotonic() - begun, total)
        print(f"\r{done:.0f} of {total} s, {state['executions']} executions", end="", file=sys.stderr, flush=True)


def run(options, corpus_of, crashes_of, report_crashes):
    wanted = engines.targets()
    for kind in ("plain", "asan", "afl-asan", "afl-cmplog"):
        engines.build(kind, wanted, options.jobs)
    engines.build("tools", ["afl_mutator.so"], options.jobs)
    state, begun = load(), time.monotonic()
    length = max(SHORTEST, min(LONGEST, options.time * options.jobs // (len(wanted) * len(ENGINES))))
    turn = state.get("turn", 0)
    while time.monotonic() - begun < options.time:
        engine = ENGINES[turn % len(ENGINES)]

        def work(target):
            if time.monotonic() - begun >= options.time:
                return
            note(state, target, engine, fuzz_slice(engine, target, length, corpus_of(target), crashes_of(target)))
            save(state)
            progress(state, begun, options.time)
        with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
            list(pool.map(work, wanted))
        turn += 1
        state["turn"] = turn
        save(state)
    return close(state, wanted, report_crashes)


def close(state, wanted, report_crashes):
    found = 0
    for target in wanted:
        entry = state["targets"].get(target)
        if not entry or not sum(entry["executions"].values()):
            raise Trouble(f"{target}: nothing was executed; give the campaign more time")
        entry["buckets"] = {name: len(paths) for name, paths in
                            engines.bucket("asan", target, os.path.join(engines.WORK, "crashes", target)).items()}
        found += report_crashes(target)
        rates = {name: round(n / max(entry["seconds"][name], 1)) for name, n in entry["executions"].items()}
        print(f"{target:13} {sum(entry['executions'].values()):12} executions, a second: {rates}")
    save(state)
    print(f"campaign: {state['executions']} executions since {state['started']}, {found} kinds of findings; "
          f"{os.path.relpath(STATE, engines.ROOT)}")
    return 1 if found else 0


# ---- The page --------------------------------------------------------------------------------------------

def curve(points):
    """Coverage over time."""
    if not points:
        return ""
    width, height = 360, 60
    last, most = max(points[-1][0], 1), max(p[1] for p in points) or 1
    path = " ".join(f"{x / last * width:.1f},{height - y / most * height:.1f}" for x, y in points)
    return f'<svg width="{width}" height="{height}" role="img"><title>edges, 0 to {most}, over {last} s</title><polyline fill="none" stroke="#06c" points="{path}"/></svg>'


def page(state):
    rows, speeds = [], speed.load()
    for target, entry in sorted(state["targets"].items()):
        counts = "<br>".join(f"{html.escape(name)}: {n:,} ({n / max(entry['seconds'][name], 1):,.0f}/s)" for name, n in entry["executions"].items())
        edges = entry["coverage"][-1][1] if entry["coverage"] else ""
        findings = "<br>".join(f"{html.escape(k)}: {v}" for k, v in entry.get("buckets", {}).items()) or "none"
        problems = "<br>".join(html.escape(p[:200]) for p in entry["problems"])
        alone = "<br>".join(f"{name} {speeds[target][kind]:,}/s" for kind, name in (("plain", "plain"), ("asan", "ASan+UBSan"))) if target in speeds else "not measured"
        rows.append(f"<tr><th>{target}<td>{counts}<td>{edges}<td>{curve(entry['coverage'])}<td>{alone}<td>{entry['stability']}<td>{findings}<td>{problems}")
    return ("<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Fuzzing campaign</title><style>body{font:15px sans-serif;margin:2em}"
            "td,th{border-bottom:1px solid #ccc;padding:.4em .8em;text-align:left;vertical-align:top}</style>"
            f"<h1>Fuzzing campaign</h1><p>Begun {state['started']}, now {state['updated']}: {state['executions']:,} executions.</p>"
            "<table><tr><th>target<th>executions<th>edges<th>edges over time<th>target alone (fuzz/run speed)<th>stability<th>findings<th>problems" + "".join(rows) + "</table></html>\n")
