# Builds and checks tensor-arena. `make help` lists the targets.
#
# The core (c/) is built many times over: each *variant* is one compiler with one set of flags and lives in
# build/VARIANT (make/native.mk). The two wasm builds are in make/wasm.mk, what is shipped in make/package.mk,
# the core as one file in make/amalgamation.mk, the checks in make/checks.mk, sanitizers and coverage in make/quality.mk, fuzzing in make/fuzz.mk.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := all

# Tools, each to be overridden on the command line or in the environment.
ifeq ($(origin CC),default)
CC := gcc
endif
CLANG ?= clang
NODE ?= node
ifdef EMSDK
EMCC ?= $(EMSDK)/upstream/emscripten/emcc
else
EMCC ?= emcc
endif

CORE_SRC := $(shell find c/src -name '*.c' | LC_ALL=C sort)
CLI_SRC := $(sort $(wildcard c/cli/*.c))
C_FILES = $(shell find c wasm tests -name '*.[ch]' | LC_ALL=C sort)

# Every warning that finds faults in plain C11, and each is an error.
WARNINGS := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wcast-align \
  -Wstrict-prototypes -Wmissing-prototypes -Wold-style-definition -Wredundant-decls -Wundef -Wwrite-strings \
  -Wpointer-arith -Wvla -Wformat=2 -Wimplicit-fallthrough -Wdouble-promotion -Wfloat-equal -Werror
# Tests use cmocka's macros, which convert freely.
TEST_WARNINGS := -Wall -Wextra -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wundef -Wvla -Werror

INCLUDES := -Ic/include -Ic/src
# No path of this machine in an object: debug information and __FILE__ are relative to the repository.
REPRODUCIBLE := -ffile-prefix-map=$(CURDIR)=.
CORE_FLAGS := -std=c11 $(WARNINGS) $(INCLUDES) $(REPRODUCIBLE) -MMD -MP

# A line for each file that is made; `make V=1` shows the commands, `make -s` nothing.
Q := $(if $(V),,@)
SAY = @$(if $(findstring s,$(firstword -$(MAKEFLAGS))),:,echo '  $@')

# Writes standard input to $@ only when that changes it, so that what depends on $@ is not rebuilt for nothing.
WRITE_IF_CHANGED = mkdir -p $(@D); cat > $@.new; cmp -s $@.new $@ && rm $@.new || mv $@.new $@

.PHONY: all native cli tests wasm test-build help setup clean FORCE
all: libs cli tests wasm package

include make/native.mk
include make/wasm.mk
include make/package.mk
include make/amalgamation.mk
include make/checks.mk
include make/quality.mk
include make/fuzz.mk

# What each object includes, as the compilers wrote it down.
-include $(shell find build -name '*.d' 2>/dev/null)

test-build: all page matrix ## everything that the tests need
setup: ## install what a fresh Debian or Ubuntu lacks, and the npm development packages
	@sh tools/setup.sh

clean: ## remove everything that was built
	rm -rf build dist

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*## ' Makefile make/*.mk | sed -E 's/:.*## /\t/' | expand -t 16
