# SPDX-License-Identifier: Apache-2.0
# make                       the library (static and shared) and build/spw
# make check                 installs what it needs, then builds and runs every test
# make asan                  the library and every test with the sanitizers of clang, in build/asan
# make check-clang           every suite as clang optimises it, without sanitizers: every night
# make conform               installs what it needs, then asks other libraries: conformance/rules.mk
# make fuzz-smoke            replays the corpora and fuzzes a little: fuzz/rules.mk
# make cuda, gpu-check       the CUDA library, and its check on a device: cuda/rules.mk
# make exhaustive            every float32 of every function, some minutes each
# make bench                 how fast checks and conversions are, beside others
# make prove [FUNC=name]     proves the folders of proofs/proved.txt again with Frama-C
# make prove-changed         only the units that are not the text that passed
# make prove-cached          the same from recorded verdicts; prove-selftest, mutants: the proofs' own tests
# make OPENMP=1 ...          a library whose spw_is_valid_parallel uses threads; it needs OpenMP's runtime
# make install DESTDIR= PREFIX=/usr/local LIBDIR=$(PREFIX)/lib, make uninstall: of what make has made, by whatever compiler,
#                            with whatever flags. For another machine MAN_SPW= names a spw that runs on this one: manual
#                            pages are what it says of itself
# make WARN= ...             where a compiler warns of what ours do not: a warning is an error
# make V=1 ...               shows the commands; make help shows these lines
# make deps, make clean
B ?= build
# To install is no reason to make anew, in another way, what has been made: what the environment says then is not meant.
ifeq ($(MAKECMDGOALS),install)
$(eval $(file <$(B)/settings))
$(eval $(file <$(B)/cuda-settings))
endif
ifeq ($(origin CC),default)
CC := gcc
endif
unexport PYTHONOPTIMIZE # which takes the asserts of tests away
DESTDIR ?=
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
OPT ?= -O2 -g
SAN ?=
OPENMP ?=
THREADS = $(if $(filter 1,$(OPENMP)),-fopenmp)
JOBS ?= 2
WARN ?= -Wall -Wextra -Wconversion -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Werror
CFLAGS_ALL = -std=c11 $(OPT) $(WARN) -fPIC $(SAN) $(CPPFLAGS) $(CFLAGS) -ffp-contract=off $(IN_PLACE) -MMD -MP
IO_LIBS ?= -ljansson -lz
# With CFLAGS, since some of them, as -flto, are for both.
LINK = $(CC) $(CFLAGS) $(SAN) $(THREADS) $(LDFLAGS)
HEADERS := $(wildcard src/sparsewright*.h)
VERSION := $(shell sed -n 's/^.define SPW_VERSION "\(.*\)"/\1/p' $(HEADERS))
# Before version 1 a minor version may change what structs hold.
SO := so.$(basename $(VERSION))

