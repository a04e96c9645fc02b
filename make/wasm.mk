# The two library modules (no imports), and the filter as a WASI command.

ifdef WASI_SDK_PATH
WASI_CC ?= $(WASI_SDK_PATH)/bin/clang --target=wasm32-wasi --sysroot=$(WASI_SDK_PATH)/share/wasi-sysroot
else
WASI_CC ?= $(CLANG) --target=wasm32-wasi --sysroot=/usr
endif

# Memory, bytes: a stack of 64 KiB, and at most 16,384 pages (1 GiB), so that a hostile file gets a status
# and not the machine's memory.
WASM_STACK := 65536
WASM_MAX := 1073741824

# The module stays small: only what loops over many buffers is compiled for speed, and even that without
# what only makes it longer (unrolled loops, large inlined functions). Loop strength reduction suits machines
# whose loads have few addressing modes; a wasm load adds its own constant, and needs no second pointer.
# Emscripten leaves it out unasked, and refuses to be told so twice; it has to be told to inline what gets
# shorter by it.
WASM_FAST := c/src/arena/overlaps% c/src/arena/rooms.c c/src/view/raster.c c/src/base/sort.c
WASM_FLAGS = -mbulk-memory -msign-ext \
  $(if $(filter $(WASM_FAST),$<),-O2 -fno-unroll-loops -mllvm -inline-threshold=25,-Oz -finline-functions)
# Nothing lies in the first kilobyte (it is the far end of the stack), so no address plus a small constant
# can wrap around, and every such sum may move into the load or store it is for.
WASM_OPT := -Oz --low-memory-unused
# What every browser since 2021 knows.
WASM_FEATURES := --mvp-features --enable-sign-ext --enable-mutable-globals --enable-bulk-memory
EM_LINK := -sSTANDALONE_WASM=1 --no-entry -sALLOW_MEMORY_GROWTH=1 -sMAXIMUM_MEMORY=$(WASM_MAX) \
  -sINITIAL_MEMORY=262144 -sTOTAL_STACK=$(WASM_STACK) -sMALLOC=none -sFILESYSTEM=0 -sASSERTIONS=0 -Wl,--stack-first
WASI_LINK := -Wl,-z,stack-size=$(WASM_STACK),--stack-first,--max-memory=$(WASM_MAX),--strip-all,--gc-sections,-O2

# What stands between JavaScript and the core: the exports, and a heap.
BOUNDARY := wasm/exports.c wasm/heap.c
EM_OBJ := $(CORE_SRC:%.c=build/emscripten/obj/%.o) $(BOUNDARY:%.c=build/emscripten/obj/%.o)
WASI_OBJ := $(CORE_SRC:%.c=build/wasi/obj/%.o)

# The build id ties the JavaScript to the wasm it was written for: a hash of both's sources.
build/build-id: FORCE
	@$(NODE) tools/build-id.js | { $(WRITE_IF_CHANGED); }

build/emscripten/obj/wasm/exports.o build/wasi/obj/wasm/exports.o: build/build-id
BUILD_ID = $(if $(filter %/exports.o,$@),-DTA_BUILD_ID='"$(shell cat build/build-id)"')

build/emscripten/obj/%.o: %.c Makefile make/wasm.mk
	$(SAY)
	@mkdir -p $(@D)
	$(Q)$(EMCC) $(CORE_FLAGS) $(WASM_FLAGS) $(BUILD_ID) -c $< -o $@

build/wasi/obj/%.o: %.c Makefile make/wasm.mk
	$(SAY)
	@mkdir -p $(@D)
	$(Q)$(WASI_CC) $(CORE_FLAGS) $(WASM_FLAGS) -mllvm -disable-lsr $(BUILD_ID) -c $< -o $@

# Linking leaves names, more exports than the manifest has, and what only those reach; all that goes.
build/keep-exports.json: wasm/exports.txt tools/keep-exports.js tools/manifest.js
	@mkdir -p $(@D)
	@$(NODE) tools/keep-exports.js > $@

build/emscripten/linked.wasm: $(EM_OBJ)
	$(SAY)
	$(Q)$(EMCC) -Oz $(EM_LINK) $^ -o $@

build/wasi/linked.wasm: $(WASI_OBJ) $(BOUNDARY:%.c=build/wasi/obj/%.o)
	$(SAY)
	$(Q)$(WASI_CC) -mexec-model=reactor $(WASI_LINK) $^ -o $@

build/%/tensor_arena.wasm: build/%/linked.wasm build/keep-exports.json
	$(SAY)
	@wasm-metadce $(WASM_FEATURES) --graph-file=build/keep-exports.json $< -o $@.kept >/dev/null
	$(Q)wasm-opt $(WASM_FEATURES) $(WASM_OPT) --strip-debug --strip-producers $@.kept -o $@
	@rm $@.kept

build/wasi/tensor-arena.wasm: $(WASI_OBJ) $(CLI_SRC:%.c=build/wasi/obj/%.o)
	$(SAY)
	$(Q)$(WASI_CC) $(WASI_LINK) $^ -o $@

emscripten: build/emscripten/tensor_arena.wasm ## the library module, by Emscripten
wasi: build/wasi/tensor_arena.wasm build/wasi/tensor-arena.wasm ## the library module as a WASI reactor, and the filter as a WASI command
wasm: emscripten wasi ## every wasm module
.PHONY: emscripten wasi
