# SPDX-License-Identifier: Apache-2.0
"""A campaign over all targets in slices of time. What is done is written down after every slice, so
that a campaign can be stopped at any time and taken up again with the same command."""
import concurrent.futures
import datetime
import html
import json
import os
import sys
import threading
import time

import engines
import speed
from engines import Trouble

ENGINES = ("plain", "asan", "plain", "afl")  # the order of slices
NAMES = {"plain": "libFuzzer", "asan": "libFuzzer ASan+UBSan", "afl": "AFL++ ASan+UBSan CMPLOG"}
STATE = os.path.join(engines.WORK, "report.json")
SHORTEST, LONGEST = 10, 600
FORMAT = 2  # of the report


def load():
    try:
        with open(STATE, encoding="utf-8") as file:
            state = json.load(file)
            if state.get("format") != FORMAT:
                raise ValueError
            return state
    except FileNotFoundError:
        return {"format": FORMAT, "started": now(), "executions": 0, "targets": {}}
    except ValueError:
        raise Trouble(f"{STATE} is damaged or of another version: remove it to begin a new campaign") from None


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


def go_on(kind, target, seconds, corpus, crashes, *options):
    """libFuzzer ends at the first crash: it is started again until the time is over."""
    start, result = time.monotonic(), {"executions": 0, "coverage": 0}
    while time.monotonic() - start < seconds:
        left = max(1, round(seconds - (time.monotonic() - start)))
        last = engines.libfuzzer(kind, target, left, corpus, crashes, *options)
        engines.expect_whole(last)
        result["executions"] += last["executions"]
        result["coverage"] = max(result["coverage"], last["coverage"])
    return {**result, "seconds": time.monotonic() - start}


def fuzz_slice(engine, target, seconds, corpus, crashes):
    """Gives {executions, seconds, coverage, stability} or, when the engine fails, {problem}."""
    try:
        # What is left of an hour in which loops ran another number of times is tens of thousands of files, and most of the
        # next one would go into reading them: what reaches no edge of its own is dropped.
        engines.merge("plain", target, [corpus], corpus, crashes, edges_only=True)
        if engine == "afl":
            result = engines.afl(target, seconds, corpus, os.path.join(engines.WORK, "afl", target), crashes)
            return result if result["executions"] else {"problem": "AFL++ executed nothing"}
        # Half of the runs count how often an edge is taken, too.
        return go_on(engine, target, seconds, corpus, crashes, f"-use_counters={int(time.time()) % 2}")
    except Trouble as trouble:
        return {"problem": str(trouble)}


def begin(state, target, corpus, crashes):
    """A target that is new to the campaign: what it reaches before anything is run."""
    first, _ = engines.edges_of_first("asan", target, corpus, crashes)
    reached, _ = engines.edges("asan", target, corpus, crashes)
    state["targets"][target] = {"executions": {}, "seconds": {}, "turn": 0, "first": first, "coverage": [[0, reached]], "stability": "",
                                "problems": []}


def note(entry, engine, result):
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


def progress(state, begun, total):
    if sys.stderr.isatty():
        done = min(time.monotonic() - begun, total)
        print(f"\r{done:.0f} of {total} s, {state['executions']} executions", end="", file=sys.stderr, flush=True)


def expect_known(names):
    known = (*engines.targets(), "adapter")
    for name in names:
        if name not in known:
            raise Trouble(f"no target {name}; there are {', '.join(known)}")


def prepare(wanted, jobs):
    for kind in ("plain", "asan", "afl-asan", "afl-cmplog"):
        engines.build(kind, wanted, jobs)
    engines.build("tools", ["afl_mutator.so"], jobs)