PROVED := $(shell sed -n 's/^folder //p' proofs/proved.txt)
CORE := $(sort $(shell find $(PROVED) src/names src/views src/infer src/operand src/convert src/ops src/oracle src/structure src/make src/semi src/optim -name '*.c'))
# What decides about operations, beside their kernels.
OPS := $(filter-out src/ops/instances/%,$(wildcard src/ops/*.c src/ops/*/*.c))
IO := $(wildcard src/owned/*.c src/io/*/*.c src/text/*.c src/grad/*.c src/klu/*.c)
CLI := $(wildcard src/cli/*.c src/cli/*/*.c)
$(if $(wildcard tests/*.c),$(error a suite lies in a room: move $(wildcard tests/*.c) to tests/ROOM/))
SUITES := $(wildcard tests/*/test_*.c)
TESTS := $(basename $(notdir $(SUITES)))
# The values that operands are drawn from are those of fuzzing.
HELPERS := $(filter-out $(SUITES),$(wildcard tests/*/*.c)) fuzz/inputs/values.c
# What differs from another build in a few files only takes the objects of all others from that one, which has to be there:
# FROM=build ANEW='patterns of the files that are compiled anew'.
FROM = $(B)
ANEW = %
obj = $(patsubst %.c,$(B)/obj/%.o,$(filter $(ANEW),$(1))) $(patsubst %.c,$(FROM)/obj/%.o,$(filter-out $(ANEW),$(1)))

.PHONY: all clean FORCE
all: $(B)/settings $(B)/libsparsewright.a $(B)/libsparsewright_io.a $(B)/libsparsewright.so $(B)/libsparsewright_io.so $(B)/spw
	$(SAY) '$(B): the libraries and spw are up to date'

# A short loop that reaches over the end of a line of 64 bytes can take half as much time again, and what is linked before it
# would decide.
accepted = $(shell $(CC) -Werror $(1) -c -x c /dev/null -o /dev/null 2>/dev/null && echo $(1))
ALIGNED := $(call accepted,-falign-loops=64)
# A file's own public functions may be inlined into it: nobody replaces one of them in a shared library.
IN_PLACE := $(call accepted,-fno-semantic-interposition)

# The loops of the fast verdict: vectorised, and for AVX2 besides, where the compiler and the system
# can choose between two versions of a function.
OPT_FAST ?= -O3 -funroll-loops $(ALIGNED)
CLONES := __attribute__((flatten,target_clones("avx2","default")))

FETCH := -D'SPW_PREFETCH(address)=__builtin_prefetch(address)'

# The kernels of products. At -O3 gcc unrolls a loop of a known width before it makes vectors of it, and then of single
# elements, and it reads two rows of a matrix at once.
KNOWN_WIDTHS := $(call accepted,-O2 -ftree-vectorize -fvect-cost-model=dynamic -fpeel-loops -fipa-cp-clone $(ALIGNED))
OPT_PRODUCTS ?= $(or $(KNOWN_WIDTHS),-O3)
# A block of indices is compared with one at once. clang would make vectors of the loop around that, which is short.
OPT_POSITIONS ?= $(or $(KNOWN_WIDTHS),$(call accepted,-O2 -fno-vectorize),-O2)

# Other flags, other objects.
FLAGS = $(if $(filter-out $(B),$(FROM)),$(abspath $(FROM)) $(ANEW)) $(if $(SPW_ASSERT_REQUIRES),asserted )$(CC) $(CFLAGS_ALL) $(OPT_FAST) $(OPT_PRODUCTS) $(OPT_POSITIONS) $(CLONES) $(THREADS) $(LDFLAGS) $(IO_LIBS)
SETTINGS := CC AR CPPFLAGS CFLAGS LDFLAGS OPT SAN OPENMP OPT_FAST OPT_PRODUCTS OPT_POSITIONS IO_LIBS WARN
write_settings = printf '%s\n' $(foreach v,$1,'$v := $(subst $$,$$$$,$($v))')
$(B)/settings: $(B)/flags
	@$(call write_settings,$(SETTINGS)) > $@
$(B)/flags: FORCE
	@mkdir -p $(@D); echo '$(FLAGS)' | cmp -s - $@ || echo '$(FLAGS)' > $@

# A line every ten files says how many there are at most; V=1 shows the commands, and -s nothing.
Q := $(if $(V),,@)
TOLD = $(filter-out --%,$(firstword -$(MAKEFLAGS)))
SAY = $(if $(findstring s,$(TOLD)),@:,@echo)
AT_MOST = $(words $(CORE) $(IO) $(CLI) $(if $(filter tests,$(MAKECMDGOALS)),$(SUITES) $(HELPERS)))
# With -n there is nothing to count: whoever asks make for its commands gets these alone.
COUNT = $(if $(findstring n,$(TOLD)),,$(eval COUNTED += x)$(if $(filter %0,$(words $(COUNTED))),$(SAY) '[$(words $(COUNTED)) of at most $(AT_MOST)] $<'))
$(B)/obj/%.o: %.c $(B)/flags
	@mkdir -p $(@D)
	$(COUNT)
	$(Q)$(CC) $(CFLAGS_ALL) -c $< -o $@

# Asked for once, at its first use. With sanitizers nobody asks.
can_clone = $(eval can_clone := $$(shell echo '$(CLONES) int f(void); int f(void) { return 0; } int main(void) { return f(); }' | \
  $(CC) -Werror -x c - -o /dev/null 2>/dev/null && echo yes))$(can_clone)
$(call obj,src/check/fast/count_rows.c src/check/fast/count_columns.c): private CFLAGS_ALL += $(OPT_FAST) $(FETCH) $(if $(SAN),,$(if $(can_clone),-DSPW_CLONES='$(CLONES)'))
# Conversions read values of every type as bits.
$(call obj,$(shell find src/convert -name '*.c')): private CFLAGS_ALL += $(OPT_FAST) $(FETCH) -fno-strict-aliasing
# Most of their loops go over dimensions, which are few.
$(call obj,$(OPS) $(wildcard src/operand/*.c)): private CFLAGS_ALL += $(filter-out -funroll-loops,$(OPT_FAST)) $(FETCH) -fno-strict-aliasing
# Where a line begins and what its first index is are changed one by one: a pair of them in a vector has to wait for both.
$(call obj,$(wildcard src/convert/instances/block_*.c)): private CFLAGS_ALL += -fno-tree-slp-vectorize
# Twelve of them: a version for AVX2 of all would add much to the time of every build.
$(call obj,$(wildcard src/ops/instances/*.c)): private CFLAGS_ALL += $(if $(SAN),,$(OPT_PRODUCTS)) $(FETCH) -fno-strict-aliasing
$(call obj,$(wildcard src/ops/elementwise/positions/*.c)): private CFLAGS_ALL += $(if $(SAN),,$(OPT_POSITIONS))
$(call obj,src/ops/elementwise/positions/count_rows.c src/ops/reduce/norm_runs.c src/ops/instances/f32.c src/ops/instances/f64.c): private CFLAGS_ALL += $(if $(SAN),,$(if $(can_clone),-DSPW_CLONES='$(CLONES)'))
# Rows of groups: a compiler makes vectors of their loops.
$(call obj,$(wildcard src/semi/kernels/*.c)): private CFLAGS_ALL += $(OPT_FAST) $(if $(SAN),,$(if $(can_clone),-DSPW_CLONES='$(CLONES)'))
$(call obj,$(wildcard src/semi/*.c)): private CFLAGS_ALL += $(FETCH) -fno-strict-aliasing
# Those that share work among threads.
OF_THREADS := src/check/fast/parts.c $(OPS) $(wildcard src/convert/*.c) tests/check/test_threads.c
$(call obj,$(OF_THREADS)): private CFLAGS_ALL += $(THREADS)

$(B)/libsparsewright.a: $(call obj,$(CORE))
	@mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^
$(B)/libsparsewright_io.a: $(call obj,$(IO))
	@mkdir -p $(@D) && rm -f $@ && $(AR) rcs $@ $^

# A shared library shows those functions of the public headers that it has, and names no other: lld would refuse that.
# The readers and writers have what begins a line of theirs and is declared, the core has the rest.
DECLARED := grep -hv '^typedef ' $(HEADERS) | grep -o '\<spw_[a-z0-9_]*(' | sort -u
OF_IO := sed -n 's/^[a-z][^(]*\(\<spw_[a-z0-9_]*(\).*/\1/p' $(IO) | sort -u
$(B)/libsparsewright.map: private SHOWN := { $(DECLARED); $(OF_IO); $(OF_IO); } | sort | uniq -u
$(B)/libsparsewright_io.map: private SHOWN := { $(DECLARED); $(OF_IO); } | sort | uniq -d
$(B)/libsparsewright.map $(B)/libsparsewright_io.map: $(HEADERS) $(IO) Makefile
	@mkdir -p $(@D)
	@{ echo '{ global:'; $(SHOWN) | tr '(' ';'; echo 'local: *; };'; } > $@
LINK_SHARED = $(LINK) -shared -Wl,--version-script=$(@:.$(SO)=.map) -Wl,-soname,$(@F) -o $@
$(B)/libsparsewright.$(SO): $(call obj,$(CORE)) $(B)/libsparsewright.map
	$(Q)$(LINK_SHARED) $(call obj,$(CORE)) -lm
$(B)/libsparsewright_io.$(SO): $(call obj,$(IO)) $(B)/libsparsewright.so $(B)/libsparsewright_io.map
	$(Q)$(LINK_SHARED) $(call obj,$(IO)) -L$(B) -lsparsewright $(IO_LIBS)
$(B)/%.so: $(B)/%.$(SO)
	@ln -sf $(<F) $@

$(B)/spw: $(call obj,$(CLI)) $(B)/libsparsewright_io.a $(B)/libsparsewright.a
	$(Q)$(LINK) -o $@ $^ $(IO_LIBS) -lm

# ---- Tests ---------------------------------------------------------------------------------------
# SPW_ASSERT_REQUIRES=1: what proved functions require of the files that call them is asserted at each call.
ASSERTED := $(if $(SPW_ASSERT_REQUIRES),$(call obj,proofs/asserted.c))
WRAPPED := $(if $(ASSERTED),$$(nm $(ASSERTED) | sed -n 's/.* T __wrap_/-Wl,--wrap=/p'))
# One Criterion program a suite: tests/ROOM/test_NAME.c becomes $(B)/tests/test_NAME. The other files of the rooms are helpers
# that every suite may use.
$(foreach s,$(SUITES),$(eval $(B)/tests/$(basename $(notdir $s)): $(call obj,$s)))
$(B)/tests/%: $(call obj,$(HELPERS)) $(ASSERTED) $(B)/libsparsewright_io.a $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $(filter %.o,$^) $(filter %.a,$^) $(WRAPPED) -lcriterion $(IO_LIBS) $(TEST_LIBS) -lm
$(B)/tests/test_oracle_sums $(B)/tests/test_unary $(B)/tests/test_solution $(B)/tests/test_gradients: private TEST_LIBS := -lmpfr -lgmp
$(B)/tests/test_cli $(B)/tests/test_npz: private TEST_LIBS := -lzip
# What it puts in the place of a conversion makes wrong results.
$(B)/tests/test_certified: private TEST_LIBS := -Wl,--wrap=spw_attempt_conversion
.PHONY: tests
.SECONDARY:
tests: $(addprefix $(B)/tests/,$(TESTS))

.PHONY: asan asan-library check-asserted check-clang deps deps-fuzz deps-threads deps-bench check check-builds check-packages check-style check-headers check-documents check-install check-suites help
# The goals, of every makefile.
help:
	@awk '/^# make /{p=1} !/^# (make |   )/{p=0} p{print substr($$0, 3)}' Makefile */rules.mk
deps:
	@.ci/install-packages
deps-fuzz deps-threads deps-bench: deps-%:
	@.ci/install-packages build check $*

# A make of its own for each build, which inherits -j where there is one.
BUILD = $(MAKE) $(if $(filter -j%,$(MAKEFLAGS)),,-j$(JOBS)) --no-print-directory
# Fuzz targets and the differential run of cuda/ share the builds with the other two, build/fuzz/msan and build/fuzz/tsan.
# All have parts of any work, whether threads do them or not: src/convert/share.h.
SMALL_PARTS := -DSPW_SMALL_PARTS
# What MemorySanitizer watches needs a build of its own, of everything: `make check` leaves it to the night.
MEMORY := $(if $(CHECKING),,yes)
STRICT := -fno-sanitize-recover=all -fno-omit-frame-pointer $(SMALL_PARTS)
SANITIZE := -fsanitize=address,undefined $(STRICT)
SANITIZE_MEMORY := -fsanitize=memory $(STRICT)
SANITIZE_THREADS := -fsanitize=thread $(STRICT)
# What ThreadSanitizer watches of device kernels and what draws their operands. Between the threads of a kernel there is no call
# of the library, which is that of build.
WATCHED := cuda/% fuzz/% tests/%
# Names and lines are what a report shows; all of -g takes a quarter more time to compile.
OPT_SANITIZED := -O1 -gline-tables-only
# The same wherever build/asan is made, or it is made anew.
WITH_ASAN = CC=clang OPT='$(OPT_SANITIZED)' SAN='$(SANITIZE)' SPW_ASSERT_REQUIRES=1
ASAN = B=build/asan $(WITH_ASAN) all tests
check-builds: deps
	+$(BUILD) B=build CC=gcc all tests
	+$(BUILD) $(ASAN)
asan: deps
	+$(BUILD) $(ASAN)
asan-library: deps
	+$(BUILD) B=build/asan $(WITH_ASAN) all
check-packages: deps
	python3 -B tests/packages.py
	python3 -B tests/packages_test.py
check-style: deps
	python3 -B tests/style.py
	python3 -B tests/style_test.py
check-documents: check-builds
	python3 -B spec/documents.py --check
	python3 -B spec/coverage.py check
	python3 -B spec/operations.py check
	python3 -B tests/readme.py $(filter-out conformance/README.md fuzz/README.md,$(wildcard *.md */*.md fuzz/inputs/README.md src/*/README.md src/*/*/README.md))
	python3 -B tests/schemas.py
check-headers: deps
	python3 -B tests/headers.py
check-install: check-builds
	tests/install.sh
# The rules of other folders; what they add to CHECKS is part of `make check`.
CHECKS := check-exhaustive
-include $(wildcard */rules.mk)
# One core does what BESIDE names, which changes nothing that others read.
BESIDE := check-packages check-style check-headers check-documents check-planted check-make check-workflows check-fuzz-readme
check:
	@.ci/install-packages build check
	@python3 -B tests/steps.py check --first check-builds $(CONFORMANCE_VENV)/installed --beside $(BESIDE) \
	  --then check-suites check-install $(filter-out $(BESIDE),$(CHECKS)) prove-cached
check-asserted: check-builds
	python3 -B proofs/asserted.py build/asan
CHECKS += check-asserted
check-suites: check-builds
	python3 -B tests/run_suites.py --jobs $(JOBS) build build/asan
# As clang optimises it, without sanitizers: every night, since the fuzz targets are that with them.
check-clang: deps
	+$(BUILD) B=build/clang CC=clang all tests cuda-tests
	python3 -B tests/run_suites.py --jobs $(JOBS) build/clang
	cuda/tests/run.py --jobs $(JOBS) build/clang

# ---- Functions of values: every float ------------------------------------------------------------
# make exhaustive [FUNCTIONS="sin erf"]   looks at every operand of float32, some minutes a function; goes on where it stopped
# make check-exhaustive                   looks at 1/64 of them, another one every day, and at all of 16 bits
.PHONY: exhaustive check-exhaustive
$(B)/exhaustive/exhaustive: $(call obj,tests/ops/exhaustive/exhaustive.c) $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(Q)$(LINK) -o $@ $^ -lmpfr -lgmp -lm
EXHAUSTIVE = python3 -B tests/ops/exhaustive/run.py $(B)/exhaustive/exhaustive --jobs $(JOBS)
exhaustive: $(B)/exhaustive/exhaustive
	$(EXHAUSTIVE) all $(FUNCTIONS)
	$(EXHAUSTIVE) write
check-exhaustive: check-builds
	+$(BUILD) B=build build/exhaustive/exhaustive
	python3 -B tests/ops/exhaustive/run.py build/exhaustive/exhaustive --jobs $(JOBS) part

# ---- Proofs --------------------------------------------------------------------------------------
.PHONY: prove prove-changed prove-cached prove-selftest mutants
prove: deps
	proofs/prove $(addprefix --func ,$(FUNC)) --jobs $(JOBS)
prove-changed: deps
	proofs/prove --changed --jobs $(JOBS)
prove-cached: deps
	proofs/prove --cached --jobs $(JOBS)
	proofs/prove --check-table
	proofs/selftest --draw 3
prove-selftest: deps
	proofs/selftest
mutants: deps
	proofs/mutants --jobs $(JOBS) $(MUTANTS)

# ---- Benchmark -----------------------------------------------------------------------------------
# make bench [OPS="check csr-csc"] [CASES="stencil-45M tiny"] [TYPES="int32/float64"] [PEERS="graphblas librsb mkl torch"]
# [ROUNDS=9] [BEFORE=another/libsparsewright.so]: prints ratios, writes $(B)/bench.json
BENCH_VENV ?= $(B)/bench-venv
$(B)/bench/cases.so: bench/cases.c bench/peers/peer.h $(HEADERS) $(B)/flags | deps
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -fopenmp $(OPT_FAST) $(if $(can_clone),-DSPW_CLONES='$(CLONES)') -shared $< -o $@
$(B)/bench/eigen.so: bench/eigen.cc | deps-bench
	@mkdir -p $(@D)
	$(CXX) -std=c++17 -O3 -DNDEBUG -I/usr/include/eigen3 -fPIC -shared $< -o $@
$(BENCH_VENV)/installed: bench/requirements.txt | deps
	python3 -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@
$(BENCH_VENV)/torch: conformance/peers/torch/requirements.txt $(BENCH_VENV)/installed
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -r $<
	@touch $@
# The libraries that the adapters of the conformance suite use, installed as for them: what is there costs next to nothing.
BENCH_PEERS := graphblas librsb mkl
$(BENCH_PEERS:%=$(B)/bench/%.so): $(B)/bench/%.so: bench/peers/%.c bench/peers/peer.h FORCE | deps
	@mkdir -p $(@D) '$(ADAPTERS_PEERS)'
	PEER='$(call absolute,$(ADAPTERS_PEERS)/$*)' conformance/peers/$*/install
	$(CC) -std=c11 -O2 $(WARN) $(adapter_flags_$*) -fPIC -shared $< -o $@ $(adapter_libs_$*)
.PHONY: bench judge-products bench-libraries
bench-libraries: $(B)/bench/cases.so $(B)/bench/eigen.so $(BENCH_VENV)/installed $(if $(filter torch,$(PEERS)),$(BENCH_VENV)/torch) \
  $(patsubst %,$(B)/bench/%.so,$(filter $(BENCH_PEERS),$(PEERS)))
	+@$(BUILD) B=$(B)/openmp OPENMP=1 $(B)/openmp/libsparsewright.so
bench: bench-libraries
	OPS='$(OPS)' TYPES='$(TYPES)' PEERS='$(PEERS)' BEFORE=$(BEFORE) $(BENCH_VENV)/bin/python bench/bench.py $(B) $(CASES)

# make judge-products [FILES="some.mtx"] [CASES="grid-5M"] [PEERS="graphblas librsb mkl torch"]: are the products of these
# libraries right, and are ours the same bits in every layout, prepared and not, on any number of threads?
judge-products: bench-libraries $(B)/spw
	PEERS='$(PEERS)' $(BENCH_VENV)/bin/python -B bench/judge.py $(B) $(FILES) $(CASES)

# ---- Installing ----------------------------------------------------------------------------------
.PHONY: install uninstall
# Between single quotes, as it always stands, it may hold one.
quoted = $(subst ','\'',$(1))
ROOT_DIR := $(call quoted,$(DESTDIR)$(PREFIX))
LIB_DIR := $(call quoted,$(DESTDIR)$(LIBDIR))
# What describes it to pkg-config and CMake, which find everything from where it lies.
DESCRIBED := pkgconfig/sparsewright.pc pkgconfig/sparsewright_io.pc \
  cmake/sparsewright/sparsewright-config.cmake cmake/sparsewright/sparsewright-config-version.cmake
way = $$(realpath -sm --relative-to='$(call quoted,$(1))' '$(call quoted,$(2))')
WAYS = s:@UP@:$(call way,$(LIBDIR)/x,$(PREFIX)):; s:@LIB@:$(call way,$(PREFIX),$(LIBDIR)):
DESCRIBE = sed "s/@VERSION@/$(VERSION)/; s/@THREADS@/$(THREADS)/; s/@SO@/$(SO)/; s|@IO_LIBS@|$(IO_LIBS)|; $(WAYS)"
# Where bash and zsh look for what completes a command.
COMPLETIONS := share/bash-completion/completions/spw share/zsh/site-functions/_spw
INSTALLED := $(patsubst src/%,include/%,$(HEADERS)) bin/spw $(COMPLETIONS)
INSTALLED_LIB := $(DESCRIBED) $(foreach l,libsparsewright libsparsewright_io,$l.a $l.$(SO) $l.so)
# For everybody, whoever installs.
install: all
	umask 022; install -d $(addprefix '$(ROOT_DIR)'/,bin include $(dir $(COMPLETIONS))) $(addprefix '$(LIB_DIR)'/,$(sort $(dir $(DESCRIBED))))
	install -m 644 $(HEADERS) '$(ROOT_DIR)/include/'
	install -m 644 $(B)/libsparsewright.a $(B)/libsparsewright_io.a '$(LIB_DIR)/'
	install -m 755 $(B)/libsparsewright.$(SO) $(B)/libsparsewright_io.$(SO) '$(LIB_DIR)/'
	ln -sf libsparsewright.$(SO) '$(LIB_DIR)/libsparsewright.so'
	ln -sf libsparsewright_io.$(SO) '$(LIB_DIR)/libsparsewright_io.so'
	install -m 755 $(B)/spw '$(ROOT_DIR)/bin/'
	umask 022; for file in $(DESCRIBED); do $(DESCRIBE) src/$${file##*/}.in > '$(LIB_DIR)'/$$file || exit 1; done
	umask 022; for file in $(COMPLETIONS); do case $$file in *zsh*) shell=zsh ;; *) shell=bash ;; esac; \
	  '$(or $(MAN_SPW),$(ROOT_DIR)/bin/spw)' completion $$shell > '$(ROOT_DIR)'/$$file || exit 1; done
	umask 022; src/cli/man_pages.py '$(or $(MAN_SPW),$(ROOT_DIR)/bin/spw)' '$(ROOT_DIR)/share/man/man1'
	umask 022; src/cli/man_functions.py '$(VERSION)' $(B)/libsparsewright_io.map '$(ROOT_DIR)/share/man/man3' \
	  $(filter-out src/sparsewright.h,$(HEADERS))
uninstall:
	rm -f $(addprefix '$(ROOT_DIR)'/,$(INSTALLED)) $(addprefix '$(LIB_DIR)'/,$(INSTALLED_LIB)) \
	  '$(ROOT_DIR)'/share/man/man1/spw.1 '$(ROOT_DIR)'/share/man/man1/spw-*.1 \
	  '$(ROOT_DIR)'/share/man/man3/sparsewright.3 '$(ROOT_DIR)'/share/man/man3/spw_*.3

# Nothing but what make has made: not `make B=src clean`.
clean:
	@test '$(B)' = build || test -f '$(B)/flags' || test ! -e '$(B)' || { echo 'clean: nothing was built in $(B)' >&2; exit 1; }
	rm -rf '$(B)'
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
