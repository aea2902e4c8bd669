# SPDX-License-Identifier: Apache-2.0
"""Building and running the targets with libFuzzer and AFL++, and sorting what they find."""
import functools
import glob
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import zipfile

FUZZ = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.environ.get("FUZZ_ROOT") or os.path.dirname(FUZZ)
WORK = os.path.join(ROOT, "build", "fuzz")
FILE_TARGETS = ("json", "mtx", "npz", "npy", "pt", "safetensors", "binsparse", "hdf5")
LARGEST_INPUT = 4096
NOTHING_ASKED = "FUZZ: nothing was asked"  # of a library, says its target at the end
HARNESS = {"FUZZ_HARNESS_CC": "clang", "FUZZ_HARNESS_FLAGS": "-fsanitize=bounds -fsanitize-undefined-trap-on-error"}
ASAN_HARNESS = {**HARNESS, "FUZZ_HARNESS_FLAGS": HARNESS["FUZZ_HARNESS_FLAGS"] + " -DFUZZ_UNDER_ASAN"}
# Comparisons are not traced: what numbers matter is known to the mutator, and tracing them takes half the time.
COVERAGE = "-fsanitize=fuzzer-no-link -fno-sanitize-coverage=trace-cmp,stack-depth"
LIBFUZZER = {"FUZZ_ENGINE": "-fsanitize=fuzzer", "CC": "clang", "OPT": "-O2 -g"}
ALONE = {"CC": "clang", "OPT": "-O2 -g", "SAN": "$(SMALL_PARTS)"}
REPLAY = {"CC": "clang", "OPT": "$(OPT_SANITIZED)"}
AFL = {"FUZZ_ENGINE": "-fsanitize=fuzzer", "CC": "afl-clang-fast", "OPT": "-O2 -g", "SAN": "$(SMALL_PARTS)"}
# What stands in brackets behind a $, the Makefile says.
BUILDS = {
    "asan": {**LIBFUZZER, "SAN": f"$(SANITIZE) {COVERAGE}", **ASAN_HARNESS},
    # For a corpus and a few seconds the library of the tests will do: what is followed is how inputs are made and judged.
    "smoke": {**REPLAY, "FUZZ_ENGINE": "-fsanitize=fuzzer", "SAN": f"$(SANITIZE) {COVERAGE}", "FROM": "build/asan", "ANEW": "$(WATCHED)",
              **ASAN_HARNESS, "FUZZ_HARNESS_FLAGS": ASAN_HARNESS["FUZZ_HARNESS_FLAGS"] + " " + COVERAGE},
    "library": {"CC": "clang", "OPT": "-O1 -g", "SAN": "$(SMALL_PARTS)", **ASAN_HARNESS, "FUZZ_ENGINE": "-fsanitize=fuzzer",
                "FUZZ_COVERAGE": COVERAGE, "FUZZ_CORE": "build/fuzz/library/libsparsewright_lean.a",
                "FUZZ_LINK_export": "-fsanitize=address,fuzzer-no-link"},
    "plain": {**LIBFUZZER, "SAN": f"$(SMALL_PARTS) {COVERAGE}", **HARNESS},
    "alone-plain": {**ALONE, **HARNESS, "FUZZ_ENGINE": "build/fuzz/alone-plain/obj/fuzz/tools/repeat.o"},
    "alone-asan": {**ALONE, **ASAN_HARNESS, "FUZZ_ENGINE": "build/fuzz/alone-asan/obj/fuzz/tools/repeat.o",
                   "SAN": "$(SANITIZE)"},
    "msan": {**REPLAY, "SAN": "$(SANITIZE_MEMORY)"},
    "tsan": {**REPLAY, "SAN": "$(SANITIZE_THREADS)", "FROM": "build", "ANEW": "$(WATCHED)"},
    "coverage": {**REPLAY, "OPT": "-O0 -g", "SAN": "$(SMALL_PARTS) -fprofile-instr-generate -fcoverage-mapping"},
    "mcdc": {"CC": "clang-19", "OPT": "-O0 -g", "SAN": "$(SMALL_PARTS) -fprofile-instr-generate -fcoverage-mapping -fcoverage-mcdc",
             "CFLAGS": "-Wno-enum-float-conversion"},
    "afl-asan": {**AFL, **ASAN_HARNESS}, "afl": {**AFL, **HARNESS}, "afl-cmplog": {**AFL, **HARNESS},
    "tools": {"CC": "clang", "OPT": "-O2 -g", "SAN": ""},
}
# What makes the builds that others are made FROM.
FROM = {"build": ["B=build", "CC=gcc", "all"], "build/asan": ["asan-library"]}
AFL_SWITCHES = {"afl-asan": {"AFL_USE_ASAN": "1", "AFL_USE_UBSAN": "1"}, "afl": {}, "afl-cmplog": {"AFL_LLVM_CMPLOG": "1"}}
# MemorySanitizer does not see what jansson, libzip, SuiteSparse and a child process write.
HIDDEN_FROM_MSAN = "json", "npz", "safetensors", "binsparse", "write", "alloc", "semi", "differential"
# The others have no threads in these builds, so that ThreadSanitizer could not find anything.
OF_THREADS = ("cuda_check",)
ENVIRONMENT = {"ASAN_OPTIONS": "abort_on_error=1:symbolize=1:allocator_may_return_null=1:detect_leaks=1",
               "UBSAN_OPTIONS": "print_stacktrace=1:abort_on_error=1", "MSAN_OPTIONS": "abort_on_error=1",
               "TSAN_OPTIONS": "halt_on_error=1:abort_on_error=1"}


