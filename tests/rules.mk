# SPDX-License-Identifier: Apache-2.0
# make check-workflows       what the workflows of GitHub run is there; part of make check
# make check-make            what the makefiles leave out, take along and delete; part of make check
# make check-threads         the tests of threads in a library built with OPENMP=1; part of make check
# make check-threads-tsan    the same under ThreadSanitizer, with LLVM's OpenMP, whose Archer tells
#                            the sanitizer what OpenMP synchronises
# make check-npz             what the readers accept, NumPy, Python and others read alike; part of make check
#                            [NPZ='--seconds 600 --seed 2']
# make oracle-report [TIMES=1] how many sums and products the oracle is tried on, and which planted faults it finds
.PHONY: check-threads check-threads-tsan check-npz oracle-report
TIMES ?= 1
ORACLE_SUITES := build/tests/test_oracle_sums build/tests/test_oracle_verdicts build/tests/test_oracle_products build/tests/test_oracle_sparse
oracle-report: deps
	+$(BUILD) B=build CC=gcc $(ORACLE_SUITES)
	for suite in $(ORACLE_SUITES); do ORACLE_REPORT=$(TIMES) $$suite || exit 1; done

THREADS_SUITES := test_threads test_multiply_threads test_convert_threads test_sparse_threads
check-threads: check-builds
	+$(BUILD) B=build/threads CC=gcc OPENMP=1 FROM=build ANEW='$(OF_THREADS)' $(addprefix build/threads/tests/,$(THREADS_SUITES))
	for of in check/fast/parts convert/pairs convert/transpose_lines convert/sort_shared convert/dense ops/multiply/multiply ops/spgemm/spgemm ops/elementwise/elementwise; do \
	  nm build/threads/obj/src/$$of.o | grep -q GOMP_parallel || { echo "check-threads: $$of.c begins no thread"; exit 1; }; done
	OMP_WAIT_POLICY=passive python3 -B tests/run_suites.py --jobs $(JOBS) $(addprefix --only ,$(THREADS_SUITES)) build/threads
CHECKS += check-threads

check-threads-tsan: deps-threads
	@mkdir -p build/tsan
	for suite in $(THREADS_SUITES); do \
	  clang -std=c11 $(OPT_SANITIZED) -fopenmp -fsanitize=thread -Itests/plain tests/*/$$suite.c tests/operands/specimen.c $(CORE) \
	    src/owned/convert_new.c src/owned/owned.c -o build/tsan/$$suite && OMP_WAIT_POLICY=passive \
	    TSAN_OPTIONS=ignore_noninstrumented_modules=1:halt_on_error=1 build/tsan/$$suite || exit 1; done

NPZ ?=
check-npz: check-builds $(CONFORMANCE_VENV)/installed
	$(CONFORMANCE_VENV)/bin/python -B tests/io/npz_differential.py build $(NPZ)
	$(CONFORMANCE_VENV)/bin/python -B tests/io/npy_differential.py build $(NPZ)
	$(CONFORMANCE_VENV)/bin/python -B tests/io/text_differential.py build
CHECKS += check-npz

.PHONY: check-workflows check-make
check-make: deps
	python3 -B tests/make_test.py
	python3 -B tests/steps_test.py
CHECKS += check-make
check-workflows: $(CONFORMANCE_VENV)/installed
	$(CONFORMANCE_VENV)/bin/python -B tests/workflows.py
CHECKS += check-workflows

# make check-files           what h5py, anndata, safetensors, scipy and binsparse write, read alike; installs them into build/files-venv
.PHONY: check-files
build/files-venv/installed: tests/io/files_requirements.txt
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@
check-files: build/files-venv/installed $(B)/spw
	$(<D)/bin/python -B tests/io/files_differential.py $(B)/spw
