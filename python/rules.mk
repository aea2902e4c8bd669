# SPDX-License-Identifier: Apache-2.0
# make python                the extension module of the Python package, in build/python/sparsewright
# make check-python          its tests; part of make check
PYTHON ?= python3
PYTHON_INCLUDE ?= $(shell $(PYTHON) -c 'import sysconfig; print(sysconfig.get_paths()["include"])')
PYTHON_SOURCES := $(wildcard python/core/*.c)
# What the package needs of the library of files: all but JSON's reader, which stands on jansson, and what recognises formats by names.
PYTHON_IO := $(filter-out src/io/json/json_read.c src/io/files/file.c src/io/files/format_bytes.c,$(IO))
PYTHON_CORE = $(B)/python/sparsewright/_core.abi3.so
$(call obj,$(PYTHON_SOURCES)): private CFLAGS_ALL += -Isrc -isystem $(PYTHON_INCLUDE)
$(PYTHON_CORE): $(call obj,$(PYTHON_SOURCES) $(PYTHON_IO)) $(B)/libsparsewright.a python/core/module.map
	@mkdir -p $(@D)
	$(LINK) -shared -Wl,--version-script=python/core/module.map -Wl,--gc-sections -Wl,-Bsymbolic $(if $(STRIP),-s) -o $@ \
	  $(filter-out %.map,$^) -lz -lm
.PHONY: python
python: $(PYTHON_CORE)
	cp python/sparsewright/*.py* python/sparsewright/py.typed $(<D)/

# make check-python [PEERS=all]   the tests that a bare machine can run; with PEERS=all, those with the libraries, too, which
#                                 are installed into build/python-venv
.PHONY: check-python
check-python: check-builds
	+$(BUILD) B=build python $(if $(filter all,$(PEERS)),all build/conformance/adapters/ours_adapter)
	PYTHONPATH=build/python $(PYTHON) -B python/tests/test_core.py
	PYTHONPATH=build/python $(PYTHON) -B python/tests/test_worked.py
	PYTHONPATH=build/python $(PYTHON) -B python/tests/test_gradient.py
	PYTHONPATH=build/python $(PYTHON) -B python/tests/test_readme.py
	python/tests/test_install
	$(if $(filter all,$(PEERS)),python/tests/with_libraries)
CHECKS += check-python

# make wheel                 a wheel for the oldest systems that it runs on, in build/wheel-files, and what is in it
# make python-overhead       how long calls from Python take, what they copy and keep, beside the libraries of check-python
.PHONY: wheel python-overhead
wheel: deps
	python/tests/make_wheel
python-overhead: deps
	+$(BUILD) B=build python
	python/tests/with_libraries python/tests/overhead.py
	PYTHONPATH=build/python $(PYTHON) -B python/tests/overhead.py --valgrind

# make coverage-page         asks sparsewright and PyTorch for every operation on every layout, and writes spec/coverage.md
.PHONY: coverage-page
coverage-page: deps
	+$(BUILD) B=build python
	python/tests/with_libraries spec/coverage.py probe
	python3 -B spec/coverage.py page