class Trouble(Exception):
    """Something that a person has to put right; the text says what and how."""


def say(text):
    print(text, flush=True)


class Steps:
    """Numbered steps of one command: each says what it does, how long it took the last time, and where its log is."""
    def __init__(self, name, count):
        self.path, self.count, self.number = os.path.join(WORK, f"times-{name}.json"), count, 0
        self.before, self.now, self.start = read_json(self.path), {}, None

    def begin(self, what, log=None):
        self.end()
        self.number, self.start = self.number + 1, time.monotonic()
        took = self.before.get(str(self.number))
        notes = [*([f"{took:.0f} s the last time"] if took else []), *([f"log: {log}"] if log else [])]
        say(f"[{self.number}/{self.count}] {what}{' (' + '; '.join(notes) + ')' if notes else ''}")

    def end(self):
        if self.start is None:
            return
        self.now[str(self.number)], self.start = time.monotonic() - self.start, None
        os.makedirs(WORK, exist_ok=True)
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump({**self.before, **self.now}, file)


@functools.lru_cache(maxsize=None)
def targets():
    """Those of rules.mk; one whose libraries are not there is left out, and said to be."""
    names = make_says("fuzz-targets").split()
    for target, headers in re.findall(r"^FUZZ_HEADERS_(\w+) := (.*)$", open(os.path.join(FUZZ, "rules.mk"), encoding="utf-8").read(), re.M):
        if target not in names:
            say(f"target {target} is left out: it needs {headers}")
    return names


def make_says(goal):
    environment = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")}
    return subprocess.run(["make", "-s", "--no-print-directory", goal], cwd=ROOT, env=environment, stdout=subprocess.PIPE,
                          text=True, check=True).stdout


def campaign_targets():
    """With an adapter, the target that asks it is one of them."""
    return targets() + (["adapter"] if os.environ.get("FUZZ_ADAPTER") else [])


def read_json(path):
    """What a file holds; nothing where there is none yet."""
    try:
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return {}


def need(program, package):
    if not shutil.which(program):
        raise Trouble(f"{program} is missing: apt-get install {package}")


def program(build, target):
    return os.path.join(WORK, build, "fuzz", target)


COMPILES = re.compile(r" -c \S", re.M)


def build(name, wanted, jobs=2, *others):
    """Makes the programs of these targets in one kind of build, and other goals of it."""
    need("clang", "clang libclang-rt-dev")
    if name in AFL_SWITCHES:
        need("afl-clang-fast", "afl++")
    settings = dict(BUILDS[name], B=f"build/fuzz/{name}")
    goals = [f"build/fuzz/{name}/fuzz/{target}" for target in wanted]
    command = ["make", "V=1", "--no-print-directory", f"-j{jobs}", *(f"{k}={v}" for k, v in settings.items()), *goals, *others]
    environment = dict(os.environ, AFL_QUIET="1", **AFL_SWITCHES.get(name, {}))
    environment.pop("MAKEFLAGS", None)
    if "FROM" in settings:
        subprocess.run(["make", "-s", f"-j{jobs}", *FROM[settings["FROM"]]], cwd=ROOT, env=environment, check=True)
    planned = subprocess.run([*command, "-n"], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=False)
    wanted = len(COMPILES.findall(planned.stdout))
    for variable in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS"):
        os.environ.pop(variable, None)
    log = os.path.join(WORK, f"build-{name}.log")
    os.makedirs(WORK, exist_ok=True)
    code, text = run(command, 36000, log, {"AFL_QUIET": "1", **AFL_SWITCHES.get(name, {})},
                     lambda text: f"build {name}: {len(COMPILES.findall(text))} of {wanted} files compiled")
    if code:
        raise Trouble(f"the build {name} failed, see {os.path.relpath(log, ROOT)}:\n{text[-4000:]}")


