# SPDX-License-Identifier: Apache-2.0
"""Random questions, as long as one likes: chains of one to six operations on exact small whole numbers, some with a million
elements or with more than 2^31 places. A seed gives the same questions again. What is not right is made smaller as long as
it stays so, told once for each likely cause, and written as a file of cases, which `--case` asks again."""
import json
import os
import random
import time
from collections import Counter

from cases import generate
from cases.model import Model, number, written
from cases.tensors import array
from harness.driver import Judging
from harness.library import GivenUp, Library
from judging import judge, lint
from reports import clean
from reports.causes import words

# Results of chains are compared as dense arrays, and have at most so many elements.
LARGEST_RESULT = 2000
# Numbers stay exact in every type that is asked.
LARGEST_NUMBER = 2**20
DTYPES = ("float64", "float32", "int64", "int32")
LAYOUTS = ("coo", "csr", "csc")
HARMLESS = ("right", "unsupported", "refused")  # the last: too large for the adapter
MOST_STEPS = 6
TOGETHER = 40  # questions whose answers are judged at once
EVERY = 10  # seconds between two lines that say how far it is


class Impossible(Exception):
    """A step that does not fit its operand."""


# ---- What steps do, on places and numbers -----------------------------------------------------------

def pairwise(function):
    def apply(places, size, given):
        other_size, other = given["other"]
        require(tuple(other_size) == tuple(size))
        return {p: function(places.get(p, 0), other.get(p, 0)) for p in {*places, *other}}, size
    return apply


def product(places, size, given):
    (rows, columns), other = given["other"]
    require(rows == size[1])
    by_row, found = {}, {}
    for (k, c), n in other.items():
        by_row.setdefault(k, []).append((c, n))
    for (r, k), n in places.items():
        for c, m in by_row.get(k, ()):
            found[r, c] = found.get((r, c), 0) + n * m
    return found, (size[0], columns)


def sliced(places, size, dim, kept):
    """kept: from a place of that dimension to its new ones."""
    found = {}
    for place, n in places.items():
        for new in kept.get(place[dim], ()):
            found[(new, place[1]) if dim == 0 else (place[0], new)] = n
    return found


def narrow(places, size, given):
    dim, start, length = given["dim"], given["start"], given["length"]
    require(start + length <= size[dim] and length > 0)
    kept = {start + k: (k,) for k in range(length)} if length < len(places) else {
        p[dim]: (p[dim] - start,) for p in places if start <= p[dim] < start + length}
    return sliced(places, size, dim, kept), resized(size, dim, length)


def index_select(places, size, given):
    kept = {}
    for new, old in enumerate(given["indices"]):
        require(old < size[given["dim"]])
        kept.setdefault(old, []).append(new)
    return sliced(places, size, given["dim"], kept), resized(size, given["dim"], len(given["indices"]))


def cat(places, size, given):
    dim, ((other_size, other),) = given["dim"], given["others"]
    require(other_size[1 - dim] == size[1 - dim])
    moved = {(r + size[0] * (dim == 0), c + size[1] * (dim == 1)): n for (r, c), n in other.items()}
    return {**places, **moved}, resized(size, dim, size[dim] + other_size[dim])


def matvec(places, size, given):
    x, found = given["x"], {}
    require(len(x) == size[1])
    for (r, c), n in places.items():
        found[r,] = found.get((r,), 0) + n * x[c]
    return found, (size[0],)


def resized(size, dim, extent):
    return (extent, size[1]) if dim == 0 else (size[0], extent)


def require(fits):
    if not fits:
        raise Impossible


def same(places, size, _):
    return places, size


APPLY = {"add": pairwise(lambda m, n: m + n), "sub": pairwise(lambda m, n: m - n), "mul": pairwise(lambda m, n: m * n),
         "matmul_sparse": product, "narrow": narrow, "index_select": index_select, "cat": cat, "matvec": matvec,
         "scale": lambda places, size, given: ({p: given["alpha"] * n for p, n in places.items()}, size),
         "transpose": lambda places, size, _: ({(c, r): n for (r, c), n in places.items()}, size[::-1]),
         "sum": lambda places, size, _: ({(): sum(places.values())}, ()),
         **dict.fromkeys(("convert", "coalesce", "sum_duplicates", "sort_indices", "to_dense"), same)}
