# dist/: what the package ships besides its JavaScript, and the page.

dist/tensor_arena.wasm: build/emscripten/tensor_arena.wasm
	@mkdir -p $(@D)
	@cp $< $@

dist/tensor_arena-wasi.wasm: build/wasi/tensor_arena.wasm
	@mkdir -p $(@D)
	@cp $< $@

dist/tensor-arena-cli.wasm: build/wasi/tensor-arena.wasm
	@mkdir -p $(@D)
	@cp $< $@

# The versions that the JavaScript expects of its wasm.
dist/build.js: build/build-id c/include/tensor_arena.h tools/build-js.js
	@$(NODE) tools/build-js.js | { $(WRITE_IF_CHANGED); }

# Where the fields of the core's structs lie.
build/layouts: c/include/tensor_arena.h tools/layouts.js
	@mkdir -p $(@D)
	@$(NODE) tools/layouts.js | $(CC) -std=c11 $(INCLUDES) -x c - -o $@

dist/layouts.js: build/layouts
	@mkdir -p $(@D)
	@./$< > $@

# The words.
build/words: tools/words.c c/include/tensor_arena.h c/include/tensor_arena_words.def c/src/base/hidden.def
	@mkdir -p $(@D)
	@$(CC) -std=c11 $(INCLUDES) $< -o $@

dist/words.js: build/words
	@mkdir -p $(@D)
	@./$< > $@

# The module as text, for what cannot load a second file.
dist/wasm-inline.js: dist/tensor_arena.wasm tools/wasm-inline.js
	@$(NODE) tools/wasm-inline.js $< > $@

WASM_FILES := dist/tensor_arena.wasm dist/tensor_arena-wasi.wasm dist/tensor-arena-cli.wasm

dist/BUILDINFO.json: $(WASM_FILES) dist/build.js tools/buildinfo.js
	@EMCC='$(EMCC)' WASI_CC='$(WASI_CC)' $(NODE) tools/buildinfo.js $(WASM_FILES) > $@

package: $(WASM_FILES) dist/build.js dist/layouts.js dist/words.js dist/wasm-inline.js dist/BUILDINFO.json ## dist/: the wasm files and what ties the JavaScript to them
.PHONY: package

PAGE_SRC := $(wildcard web/*.html web/*.css web/*.js) $(shell find web/src -name "*.js")
PAGE_DEPS := $(PAGE_SRC) $(wildcard wasm/*.js) dist/build.js dist/layouts.js dist/words.js dist/tensor_arena.wasm package-lock.json

dist/tensor-arena.html: $(PAGE_DEPS)
	@$(NODE) web/build.js

page: dist/tensor-arena.html ## dist/page and dist/tensor-arena.html: the page, to be served and as one file
.PHONY: page
