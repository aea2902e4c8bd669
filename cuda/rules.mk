# SPDX-License-Identifier: Apache-2.0
# make check-cuda            the engine, the building blocks and the kernels on the host; part of make check
# make cuda-differential TIME=600    kernels against checker, under four sanitizers
CUDA_ENGINE := $(wildcard cuda/host/*.c)
CUDA_CHECK := $(wildcard cuda/check/*.c)
CUDA_TESTS := $(patsubst cuda/tests/%.c,%,$(wildcard cuda/tests/test_*.c))
CUDA_OBJECTS := $(call obj,$(CUDA_ENGINE) $(CUDA_CHECK) cuda/tests/rows.c tests/specimen.c)

# ThreadSanitizer watches the kernels; the engine tells it what happens between them.
ifneq ($(findstring thread,$(SAN)),)
$(call obj,$(CUDA_ENGINE)): private override SAN := -DSPW_ENGINE_TSAN
endif

$(B)/cuda/tests/%: $(B)/obj/cuda/tests/%.o $(CUDA_OBJECTS) $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(CC) $(SAN) $(LDFLAGS) -o $@ $^ $(if $(filter test_%,$*),-lcriterion) -lm
.PHONY: cuda-tests cuda-differential-programs cuda-differential check-cuda
cuda-tests: $(addprefix $(B)/cuda/tests/,$(CUDA_TESTS) differential)

# The tile of one warp is made small, so that small tensors have several.
SMALL_TILES := CFLAGS=-DSPW_TILE_VECTORS=1
cuda-differential-programs:
	+$(BUILD) B=build CC=gcc build/cuda/tests/differential
	+$(BUILD) B=build/cuda-asan CC=clang OPT='-O1 -g' SAN='$(SANITIZE)' $(SMALL_TILES) build/cuda-asan/cuda/tests/differential
	+$(BUILD) B=build/cuda-msan CC=clang OPT='-O1 -g' SAN=-fsanitize=memory $(SMALL_TILES) build/cuda-msan/cuda/tests/differential
	+$(BUILD) B=build/cuda-tsan CC=clang OPT='-O1 -g' SAN=-fsanitize=thread $(SMALL_TILES) build/cuda-tsan/cuda/tests/differential
cuda-differential: TIME ?= 3
cuda-differential: SEED ?= 1
cuda-differential: cuda-differential-programs
	build/cuda/tests/differential --seconds $(TIME) --seed $(SEED)
	build/cuda-asan/cuda/tests/differential --seconds $(TIME) --seed $(SEED)
	build/cuda-msan/cuda/tests/differential --seconds $(TIME) --seed $(SEED)
	TSAN_OPTIONS=halt_on_error=1 build/cuda-tsan/cuda/tests/differential --seconds $(TIME) --seed $(SEED)

check-cuda: deps
	+$(BUILD) B=build CC=gcc cuda-tests
	+$(BUILD) B=build/clang CC=clang cuda-tests
	+$(BUILD) B=build/asan CC=clang OPT='-O1 -g' SAN='$(SANITIZE)' cuda-tests
	cuda/tests/run.py build build/clang build/asan
	+$(MAKE) --no-print-directory cuda-differential
CHECKS += check-cuda
