# SPDX-License-Identifier: Apache-2.0
# make fuzz TARGET=check TIME=60    one target, with libFuzzer and with AFL++
# make fuzz-smoke                   the committed corpus under four sanitizers, and a short fresh run; in make check without MSan
# make fuzz-speed                   executions a second of every target
# make fuzz-campaign TIME=3600      every target; make fuzz-strength: how much of what is planted is found
# A target is fuzz/targets/NAME.c and its name here:
FUZZ_TARGETS := check infer fast_slow stack shape json mtx npz npy pt safetensors binsparse hdf5 write alloc convert structure product sparse_product elementwise reduce cuda_check
FUZZ_TARGETS += reduce_dims
FUZZ_TARGETS += softmax
FUZZ_TARGETS += solve
FUZZ_TARGETS += make
FUZZ_TARGETS += unary
FUZZ_TARGETS += semi
FUZZ_TARGETS += optim
FUZZ_TARGETS += gradient
FUZZ_TARGETS += refused
# One that needs libraries: it is left out, and said to be, where one of its headers is not there.
FUZZ_HEADERS_differential := /usr/include/GraphBLAS.h /usr/include/suitesparse/cholmod.h
FUZZ_TARGETS += $(if $(filter-out $(wildcard $(FUZZ_HEADERS_differential)),$(FUZZ_HEADERS_differential)),,differential)

# Not among them, because each needs a library to ask: adapter (FUZZ_ADAPTER=), library (LIBRARY=).

# What a target needs besides.
FUZZ_LINK_alloc := -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc
FUZZ_LIBS_npz := -lzip
FUZZ_LIBS_differential := -lgraphblas -lcholmod
$(B)/obj/fuzz/targets/differential.o: private CFLAGS_ALL += -isystem /usr/include/suitesparse