LAST = ("matvec", "sum", "to_dense")


# ---- Drawing ---------------------------------------------------------------------------------------

class Drawer:
    def __init__(self, seed, manifest):
        self.dice, self.manifest = random.Random(seed), manifest

    def question(self):
        """A question that the manifest may cover, or None. entries: in the order of storage."""
        dice, known = self.dice, self.manifest["operations"]
        chains = known.get("chain", {"layouts": [], "dtypes": []})
        single = not chains["layouts"] or dice.random() < 0.1
        layout = dice.choice([name for name in LAYOUTS if single or name in chains["layouts"]])
        names = [name for name in APPLY if layout in known.get(name, {}).get("layouts", ())]
        dtypes = [name for name in DTYPES if all(name in known[step]["dtypes"] for step in names)
                  and (single or name in chains["dtypes"])]
        if not names or not dtypes:
            return None
        size, count = self.size()
        places = {(dice.randrange(size[0]), dice.randrange(size[1])) for _ in range(count)}
        entries = [(*place, self.small()) for place in sorted(places)]
        state = dice.choice(("sorted", "sorted", "unsorted", "duplicates")) if layout == "coo" else "sorted"
        if state == "unsorted":
            dice.shuffle(entries)
        if state == "duplicates" and entries:
            entries += [(*entry[:2], self.small()) for entry in dice.sample(entries, min(3, len(entries)))]
        question = {"layout": layout, "dtype": dice.choice(dtypes), "index": dice.choice(self.manifest_indices()),
                    "size": size, "entries": entries, "steps": []}
        return self.with_steps(question, names, 1 if single else 1 + dice.randrange(MOST_STEPS))

    def manifest_indices(self):
        return [name for name in ("int32", "int64") if name in self.manifest["index_dtypes"]]

    def small(self):
        return self.dice.choice((1, 2, 3, -1, -2, 5))

    def size(self):
        dice, luck = self.dice, self.dice.random()
        if luck < 0.95:
            rows, count = 1 + dice.randrange(24), dice.randrange(40)
            return (rows, rows + 1 + dice.randrange(16)), count
        if luck < 0.99:
            return (50000 + dice.randrange(30000), 90000 + dice.randrange(40000)), dice.randrange(3000)
        return (3000 + dice.randrange(900), 4000 + dice.randrange(900)), 10**dice.randrange(4, 7)

    def other(self, size):
        count = min(12, size[0] * size[1])
        return size, {(self.dice.randrange(size[0]), self.dice.randrange(size[1])): self.small() for _ in range(count)}

    def with_steps(self, question, names, wanted):
        dice, places, size = self.dice, summed(question["entries"]), question["size"]
        inner = [name for name in names if name not in LAST]
        for _ in range(wanted):
            name = dice.choice(inner) if inner else dice.choice(names)
            given = self.arguments(name, size, question["layout"])
            if given is None:
                continue
            try:
                found, shape = APPLY[name](places, size, given)
            except Impossible:
                continue
            if len(shape) == 2 and (shape[0] == shape[1] or 0 in shape) or max(map(abs, found.values()), default=0) > LARGEST_NUMBER:
                continue
            question["steps"].append((name, given))
            places, size = found, shape
            if len(shape) < 2:
                return question
        return self.ended(question, places, size, names)

    def ended(self, question, places, size, names):
        """By what leaves a small result: a part of it, or a sum."""
        if size[0] * size[1] <= LARGEST_RESULT:
            return question if question["steps"] else None
        if "narrow" in names and self.dice.random() < 0.8:
            row, column = self.dice.choice(sorted(places)) if places else (0, 0)
            for dim, place, extent in ((0, row, 30), (1, column, 50)):
                start = max(0, min(place - 5, size[dim] - extent))
                question["steps"].append(("narrow", {"dim": dim, "start": start, "length": min(extent, size[dim])}))
            return question
        if "sum" in names:
            question["steps"].append(("sum", {}))
            return question
        return None

    def arguments(self, name, size, layout):
        dice = self.dice
        if name in ("add", "sub", "mul"):
            return {"other": self.other(size)}
        if name == "matmul_sparse":
            return {"other": self.other((size[1], next(n for n in (7, 11, 5) if n not in size)))}
        if name == "scale":
            return {"alpha": dice.choice((2, -1, 3))}
        if name == "convert":
            found = [to for to in self.manifest["operations"]["convert"]["to"].get(layout, ()) if to == layout]
            return {"to": found[0]} if found else None
        if name == "transpose" and layout != "coo":
            return None  # some turn the layout, others the elements
        if name == "matvec":
            return {"x": [dice.randrange(-3, 4) for _ in range(size[1])]} if max(size) < LARGEST_RESULT else None
        if name == "narrow":
            dim = dice.randrange(2)
            start = dice.randrange(size[dim])
            return {"dim": dim, "start": start, "length": 1 + dice.randrange(size[dim] - start)}
        if name == "index_select":
            dim = dice.randrange(2)
            return {"dim": dim, "indices": [dice.randrange(size[dim]) for _ in range(min(size[dim], 12))]}
        if name == "cat":
            dim = dice.randrange(2)
            return {"dim": dim, "others": [self.other(resized(size, dim, next(n for n in (2, 3, 4) if n not in size)))]}
        return {}


