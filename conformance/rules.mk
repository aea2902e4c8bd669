# SPDX-License-Identifier: Apache-2.0
# make conform [PEERS="scipy torch" | PEERS=all] [CONFORM="--run 'csr/*' -j 2"]
# make conformance-check: the suite's own tests; part of make check.
PEERS ?=
CONFORM ?= -j $(JOBS)
include conformance/adapters/c/adapters.mk

.PHONY: conform conformance-check
conform: deps
	+$(BUILD) B=build CC=gcc all
	@PEERS="$(PEERS)" conformance/run $(CONFORM)

# jsonschema and scipy for the tests, pinned like the peers.
CONFORMANCE_VENV := build/conformance/venv
conformance-check: check-builds
	@PEER=$(CONFORMANCE_VENV) conformance/peers/python-packages conformance/requirements.txt
	SPW=build/spw $(CONFORMANCE_VENV)/bin/python -B conformance/check
CHECKS += conformance-check
