#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""consumer_adapter.py LIBRARY: libraries that take a matrix of SciPy and follow its arrays in code of their own. To hand it
over is the check, and to compute with it the use. SciPy's constructor makes it, and looks at lengths only."""
import importlib
import importlib.metadata
import sys
import warnings

import numpy as np
from scipy import sparse

from protocol import answering, asking, attempt, serve
from scipy_adapter import matrix_of, result_of, second

NAME = sys.argv[1]
MODULES = {"sparse-dot-topn": "sparse_dot_topn"}
library = importlib.import_module(MODULES.get(NAME, NAME))
LACKS = ["batched", "claim", "coo-nd", "declared", "huge-array", "huge-size", "hybrid", "indices-not-2d", "large-size", "negative-shape",
         "negative-stride", "not-2d", "out-of-storage", "sizeless", "sparse-dim-0", "strided", "strided-indices"]
EMPTY = ["empty-size", "no-elements"]


def of(*layouts, dtypes=("float64",), **more):
    return {"layouts": list(layouts), "dtypes": list(dtypes), **more}


class Consumer:
    """What a library is asked: entries of the manifest, and the functions of the matrix."""
    checked = of("csc")
    lacks, refuses, operations = EMPTY, [], {}

    def take(self, matrix):
        return matrix

    def use(self, matrix):
        self.take(matrix)


class Solver(Consumer):
    def use(self, matrix):
        self.take(matrix).solve()


class Osqp(Solver):
    """The matrix of constraints; the objective is that of a unit matrix."""

    def take(self, matrix):
        rows, columns = matrix.shape
        solver = library.OSQP()
        solver.setup(sparse.eye(columns, format="csc"), np.zeros(columns), sparse.csc_matrix(matrix), -np.ones(rows), np.ones(rows), verbose=False, max_iter=5)
        return solver


class Piqp(Solver):
    def take(self, matrix):
        rows, columns = matrix.shape
        solver = library.SparseSolver()
        solver.settings.max_iter = 5
        solver.setup(sparse.csc_matrix(sparse.eye(columns)), np.zeros(columns), G=matrix, h_l=-np.ones(rows), h_u=np.ones(rows))
        return solver


class Proxsuite(Solver):
    def take(self, matrix):
        rows, columns = matrix.shape
        problem = library.proxqp.sparse.QP(columns, 0, rows)
        problem.settings.max_iter = 5
        problem.init(sparse.csc_matrix(sparse.eye(columns)), np.zeros(columns), None, None, matrix, -np.ones(rows), np.ones(rows))
        return problem


class Pyamg(Consumer):
    """It wants square matrices: rows without elements are put below, where that makes one."""
    checked, refuses = of("csr", dtypes=("float32", "float64")), ["expected square matrix"]

    def take(self, matrix):
        matrix = self.made_square(matrix)
        importlib.import_module("pyamg.relaxation.relaxation").make_system(matrix, np.zeros(matrix.shape[0], matrix.dtype), np.zeros(matrix.shape[0], matrix.dtype))

    def made_square(self, matrix):
        rows, columns = matrix.shape
        if rows >= columns:
            return matrix
        pointers = np.concatenate([matrix.indptr, np.repeat(matrix.indptr[-1:], columns - rows)])
        return sparse.csr_array((matrix.data, matrix.indices, pointers), shape=(columns, columns))

    def use(self, matrix):
        matrix = self.made_square(matrix)
        x = np.zeros(matrix.shape[0], matrix.dtype)
        attempt(lambda: importlib.import_module("pyamg.relaxation.relaxation").gauss_seidel(matrix, x, np.ones_like(x)),
                lambda: importlib.import_module("pyamg.graph").breadth_first_search(matrix, 0))


class SparseDotTopn(Consumer):
    checked = of("csr", dtypes=("float32", "float64"))
    lacks = []
    operations = {"matmul_sparse": of("csr", dtypes=("int32", "int64", "float32", "float64")), "transpose": of("csr")}

    def use(self, matrix):
        unit = sparse.csr_matrix(sparse.eye(matrix.shape[1], dtype=matrix.dtype))
        matrix = sparse.csr_matrix(matrix)
        attempt(lambda: library.sp_matmul(matrix, unit), lambda: library.sp_matmul_topn(matrix, unit, top_n=2))

    def matmul_sparse(self, matrix, question):
        return library.sp_matmul(sparse.csr_matrix(matrix), sparse.csr_matrix(second(question, matrix)))

    def transpose(self, matrix, _):
        """The product of a unit matrix and CSC is CSR."""
        return library.sp_matmul(sparse.csr_matrix(sparse.eye(matrix.shape[1])), sparse.csc_matrix(matrix.T))


class Gensim(Consumer):
    """A corpus of columns, and its topics. A document has each word once."""
    operations = {"to_dense": of("csc", lacks=["duplicates"])}

    def take(self, matrix):
        return library.matutils.Sparse2Corpus(matrix)

    def use(self, matrix):
        library.models.LsiModel(self.take(matrix), num_topics=1)

    def to_dense(self, matrix, _):
        return library.matutils.corpus2dense(self.take(matrix), *matrix.shape, dtype=matrix.dtype)


class Networkx(Consumer):
    """A graph of two sets of nodes: rows, and columns behind them."""
    checked, lacks = of("coo", "csr", "csc"), []
    operations = {"to_dense": of("coo", "csr", "csc", dtypes=("float64", "int64"))}

    def take(self, matrix):
        return library.bipartite.from_biadjacency_matrix(matrix, create_using=library.DiGraph)

    def to_dense(self, matrix, _):
        rows, columns = matrix.shape
        return library.bipartite.biadjacency_matrix(self.take(matrix), range(rows), range(rows, rows + columns), matrix.dtype).toarray()


CONSUMERS = {"osqp": Osqp, "piqp": Piqp, "proxsuite": Proxsuite, "pyamg": Pyamg, "sparse-dot-topn": SparseDotTopn,
             "gensim": Gensim, "networkx": Networkx}


def serve_it(consumer):
    def check(question):
        matrix = matrix_of(question)
        with asking("validate"):
            consumer.take(matrix)

    def use(question):
        matrix = matrix_of(question)
        with asking("use"):
            consumer.use(matrix)

    def operation(name):
        def ask(question):
            matrix = matrix_of(question)
            with asking("use"):
                return getattr(consumer, name)(matrix, question)
        return ask
    manifest = {"operations": {"check": consumer.checked, "use": consumer.checked, **consumer.operations}, "index_dtypes": ["int32", "int64"],
                "names_rules": "none", "guards": ["after", "before"], "lacks": [*LACKS, *consumer.lacks], "refuses": consumer.refuses}
    functions = answering({name: operation(name) for name in consumer.operations}, result_of) if consumer.operations else {}
    serve(NAME, importlib.metadata.version(NAME), manifest, {"check": check, "use": use, **functions})


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve_it(CONSUMERS[NAME]())