# ---- Corpora ---------------------------------------------------------------------------------------------

def committed(target):
    return os.path.join(FUZZ, "corpus", target + ".zip")


def settled(target):
    """Inputs of findings that are settled, each named by what was wrong: kept as they are, whatever they reach."""
    return sorted(glob.glob(os.path.join(FUZZ, "corpus", target, "*")))


def unpack(target, directory):
    """Puts the committed corpus of a target into a new directory; gives the number of files."""
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    for path in settled(target):
        shutil.copy(path, directory)
    try:
        with zipfile.ZipFile(committed(target)) as archive:
            archive.extractall(directory)
    except FileNotFoundError:
        return 0
    except zipfile.BadZipFile as error:
        raise Trouble(f"{committed(target)}: {error}. The corpus is damaged: check it out again.") from None
    return len(os.listdir(directory))


def pack(target, directory):
    """Commits a corpus: names are digests, dates are none, so that equal corpora are equal files."""
    os.makedirs(os.path.dirname(committed(target)), exist_ok=True)
    inputs = sorted({open(path, "rb").read() for path in glob.glob(os.path.join(directory, "*"))})
    with zipfile.ZipFile(committed(target), "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for data in sorted(inputs, key=lambda d: hashlib.sha1(d).hexdigest()):
            archive.writestr(zipfile.ZipInfo(hashlib.sha1(data).hexdigest()[:16]), data, zipfile.ZIP_DEFLATED)
    return len(inputs)


def make_seeds(jobs=2):
    """All conformance cases, some random tensors and some files, as inputs; gives the directory of each target."""
    build("tools", ["seeds"], jobs)
    directory = os.path.join(WORK, "seeds")
    shutil.rmtree(directory, ignore_errors=True)
    for kind in ("models", *FILE_TARGETS):
        os.makedirs(os.path.join(directory, kind))
    sys.path.insert(0, os.path.join(ROOT, "conformance"))
    from cases import generate
    import seed_files
    for kind, files in seed_files.FILES.items():
        for number, data in enumerate(files()):
            with open(os.path.join(directory, kind, f"by-hand-{number}"), "wb") as out:
                out.write(data)
    lines = "".join(json.dumps(case["tensor"]) + "\n" for case in generate.all_cases() if "tensor" in case)
    done = subprocess.run([program("tools", "seeds"), directory], input=lines, text=True, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        raise Trouble("no seeds could be made")
    print(done.stdout, end="")
    return {target: os.path.join(directory, target if target in FILE_TARGETS else "models") for target in (*targets(), "adapter")}


def dictionary(target):
    return os.path.join(FUZZ, "dictionaries", (target if target in FILE_TARGETS else "model") + ".dict")


# ---- Running ---------------------------------------------------------------------------------------------

RUNNING = set()
STOPPED = threading.Event()


def stop_all():
    """Ends what run() has started; from now on it starts nothing."""
    STOPPED.set()
    for child in list(RUNNING):
        os.killpg(child.pid, signal.SIGKILL)


PULSE = 10  # seconds between two lines that say how far something is


def follow(command, limit, log, pulse, environment=None):
    """Runs one program as run() does; what it prints goes to a file, and every few seconds pulse(text so far, seconds) is said."""
    start, late = time.monotonic(), False
    with open(log, "wb") as out:
        child = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **ENVIRONMENT, **(environment or {})}, stdin=subprocess.DEVNULL,
                                 stdout=out, stderr=subprocess.STDOUT, start_new_session=True)
        RUNNING.add(child)
        while child.poll() is None and not late:
            try:
                child.wait(PULSE)
            except subprocess.TimeoutExpired:
                late = time.monotonic() - start > limit
                say(f"  {time.monotonic() - start:3.0f} s: {pulse(read_text(log))}")
        if late:
            os.killpg(child.pid, signal.SIGKILL)
        RUNNING.discard(child)
    return (124 if late else child.wait()), read_text(log)


