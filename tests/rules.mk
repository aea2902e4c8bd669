# SPDX-License-Identifier: Apache-2.0
# make check-workflows       what the workflows of GitHub run is there; part of make check
# make check-threads         the tests of threads in a library built with OPENMP=1; part of make check
# make check-threads-tsan    the same under ThreadSanitizer, with LLVM's OpenMP, whose Archer tells
#                            the sanitizer what OpenMP synchronises
# make check-npz             what the readers accept, NumPy, Python and others read alike; part of make check
#                            [NPZ='--seconds 600 --seed 2']
.PHONY: check-threads check-threads-tsan check-npz
check-threads: deps
	+$(BUILD) B=build/openmp CC=gcc OPENMP=1 build/openmp/tests/test_threads build/openmp/tests/test_multiply_threads
	OMP_WAIT_POLICY=passive build/openmp/tests/test_threads
	OMP_WAIT_POLICY=passive build/openmp/tests/test_multiply_threads
CHECKS += check-threads

check-threads-tsan: deps-threads
	@mkdir -p build/tsan
	clang -std=c11 -O1 -g -fopenmp -fsanitize=thread -Itests/plain tests/test_threads.c tests/specimen.c $(CORE) \
	  -o build/tsan/test_threads
	OMP_WAIT_POLICY=passive TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1 build/tsan/test_threads

NPZ ?=
check-npz: check-builds $(CONFORMANCE_VENV)/installed
	$(CONFORMANCE_VENV)/bin/python -B tests/npz_differential.py build $(NPZ)
	$(CONFORMANCE_VENV)/bin/python -B tests/npy_differential.py build $(NPZ)
CHECKS += check-npz

.PHONY: check-workflows
check-workflows: $(CONFORMANCE_VENV)/installed
	$(CONFORMANCE_VENV)/bin/python -B tests/workflows.py
CHECKS += check-workflows
