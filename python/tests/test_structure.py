# SPDX-License-Identifier: Apache-2.0
"""Structure operations beside NumPy's, on tensors of every layout that Hypothesis makes."""
import unittest

import numpy
from hypothesis import given, settings, strategies as st

import sparsewright as spw
from sparsewright import testing


def dense(x):
    return spw.convert(x, "dense", out="numpy")


class Structure(unittest.TestCase):
    """Whatever is not refused is what NumPy gives."""

    def same(self, call, wanted):
        try:
            made = call()
        except spw.Refused as error:
            self.refused.add(str(error)[:40])
            return
        self.done += 1
        testing.assert_valid(made)
        numpy.testing.assert_array_equal(dense(made), wanted)

    def ask(self, examples, ask, least):
        self.done, self.refused = 0, set()
        settings(max_examples=examples, deadline=None)(given(testing.tensors(), st.data())(ask))()
        self.assertGreater(self.done, least)

    def test_parts(self):
        def ask(t, data):
            a = dense(t)
            dim = data.draw(st.integers(0, a.ndim - 1))
            n = a.shape[dim]
            start = data.draw(st.integers(0, n))
            length = data.draw(st.integers(0, n - start))
            indices = data.draw(st.lists(st.integers(0, n - 1), max_size=4)) if n else []
            self.same(lambda: spw.narrow(t, dim, start, length), a.take(range(start, start + length), dim))
            self.same(lambda: spw.index_select(t, dim, indices), a.take(numpy.array(indices, "int64"), dim))
            if n and a.ndim > 1:
                index = data.draw(st.integers(-n, n - 1))
                self.same(lambda: spw.select(t, dim, index), a.take(index, dim))
        self.ask(150, ask, 150)

    def test_unions(self):
        def ask(t, data):
            a = dense(t)
            dim = data.draw(st.integers(0, a.ndim - 1))
            self.same(lambda: spw.cat([t, t, t], dim), numpy.concatenate([a, a, a], dim))
            self.same(lambda: spw.stack([t, t], dim), numpy.stack([a, a], dim))
            self.same(lambda: spw.unsqueeze(t, dim), numpy.expand_dims(a, dim))
            self.same(lambda: spw.broadcast(spw.unsqueeze(t, dim), dim, 3), numpy.stack([a, a, a], dim))
        self.ask(100, ask, 100)

    def test_orders(self):
        def ask(t, data):
            a = dense(t)
            order = data.draw(st.permutations(range(a.ndim)))
            self.same(lambda: spw.permute(t, order), a.transpose(order))
            if t.layout != "coo":
                batch = t.compressed.ndim - 1
                self.same(lambda: spw.transpose(t), numpy.swapaxes(a, batch, batch + 1))
        self.ask(150, ask, 80)

    def test_masks_and_sizes(self):
        def ask(t, data):
            a = dense(t)
            full = numpy.arange(a.size, dtype="float64").reshape(a.shape) + 1
            made = spw.sparse_mask(full, t)
            if t.layout != "coo" or t.coalesced:    # duplicates of a mask stay, and dense adds them
                self.assertTrue(numpy.isin(dense(made), numpy.append(full, 0)).all())
                self.assertTrue((dense(made)[a != 0] != 0).all())
            self.same(lambda: spw.resize(t, a.shape), a)
        self.ask(60, ask, 40)

    def test_wrong_requests(self):
        t = spw.csr([0, 1, 2], [0, 1], [1.0, 2.0], (2, 3))
        for wrong, words in ((lambda: spw.select(t, 2, 0), "2"), (lambda: spw.narrow(t, 1, 2, 2), "3"),
                             (lambda: spw.cat([t, spw.csr([0], [], [], (0, 4))]), "4"), (lambda: spw.permute(t, (1, 0)), "")):
            with self.assertRaisesRegex(spw.Refused, words):
                wrong()
        with self.assertRaisesRegex(ValueError, "order of 3"):
            spw.permute(t, (0, 1, 2))
        with self.assertRaisesRegex(ValueError, "1 to"):
            spw.cat([])
        with self.assertRaises(TypeError):
            spw.cat([t, 3])
        with self.assertRaises(spw.InvalidTensor):
            spw.select(spw.csr([0, 9], [0], [1.0], (1, 1)), 0, 0)
        with self.assertRaises(MemoryError):
            spw.cat([t, t], limit=8)


if __name__ == "__main__":
    unittest.main()