def summed(entries):
    found = {}
    for row, column, n in entries:
        found[row, column] = found.get((row, column), 0) + n
    return found


# ---- As a case -------------------------------------------------------------------------------------

def case_of(question, name):
    """The question as a case, by the same model. Raises Impossible."""
    layout, dtype, index, size = (question[key] for key in ("layout", "dtype", "index", "size"))
    places, shape, steps = summed(question["entries"]), size, []

    def tensor(other):
        return Model("", other[0], [(*place, n) for place, n in sorted(other[1].items())]).tensor(layout, index, dtype)
    for step, given in question["steps"]:
        require(len(shape) == 2)
        places, shape = APPLY[step](places, shape, given)
        told = {key: tensor(value) if key == "other" else [tensor(other) for other in value] if key == "others"
                else array(dtype, [len(value)], [written(number(n, dtype), dtype) for n in value]) if key == "x" else value
                for key, value in given.items()}
        steps.append({"operation": step, "arguments": told})
    size_of_result = shape[0] * shape[1] if len(shape) == 2 else sum(shape)
    require(steps and size_of_result <= LARGEST_RESULT)
    dense = array(dtype, shape, [written(number(places.get(place, 0), dtype), dtype) for place in all_of(shape)])
    flags = ["unsorted"] if layout == "coo" else []  # the entries stay in their order
    made = Model("", size, question["entries"], flags=flags).tensor(layout, index, dtype)
    alone = len(steps) == 1
    item = {"operation": steps[0]["operation"] if alone else "chain", "name": f"{layout}/chain/{name}/{dtype}-{index}", "tensor": made,
            "arguments": steps[0]["arguments"] if alone else {"steps": steps},
            "expect": {"verdict": "valid", "dense": dense}, "flags": []}
    case = generate.operation_case(item, "random")
    require(not list(lint.problems_of_case(case, set())))
    return case


def all_of(shape):
    places = [()]
    for extent in shape:
        places = [(*place, k) for place in places for k in range(extent)]
    return places


# ---- Asking ----------------------------------------------------------------------------------------

