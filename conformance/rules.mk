# SPDX-License-Identifier: Apache-2.0
# make conform [PEERS="scipy torch" | PEERS=all] [CONFORM="--run 'csr/*' -j 2"]
# make conformance-check: the suite's own tests; part of make check, with a fifth of the longest, another one each day.
PEERS ?=
CONFORM ?= -j $(JOBS)
include conformance/adapters/c/adapters.mk

.PHONY: conform conformance-check
conform: deps
	@echo '[1/4] build the library and spw'
	+@$(BUILD) B=build CC=gcc all
	@PEERS="$(PEERS)" conformance/run $(CONFORM)

# jsonschema-rs, PyYAML and h5py for the tests, pinned like the peers.
CONFORMANCE_VENV := build/conformance/venv
$(CONFORMANCE_VENV)/installed: conformance/requirements.txt | deps
	PEER=$(@D) conformance/peers/python-packages $<
	@touch $@
conformance-check: check-builds $(CONFORMANCE_VENV)/installed
	+$(BUILD) B=build CC=gcc build/conformance/adapters/ours_adapter build/conformance/adapters/lying_adapter
	SPW=build/spw $(CONFORMANCE_VENV)/bin/python -B conformance/check -j $(JOBS) $(if $(CHECKING),--turn)
CHECKS += conformance-check

# `spw conform` needs the suite beside the installed command.
.PHONY: install-conformance uninstall-conformance
CONFORMANCE_DIR = $(ROOT_DIR)/share/sparsewright/conformance
CONFORMANCE_FILES := $(patsubst conformance/%,%,$(wildcard conformance/*.py conformance/*.md \
  conformance/conform \
  conformance/harness/*.py conformance/judging/*.py conformance/schemas/*.* conformance/cases/*.py conformance/reports/*.* \
  conformance/profiles/*.json conformance/packs/* conformance/adapters/*.py conformance/adapters/*.json conformance/adapters/*.R conformance/findings/*.md))
install: install-conformance
uninstall: uninstall-conformance
install-conformance: all
	@umask 022; for file in $(CONFORMANCE_FILES); do \
	  install -D -m $$(test -x conformance/$$file && echo 755 || echo 644) conformance/$$file \
	    '$(CONFORMANCE_DIR)'/$$file || exit 1; done
	@install -m 644 LICENSE spec/tensor.schema.json '$(CONFORMANCE_DIR)'
uninstall-conformance:
	rm -rf '$(CONFORMANCE_DIR)'

# Questions a second through adapters in C and one in Python.
.PHONY: conformance-bench
# Not while another of them measures and builds in the same folder.
conformance-bench: deps | $(if $(filter bench,$(MAKECMDGOALS)),cuda-bench-host)
	+$(BUILD) B=build CC=gcc all build/conformance/adapters/ours_adapter build/conformance/adapters/lying_adapter
	SPW=build/spw python3 -B conformance/tests/bench.py build/conformance-bench.json
$(if $(OPS)$(CASES),,bench: conformance-bench)