# The engine that a program of this build is linked with, and by what; without one it replays files.
FUZZ_ENGINE ?= $(B)/obj/fuzz/harness/replay.o
FUZZ_JUDGES := $(wildcard tests/expected/*.c tests/attempts/*.c) tests/operands/specimen.c tests/operands/strided.c \
  $(wildcard tests/support/hdf5_*.c) tests/support/torch_file.c
FUZZ_OBJECTS := $(call obj,$(wildcard fuzz/inputs/*.c) \
  $(filter-out %/replay.c %/afl_mutator.c,$(wildcard fuzz/harness/*.c)) \
  $(FUZZ_JUDGES) tests/check/small_tiles.c)
# The archive of the core that a program of this build needs.
FUZZ_CORE ?= $(B)/libsparsewright.a
# A target is linked with no more than it uses: an engine looks at all counters after every run.
$(B)/libfuzz.a: $(FUZZ_OBJECTS)
	@rm -f $@; $(AR) rcs $@ $^
$(B)/fuzz/%: $(B)/obj/fuzz/targets/%.o $(B)/obj/fuzz/harness/mutator.o $(filter %.o,$(FUZZ_ENGINE)) \
  $(B)/libfuzz.a $(B)/libsparsewright_io.a $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(or $(FUZZ_LINK),$(LINK)) $(FUZZ_LINK_$*) -o $@ $(filter-out %.a,$^) $(filter-out %.o,$(FUZZ_ENGINE)) \
	  $(filter %.a,$^) $(IO_LIBS) $(FUZZ_LIBS_$*) -lm
# What makes the inputs and judges the answers is not what is fuzzed: a build for an engine may compile it
# with a plain compiler. tests/fuzz/test_fuzz.c has it under the sanitizers.
FUZZ_HARNESS := $(call obj,$(filter-out %/lines.c,$(wildcard fuzz/inputs/*.c)) $(patsubst %,fuzz/harness/%.c,mutator change target) \
  $(FUZZ_JUDGES))
ifdef FUZZ_HARNESS_CC
$(FUZZ_HARNESS): private override CC := $(FUZZ_HARNESS_CC)
$(FUZZ_HARNESS): private override SAN := $(FUZZ_HARNESS_FLAGS)
endif
$(B)/fuzz/afl_mutator.so: $(B)/obj/fuzz/harness/afl_mutator.o $(FUZZ_OBJECTS) $(B)/libsparsewright_io.a $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(LINK) -shared -o $@ $^ $(IO_LIBS) -lm
# What an input stands for, as a file for spw: build/fuzz/export INPUT.
FUZZ_MODEL := $(call obj,$(wildcard fuzz/inputs/*.c) tests/operands/specimen.c)
$(B)/fuzz/export: $(B)/obj/fuzz/tools/export.o $(FUZZ_MODEL) $(B)/libsparsewright_io.a $(FUZZ_CORE)
	@mkdir -p $(@D)
	$(LINK) $(FUZZ_LINK_export) -o $@ $^ $(IO_LIBS)
tests: $(B)/fuzz/export
$(B)/tests/test_fuzz: $(B)/obj/tests/fuzz/test_fuzz.o $(FUZZ_OBJECTS) $(call obj,tests/support/memory.c) \
  $(B)/libsparsewright_io.a $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ -lcriterion $(IO_LIBS) -lm
# make fuzz-library LIBRARY=fuzz/examples/eigen.cpp LIBRARY_FLAGS='-isystem /usr/include/eigen3'
# Only your library is under the sanitizers: ours is what it is held to. Of ours, engines follow what the checker does, so that
# inputs differ in what is wrong with them.
LIBRARY_SAN = $(SANITIZE) $(FUZZ_COVERAGE)
ifneq ($(FUZZ_COVERAGE),)
$(call obj,$(shell find src/check -name '*.c')): private override SAN += $(FUZZ_COVERAGE)
endif
$(B)/libsparsewright_lean.a: $(call obj,$(filter-out src/ops/% src/oracle/%,$(CORE)))
	@rm -f $@; $(AR) rcs $@ $^
FUZZ_LIBRARY := $(B)/obj/fuzz/targets/library.o $(FUZZ_MODEL) $(patsubst %,$(B)/obj/fuzz/harness/%.o,mutator change target) \
  $(call obj,tests/expected/oracle.c)
$(B)/fuzz/library: $(FUZZ_LIBRARY) $(LIBRARY) $(B)/libsparsewright_io.a $(B)/libsparsewright_lean.a
	@mkdir -p $(@D)
	clang++ $(LIBRARY_SAN) -g -O1 $(LIBRARY_FLAGS) -c $(LIBRARY) -o $(B)/fuzz/library.o
	clang++ $(LIBRARY_SAN) -o $@ $(B)/fuzz/library.o $(FUZZ_LIBRARY) $(filter -%,$(FUZZ_ENGINE)) \
	  $(filter %.a,$^) $(IO_LIBS) $(LIBRARY_LIBS)
.PHONY: fuzz-programs fuzz-library $(B)/fuzz/library
ifneq ($(filter fuzz-library,$(MAKECMDGOALS)),)
ifeq ($(wildcard $(LIBRARY)),)
$(error $(if $(LIBRARY),there is no file $(LIBRARY),LIBRARY is missing: make fuzz-library LIBRARY=your_library.cpp, which defines the functions of fuzz/library.h))
endif
endif
fuzz-library:
	@.ci/install-packages build fuzzer
	@fuzz/run --jobs $(JOBS) library '$(LIBRARY)' --time $(TIME)
fuzz-programs: $(addprefix $(B)/fuzz/,$(FUZZ_TARGETS))
$(B)/fuzz/seeds: $(B)/obj/fuzz/tools/seeds.o $(FUZZ_OBJECTS) $(B)/libsparsewright_io.a $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(IO_LIBS) -lm

.PHONY: fuzz fuzz-smoke fuzz-campaign fuzz-corpus fuzz-coverage fuzz-mcdc fuzz-strength fuzz-speed check-fuzz-readme fuzz-readme
TIME ?= 60
# The fresh run of each target; make check has less time.
FUZZ_SECONDS ?= $(if $(CHECKING),2,30)
fuzz: deps-fuzz
	fuzz/run --jobs $(JOBS) target $(or $(TARGET),$(error TARGET= one of $(FUZZ_TARGETS))) --time $(TIME)
fuzz-smoke: deps
	fuzz/run --jobs $(JOBS) smoke --time $(FUZZ_SECONDS) $(if $(MEMORY),,--no-msan)
CHECKS += fuzz-smoke
fuzz-campaign: deps-fuzz
	fuzz/run --jobs $(JOBS) campaign --time $(TIME)
fuzz-corpus: deps-fuzz
	fuzz/run --jobs $(JOBS) commit-corpus
fuzz-coverage: deps-fuzz
	fuzz/run --jobs $(JOBS) coverage
fuzz-speed: TIME = 3
fuzz-speed: deps-fuzz
	fuzz/run --jobs $(JOBS) speed --time $(TIME)
fuzz-mcdc: deps-fuzz
	fuzz/run --jobs $(JOBS) mcdc
# Two faults planted in a library, in rows and columns from 256 on, are found.
.PHONY: check-fuzz-library
check-fuzz-library: check-builds
	fuzz/planted/library.py --jobs $(JOBS)
CHECKS += check-fuzz-library
# The commands of fuzz/README.md: what they show, and, shorter, what they do.
check-fuzz-readme: check-builds
	python3 -B tests/readme.py fuzz/README.md
fuzz-readme: check-fuzz-readme
	fuzz/runner/readme.py $(README_SECONDS)
CHECKS += check-fuzz-readme
.PHONY: check-planted
check-planted: deps
	fuzz/planted/strength places
	python3 -B fuzz/planted/strength_test.py
CHECKS += check-planted
MUTANTS_SAMPLED ?= 60
fuzz-strength: deps-fuzz
	fuzz/planted/strength --jobs $(JOBS) faults
	fuzz/planted/strength --jobs $(JOBS) --count $(MUTANTS_SAMPLED) mutants
	fuzz/planted/strength report

# For fuzz/runner/engines.py and .clusterfuzzlite/build.sh.
.PHONY: fuzz-targets
fuzz-targets:
	@echo $(FUZZ_TARGETS)
