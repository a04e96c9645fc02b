# Fuzzing with libFuzzer (clang), and the replay of its corpus without it.

FUZZ_TARGETS := tflite block csv sequence verify
FUZZ_SUPPORT := $(filter-out tests/fuzz/entry.c tests/fuzz/replay.c,$(sort $(wildcard tests/fuzz/*.c)))
FUZZ_SECONDS ?= 1200
FUZZ_MAX_BYTES ?= 65536

$(eval $(call variant,fuzz,$(CLANG),-O1 -g -fsanitize=fuzzer-no-link $(SANITIZE)))

build/fuzz/fuzz_%: tests/fuzz/entry.c $(FUZZ_SUPPORT:%.c=build/fuzz/obj/%.o) build/fuzz/libtensor_arena.a
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

# The seeds are the committed corpus and what tools make of the test models; what is found lands in build/.
fuzz: $(FUZZ_TARGETS:%=build/fuzz/fuzz_%) build/fuzz/seeds ## run every fuzz target for FUZZ_SECONDS seconds each (1200)
	@for target in $(FUZZ_TARGETS); do \
	  mkdir -p build/fuzz/found/$$target build/fuzz/corpus/$$target; \
	  echo "fuzz: $$target for $(FUZZ_SECONDS) s"; \
	  build/fuzz/fuzz_$$target -max_total_time=$(FUZZ_SECONDS) -max_len=$(FUZZ_MAX_BYTES) -timeout=25 -rss_limit_mb=1024 \
	    -dict=tests/fuzz/$$target.dict -artifact_prefix=build/fuzz/found/$$target/ -print_final_stats=1 -verbosity=1 \
	    build/fuzz/corpus/$$target $$(ls -d tests/fuzz/corpus/$$target build/fuzz/seeds/$$target 2>/dev/null) \
	    >build/fuzz/$$target.log 2>&1 || { tail -60 build/fuzz/$$target.log; exit 1; }; \
	  grep -E '^(Done|stat::number_of_executed_units|.*DONE)' build/fuzz/$$target.log; \
	done
.PHONY: fuzz

build/fuzz/seeds: tests/fuzz/seeds.js tests/support/model-builder.js tests/support/random-graphs.js
	@rm -rf $@
	@$(NODE) tests/fuzz/seeds.js $@
