#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""consumer_adapter.py LIBRARY: libraries that take a matrix of SciPy and follow its arrays in code of their own. To hand it
over is the check, and to compute with it the use. SciPy's constructor makes it, and looks at lengths only."""
import glob
import importlib
import importlib.metadata
import os
import sys
import warnings

import numpy as np
from scipy import sparse

from protocol import answering, asking, attempt, serve
from scipy_adapter import matrix_of, result_of, second

NAME = sys.argv[1]
MODULES = {"sparse-dot-topn": "sparse_dot_topn", "sparse-dot-mkl": "sparse_dot_mkl", "scikit-network": "sknetwork"}
if NAME == "sparse-dot-mkl":  # it does not look where pip puts MKL
    os.environ["MKL_RT"] = glob.glob(os.path.join(sys.prefix, "lib", "libmkl_rt.so*"))[0]
library = importlib.import_module(MODULES.get(NAME, NAME))
LACKS = ["batched", "claim", "coo-nd", "declared", "huge-array", "huge-size", "hybrid", "indices-not-2d", "large-size", "negative-shape",
         "negative-stride", "not-2d", "out-of-storage", "sizeless", "sparse-dim-0", "strided", "strided-indices"]
EMPTY = ["empty-size", "no-elements"]
BECAUSE = {"empty-size": "it wants data to compute with", "no-elements": "it wants data to compute with", "sizeless": "SciPy infers the size: it is asked that itself",
           "strided": "SciPy makes the matrix: it is asked that itself", "strided-indices": "SciPy makes the matrix: it is asked that itself",
           "negative-stride": "SciPy makes the matrix: it is asked that itself", "to_dense/duplicates": "a document has each word once"}


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


class Qpalm(Consumer):
    def use(self, matrix):
        rows, columns = matrix.shape
        data = library.Data(columns, rows)
        data.Q, data.q, data.A = sparse.csc_matrix(sparse.eye(columns)), np.zeros(columns), sparse.csc_matrix(matrix)
        data.bmin, data.bmax = -np.ones(rows), np.ones(rows)
        library.Solver(data, library.Settings()).solve()


class Ecos(Consumer):
    """The matrix of the inequalities. What sets the problem up also solves it."""

    def take(self, matrix):
        rows, columns = matrix.shape
        library.solve(np.ones(columns), sparse.csc_matrix(matrix), np.ones(rows), {"l": rows, "q": [], "e": 0}, verbose=False, max_iters=5)


class Celer(Consumer):
    """A regression on the columns."""

    def use(self, matrix):
        library.Lasso(alpha=0.1, max_iter=2, max_epochs=20).fit(sparse.csc_matrix(matrix), np.arange(float(matrix.shape[0])))


class Tabmat(Consumer):
    def take(self, matrix):
        return library.SparseMatrix(sparse.csc_matrix(matrix))

    def use(self, matrix):
        taken, rows = self.take(matrix), matrix.shape[0]
        attempt(lambda: taken.transpose_matvec(np.ones(rows)), lambda: taken.sandwich(np.ones(rows)))


class OfRows(Consumer):
    checked = of("csr", dtypes=("float32", "float64"))


class Implicit(OfRows):
    """What users like, and items."""

    def use(self, matrix):
        model = importlib.import_module("implicit.als").AlternatingLeastSquares(factors=2, iterations=1, num_threads=1, use_gpu=False)
        model.fit(sparse.csr_matrix(matrix), show_progress=False)


class Treelite(OfRows):
    """Rows go down a tree that asks the first column."""

    def use(self, matrix):
        builder = importlib.import_module("treelite.model_builder")
        columns = matrix.shape[1]
        model = builder.ModelBuilder(threshold_type="float32", leaf_output_type="float32",
                                     metadata=builder.Metadata(columns, "kRegressor", False, 1, [1], (1, 1)),
                                     tree_annotation=builder.TreeAnnotation(1, [0], [0]),
                                     postprocessor=builder.PostProcessorFunc(name="identity"), base_scores=[0.0])
        model.start_tree()
        model.start_node(0)
        model.numerical_test(0, 0.5, True, "<", 1, 2)
        model.end_node()
        for leaf in (1, 2):
            model.start_node(leaf)
            model.leaf(float(leaf))
            model.end_node()
        model.end_tree()
        library.gtil.predict(model.commit(), sparse.csr_matrix(matrix), nthread=1)


