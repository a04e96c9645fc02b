/* Opens a model: finds out what kind of file the bytes are and hands them to its reader. */
#include <string.h>

#include "base/error.h"
#include "graph/graph.h"
#include "model/block.h"
#include "model/c_array.h"
#include "model/csv.h"
#include "model/tflite.h"

/* Files that people hand over by mistake, by how they begin. */
typedef struct mistake {
  const char *begins;
  uint8_t len;
  const char *sentence;
} mistake;

#define MISTAKE(begins, sentence)                                                                            \
  { begins, sizeof(begins) - 1, sentence }

static const mistake mistakes[] = {
    MISTAKE("{",
            "this is JSON: graphs and plans in JSON are read by the JavaScript package and its command line"),
    MISTAKE("[", "this is JSON, and not a graph or plan of this project: give the whole object"),
    MISTAKE(
        "<",
        "this is an HTML or XML page, not a model: the download link led to a page, save the file itself"),
    MISTAKE("00000000", "this is a hex dump: turn it back with xxd -r, or give the .tflite file"),
    MISTAKE("version https://git-lfs",
            "this is a Git LFS pointer, not the model it stands for: run git lfs pull"),
    MISTAKE("PK\3\4", "this is a ZIP archive: unpack it and give the .tflite file inside"),
    MISTAKE("\x1F\x8B", "this is gzip data: unpack it first"),
    MISTAKE("\x89HDF", "this is an HDF5 (Keras) model: convert it to .tflite first"),
    MISTAKE("GGUF", "this is a GGUF model: only .tflite models are read"),
    MISTAKE("\x7F"
            "ELF",
            "this is a program: give the .tflite file"),
    MISTAKE("\x89PNG", "this is an image: give the .tflite file"),
};

/* An ONNX file is a protocol buffer without a mark of its own: field 1 (the format's version, a small
 * number), then a field that a model may have next. */
static bool looks_like_onnx(ta_bytes file) {
  return file.len > 3 && file.at[0] == 0x08 && file.at[1] > 0 && file.at[1] < 32 && (file.at[2] & 7) == 2 &&
         file.at[2] >> 3 >= 2 && file.at[2] >> 3 <= 20;
}

/* Past a byte order mark and white space: where text begins. */
static ta_bytes skip_blank(ta_bytes file) {
  size_t at = file.len >= 3 && memcmp(file.at, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
  while (at < file.len && (file.at[at] == ' ' || (file.at[at] >= 9 && file.at[at] <= 13))) at++;
  return (ta_bytes){file.at + at, file.len - at};
}

static ta_status fail_kind(ta_error *error, const char *sentence) {
  return ta_fail_at_byte(error, TA_E_NOT_A_MODEL, 0, "not a model: %s", sentence);
}

static ta_status refuse(ta_bytes file, const ta_c_arrays *arrays, ta_error *error) {
  if (file.len == 0) return fail_kind(error, "the file is empty; get it again");
  bool other_version = file.len >= 8 && memcmp(file.at + 4, "TFL", 3) == 0;
  if (other_version)
    return ta_fail_at_byte(
        error, TA_E_NOT_A_MODEL, 4,
        "not a model: its file identifier is %T, and this library reads TFL3; convert it again with a "
        "current converter",
        &(ta_str){(const char *)file.at + 4, 4});
  if (arrays->cut)
    return fail_kind(error, "the file ends inside the C array that holds the model; get it again");
  if (arrays->others)
    return fail_kind(error,
                     "this is C source, and none of its byte arrays is a .tflite (bytes 4 to 7 are not "
                     "54 46 4c 33, TFL3): give the file that defines the model's array");
  if (ta_csv_lacks_names(file))
    return fail_kind(error, "this is a buffer list whose columns are not named: put a line before it that "
                            "names them, as in id,lower,upper,size");
  ta_bytes text = skip_blank(file);
  for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++) {
    const mistake *row = &mistakes[i];
    if (text.len >= row->len && memcmp(text.at, row->begins, row->len) == 0)
      return fail_kind(error, row->sentence);
  }
  if (looks_like_onnx(file))
    return fail_kind(error, "this looks like an ONNX model; convert it to .tflite first");
  return fail_kind(
      error, "this is no .tflite file (bytes 4 to 7 are not TFL3), no graph JSON, and no buffer-list CSV "
             "(columns id, lower, upper, size)");
}

static ta_status read_any(ta_model *model, ta_error *error) {
  if (ta_tflite_is(model->file)) return ta_tflite_read(model, error);
  if (ta_block_is(model->file)) return ta_block_read(model, error);
  ta_c_arrays arrays = ta_c_arrays_find(model->file);
  if (arrays.bytes) {
    ta_status status = ta_c_array_unpack(model, &arrays, error);
    return status ? status : ta_tflite_read(model, error);
  }
  if (ta_csv_looks_like(model->file)) return ta_csv_read(model, error);
  return refuse(model->file, &arrays, error);
}

static ta_status copy_name(ta_model *model, const char *name, ta_error *error) {
  size_t len = name ? strlen(name) : 0;
  char *copy = TA_TAKE(&model->region, len, char);
  if (!copy) return ta_fail_memory(error);
  if (len) memcpy(copy, name, len);
  model->name = (ta_str){copy, len};
  return TA_OK;
}

ta_status ta_model_open(const ta_allocator *allocator, const void *bytes, size_t len, const char *name,
                        ta_model **out, ta_error *error) {
  ta_error_clear(error);
  *out = NULL;
  ta_region region;
  ta_region_init(&region, allocator);
  ta_model *model = TA_TAKE(&region, 1, ta_model);
  if (!model) return ta_fail_memory(error);
  model->region = region;
  model->file = (ta_bytes){len ? bytes : (const void *)"", len}; /* no bytes may come as NULL */
  ta_text_init(&model->description, allocator);
  ta_text_init(&model->size_text, allocator);
  ta_status status = copy_name(model, name, error);
  if (!status) status = read_any(model, error);
  if (status) {
    ta_model_free(model);
    return status;
  }
  *out = model;
  return TA_OK;
}

void ta_model_free(ta_model *model) {
  if (!model) return;
  ta_text_free(&model->description);
  ta_text_free(&model->size_text);
  ta_region region = model->region; /* the model lies in it */
  ta_region_free(&region);
}

ta_kind ta_model_kind(const ta_model *model) {
  return model->kind;
}
