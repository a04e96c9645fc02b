# The C tests under sanitizers, and what they cover.

asan: $(TESTS:%=build/asan/tests/%) $(call programs,asan) ## run the C tests under the address and undefined-behaviour sanitizers
	@$(NODE) tests/run.js --variant asan tests/c/

coverage: $(TESTS:%=build/coverage/tests/%) $(call programs,coverage) build/coverage/fuzz/replay test-build ## run the C tests and vectors, print line and branch coverage of c/
	@$(NODE) tools/coverage.js
.PHONY: asan coverage