def read_text(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def run(command, limit, log=None, environment=None, pulse=None):
    """Runs one program in a session of its own, so that its end is also the end of its children."""
    if STOPPED.is_set():
        raise Trouble("stopped")
    if pulse:
        return follow(command, limit, log, pulse, environment)
    child = subprocess.Popen(command, cwd=ROOT, env={**os.environ, **ENVIRONMENT, **(environment or {})}, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
    RUNNING.add(child)
    try:
        text = child.communicate(timeout=limit)[0]
        late = False
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        text, late = child.communicate()[0], True
    finally:
        RUNNING.discard(child)
    text = text.decode(errors="replace")
    if log:
        with open(log, "w", encoding="utf-8") as file:
            file.write(text)
    return (124 if late else child.returncode), text


def input_left(text):
    """The input that libFuzzer says to have written as it failed; None where it could not. Slow ones are written too."""
    found = re.findall(r"Test unit written to (\S*(?:crash|leak|oom|timeout)-\w+)$", text, re.M)
    return found[-1] if found else None


def patience(target):
    """Seconds for one input. An adapter may need 10 to start and 10 for each of two answers."""
    return 40 if target == "adapter" else 20


def libfuzzer_options(target, crashes):
    """Without the entropic schedule where a run is so short that its book-keeping takes longer than the run. Nobody else adds to
    its corpus, whose thousands of files it would look at every second."""
    return ["-reload=0", f"-max_len={LARGEST_INPUT}", "-malloc_limit_mb=2000", "-rss_limit_mb=3000", f"-timeout={patience(target)}", f"-dict={dictionary(target)}",
            f"-entropic={int(target in FILE_TARGETS)}", f"-artifact_prefix={crashes}/"]


def how_far(text):
    """The last line of libFuzzer that says how many executions there were, in short."""
    found = re.findall(r"^#(\d+)\t.*?cov: (\d+)", text, re.M)
    return "{} executions, {} edges".format(*found[-1]) if found else "reading the inputs that there are"


def libfuzzer(kind, target, seconds, corpus, crashes, *options, runs=None, log=None, pulse=None):
    """One run of libFuzzer on a corpus, which grows. Gives {executions, fresh: beyond the corpus, coverage, seeds_coverage, crashed,
    seconds, log}."""
    os.makedirs(crashes, exist_ok=True)
    command = [program(kind, target), *libfuzzer_options(target, crashes), "-print_final_stats=1",
               f"-max_total_time={seconds}" if runs is None else f"-runs={runs}", *options, corpus]
    start = time.monotonic()
    code, text = run(command, seconds + 120, log, pulse=pulse)
    executions = re.findall(r"stat::number_of_executed_units:\s+(\d+)", text) or re.findall(r"^#(\d+)\t", text, re.M) or ["0"]
    coverage = re.findall(r"cov: (\d+)", text) or ["0"]
    inited = re.search(r"^#(\d+)\s+INITED cov: (\d+)", text, re.M)
    return {"executions": int(executions[-1]), "coverage": max(map(int, coverage)), "seeds_coverage": int(inited[2]) if inited else 0,
            "fresh": int(executions[-1]) - int(inited[1]) if inited else 0,
            "crashed": code != 0, "seconds": time.monotonic() - start, "log": text}


def expect_whole(result):
    """Raises for a run of libFuzzer that says nothing of its target, or found what it could not keep."""
    for wrong, what in ((not result["executions"], "executed nothing"), (not result["crashed"] and NOTHING_ASKED in result["log"], "asked nothing"),
                        (result["crashed"] and not input_left(result["log"]), "failed and left no input")):
        if wrong:
            raise Trouble(f"libFuzzer {what}:\n{result['log'][-2000:]}")


def edges(kind, target, corpus, crashes):
    """How many edges a corpus reaches. Gives (edges, the log of a crash or "")."""
    result = libfuzzer(kind, target, 60, corpus, crashes, runs=0)
    return result["coverage"], result["log"] if result["crashed"] else ""


def edges_of_first(kind, target, corpus, crashes):
    """The same of its first input alone: what a run must get beyond."""
    with tempfile.TemporaryDirectory() as alone:
        shutil.copy(os.path.join(corpus, min(os.listdir(corpus))), alone)
        return edges(kind, target, alone, crashes)


def keep_finds(output, crashes):
    """Copies what AFL++ has found; how much that is."""
    found = [path for kind in ("crashes", "hangs") for path in glob.glob(os.path.join(output, "default", kind, "id*"))]
    for path in found:
        with open(path, "rb") as file:
            shutil.copy(path, os.path.join(crashes, "crash-afl-" + hashlib.sha1(file.read()).hexdigest()))
    return len(found)


def afl(target, seconds, corpus, output, crashes, log=None):
    """One run of AFL++ (ASan+UBSan, with CMPLOG), whose finds are added to the corpus."""
    need("afl-fuzz", "afl++")
    os.makedirs(crashes, exist_ok=True)
    keep_finds(output, crashes)  # of a run that was ended before it could
    shutil.rmtree(output, ignore_errors=True)
    environment = {"AFL_NO_UI": "1", "AFL_SKIP_CPUFREQ": "1", "AFL_NO_AFFINITY": "1", "AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES": "1",
                   "AFL_FAST_CAL": "1", "AFL_CMPLOG_ONLY_NEW": "1", "AFL_HANG_TMOUT": f"{patience(target)}000", "AFL_CUSTOM_MUTATOR_LIBRARY": program("tools", "afl_mutator.so"),
                   "ASAN_OPTIONS": "abort_on_error=1:symbolize=0:allocator_may_return_null=1:detect_leaks=0",
                   "UBSAN_OPTIONS": "abort_on_error=1:symbolize=0", "MSAN_OPTIONS": "exit_code=86:abort_on_error=1:symbolize=0"}
    if target in FILE_TARGETS:
        environment["FUZZ_FORMAT"] = target
    command = ["afl-fuzz", "-i", corpus, "-o", output, "-V", str(seconds), "-m", "none", "-t", "40000" if target == "adapter" else "2000+",
               "-c", program("afl-cmplog", target), "-x", dictionary(target), "--", program("afl-asan", target)]
    start = time.monotonic()
    code, text = run(command, seconds + 180, log, environment)
    stats_file = os.path.join(output, "default", "fuzzer_stats")
    if not os.path.exists(stats_file):
        raise Trouble(f"afl-fuzz did not start for {target} (exit code {code}):\n{text[-2000:]}")
    stats = dict(re.findall(r"^(\w+)\s*: (.*)$", open(stats_file, encoding="utf-8").read(), re.M))
    found = keep_finds(output, crashes)
    for path in glob.glob(os.path.join(output, "default", "queue", "id*")):
        data = open(path, "rb").read()
        with open(os.path.join(corpus, hashlib.sha1(data).hexdigest()), "wb") as file:
            file.write(data)
    return {"executions": int(stats["execs_done"]), "stability": stats.get("stability", ""), "bitmap": stats.get("bitmap_cvg", ""),
            "crashed": found > 0, "seconds": time.monotonic() - start}


def replay(kind, target, paths, limit=600):
    """Runs files without an engine. Gives (how many, "" or what went wrong)."""
    code, text = run([program(kind, target), *paths], limit)
    counted = re.search(r"^replayed (\d+) files$", text, re.M)
    if code == 0 and counted:
        return int(counted[1]), ""
    return 0, signature(code, text) + "\n" + text[-3000:]


def merge(kind, target, sources, into, crashes, edges_only=False):
    """The fewest files of `sources` that reach all that they reach, each edge as often, if not asked for edges only. One that
    fails is left out, and put to the crashes."""
    fresh = into + ".new"
    shutil.rmtree(fresh, ignore_errors=True)
    os.makedirs(fresh)
    os.makedirs(crashes, exist_ok=True)
    code, text = run([program(kind, target), "-merge=1", *(["-use_counters=0"] if edges_only else ["-use_value_profile=1"]), f"-max_len={LARGEST_INPUT}", f"-timeout={patience(target)}", "-rss_limit_mb=3000",
                      f"-artifact_prefix={crashes}/", fresh, *sources], 900)
    if code or not os.listdir(fresh):
        shutil.rmtree(fresh, ignore_errors=True)
        raise Trouble(f"merging the corpus of {target} failed:\n{text[-1500:]}")
    shutil.rmtree(into, ignore_errors=True)
    os.rename(fresh, into)
    return len(os.listdir(into))


# ---- Findings --------------------------------------------------------------------------------------------

def signature(code, text):
    """One line that names what went wrong; the same fault gives the same line."""
    for pattern in (r"FUZZ FAILURE: ([^:]+):", r"runtime error: ([a-z ]+)", r"SUMMARY: (\w+: [\w-]+ \S+(?: in \S+)?)", r"ERROR: (libFuzzer: [\w-]+)"):
        found = re.search(pattern, text)
        if found:
            place = re.search(r"^(src/\S+?:\d+)", text, re.M) if "runtime" in pattern else None
            return (found[1].strip() + (" " + place[1] if place else ""))[:150]
    return {124: "no end in time"}.get(code, f"exit code {code}")


def bucket(kind, target, crashes):
    """Sorts crash files by what happens when they are run again: {signature: [smallest first]}."""
    found = {}
    for path in glob.glob(os.path.join(glob.escape(crashes), "*")):
        if path.endswith(".spw.json"):  # the tensor of an input
            continue
        code, text = run([program(kind, target), path], 120)
        if code:
            found.setdefault(signature(code, text), []).append(path)
        else:
            found.setdefault("does not happen again", []).append(path)
    return {name: sorted(paths, key=os.path.getsize) for name, paths in found.items()}
