/* Byte arrays of C source: which array is the model, what is one, and what is not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "model/c_array.h"

/* The identifier of a .tflite, and the four bytes before it. */
#define MODEL "0x10,0,0,0,0x54,0x46,0x4c,0x33"

/* Exact memory, so that a sanitizer sees a read past the end. */
static ta_c_arrays find(const char *text, size_t len) {
  uint8_t *exact = malloc(len + 1);
  assert_non_null(exact);
  memcpy(exact, text, len);
  ta_c_arrays found = ta_c_arrays_find((ta_bytes){exact, len});
  free(exact);
  return found;
}

typedef struct example {
  const char *text;
  size_t bytes; /* of the model; 0: none is found */
} example;

static void check(const example *examples, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const example *e = &examples[i];
    size_t bytes = find(e->text, strlen(e->text)).bytes;
    if (bytes != e->bytes) fail_msg("%s: %zu bytes, not %zu", e->text, bytes, e->bytes);
  }
}

#define CHECK(examples) check(examples, sizeof(examples) / sizeof((examples)[0]))

static void an_array_is_bytes_in_braces(void **state) {
  (void)state;
  static const example examples[] = {
      {"const unsigned char m[] = {" MODEL "};", 8},
      {"alignas(16) const unsigned char m[8] = { " MODEL " , };\nconst int m_len = 8;", 8},
      {"\xEF\xBB\xBF#include \"m.h\"\nconst uint8_t m[] DATA = {\r\n\t" MODEL ",\r\n 1,2};", 10},
      {"{" MODEL ",255,-1,-128,0xFF,0XaB,0377,7u,7U}", 16},
      {"{" MODEL ", /* a comment, { } */ 1, // and a line, }\n 2}", 10},
      {"struct { int n; unsigned char b[8]; } m = {8, {" MODEL "}};", 8},
      {MODEL, 8}, /* as xxd -i of a pipe */
      {"  " MODEL ",\n  9\n", 9},
      {MODEL ", {" MODEL ",1}", 9},
  };
  CHECK(examples);
}

static void what_is_no_byte_is_no_array(void **state) {
  (void)state;
  static const example examples[] = {
      {"", 0},
      {"{}", 0},
      {"{" MODEL ",256}", 0},
      {"{" MODEL ",0x100}", 0},
      {"{" MODEL ",-129}", 0},
      {"{" MODEL ",08}", 0},
      {"{" MODEL ",0x}", 0},
      {"{" MODEL ",1.5}", 0},
      {"{" MODEL ",1f}", 0},
      {"{" MODEL ",1 2}", 0},
      {"{" MODEL ",,1}", 0},
      {"{" MODEL ",m}", 0},
      {"{" MODEL ",-}", 0},
      {"{" MODEL ",99999999999999999999}", 0},
      {"{0x10,0,0,0,0x54,0x46,0x4c,0x34}", 0},
      {"{0x10,0,0,0,0x54,0x46,0x4c}", 0},
      {MODEL "}", 0},
      {"/* {" MODEL "} */", 0},
      {"// {" MODEL "}", 0},
      {"const char *s = \"{" MODEL "}\";", 0},
      {"const char *s = \"\\\"{" MODEL "}\";", 0},
      {"/* {" MODEL "}", 0},
      {"\"{" MODEL "}", 0},
  };
  CHECK(examples);
  static const example around[] = {
      {"char q = '\"'; char m[] = {" MODEL "};", 8},
      {"#error don't\nchar m[] = {" MODEL "};", 8},
      {"/**/{" MODEL "}", 8},
      {"/ {" MODEL "}", 8},
  };
  CHECK(around);
}

static void of_several_arrays_the_largest_model_is_read(void **state) {
  (void)state;
  static const example examples[] = {
      {"char a[] = {1,2,3,4,5,6,7,8,9,10,11}; char m[] = {" MODEL "}; char b[] = {1};", 8},
      {"char a[] = {" MODEL "}; char b[] = {" MODEL ",1,2}; char c[] = {" MODEL ",1};", 10},
      {"char a[] = {" MODEL ",1,2}; char b[] = {" MODEL ",3,4};", 10},
      {"char a[] = {" MODEL ",1,2", 0},
      {"char a[] = {" MODEL "}; char b[] = {" MODEL ",1,2", 8},
  };
  CHECK(examples);
  const char *equal = "{" MODEL ",1}{" MODEL ",2}";
  assert_int_equal(find(equal, strlen(equal)).begins, 1); /* the first of equals */
}

static void what_was_nearly_a_model_is_known(void **state) {
  (void)state;
  assert_true(find("{" MODEL ",1,", strlen("{" MODEL ",1,")).cut);
  assert_false(find("{" MODEL ",1,}", strlen("{" MODEL ",1,}")).cut);
  assert_false(find("{1,2,3,4,5,6,7,8,", 17).cut);
  assert_true(find("{1,2,3,4,5,6,7,8}", 17).others);
  assert_false(find("{1,2,3,4,5,6,7}", 15).others);
  assert_false(find("id,lower,upper,size\n1,0,4,16\n", 28).others);
}

/* Cut anywhere and with any byte changed, the model that is found lies inside the text. */
static void hostile_text_stays_inside(void **state) {
  (void)state;
  char text[] = "/*a*/ \"b\\\"\" {" MODEL ",-1,0x1u /*c*/, // d\n 7} '\\''";
  size_t len = sizeof text - 1;
  for (size_t cut = 0; cut <= len; cut++) find(text, cut);
  for (size_t at = 0; at < len; at++)
    for (int value = 0; value < 256; value++) {
      char kept = text[at];
      text[at] = (char)value;
      ta_c_arrays found = find(text, len);
      assert_true(found.begins + found.bytes <= len);
      text[at] = kept;
    }
}

static ta_status open_text(const char *text, ta_error *error) {
  ta_model *model = NULL;
  ta_status status = ta_model_open(NULL, text, strlen(text), NULL, &model, error);
  ta_model_free(model);
  return status;
}

static void what_is_not_read_is_named(void **state) {
  (void)state;
  ta_error error;
  assert_int_equal(open_text("char m[] = {" MODEL ",1,", &error), TA_E_NOT_A_MODEL);
  assert_string_equal(error.text,
                      "not a model: the file ends inside the C array that holds the model; get it again");
  assert_int_equal(open_text("char a[] = {1,2,3,4,5,6,7,8};", &error), TA_E_NOT_A_MODEL);
  assert_non_null(strstr(error.text, "this is C source, and none of its byte arrays is a .tflite"));
  assert_int_equal(open_text("00000000: 1000 0000 5446 4c33  ....TFL3", &error), TA_E_NOT_A_MODEL);
  assert_non_null(strstr(error.text, "this is a hex dump: turn it back with xxd -r"));
  assert_int_equal(open_text("char m[] = {" MODEL "};", &error), TA_E_TRUNCATED); /* it is read as a model */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_array_is_bytes_in_braces),
      cmocka_unit_test(what_is_no_byte_is_no_array),
      cmocka_unit_test(of_several_arrays_the_largest_model_is_read),
      cmocka_unit_test(what_was_nearly_a_model_is_known),
      cmocka_unit_test(hostile_text_stays_inside),
      cmocka_unit_test(what_is_not_read_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
