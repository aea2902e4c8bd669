# SPDX-License-Identifier: Apache-2.0
# The adapters in C and C++. conformance-adapters builds those whose libraries are there;
# $(ADAPTERS_B)/NAME_adapter is one, NAME_adapter_asan its twin with AddressSanitizer.
ADAPTERS_B ?= $(B)/conformance/adapters
ADAPTERS_C := conformance/adapters/c
ADAPTERS_PEERS ?= $(or $(PEERS_DIR),$(B)/conformance/peers)
MKL_VENV ?= $(ADAPTERS_PEERS)/mkl
# A folder may have blanks in its name, as abspath, wildcard and what a target needs do not expect.
BLANK := $(subst ,, )
NUMBER_SIGN := \#
absolute = $(subst $(NUMBER_SIGN),$(BLANK),$(abspath $(subst $(BLANK),$(NUMBER_SIGN),$(1))))
escaped = $(subst $(BLANK),\$(BLANK),$(1))
GRAPHBLAS_PEER ?= $(call absolute,$(ADAPTERS_PEERS)/graphblas)
KIT := guarded matrix serve
CXX_WARN := -Wall -Wextra -Wconversion -Wshadow -Werror
ADAPTER_SAN := -fsanitize=address -fno-omit-frame-pointer

has_header = $(shell echo '$(NUMBER_SIGN)include <$(1)>' | $(CXX) $(2) -E -x c++ - >/dev/null 2>&1 && echo $(3))
# Debian's where the peer has none.
adapter_flags_graphblas = -isystem '$(GRAPHBLAS_PEER)/include'
adapter_libs_graphblas = -L'$(GRAPHBLAS_PEER)/lib' -Wl,-rpath,'$(GRAPHBLAS_PEER)/lib' -lgraphblas
adapter_libs_cholmod := -lcholmod -lsuitesparseconfig
adapter_libs_umfpack := -lumfpack -lsuitesparseconfig
adapter_libs_librsb := -lrsb
adapter_libs_armadillo := -larmadillo
adapter_libs_gsl := -lgsl -lgslcblas
adapter_flags_cholmod := -isystem /usr/include/suitesparse
adapter_flags_umfpack := -isystem /usr/include/suitesparse
adapter_flags_eigen = -isystem '$(ADAPTERS_PEERS)/eigen/eigen3' -isystem /usr/include/eigen3
adapter_flags_eigen-market = -isystem '$(ADAPTERS_PEERS)/eigen-market/eigen3' -isystem /usr/include/eigen3
adapter_flags_mkl = -isystem '$(MKL_VENV)/include'
adapter_libs_mkl = -Wl,-rpath,'$(call absolute,$(MKL_VENV)/lib)' '$(MKL_VENV)'/lib/libmkl_rt.so.*
adapter_flags_mkl64 = $(adapter_flags_mkl)
adapter_libs_mkl64 = $(adapter_libs_mkl)
# Opened when it runs and never linked; CUDA_HOME is found in cuda/rules.mk.
adapter_flags_cusparse = -isystem '$(CUDA_HOME)/include'
adapter_libs_cusparse = -ldl -Wl,--enable-new-dtags,-rpath,'$(CUDA_HOME)/lib64'

ADAPTERS_THERE = ours $(call has_header,Eigen/SparseCore,$(adapter_flags_eigen),eigen) \
  $(call has_header,unsupported/Eigen/SparseExtra,$(adapter_flags_eigen-market),eigen-market) \
  $(call has_header,GraphBLAS.h,$(adapter_flags_graphblas),graphblas) $(call has_header,rsb.h,,librsb) $(call has_header,gsl/gsl_spmatrix.h,,gsl) \
  $(call has_header,armadillo,,armadillo) \
  $(call has_header,suitesparse/cholmod.h,,cholmod) \
  $(call has_header,suitesparse/umfpack.h,,umfpack) \
  $(call has_header,mkl_spblas.h,$(adapter_flags_mkl),mkl mkl64) \
  $(call has_header,cusparse.h,$(adapter_flags_cusparse),cusparse)

