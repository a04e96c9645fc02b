# Fuzzing with libFuzzer (clang), and the replay of its corpus without it.

FUZZ_TARGETS := tflite offline block walk csv sequence verify
FUZZ_SUPPORT := $(filter-out tests/fuzz/entry.c tests/fuzz/replay.c,$(sort $(wildcard tests/fuzz/*.c)))
# Which targets run, and each for how many seconds of CPU: `make fuzz FUZZ=csv FUZZ_SECONDS=60`.
FUZZ ?= $(FUZZ_TARGETS)
FUZZ_SECONDS ?= 1200
FUZZ_MAX_BYTES ?= 65536

$(eval $(call variant,fuzz,$(CLANG),-O1 -g -fsanitize=fuzzer-no-link $(SANITIZE)))

build/fuzz/fuzz_%: tests/fuzz/entry.c $(FUZZ_SUPPORT:%.c=build/fuzz/obj/%.o) build/fuzz/libtensor_arena.a
	$(SAY)
	@mkdir -p $(@D)
	$(Q)$(CLANG) -std=c11 $(INCLUDES) -Itests -O1 -g -fsanitize=fuzzer $(SANITIZE) -DFUZZ_TARGET=fuzz_$* \
	  $(if $(filter tflite offline,$*),-DFUZZ_FLATBUFFER) $^ -o $@

build/fuzz/seeds: tests/fuzz/seeds.js tests/support/model-builder.js tests/support/random-graphs.js dist/build.js dist/layouts.js dist/words.js
	@rm -rf $@
	@$(NODE) tests/fuzz/seeds.js $@

fuzz: $(FUZZ:%=build/fuzz/fuzz_%) build/fuzz/seeds ## fuzz each target for FUZZ_SECONDS of CPU (1200), or those in FUZZ
	@$(NODE) tests/fuzz/run.js --seconds $(FUZZ_SECONDS) --max-bytes $(FUZZ_MAX_BYTES) $(FUZZ)
.PHONY: fuzz

REPLAY := $(FUZZ_SUPPORT) tests/fuzz/replay.c tests/native/support/requests.c

# variant: the replay driver in build/VARIANT.
define replay
build/$(1)/fuzz/replay: $$(REPLAY:%.c=build/$(1)/obj/%.o) build/$(1)/libtensor_arena.a
	$$(SAY)
	@mkdir -p $$(@D)
	$$(Q)$(2) $(3) $$(CFLAGS) $$(LDFLAGS) $$^ -o $$@
endef
$(eval $(call replay,native,$(CC),-O2 -g))
$(eval $(call replay,asan,$(CLANG),-O1 -g $(SANITIZE) $(COUNTED)))

# And as a WASI command by each wasm toolchain, of the very objects that its library module is made of.
REPLAY_FLAGS = -std=c11 -O2 $(TEST_WARNINGS) $(INCLUDES) -Itests $(REPRODUCIBLE) -MMD -MP

build/emscripten/obj/tests/%.o: tests/%.c Makefile make/fuzz.mk
	$(SAY)
	@mkdir -p $(@D)
	$(Q)$(EMCC) $(REPLAY_FLAGS) -c $< -o $@

build/wasi/obj/tests/%.o: tests/%.c Makefile make/fuzz.mk
	$(SAY)
	@mkdir -p $(@D)
	$(Q)$(WASI_CC) $(REPLAY_FLAGS) -c $< -o $@

build/emscripten/replay.wasm: $(CORE_SRC:%.c=build/emscripten/obj/%.o) build/emscripten/obj/wasm/heap.o $(REPLAY:%.c=build/emscripten/obj/%.o)
	$(SAY)
	$(Q)$(EMCC) -O1 $(filter-out --no-entry,$(EM_LINK)) $^ -o $@

build/wasi/replay.wasm: $(WASI_OBJ) $(REPLAY:%.c=build/wasi/obj/%.o)
	$(SAY)
	$(Q)$(WASI_CC) $(WASI_LINK) $^ -o $@

replays: build/native/fuzz/replay build/emscripten/replay.wasm build/wasi/replay.wasm build/fuzz/seeds ## what runs the fuzzers' corpus without a fuzzer
test-build: replays
.PHONY: replays
