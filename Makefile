# SPDX-License-Identifier: Apache-2.0
# make            the library (static and shared) and build/spw
# make check      installs what it needs, then builds and runs every test
# make conform    installs what it needs, then runs the conformance suite
# make prove      re-proves src/core and src/check with Frama-C
# make install DESTDIR= PREFIX=/usr/local
CC ?= cc
B ?= build
PREFIX ?= /usr/local
OPT ?= -O2 -g
SAN ?=
WARN := -Wall -Wextra -Wconversion -Wshadow -Wvla -Wstrict-prototypes -Wmissing-prototypes -Werror
CFLAGS_ALL = -std=c11 $(OPT) $(WARN) -fPIC -ffp-contract=off $(SAN) $(CFLAGS) -MMD -MP
IO_LIBS := -ljansson -lzip -lz

CORE := $(wildcard src/core/*.c src/check/*.c src/names/*.c)
IO := $(wildcard src/io/*.c)
CLI := $(wildcard src/cli/*.c)
TESTS := $(patsubst tests/%.c,%,$(wildcard tests/test_*.c))
HELPERS := $(filter-out $(wildcard tests/test_*.c),$(wildcard tests/*.c))
obj = $(patsubst %.c,$(B)/obj/%.o,$(1))

.PHONY: all clean
all: $(B)/libsparsewright.a $(B)/libsparsewright_io.a $(B)/libsparsewright.so $(B)/libsparsewright_io.so $(B)/spw

$(B)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS_ALL) -c $< -o $@

$(B)/libsparsewright.a: $(call obj,$(CORE))
	@rm -f $@; ar rcs $@ $^
$(B)/libsparsewright_io.a: $(call obj,$(IO))
	@rm -f $@; ar rcs $@ $^
$(B)/libsparsewright.so: $(call obj,$(CORE))
	$(CC) $(SAN) -shared -o $@ $^
$(B)/libsparsewright_io.so: $(call obj,$(IO)) $(B)/libsparsewright.so
	$(CC) $(SAN) -shared -o $@ $(call obj,$(IO)) -L$(B) -lsparsewright $(IO_LIBS)
$(B)/spw: $(call obj,$(CLI)) $(B)/libsparsewright_io.a $(B)/libsparsewright.a
	$(CC) $(SAN) -o $@ $^ $(IO_LIBS)

# One Criterion program a suite; the other files of tests/ are helpers that every suite may use.
$(B)/tests/%: $(B)/obj/tests/%.o $(call obj,$(HELPERS)) $(B)/libsparsewright_io.a $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(CC) $(SAN) -o $@ $^ -lcriterion $(IO_LIBS) -lm
.PHONY: tests
.SECONDARY:
tests: $(addprefix $(B)/tests/,$(TESTS))

clean:
	rm -rf build
-include $(shell find $(B)/obj -name '*.d' 2>/dev/null)
