# Checks that need no test runner. Each prints one line when all is well.

layers: ## fail on an include that points up or sideways
	@$(NODE) tools/layers.js

globals: build/native/libtensor_arena.a build/clang/libtensor_arena.a ## fail on an object of the core that can change
	@$(NODE) tools/globals.js $^

exports: emscripten wasi ## compare the manifest of exports with the C and both modules; no imports
	@$(NODE) tools/exports.js build/emscripten/tensor_arena.wasm build/wasi/tensor_arena.wasm

sizes: emscripten wasi ## fail when a built file is over its limit
	@$(NODE) tools/sizes.js

reproducible: emscripten wasi ## build the wasm again in another folder: the same bytes
	+@sh tools/reproducible.sh build/emscripten/tensor_arena.wasm build/wasi/tensor_arena.wasm $(wildcard build/wasi/tensor-arena.wasm)

format: ## lay every C file out as .clang-format says
	@clang-format -i $(C_FILES)

HEADERS = $(shell find c -name '*.h' -o -name '*.def')
# What is only for the wasm modules is read as the compiler for them reads it.
TIDY_FLAGS = -std=c11 $(INCLUDES) -DTA_BUILD_ID='"lint"' $(if $(filter wasm/heap.c,$<),--target=wasm32-wasi --sysroot=/usr)
LINTED = $(CORE_SRC) $(CLI_SRC) $(wildcard wasm/*.c)

# A stamp for each file that clang-tidy has found nothing in.
build/tidy/%: % .clang-tidy $(HEADERS)
	@mkdir -p $(@D)
	@clang-tidy --quiet $< -- $(TIDY_FLAGS) 2>/dev/null
	@touch $@

build/analysed/%: % $(HEADERS)
	@mkdir -p $(@D)
	@clang-tidy --quiet --config='{}' --checks='-*,clang-analyzer-core.*,clang-analyzer-deadcode.*,clang-analyzer-unix.*' \
	  --warnings-as-errors='*' $< -- $(TIDY_FLAGS) 2>/dev/null
	@touch $@

# cppcheck's cache, and the stamps, make the second run short.
lint: $(LINTED:%=build/tidy/%) dist/build.js dist/layouts.js dist/words.js dist/wasm-inline.js ## clang-format, clang-tidy, cppcheck and the JavaScript's types
	@clang-format --dry-run -Werror $(C_FILES)
	@mkdir -p build/cppcheck
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	  --suppress=missingIncludeSystem --suppress=zerodivcond --cppcheck-build-dir=build/cppcheck -j2 \
	  $(INCLUDES) -DTA_BUILD_ID='""' $(LINTED)
	@npx --no-install tsc -p tsconfig.json
	@echo 'lint: no faults'

analyse: $(LINTED:%=build/analysed/%) ## clang's path-sensitive analysis (slow the first time)
	@echo 'analyse: no faults'

.PHONY: layers globals exports sizes reproducible format lint analyse
