# SPDX-License-Identifier: Apache-2.0
"""gradients.py          gradients of products beside their operations and PyTorch's: seconds of one thread, and memory
gradients.py --one WHO N  one run in a process of its own: the memory that it takes

Needs NumPy and PyTorch; sparsewright as `make python` builds it. All operands are small integers, so that results are compared
exactly."""
import subprocess
import sys
import time

import numpy

import sparsewright as spw

ELEMENTS, ROUNDS = 100000, 3
WHO = ("ours", "sparse.mm csr", "sparse.mm coo", "mm csr", "mm coo")


def matrix(rows, per, width, dtype):
    """Arrays of CSR, with elements that lie a stretch of columns apart; and two dense factors."""
    draw = numpy.random.default_rng(1)
    stretch = rows // per
    columns = (draw.integers(0, stretch, (rows, per)) + numpy.arange(per) * stretch).astype("int64").ravel()
    pointers = numpy.arange(rows + 1, dtype="int64") * per
    return pointers, columns, *(draw.integers(-4, 5, shape).astype(dtype) for shape in (rows * per, (rows, width), (rows, width)))


def spread(rows, width):
    """ELEMENTS in `rows` rows, which may be more."""
    count = min(rows, ELEMENTS)
    pointers, columns, values, b, g = matrix(count, ELEMENTS // count, width, "float64")
    every = numpy.zeros(rows + 1, "int64")
    every[1:] = numpy.cumsum(numpy.bincount(numpy.repeat(numpy.arange(count) * (rows // count), ELEMENTS // count), minlength=rows))
    both = (numpy.tile(part, (rows // count, 1)) for part in (b, g))
    return every, columns, values, *both


def theirs(who, pointers, columns, values):
    import torch
    rows = len(pointers) - 1
    a = torch.sparse_csr_tensor(*map(torch.from_numpy, (pointers, columns, values)), (rows, rows), check_invariants=True)
    a = a.to_sparse_coo() if who.endswith("coo") else a
    return a.detach().requires_grad_(), torch.sparse.mm if who.startswith("sparse") else torch.mm


def begin():
    """Forgets the peak of what was before; gives the MiB that are taken."""
    with open("/proc/self/clear_refs", "w") as file:
        file.write("5")
    return peak()


def peak():
    with open("/proc/self/status") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("VmHWM")) / 1024


def one(who, rows):
    """MiB beyond what operands take, for the product and both gradients."""
    pointers, columns, values, b, g = spread(rows, 2)
    if who == "ours":
        a = spw.csr(pointers, columns, values, (rows, rows))
        before = begin()
        kept = spw.matmul(a, b), spw.gradient("matmul", (a, b), g), spw.gradient("matmul", (a, b), g, wrt=1)
    else:
        import torch
        a, product = theirs(who, pointers, columns, values)
        x, up = torch.from_numpy(b).requires_grad_(), torch.from_numpy(g)
        small = torch.eye(2).to_sparse_csr()
        product(small, torch.ones(2, 2))  # what the library loads
        before = begin()
        kept = product(a, x)
        kept.backward(up)
    print("%.0f" % (peak() - before))
    return kept


def memory(rows):
    for who in WHO:
        run = subprocess.run([sys.executable, "-W", "ignore", __file__, "--one", who, str(rows)], capture_output=True, text=True)
        last = run.stdout.strip() + " MiB" if run.returncode == 0 else "fails: " + run.stderr.strip().split("\n")[-1][:150]
        print("%8d x %-8d %-14s %s" % (rows, rows, who, last), flush=True)


def seconds(call):
    begun = time.process_time()
    call()
    return time.process_time() - begun


def speed():
    import torch
    torch.set_num_threads(1)
    pointers, columns, values, b, g = matrix(200000, 25, 32, "float32")
    a = spw.csr(pointers, columns, values, (200000, 200000))
    x, up = torch.from_numpy(b).requires_grad_(), torch.from_numpy(g)
    best = {}

    def backward():
        their, product = theirs("sparse.mm csr", pointers, columns, values)
        x.grad = None
        out = product(their, x)
        taken = seconds(lambda: out.backward(up))
        ours = spw.gradient("matmul", (a, b), g, out="numpy"), spw.gradient("matmul", (a, b), g, wrt=1, out="numpy")
        if not (numpy.array_equal(ours[0].values, their.grad.values().numpy()) and numpy.array_equal(ours[1], x.grad.numpy())):
            sys.exit("the gradients differ")
        return taken

    calls = {"sampled product, of which dA is made": lambda: seconds(lambda: spw.sampled_addmm(a, g, b.T, beta=0)),
             "dA": lambda: seconds(lambda: spw.gradient("matmul", (a, b), g)),
             "transposed product, of which dB is made": lambda: seconds(lambda: spw.matmul(spw.transpose(a), g)),
             "dB": lambda: seconds(lambda: spw.gradient("matmul", (a, b), g, wrt=1)),
             "square": lambda: seconds(lambda: spw.unary("square", a)),
             "gradient of square": lambda: seconds(lambda: spw.gradient("square", a, a)),
             "dA and dB by PyTorch, CSR": backward}
    for _ in range(ROUNDS):
        for name, call in calls.items():
            best[name] = min(best.get(name, 1e9), call())
    for name, taken in best.items():
        print("%-42s %.3f s" % (name, taken))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        one(sys.argv[2], int(sys.argv[3]))
    else:
        speed()
        memory(20000)
        memory(1000000)
