# Native builds: the static library, the command-line filter, the tests' and benchmarks' programs.

# variant,compiler,flags: the rules for build/VARIANT.
define variant
$(1)_OBJ := $$(CORE_SRC:%.c=build/$(1)/obj/%.o)

build/$(1)/obj/c/%.o: c/%.c Makefile make/native.mk
	$$(SAY)
	@mkdir -p $$(@D)
	$$(Q)$(2) $$(CORE_FLAGS) $(3) $$(CFLAGS) -c $$< -o $$@

build/$(1)/obj/tests/%.o: tests/%.c Makefile make/native.mk
	$$(SAY)
	@mkdir -p $$(@D)
	$$(Q)$(2) -std=c11 -D_POSIX_C_SOURCE=200809L $$(TEST_WARNINGS) $$(INCLUDES) -Itests -Itests/c \
	  $$(REPRODUCIBLE) -MMD -MP $(3) $$(CFLAGS) -c $$< -o $$@

# The list of members: when a source goes, the archive is made anew.
build/$(1)/members: FORCE
	@printf '%s\n' $$($(1)_OBJ) | { $$(WRITE_IF_CHANGED); }

build/$(1)/libtensor_arena.a: $$($(1)_OBJ) build/$(1)/members
	@rm -f $$@
	$$(Q)$$(AR) rcsD $$@ $$($(1)_OBJ)

build/$(1)/tensor-arena: $$(CLI_SRC:%.c=build/$(1)/obj/%.o) build/$(1)/libtensor_arena.a
	$$(SAY)
	$$(Q)$(2) $(3) $$(CFLAGS) $$(LDFLAGS) $$^ -o $$@

# One program for each tests/c/test_*.c, tests/native/*.c and tests/bench/*.c.
build/$(1)/tests/%: build/$(1)/obj/tests/c/%.o $$(TEST_SUPPORT:%.c=build/$(1)/obj/%.o) build/$(1)/libtensor_arena.a
	$$(SAY)
	@mkdir -p $$(@D)
	$$(Q)$(2) $(3) $$(CFLAGS) $$(LDFLAGS) $$^ -lcmocka -o $$@

build/$(1)/bin/%: build/$(1)/obj/tests/native/%.o $$(NATIVE_SUPPORT:%.c=build/$(1)/obj/%.o) build/$(1)/libtensor_arena.a
	$$(SAY)
	@mkdir -p $$(@D)
	$$(Q)$(2) $(3) $$(CFLAGS) $$(LDFLAGS) $$^ -o $$@

build/$(1)/bench/%: build/$(1)/obj/tests/bench/%.o $$(BENCH_SUPPORT:%.c=build/$(1)/obj/%.o) build/$(1)/libtensor_arena.a
	$$(SAY)
	@mkdir -p $$(@D)
	$$(Q)$(2) $(3) $$(CFLAGS) $$(LDFLAGS) $$^ -o $$@
endef

TESTS := $(patsubst tests/c/%.c,%,$(sort $(wildcard tests/c/test_*.c)))
TEST_SUPPORT := $(sort $(wildcard tests/c/support/*.c))
TEST_TOOLS := $(patsubst tests/native/%.c,%,$(sort $(wildcard tests/native/*.c)))
NATIVE_SUPPORT := $(sort $(wildcard tests/native/support/*.c))
BENCH_SUPPORT := $(sort $(wildcard tests/bench/support/*.c))
BENCHES := $(patsubst tests/bench/%.c,%,$(sort $(wildcard tests/bench/*.c)))

# gcc and clang each know warnings that the other does not.
GCC_ONLY := -Wlogical-op -Wduplicated-cond -Wduplicated-branches
CLANG_ONLY := -Wcomma -Wextra-semi -Wunreachable-code -Wassign-enum
COUNTED := -fprofile-instr-generate -fcoverage-mapping
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer

$(eval $(call variant,native,$(CC),-O2 -g $(GCC_ONLY)))
$(eval $(call variant,clang,$(CLANG),-O2 -g $(CLANG_ONLY)))
$(eval $(call variant,native32,$(CC),-m32 -O2 -g $(GCC_ONLY)))
$(eval $(call variant,gcc-O0,$(CC),-O0))
$(eval $(call variant,gcc-O3,$(CC),-O3))
$(eval $(call variant,clang-O0,$(CLANG),-O0))
$(eval $(call variant,clang-O3,$(CLANG),-O3))
$(eval $(call variant,asan,$(CLANG),-O1 -g $(SANITIZE) $(COUNTED)))

# Kept though only intermediate.
.SECONDARY:

# What the determinism test compares. Only x86-64 has a 32-bit sibling that the same compiler builds for.
NARROW := $(if $(filter x86_64,$(shell uname -m)),native32)
MATRIX := native clang $(NARROW) gcc-O0 gcc-O3 clang-O0 clang-O3
programs = build/$(1)/tensor-arena $(TEST_TOOLS:%=build/$(1)/bin/%)

native: build/native/libtensor_arena.a $(NARROW:%=build/%/libtensor_arena.a) ## the static library, with CC, for 64 and for 32 bits
libs: native build/clang/libtensor_arena.a ## and with clang
cli: build/native/tensor-arena ## the command-line filter
tests: $(TESTS:%=build/native/tests/%) ## the C tests' programs
matrix: $(foreach v,$(MATRIX),$(call programs,$(v))) ## filter and vector runner, by each compiler, width and optimisation
benches: $(BENCHES:%=build/native/bench/%) ## the native benchmarks
.PHONY: libs matrix benches