class Catboost(OfRows):
    """Rows are examples."""

    def use(self, matrix):
        pool = library.Pool(sparse.csr_matrix(matrix.astype(np.float32)), np.arange(float(matrix.shape[0])))
        library.CatBoostRegressor(iterations=1, verbose=0, thread_count=1, allow_writing_files=False).fit(pool)


class SparseDotMkl(OfRows):
    def use(self, matrix):
        matrix = sparse.csr_matrix(matrix)
        attempt(lambda: library.dot_product_mkl(matrix, np.ones(matrix.shape[1], matrix.dtype)),
                lambda: library.dot_product_mkl(matrix, sparse.csr_matrix(sparse.eye(matrix.shape[1], dtype=matrix.dtype))))


class Pymatching(Consumer):
    """A check matrix: columns are errors, and rows are detectors."""
    checked = of("csc", dtypes=("int8", "uint8"))

    def use(self, matrix):
        matching = library.Matching(sparse.csc_matrix(matrix.astype(np.uint8)))
        matching.decode(np.ones(matching.num_detectors, np.uint8))


class Pandas(Consumer):
    """Each column is an array of its own."""
    checked, lacks = of("csc"), []
    operations = {"to_dense": of("csc", dtypes=("float64", "int64"))}

    def take(self, matrix):
        return library.DataFrame.sparse.from_spmatrix(matrix)

    def use(self, matrix):
        attempt(self.take(matrix).to_numpy, self.take(matrix).sparse.to_coo)

    def to_dense(self, matrix, _):
        return self.take(matrix).to_numpy(matrix.dtype)


class OfSquares(OfRows):
    """It wants square matrices: rows without elements are put below, where that makes one."""

    def made_square(self, matrix):
        rows, columns = matrix.shape
        if rows >= columns:
            return matrix
        pointers = np.concatenate([matrix.indptr, np.repeat(matrix.indptr[-1:], columns - rows)])
        return sparse.csr_array((matrix.data, matrix.indices, pointers), shape=(columns, columns))


class ScikitNetwork(OfSquares):
    def take(self, matrix):
        return importlib.import_module("sknetwork.utils.check").check_format(sparse.csr_matrix(matrix), allow_empty=True)

    def use(self, matrix):
        importlib.import_module("sknetwork.clustering").Louvain().fit(self.take(self.made_square(matrix)))


class Pypardiso(OfSquares):
    checked = of("csr")

    def use(self, matrix):
        matrix = sparse.csr_matrix(self.made_square(matrix))
        library.spsolve(matrix, np.ones(matrix.shape[0]))


class Lap(OfSquares):
    """Costs, of which those that are not stored are infinite."""

    def use(self, matrix):
        matrix = self.made_square(matrix)
        library.lapmod(matrix.shape[0], matrix.data.astype(float), matrix.indptr, matrix.indices)


class Pyamg(OfSquares):
    refuses = ["expected square matrix"]

    def take(self, matrix):
        matrix = self.made_square(matrix)
        importlib.import_module("pyamg.relaxation.relaxation").make_system(matrix, np.zeros(matrix.shape[0], matrix.dtype), np.zeros(matrix.shape[0], matrix.dtype))

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
             "gensim": Gensim, "networkx": Networkx, "qpalm": Qpalm, "ecos": Ecos, "celer": Celer, "tabmat": Tabmat,
             "implicit": Implicit, "treelite": Treelite, "catboost": Catboost, "sparse-dot-mkl": SparseDotMkl,
             "pymatching": Pymatching, "pandas": Pandas, "scikit-network": ScikitNetwork,
             "pypardiso": Pypardiso, "lap": Lap}


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
                "names_rules": "none", "guards": ["after", "before"], "lacks": [*LACKS, *consumer.lacks], "refuses": consumer.refuses,
                "because": BECAUSE}
    functions = answering({name: operation(name) for name in consumer.operations}, result_of) if consumer.operations else {}
    serve(NAME, importlib.metadata.version(NAME), manifest, {"check": check, "use": use, **functions})


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    serve_it(CONSUMERS[NAME]())
