# SPDX-License-Identifier: Apache-2.0
"""How all implementations are timed: interleaved in one process, in another order in every round."""
import os
import random
import statistics
import time

ROUNDS = int(os.environ.get("ROUNDS", "9"))


def seconds(call, threads=1):
    """With one thread those that the thread ran, with more those that passed: only a machine without other work
    gives figures for more than one."""
    clock = time.thread_time if threads == 1 else time.perf_counter
    start = clock()
    call()
    return clock() - start


def interleave(makers, timed):
    """{key: seconds of each round}. A maker makes, outside the measured time, the call that timed(key, call) measures;
    the first round warms up. Orders are drawn, always the same ones: whoever came after the same other each time would find
    its arrays in the cache, or never."""
    makers, orders = list(makers.items()), random.Random(1)
    taken = {key: [] for key, _ in makers}
    for turn in range(ROUNDS + 1):
        orders.shuffle(makers)
        for key, maker in makers:
            took = timed(key, maker())
            if turn:
                taken[key].append(took)
    return taken


def medians(calls, threads=None, prepare=None):
    """{key: median of the seconds of each round} of calls; `threads` are those of some of them, else one. What `prepare` has
    of a call is done before it, not measured."""
    def maker(key, call):
        if key in (prepare or {}):
            prepare[key]()
        return call
    taken = interleave({key: lambda key=key, call=call: maker(key, call) for key, call in calls.items()},
                       lambda key, call: seconds(call, (threads or {}).get(key, 1)))
    return {key: statistics.median(t) for key, t in taken.items()}
