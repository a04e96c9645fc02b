# Provisional: replaced by the full build.
CFLAGS := -std=c11 -O2 -g -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Werror -Ic/include -Ic/src
SRC := $(wildcard c/src/*/*.c)
OBJ := $(SRC:c/src/%.c=build/native/%.o)
native: build/native/libtensor_arena.a
build/native/libtensor_arena.a: $(OBJ)
	$(AR) rcs $@ $^
build/native/%.o: c/src/%.c $(wildcard c/include/*) $(wildcard c/src/*/*.h)
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c $< -o $@
