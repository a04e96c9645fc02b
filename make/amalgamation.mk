# The core as one C file and its header, and that they compile wherever they may be dropped.

CORE_HEADERS := $(shell find c/src c/include -name '*.h' -o -name '*.def' | LC_ALL=C sort)

dist/tensor_arena.c: $(CORE_SRC) $(CORE_HEADERS) tools/amalgamate.js
	@mkdir -p $(@D)
	@$(NODE) tools/amalgamate.js $@ dist/tensor_arena.h

amalgamation: dist/tensor_arena.c ## dist/tensor_arena.c and .h: the core as one file

AMALGAM_FLAGS := -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -Idist
ARM_CC ?= arm-none-eabi-gcc

# compiler and flags, by name: each compiles the one file as a user would. The variant of that name that tests
# run on is native.
AMALGAM_WITH := gcc clang gcc-32 arm
AMALGAM_gcc := $(CC) $(AMALGAM_FLAGS)
AMALGAM_clang := $(CLANG) $(AMALGAM_FLAGS)
AMALGAM_gcc-32 := $(CC) -m32 $(AMALGAM_FLAGS)
AMALGAM_arm := $(ARM_CC) -mcpu=cortex-m4 -mthumb -ffunction-sections $(AMALGAM_FLAGS)
ifneq ($(shell uname -m),x86_64)
AMALGAM_WITH := $(filter-out gcc-32,$(AMALGAM_WITH))
endif

build/amalgamation/%.o: dist/tensor_arena.c
	$(SAY)
	@mkdir -p $(@D)
	$(Q)$(AMALGAM_$*) -c $< -o $@

# The header by itself, for those who call C from C++.
build/amalgamation/header.o: dist/tensor_arena.c
	$(SAY)
	@mkdir -p $(@D)
	$(Q)printf '#include "tensor_arena.h"\n' | $(CLANG) -x c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -Idist -c - -o $@

build/amalgamation/libtensor_arena.a: build/amalgamation/gcc.o
	@rm -f $@
	$(Q)$(AR) rcsD $@ $<

# The tests' programs on the one file, in the place of the native build (TENSOR_ARENA_NATIVE).
build/amalgamation/bin/%: build/native/obj/tests/native/%.o $(NATIVE_SUPPORT:%.c=build/native/obj/%.o) build/amalgamation/libtensor_arena.a
	$(SAY)
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $^ -o $@

amalgamation-check: $(AMALGAM_WITH:%=build/amalgamation/%.o) build/amalgamation/header.o $(TEST_TOOLS:%=build/amalgamation/bin/%) ## the one file by every compiler, and the golden vectors on it
	@TENSOR_ARENA_NATIVE=build/amalgamation $(NODE) tests/run.js node/vectors tflm-golden
.PHONY: amalgamation amalgamation-check
