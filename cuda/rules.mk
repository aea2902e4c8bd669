# SPDX-License-Identifier: Apache-2.0
# make check-cuda-device     compiles the device side, and tests it as far as no device is needed; part of check-cuda
# make check-cuda            the engine, the building blocks and the kernels on the host; part of make check
# make cuda-differential CUDA_SECONDS=600   kernels against checker, under four sanitizers; in make check without MSan
# make cuda-faults           plants faults in the kernels and writes cuda/faults.md
# make cuda                  $(B)/libsparsewright_cuda.so; needs nvcc, and no device
# make cuda-executions       compares some more, and counts on; make cuda-bench-host measures
# make gpu-bundle            $(B)/gpu-bundle.tar.gz, which has gpu-check and gpu-bench for a machine with a device
# make gpu-check, gpu-bench  on a device; without one, or without nvcc, they are skipped: Error 77
# Where the checks of this file build; other than build to leave that alone.
CUDA_B ?= build
CUDA_ENGINE := $(wildcard cuda/host/*.c)
CUDA_CHECK := $(wildcard cuda/check/*.c cuda/convert/*.c)
CUDA_TESTS := $(patsubst cuda/tests/%.c,%,$(wildcard cuda/tests/test_*.c))
CUDA_OBJECTS := $(call obj,$(CUDA_ENGINE) $(CUDA_CHECK) cuda/tests/rows.c tests/operands/specimen.c)

# ThreadSanitizer watches the kernels; the engine tells it what happens between them.
ifneq ($(findstring thread,$(SAN)),)
$(call obj,$(CUDA_ENGINE)): private override SAN := -DSPW_ENGINE_TSAN
$(call obj,$(wildcard cuda/*/on_host*.c)): private override SAN += -Xclang -fsanitize-coverage-type=3 -Xclang -fsanitize-coverage-trace-loads -Xclang -fsanitize-coverage-trace-stores
endif

$(B)/cuda/tests/%: $(B)/obj/cuda/tests/%.o $(CUDA_OBJECTS) $(B)/libsparsewright.a
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(if $(filter test_%,$*),-lcriterion) -lm
.PHONY: cuda-tests cuda-differential-programs cuda-differential check-cuda
$(B)/cuda/tests/differential $(B)/cuda/tests/test_convert: $(call obj,cuda/tests/on_engine.c cuda/tests/converted.c)
cuda-tests: $(addprefix $(B)/cuda/tests/,$(CUDA_TESTS) differential)

# Generated tensors, and the inputs of the fuzz targets.
cuda_pair = $(1)/cuda/tests/differential $(1)/fuzz/cuda_check
cuda-differential-programs: deps
	+$(BUILD) B=$(CUDA_B) CC=gcc $(call cuda_pair,$(CUDA_B))
	+$(BUILD) B=$(CUDA_B)/asan $(WITH_ASAN) $(call cuda_pair,$(CUDA_B)/asan)
	+$(if $(MEMORY),$(BUILD) B=$(CUDA_B)/fuzz/msan CC=clang OPT='$(OPT_SANITIZED)' SAN='$(SANITIZE_MEMORY)' $(call cuda_pair,$(CUDA_B)/fuzz/msan))
	+$(BUILD) B=$(CUDA_B)/fuzz/tsan CC=clang OPT='$(OPT_SANITIZED)' SAN='$(SANITIZE_THREADS)' FROM=$(CUDA_B) ANEW='$(WATCHED)' $(call cuda_pair,$(CUDA_B)/fuzz/tsan)
cuda-differential: CUDA_SECONDS ?= 3
cuda-differential: SEED ?= 1
cuda-differential: cuda-differential-programs
	$(CUDA_B)/cuda/tests/differential --seconds $(CUDA_SECONDS) --seed $(SEED)
	$(CUDA_B)/asan/cuda/tests/differential --seconds $(CUDA_SECONDS) --seed $(SEED)
	$(if $(MEMORY),$(CUDA_B)/fuzz/msan/cuda/tests/differential --seconds $(CUDA_SECONDS) --seed $(SEED))
	TSAN_OPTIONS=halt_on_error=1 $(CUDA_B)/fuzz/tsan/cuda/tests/differential --seconds $(CUDA_SECONDS) --seed $(SEED)

# Adds pieces of CUDA_PIECE seconds, of CUDA_KIND if given, to what build/cuda-executions.json counts; cuda/executions --record
# then writes it to cuda/executions.json.
.PHONY: cuda-executions
CUDA_PIECES ?= 10
CUDA_PIECE ?= 100
cuda-executions: deps
	cuda/executions --build $(CUDA_B) --pieces $(CUDA_PIECES) --seconds $(CUDA_PIECE) $(if $(CUDA_KIND),--kind $(CUDA_KIND))