ADAPTER_IO = $(B)/libsparsewright_io.a $(B)/libsparsewright.a
ADAPTER_HEADERS := $(HEADERS) $(wildcard $(ADAPTERS_C)/*.h $(ADAPTERS_C)/*.inc) $(ADAPTERS_C)/mkl_adapter.c
ADAPTER_CC = $(CC) -std=c11 -g $(WARN) -Isrc
# Templates take long: without optimisation and debugging it is half the time, and clang needs half of what gcc does.
TEMPLATE_CXX := $(or $(shell command -v clang++),$(CXX))
ADAPTER_CXX = $(TEMPLATE_CXX) -std=c++17 $(CXX_WARN) -Isrc

# adapter_rules SUFFIX, FLAGS: the objects of one kind of build.
define adapter_rules
$(ADAPTERS_B)/obj$(1)/%.o: $(ADAPTERS_C)/%.c $(ADAPTER_HEADERS)
	@mkdir -p $$(@D)
	$$(ADAPTER_CC) $(2) $$(adapter_flags_$$(patsubst %_adapter,%,$$*)) -c $$< -o $$@
$(ADAPTERS_B)/obj$(1)/%.o: $(ADAPTERS_C)/%.cpp $(ADAPTER_HEADERS)
	@mkdir -p $$(@D)
	$$(ADAPTER_CXX) $(filter -f%,$(2)) $$(adapter_flags_$$(patsubst %_adapter,%,$$*)) -c $$< -o $$@
$(ADAPTERS_B)/%_adapter$(1): $(ADAPTERS_B)/obj$(1)/%_adapter.o \
  $(foreach o,$(KIT),$(ADAPTERS_B)/obj$(1)/$(o).o) $$(ADAPTER_IO)
	$$(if $$(wildcard $(ADAPTERS_C)/$$*_adapter.cpp),$(TEMPLATE_CXX),$$(CXX)) $(2) -o $$@ $$(filter %.o,$$^) $$(filter %.a,$$^) $$(adapter_libs_$$*) $$(IO_LIBS)
$(ADAPTERS_B)/ours_adapter$(1) $(ADAPTERS_B)/lying_adapter$(1): $(ADAPTERS_B)/obj$(1)/ours_operations.o $(ADAPTERS_B)/obj$(1)/ours_functions.o $(ADAPTERS_B)/obj$(1)/ours_gradients.o
$(ADAPTERS_B)/obj$(1)/lying_adapter.o: $(ADAPTERS_C)/ours_adapter.c
endef
$(eval $(call adapter_rules,,-O2))
$(eval $(call adapter_rules,_asan,-O1 $(ADAPTER_SAN)))

# Another release is built anew.
$(foreach kind,obj obj_asan,$(foreach peer,eigen eigen-market graphblas,\
  $(eval $(ADAPTERS_B)/$(kind)/$(peer)_adapter.o: $(call escaped,$(wildcard $(call escaped,$(ADAPTERS_PEERS)/$(peer)/release))))))

# Which libraries are there is asked only when this is made.
.PHONY: conformance-adapters
conformance-adapters:
	+$(MAKE) --no-print-directory $(foreach a,$(ADAPTERS_THERE),\
	  $(ADAPTERS_B)/$(a)_adapter $(ADAPTERS_B)/$(a)_adapter_asan)

# Stands in for the libraries of CUDA in cusparse_test.py, under the names that the adapter opens.
CUDA_STAND_IN := $(ADAPTERS_B)/stand_in/libcusparse.so
$(CUDA_STAND_IN): $(ADAPTERS_C)/cusparse_stand_in.c
	@mkdir -p $(@D)
	$(ADAPTER_CC) -O2 $(SAN) $(adapter_flags_cusparse) -fPIC -shared $< -o $@
