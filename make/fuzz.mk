# Fuzzing with libFuzzer (clang), and the replay of its corpus without it.

FUZZ_TARGETS := tflite offline block walk csv sequence verify
FUZZ_SUPPORT := $(filter-out tests/fuzz/entry.c tests/fuzz/replay.c,$(sort $(wildcard tests/fuzz/*.c)))
FUZZ_SECONDS ?= 1200
FUZZ_MAX_BYTES ?= 65536

$(eval $(call variant,fuzz,$(CLANG),-O1 -g -fsanitize=fuzzer-no-link $(SANITIZE)))

build/fuzz/fuzz_%: tests/fuzz/entry.c $(FUZZ_SUPPORT:%.c=build/fuzz/obj/%.o) build/fuzz/libtensor_arena.a
	@mkdir -p $(@D)
	$(CLANG) -std=c11 $(INCLUDES) -Itests -O1 -g -fsanitize=fuzzer $(SANITIZE) -DFUZZ_TARGET=fuzz_$* \
	  $(if $(filter tflite offline,$*),-DFUZZ_FLATBUFFER) $^ -o $@

# variant: the replay driver in build/VARIANT.
define replay
build/$(1)/fuzz/replay: $$(patsubst %.c,build/$(1)/obj/%.o,$$(FUZZ_SUPPORT) tests/fuzz/replay.c) build/$(1)/libtensor_arena.a
	@mkdir -p $$(@D)
	$(2) $(3) $$(CFLAGS) $$(LDFLAGS) $$^ -o $$@
endef
$(eval $(call replay,native,$(CC),-O2 -g))
$(eval $(call replay,asan,$(CLANG),-O1 -g $(SANITIZE)))
$(eval $(call replay,coverage,$(CLANG),-O0 -g $(COUNTED)))

test-build: build/native/fuzz/replay

# What each target starts from: its own corpus, or that of a target that reads the same files.
CORPUS_offline := tflite
CORPUS_walk := block
corpus = $(or $(CORPUS_$(1)),$(1))
fuzz_folders = $(wildcard tests/fuzz/corpus/$(call corpus,$(1))) build/fuzz/seeds/$(call corpus,$(1))

# $(1) for FUZZ_SECONDS of CPU, more or less: it runs alone, on one thread. What it finds lands in build/fuzz/found.
fuzz-%: build/fuzz/fuzz_% build/fuzz/seeds
	@mkdir -p build/fuzz/found/$* build/fuzz/corpus/$*
	@echo "fuzz: $* for $(FUZZ_SECONDS) s"
	@build/fuzz/fuzz_$* -max_total_time=$(FUZZ_SECONDS) -max_len=$(FUZZ_MAX_BYTES) -timeout=25 -rss_limit_mb=1024 \
	  -dict=tests/fuzz/$(call corpus,$*).dict -artifact_prefix=build/fuzz/found/$*/ -print_final_stats=1 \
	  build/fuzz/corpus/$* $(call fuzz_folders,$*) >build/fuzz/$*.log 2>&1 || { tail -60 build/fuzz/$*.log; exit 1; }
	@grep -E 'DONE|number_of_executed_units' build/fuzz/$*.log

# One after the other, also under make -j.
fuzz: ## run every fuzz target for FUZZ_SECONDS seconds each (1200)
	@for target in $(FUZZ_TARGETS); do $(MAKE) --no-print-directory fuzz-$$target || exit 1; done
.PHONY: fuzz

build/fuzz/seeds: tests/fuzz/seeds.js tests/support/model-builder.js tests/support/random-graphs.js
	@rm -rf $@
	@$(NODE) tests/fuzz/seeds.js $@