# What the kernels ask of memory on the host engine, and what nvcc makes of them: cuda/meter.json. `make cuda-meter`
# writes it anew, check-cuda compares.
CUDA_METER = $(CUDA_B)/cuda-meter/meter
CUDA_METERED = $(patsubst %,$(CUDA_B)/cuda-meter/%.o,on_host convert meter_wrong)
.PHONY: cuda-meter check-cuda-meter
$(CUDA_B)/cuda-meter/on_host.o: cuda/check/on_host.c
$(CUDA_B)/cuda-meter/convert.o: cuda/convert/on_host.c
$(CUDA_B)/cuda-meter/meter_wrong.o: cuda/tests/meter_wrong.c
$(CUDA_METERED): $(wildcard cuda/*/*.h cuda/*/*.inc)
	@mkdir -p $(@D)
	clang -std=c11 -O1 -g -fno-pie -fsanitize=thread -c $(filter %.c,$^) -o $@
$(CUDA_METER): $(CUDA_METERED) cuda/tests/meter.c $(CUDA_ENGINE) cuda/check/plan.c cuda/convert/plan.c $(CUDA_B)/libsparsewright.a
	clang -std=c11 -O1 -g -Wall -Wextra -Werror -fno-pie -no-pie -Wl,--wrap=memcpy -o $@ $^
cuda-meter check-cuda-meter: deps
	+$(BUILD) B=$(CUDA_B) CC=gcc $(CUDA_METER)
	cuda/meter $(CUDA_METER) $(if $(filter cuda-meter,$@),--write)

# What the host engine and nvcc cost; part of make bench.
.PHONY: cuda-bench-host cuda-faults
cuda-bench-host: deps
	+$(BUILD) B=$(CUDA_B) CC=gcc $(CUDA_B)/cuda/tests/throughput
	+$(BUILD) B=$(CUDA_B)/asan $(WITH_ASAN) $(CUDA_B)/asan/cuda/tests/throughput
	cuda/bench-host $(CUDA_B)
$(if $(OPS)$(CASES),,bench: cuda-bench-host)
# Plants every fault and rewrites the table: minutes.
cuda-faults: deps
	cuda/faults.py --jobs $(JOBS) --build $(CUDA_B)

# ---- Device side ---------------------------------------------------------------------------------
NVCC ?= $(firstword $(wildcard /usr/local/cuda/bin/nvcc) $(shell command -v nvcc 2>/dev/null))
CUDA_HOME ?= $(patsubst %/bin/nvcc,%,$(NVCC))
# Machine code for the two architectures, and PTX that a driver translates for later ones.
CUDA_ARCH ?= -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=[sm_90,compute_90]
NVCC_FLAGS = -O3 -std=c++17 $(CUDA_ARCH) -Werror all-warnings -Xcompiler -Wall,-Wextra,-Werror,-fPIC,-fvisibility=hidden,-fno-exceptions,-fno-threadsafe-statics \
  -Isrc -MD -MP
