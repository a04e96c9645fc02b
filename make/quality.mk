# What the tests of the core cover, and whether the sanitizers find anything: one build, one run for both.

coverage: $(TESTS:%=build/asan/tests/%) $(call programs,asan) build/asan/fuzz/replay build/fuzz/seeds package ## run the tests of the core under the sanitizers, print line and branch coverage of c/
	@$(NODE) tools/coverage.js
.PHONY: coverage
