# SPDX-License-Identifier: Apache-2.0
# make bounded               CBMC looks at the cells of bounded/cells.txt: some minutes of two cores
# make bounded-faults        plants the faults of bounded/faults.txt, one by one: their cells find them
# make check-bounded         the table of what it has looked at is that of the cells; part of make check
# make check-bounded-turn    where `make bounded` has fetched CBMC, a quarter of the cells, another one each day; part of make check
.PHONY: bounded bounded-faults bounded-sources check-bounded check-bounded-turn
bounded-sources:
	@printf '%s\n' $(CORE)
build/bounded/cbmc/installed: bounded/setup-cbmc
	bounded/setup-cbmc $(@D)
bounded: build/bounded/cbmc/installed deps
	+$(BUILD) B=build CC=gcc build/libsparsewright.a
	bounded/run --jobs $(JOBS)
bounded-faults: build/bounded/cbmc/installed deps
	+$(BUILD) B=build CC=gcc build/libsparsewright.a
	bounded/run --faults
check-bounded:
	python3 -B bounded/run --check
check-bounded-turn:
	$(if $(wildcard build/bounded/cbmc/installed),+$(BUILD) B=build CC=gcc build/libsparsewright.a)
	bounded/run --turn --jobs $(JOBS)
CHECKS += check-bounded check-bounded-turn