CUDA_RUNTIME := $(firstword $(wildcard $(patsubst %,$(CUDA_HOME)/%/libcudart_static.a,lib64 lib lib/*-linux-gnu))) -ldl -lrt -lpthread
.PHONY: cuda cuda-device-tests gpu-bundle gpu-check gpu-bench
cuda: $(B)/cuda-settings $(B)/libsparsewright_cuda.so
$(B)/cuda-settings: $(B)/nvcc-flags
	@$(call write_settings,NVCC CUDA_HOME CUDA_ARCH) > $@
$(B)/nvcc-flags: FORCE
	@mkdir -p $(@D); echo '$(NVCC) $(NVCC_FLAGS)' | cmp -s - $@ || echo '$(NVCC) $(NVCC_FLAGS)' > $@
$(B)/obj/cuda/%.cu.o: cuda/%.cu $(B)/nvcc-flags
	$(if $(NVCC),,$(error no nvcc here))
	@mkdir -p $(@D)
	$(NVCC) $(NVCC_FLAGS) -c $< -o $@
$(patsubst %,$(B)/obj/cuda/device/%.o,api convert): private CFLAGS_ALL += -fvisibility=hidden -Isrc -isystem $(CUDA_HOME)/include
$(B)/cuda/exports.map: cuda/sparsewright_cuda.h
	@mkdir -p $(@D)
	@{ echo '{ global:'; grep -o '\<spw_cuda_[a-z0-9_]*(' $< | sort -u | tr '(' ';'; echo 'local: *; };'; } > $@
# The runtime is linked in and the driver is looked for when it is needed: without either the library
# loads, and says so.
CUDA_DEVICE := $(patsubst %,$(B)/obj/cuda/device/%.o,api convert check.cu convert.cu) $(call obj,cuda/check/plan.c cuda/convert/plan.c)
$(B)/libsparsewright_cuda.$(SO): $(CUDA_DEVICE) \
  $(B)/libsparsewright.so $(B)/cuda/exports.map
	$(LINK) -shared -Wl,-z,defs -Wl,--version-script=$(B)/cuda/exports.map -Wl,-soname,$(@F) -o $@ \
	  $(filter %.o,$^) -L$(B) -lsparsewright $(CUDA_RUNTIME)
CUDA_LINK = -L$(B) -lsparsewright_cuda -lsparsewright -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../..'
$(B)/cuda/device/api: $(B)/obj/cuda/tests/device_api.o $(B)/libsparsewright_cuda.so
	@mkdir -p $(@D)
	$(LINK) -o $@ $< $(CUDA_LINK)
$(B)/cuda/device/differential: $(call obj,cuda/tests/differential.c cuda/tests/converted.c cuda/tests/on_device.c cuda/tests/rows.c \
  cuda/check/plan.c tests/operands/specimen.c) $(B)/libsparsewright_cuda.so
	@mkdir -p $(@D)
	$(LINK) -o $@ $(filter %.o,$^) $(CUDA_LINK)
$(call obj,cuda/tests/device_api.c cuda/tests/on_device.c): private CFLAGS_ALL += -Isrc
# The device side over a runtime that fails where it is told to; kernels run on the host engine.
CUDA_FAKE = $(CUDA_DEVICE) $(call obj,cuda/tests/fake_runtime.c $(CUDA_ENGINE)) $(B)/libsparsewright.a
$(B)/cuda/device/fail_closed: $(call obj,cuda/tests/fail_closed.c cuda/tests/rows.c tests/operands/specimen.c) $(CUDA_FAKE)
$(B)/cuda/device/scale_fake: $(call obj,cuda/tests/scale.c) $(CUDA_FAKE)
CUDA_SCALE_CONVERT := $(call obj,cuda/tests/scale_convert.c cuda/tests/converted.c cuda/tests/rows.c tests/operands/specimen.c)
$(B)/cuda/device/scale_convert_fake: $(CUDA_SCALE_CONVERT) $(B)/libsparsewright_io.a $(CUDA_FAKE)
$(B)/cuda/device/fail_closed $(B)/cuda/device/scale_fake $(B)/cuda/device/scale_convert_fake:
	@mkdir -p $(@D)
	$(LINK) -o $@ $^ $(if $(filter %_io.a,$^),-ljansson) -lm -lpthread
$(B)/cuda/device/scale: $(B)/obj/cuda/tests/scale.o $(B)/libsparsewright_cuda.so
	@mkdir -p $(@D)
	$(LINK) -o $@ $< $(CUDA_LINK) $(CUDA_RUNTIME)
$(B)/cuda/device/scale_convert: $(CUDA_SCALE_CONVERT) $(B)/libsparsewright_cuda.so $(B)/libsparsewright_io.so
	@mkdir -p $(@D)
	$(LINK) -o $@ $(filter %.o,$^) -L$(B) -lsparsewright_io $(CUDA_LINK) $(CUDA_RUNTIME)
$(call obj,cuda/tests/fail_closed.c cuda/tests/fake_runtime.c cuda/tests/scale.c cuda/tests/scale_convert.c): private CFLAGS_ALL += -Isrc -isystem $(CUDA_HOME)/include
$(B)/spw-cuda: $(call obj,cuda/device/command.c $(CUDA_CHECK) $(CUDA_ENGINE)) $(B)/libsparsewright_cuda.so $(B)/libsparsewright_io.so
	$(LINK) -o $@ $(filter %.o,$^) -L$(B) -lsparsewright_cuda -lsparsewright_io -lsparsewright -ljansson \
	  -Wl,-rpath,'$$ORIGIN'
$(B)/obj/cuda/device/command.o: private CFLAGS_ALL += -Isrc
$(B)/cuda/device/bench: $(patsubst %,$(B)/obj/cuda/device/%.cu.o,bench bench_convert) $(B)/libsparsewright_cuda.so
	@mkdir -p $(@D)
	$(CXX) $(LDFLAGS) -o $@ $(filter %.o,$^) $(CUDA_LINK) $(CUDA_RUNTIME)
cuda-device-tests: $(B)/spw $(B)/fuzz/export $(B)/cuda/device/api $(B)/cuda/device/differential $(B)/cuda/device/bench \
  $(B)/cuda/device/scale $(B)/cuda/device/scale_convert \
  $(B)/cuda/device/fail_closed $(B)/cuda/device/scale_fake $(B)/cuda/device/scale_convert_fake $(B)/spw-cuda
# What a machine with a device needs, as one archive. Of packages only what the library itself is built with.
gpu-bundle:
	@.ci/install-packages build
	@$(if $(NVCC),:,echo '$@: no nvcc here: skipped'; exit 77)
	+$(BUILD) B=$(CUDA_B) CC=gcc cuda cuda-device-tests
	cuda/gpu-bundle $(CUDA_B)
gpu-check: gpu-bundle
	$(CUDA_B)/gpu-bundle/gpu-check
gpu-bench: gpu-bundle
	$(CUDA_B)/gpu-bundle/gpu-bench $(CUDA_B)/gpu-bench.json

# `make install` has the CUDA library with it where `make cuda` has made it before.
.PHONY: install-cuda uninstall-cuda
install: $(if $(wildcard $(B)/libsparsewright_cuda.so),install-cuda)
# Where there is no nvcc, as for root there may be none, it is not made anew.
install-cuda: $(if $(NVCC),$(B)/libsparsewright_cuda.so)
	umask 022; install -d '$(ROOT_DIR)/include' '$(LIB_DIR)/pkgconfig'
	install -m 644 cuda/sparsewright_cuda.h '$(ROOT_DIR)/include/'
	install -m 755 $(B)/libsparsewright_cuda.$(SO) '$(LIB_DIR)/'
	ln -sf libsparsewright_cuda.$(SO) '$(LIB_DIR)/libsparsewright_cuda.so'
	umask 022; $(DESCRIBE) cuda/sparsewright_cuda.pc.in > '$(LIB_DIR)/pkgconfig/sparsewright_cuda.pc'
uninstall: uninstall-cuda
uninstall-cuda:
	rm -f '$(ROOT_DIR)/include/sparsewright_cuda.h' \
	  $(addprefix '$(LIB_DIR)'/,pkgconfig/sparsewright_cuda.pc libsparsewright_cuda.$(SO) libsparsewright_cuda.so)

# The engine's slower way to change between the threads of a kernel: conversions would take the longest of all with it.
UCONTEXT_TESTS := $(filter-out test_convert,$(CUDA_TESTS))
# Other checks write some of the same folders.
check-cuda: deps | $(filter check-builds fuzz-smoke,$(MAKECMDGOALS))
	+$(BUILD) B=$(CUDA_B) CC=gcc cuda-tests
	+$(BUILD) B=$(CUDA_B)/asan $(WITH_ASAN) cuda-tests
	+$(BUILD) B=$(CUDA_B)/cuda-ucontext CC=gcc OPT=-O0 CPPFLAGS='$(CPPFLAGS) -DSPW_ENGINE_UCONTEXT' FROM=$(CUDA_B) ANEW=cuda/% $(addprefix $(CUDA_B)/cuda-ucontext/cuda/tests/,$(UCONTEXT_TESTS))
	cuda/tests/run.py --jobs $(JOBS) $(CUDA_B) $(CUDA_B)/asan
	cuda/tests/run.py --jobs $(JOBS) $(addprefix --only ,$(UCONTEXT_TESTS)) $(CUDA_B)/cuda-ucontext
	cuda/faults.py --check
	cuda/measured --check
	+$(MAKE) --no-print-directory cuda-differential
	+$(MAKE) --no-print-directory check-cuda-meter
	cuda/tests/recipe.py $(CUDA_B) $(if $(MEMORY),,--without MSan)
	+$(MAKE) --no-print-directory check-cuda-device
CHECKS += check-cuda
.PHONY: check-cuda-device
check-cuda-device: deps
	+$(if $(NVCC),$(BUILD) B=$(CUDA_B) CC=gcc cuda cuda-device-tests)
	$(if $(NVCC),cuda/gpu-bundle $(CUDA_B) && cuda/tests/device.sh $(CUDA_B) && cuda/tests/bundle.sh $(CUDA_B) && cuda/tests/install.sh $(CUDA_B), \
	  @echo 'cuda: no nvcc here: the device side is skipped, neither compiled nor tested')

# The fuzz target of fuzz/targets/cuda_check.c links the kernels and the engine.
$(B)/fuzz/cuda_check: $(call obj,$(CUDA_ENGINE) $(CUDA_CHECK))