class Session:
    """Asks, and shrinks what is not right."""

    def __init__(self, profile, options, folder, seed):
        threads = {"OMP_NUM_THREADS": str(1 + seed % 2)}  # an even seed asks one thread, an odd one two
        self.profile, self.options, self.folder = {**profile, "environment": {**threads, **profile.get("environment", {})}}, options, folder
        self.seed = seed
        self.library = Library(profile, os.path.join(folder, "random.log"), options)
        self.causes, self.asked, self.number = {}, Counter(), 0

    def outcomes(self, cases):
        judging, results = Judging(self.profile, self.options), []
        for case in cases:
            results.append(self.library.run(case))
            judging.add(case, results[-1])
        judging.settle()
        return results

    def drawn(self, drawer, end):
        """Some questions, with their cases. Of a manifest without a covered one there are none."""
        batch, tries = [], 0
        while len(batch) < TOGETHER and time.monotonic() < end and tries < 100 * TOGETHER:
            question, tries = drawer.question(), tries + 1
            self.number += 1
            try:
                if question:
                    batch.append((question, case_of(question, f"r-{self.seed}-{self.number}")))
            except Impossible:
                continue
        return batch

    def run(self, seconds):
        self.library.start()
        drawer, end, said = Drawer(self.seed, self.library.manifest), time.monotonic() + seconds, time.monotonic()
        while time.monotonic() < end:
            batch = self.drawn(drawer, end)
            for (question, case), result in zip(batch, self.outcomes([case for _, case in batch])):
                self.asked[result["outcome"]] += 1
                if result["outcome"] not in HARMLESS:
                    self.found(question, case, result)
            if time.monotonic() - said > EVERY:
                said = time.monotonic()
                print(f"  {sum(self.asked.values())} questions, {len(self.likely_causes())} likely causes,"
                      f" {max(0, end - said):.0f} s left", flush=True)
            if not batch:
                break

    def found(self, question, case, result):
        """Shrunk, and told if its cause is new."""
        key = cause_of(question, result)
        if key in self.causes:
            self.causes[key]["times"] += 1
            return
        small, made, said = self.shrunk(question, case, result)
        again = cause_of(small, said)
        if again in self.causes:
            self.causes[key] = self.causes[again]
            self.causes[key]["times"] += 1
            return
        path = os.path.join(self.folder, f"found-{len(self.likely_causes()) + 1}.jsonl")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(made) + "\n")
        self.causes[key] = self.causes[again] = {"path": path, "times": 1, "outcome": said["outcome"]}
        steps = " ".join(step for step, _ in small["steps"])
        print(clean.line(f"{said['outcome']}: {small['layout']} {small['dtype']} {steps}: {said['message']}")[:300])
        print(f"  again: spw conform --case {path}", flush=True)

    def likely_causes(self):
        """Each once: a question that was made smaller leads to its cause by what it was and by what it became."""
        return list({id(found): found for found in self.causes.values()}.values())

    def shrunk(self, question, case, result):
        """As long as something smaller has an outcome of the same kind, that."""
        last, progress = (question, case, result), True
        end = time.monotonic() + 20
        while progress and time.monotonic() < end:
            progress = False
            for smaller in smaller_ones(last[0]):
                try:
                    made = case_of(smaller, case["id"].split("/")[2])
                except Impossible:
                    continue
                (said,) = self.outcomes([made])
                if said["outcome"] == result["outcome"] and said["message"].split(" ")[0] == result["message"].split(" ")[0]:
                    last, progress = (smaller, made, said), True
                    break
                if time.monotonic() > end:
                    break
        return last


def cause_of(question, result):
    """Outcome, layout, and the last step: what an earlier one has to do with it, shrinking shows."""
    return result["outcome"], question["layout"], tuple(step for step, _ in question["steps"]), words(result)


def smaller_ones(question):
    """Fewer steps, fewer elements, fewer elements of other operands, ones."""
    steps, entries = question["steps"], question["entries"]
    for k in range(len(steps)):
        yield {**question, "steps": steps[:k] + steps[k + 1:]}
    part = len(entries)
    while part > 1:
        part = (part + 1) // 2
        for k in range(0, len(entries), part):
            yield {**question, "entries": entries[:k] + entries[k + part:]}
        if part == 1:
            break
    for k, (name, given) in enumerate(steps):
        if "other" in given and given["other"][1]:
            size, other = given["other"]
            for place in other:
                left = {p: n for p, n in other.items() if p != place}
                yield {**question, "steps": [*steps[:k], (name, {**given, "other": (size, left)}), *steps[k + 1:]]}
    if any(n != 1 for *_, n in entries):
        yield {**question, "entries": [(r, c, 1) for r, c, _ in entries]}


def run(profile, options, seed, seconds, folder):
    """The exit code: 1 if something was not right, or the adapter was given up."""
    session = Session(profile, options, folder, seed)
    problem = None
    try:
        session.run(seconds)
    except GivenUp as error:
        problem = str(error)
    finally:
        session.library.stop()
    causes = session.likely_causes()
    asked = ", ".join(f"{number} {outcome}" for outcome, number in session.asked.most_common())
    for cause in causes:
        print(f"{cause['times']} times {cause['outcome']}: {cause['path']}")
    print(f"{sum(session.asked.values())} random questions of seed {seed}: {asked or 'none'}; {len(causes)} likely causes")
    if problem:
        print(clean.line(f"given up: {problem}"))
    return 1 if causes or problem or not session.asked else 0