def run(options, corpus_of, crashes_of, report_crashes):
    wanted = list(dict.fromkeys(options.targets or engines.campaign_targets()))
    expect_known(wanted)
    prepare(wanted, options.jobs)
    state, lock = load(), threading.Lock()
    corpora = {target: corpus_of(target) for target in wanted}
    for target in wanted:
        if target not in state["targets"]:
            begin(state, target, corpora[target], crashes_of(target))
    length = max(SHORTEST, min(LONGEST, options.time * options.jobs // (len(wanted) * len(ENGINES))))
    begun, problems, waiting = time.monotonic(), [], list(wanted)

    def work_on(target):
        entry = state["targets"][target]
        engine = ENGINES[entry["turn"] % len(ENGINES)]
        result = fuzz_slice(engine, target, length, corpora[target], crashes_of(target))
        with lock:
            if engines.STOPPED.is_set():
                return
            entry["turn"] += 1
            note(entry, engine, result)
            if "problem" in result:
                problems.append(f"{target}: {result['problem']}")
            save(state)
            progress(state, begun, options.time)
            waiting.append(target)

    def work(_):
        while time.monotonic() - begun < options.time and not engines.STOPPED.is_set():
            with lock:  # the one that had the fewest turns, also in an earlier run: all get their share
                target = min(waiting, key=lambda name: state["targets"][name]["turn"])
                waiting.remove(target)
            work_on(target)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        try:
            list(pool.map(work, range(min(options.jobs, len(wanted)))))
        except KeyboardInterrupt:
            engines.stop_all()
            print(f"\ncampaign: {state['executions']} executions so far; the same command goes on", flush=True)
            raise
    return close(state, corpora, problems, crashes_of, report_crashes)


def judge(entry, target, corpus, crashes):
    """What keeps a target's part of a campaign from counting."""
    if not sum(entry["executions"].values()):
        return [f"{target}: nothing was executed; give the campaign more time"]
    reached, _ = engines.edges("asan", target, corpus, crashes)
    entry["coverage"].append([round(sum(entry["seconds"].values())), reached])
    most = max(edges for _, edges in entry["coverage"])  # a corpus may no longer be run to its end
    return [] if most > entry["first"] else [f"{target}: no coverage gained over the first input"]


def close(state, corpora, problems, crashes_of, report_crashes):
    found = 0
    for target, corpus in corpora.items():
        entry = state["targets"][target]
        problems += judge(entry, target, corpus, crashes_of(target))
        buckets = report_crashes(target)
        entry["buckets"] = {name: len(paths) for name, paths in buckets.items()}
        found += len(buckets)
        rates = {name: round(n / max(entry["seconds"][name], 1)) for name, n in entry["executions"].items()}
        print(f"{target:13} {sum(entry['executions'].values()):12} executions, a second: {rates}")
    save(state)
    for problem in problems:
        print(f"PROBLEM {problem}")
    print(f"campaign: {state['executions']} executions since {state['started']}, {found} kinds of findings, "
          f"{len(problems)} problems; {os.path.relpath(STATE, engines.ROOT)}")
    return 2 if problems else 1 if found else 0


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
        edges = f"{entry['coverage'][0][1]} &rarr; {entry['coverage'][-1][1]}"
        findings = "<br>".join(f"{html.escape(k)}: {v}" for k, v in entry.get("buckets", {}).items()) or "none"
        problems = "<br>".join(html.escape(p[:200]) for p in entry["problems"])
        alone = "<br>".join(f"{name} {speeds[target][kind]:,}/s" for kind, name in (("plain", "plain"), ("asan", "ASan+UBSan"))) if target in speeds else "not measured"
        rows.append(f"<tr><th>{target}<td>{counts}<td>{edges}<td>{curve(entry['coverage'])}<td>{alone}<td>{entry['stability']}<td>{findings}<td>{problems}")
    return ("<!DOCTYPE html><html lang=en><meta charset=utf-8><title>Fuzzing campaign</title><style>body{font:15px sans-serif;margin:2em}"
            "td,th{border-bottom:1px solid #ccc;padding:.4em .8em;text-align:left;vertical-align:top}</style>"
            f"<h1>Fuzzing campaign</h1><p>Begun {state['started']}, now {state['updated']}: {state['executions']:,} executions.</p>"
            "<table><tr><th>target<th>executions<th>edges<th>edges over time<th>target alone (fuzz/run speed)<th>stability<th>findings<th>problems" + "".join(rows) + "</table></html>\n")
