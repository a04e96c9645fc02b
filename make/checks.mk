# Checks that need no test runner. Each prints one line when all is well.

layers: ## fail on an include that points up or sideways
	@$(NODE) tools/layers.js

globals: build/native/libtensor_arena.a build/clang/libtensor_arena.a ## fail on an object of the core that can change
	@$(NODE) tools/globals.js $^

exports: emscripten wasi ## compare the manifest of exports with the C and both modules; no imports
	@$(NODE) tools/exports.js build/emscripten/tensor_arena.wasm build/wasi/tensor_arena.wasm

sizes: emscripten wasi ## fail when a built file is over its limit
	@$(NODE) tools/sizes.js

format: ## lay every C file out as .clang-format says
	@clang-format -i $(C_FILES)

# cppcheck reads each file alone; its cache makes the second run short.
lint: ## clang-format, cppcheck and the JavaScript's types
	@clang-format --dry-run -Werror $(C_FILES)
	@mkdir -p build/cppcheck
	@cppcheck --quiet --std=c11 --enable=warning,performance,portability --inline-suppr --error-exitcode=1 \
	  --suppress=missingIncludeSystem --suppress=zerodivcond --cppcheck-build-dir=build/cppcheck -j2 $(INCLUDES) c/src $(wildcard c/cli wasm)
	@npx --no-install tsc -p tsconfig.json
	@echo 'lint: no faults'

.PHONY: layers globals exports sizes format lint
