/* tensor-arena: how neural-network runtimes lay tensors out in memory.
 *
 * Open a model (ta_model_open), make a planner of it (ta_planner_new), then
 *   plan     works out when each tensor must be allocated and freed,
 *   execute  gives the tensors of a range of nodes their places in the arena,
 *   reset    forgets the places when sizes change,
 * and read the places (ta_planner_buffers) or the whole plan as text (ta_planner_report).
 *
 * Sizes and offsets are bytes in a uint64_t, at most TA_MAX_BYTES. Indices are uint32_t; TA_NO_INDEX is
 * "none". Steps are int32_t. No function keeps global state, reads a clock, or prints; a handle and what
 * hangs from it belong to one thread at a time. Strings are UTF-8. Errors are named without their prefix:
 * MEMORY is TA_E_MEMORY.
 */
#ifndef TENSOR_ARENA_H
#define TENSOR_ARENA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this library, which every figure that leaves it is marked with. */
#define TA_VERSION "0.2.0"

/* The boundary's version: packed blocks, struct layouts and status numbers. A change of any raises it. */
#define TA_ABI_VERSION 1

/* 2^53 - 1: the largest size or offset, so that each is an exact JavaScript number. */
#define TA_MAX_BYTES     UINT64_C(9007199254740991)
#define TA_MAX_ALIGNMENT UINT32_C(1048576) /* 2^20; every alignment is a power of two up to it */
#define TA_NO_OFFSET     UINT64_MAX        /* not placed */
#define TA_NO_BYTE       UINT64_MAX        /* not about a byte of the input */
#define TA_NO_INDEX      UINT32_MAX        /* no tensor, node, subgraph or buffer */

/* ---- status and errors ----------------------------------------------------------------------------------
 */

typedef enum ta_status {
#define STATUS(number, id, name, meaning) TA_##id = number,
#include "tensor_arena_status.def"
#undef STATUS
} ta_status;

/* The status's stable name ("bad-index") and what it means; "unknown" for a number that is none. Static text.
 */
const char *ta_status_name(int32_t status);
const char *ta_status_meaning(int32_t status);

/* What went wrong, where, and what to do. Functions that can fail take one (or NULL) and fill it when they
 * do. */
typedef struct ta_error {
  int32_t status;                 /* a ta_status */
  int32_t subgraph, node, tensor; /* -1: not about one */
  uint64_t byte;                  /* offset in the input, or TA_NO_BYTE */
  char text[232];                 /* one sentence, NUL-terminated; a longer one ends in "..." */
} ta_error;

/* ---- words ------------------------------------------------------------------------------------------------
 */

/* The lists of tensor_arena_words.def. */
typedef enum ta_words {
  TA_WORDS_KIND = 0,
  TA_WORDS_RUNTIME = 1,
  TA_WORDS_PLANNER = 2,
  TA_WORDS_KERNELS = 3,
  TA_WORDS_TARGET = 4,
  TA_WORDS_FORMAT = 5,
  TA_WORDS_TYPE = 6,
  TA_WORDS_PLAN_STATUS = 7,
  TA_WORDS_SIZE_ITEM = 8
} ta_words;

/* A word's stable name ("tflite-2018"), and what it is called in text for people ("TensorFlow Lite of 2018");
 * NULL for a number that the list does not have. Numbers count from 0 without a gap. Static text. */
const char *ta_word_name(ta_words list, uint32_t number);
const char *ta_word_for_people(ta_words list, uint32_t number);

/* ---- memory ---------------------------------------------------------------------------------------------
 */

/* Where a handle's memory comes from. `alloc` returns NULL when there is none; `free` gets the size back.
 * Passing NULL for an allocator means the C library's malloc and free. The struct is copied. */
typedef struct ta_allocator {
  void *(*alloc)(void *context, size_t bytes);
  void (*free)(void *context, void *pointer, size_t bytes);
  void *context;
} ta_allocator;

/* ---- models ---------------------------------------------------------------------------------------------
 */

typedef struct ta_model ta_model;

/* Every list of words, each with its meaning: tensor_arena_words.def. */
typedef enum ta_kind {
#define KIND(number, id, ...) TA_KIND_##id = number,
#include "tensor_arena_words.def"
} ta_kind;

/* Reads a .tflite file, a buffer-list CSV, or a packed graph block (ta_graph blocks: see
 * c/src/model/block.h); which one is told from the bytes. C source with byte arrays (.c, .cc, .h, .cpp, what
 * xxd -i prints) is read as the .tflite it holds, the largest if it holds several; positions in errors are
 * then the model's. `bytes` stay the caller's and must outlive the model. `name` (NUL-terminated, may be
 * NULL) is copied: it is what reports call the source. On success *out is the caller's, to be given to
 * ta_model_free. Cost: O(n log n) time and O(n) memory in the bytes. Errors: NOT_A_MODEL, TRUNCATED,
 * MALFORMED, INDEX, NO_SUBGRAPH, SYNTAX, LIMIT, MEMORY. */
ta_status ta_model_open(const ta_allocator *allocator, const void *bytes, size_t len, const char *name,
                        ta_model **out, ta_error *error);

/* NULL does nothing. Planners made of the model must be freed before. */
void ta_model_free(ta_model *model);

ta_kind ta_model_kind(const ta_model *model);

/* The model as JSON: subgraphs, tensors, nodes, signatures, problems (the package's model.* properties).
 * *text stays the model's, until the next call or ta_model_free. Errors: MEMORY. */
ta_status ta_model_describe(ta_model *model, const char **text, size_t *len, ta_error *error);

/* ---- planners -------------------------------------------------------------------------------------------
 */

typedef struct ta_planner ta_planner;

/* Which buffers exist, how long they live, how they are aligned. */
typedef enum ta_runtime_id {
#define RUNTIME(number, id, ...) TA_RUNTIME_##id = number,
#include "tensor_arena_words.def"
  TA_RUNTIME_DEFAULT = 255 /* by the model's kind */
} ta_runtime_id;

/* Where the buffers go. */
typedef enum ta_planner_id {
#define PLANNER(number, id, ...) TA_PLANNER_##id = number,
#include "tensor_arena_words.def"
  TA_PLANNER_DEFAULT = 255 /* own; optimal for a list that has no offsets, or keeps them */
} ta_planner_id;

/* TFLM's kernels, by what they were compiled for. */
typedef enum ta_kernels {
#define KERNELS(number, id, ...) TA_KERNELS_##id = number,
#include "tensor_arena_words.def"
} ta_kernels;

typedef enum ta_target {
#define TARGET(number, id, ...) TA_TARGET_##id = number,
#include "tensor_arena_words.def"
} ta_target;

typedef struct ta_planner_options {
  uint32_t runtime;   /* ta_runtime_id */
  uint32_t planner;   /* ta_planner_id */
  uint32_t alignment; /* of each tensor, bytes, a power of two up to TA_MAX_ALIGNMENT (tflm: 16 only); 0: the
                         runtime's, or the graph's. A list's rows may ask for more */
  uint32_t subgraph;  /* 0 for tflm, which plans all together, and for buffer lists */
  uint32_t kernels;   /* ta_kernels: which scratch buffers tflm's operators ask for */
  uint32_t preserve_all; /* 1: nothing is freed, nothing shared (tflite) */
  uint32_t target;       /* ta_target: how large tflm's objects are */
  uint32_t force;        /* 1: a C header of figures that are lower bounds may be used as it is */
  uint32_t keep_offsets; /* 1: a list's offsets bind, and linear and optimal put the rest around them */
  uint32_t reserved;     /* 0 */
  uint64_t budget_bytes; /* optimal: decide whether a plan fits these bytes; TA_NO_OFFSET: minimise */
  uint64_t max_nodes;    /* optimal: search nodes that execute may spend; 0: TA_DEFAULT_NODES */
} ta_planner_options;

#define TA_DEFAULT_NODES UINT64_C(2000000)

/* Every field at its default. */
void ta_planner_options_init(ta_planner_options *options);

/* `options` may be NULL (defaults). The model must outlive the planner.
 * Errors: ARGUMENT (an option out of its range), INDEX (no such subgraph), UNSUPPORTED (tflm on a graph,
 * ...), MEMORY; tflm, which asks every operator what it needs: REFUSED (TFLM would not take the model), LIMIT
 * (a buffer past its 32-bit offsets). */
ta_status ta_planner_new(const ta_allocator *allocator, const ta_model *model,
                         const ta_planner_options *options, ta_planner **out, ta_error *error);
void ta_planner_free(ta_planner *planner);

/* Works out lifetimes. Idempotent; sizes and allocation types are read by execute, not here. Errors: INDEX
 * and REFUSED (tflm: an absent output, subgraphs that run themselves, linear on an offline plan), LIMIT,
 * MEMORY. */
ta_status ta_planner_plan(ta_planner *planner, ta_error *error);

/* Places what nodes first..last need (both included; a range past the end is clamped, an empty one does
 * nothing). Needs plan. A call that fails changes nothing. Errors: STATE, GREW, UNSUPPORTED (linear and
 * optimal place whole graphs only), LIMIT, MEMORY. */
ta_status ta_planner_execute(ta_planner *planner, int32_t first, int32_t last, ta_error *error);

/* Forgets every place, persistent ones too; the plan stays. */
ta_status ta_planner_reset(ta_planner *planner, ta_error *error);

/* Forgets the places of arena_rw tensors that first appear after `node`; persistents and the mark stay. */
ta_status ta_planner_reset_after(ta_planner *planner, int32_t node, ta_error *error);

/* A tensor's bytes, or its allocation type, have changed. Counts from the next execute on. Places that the
 * planners of whole graphs gave (linear, optimal, tflm's own) are forgotten; those of the other two stay.
 * `tensor` is an index in the planner's subgraph (tflm: over all subgraphs, flat). Errors: INDEX, LIMIT,
 * ARGUMENT. */
ta_status ta_planner_resize(ta_planner *planner, uint32_t tensor, uint64_t bytes, ta_error *error);
ta_status ta_planner_retype(ta_planner *planner, uint32_t tensor, uint32_t type, ta_error *error);

/* tflite: gives the rw arena's memory back, keeping plan and places / takes it again. Others: UNSUPPORTED. */
ta_status ta_planner_release(ta_planner *planner, ta_error *error);
ta_status ta_planner_acquire(ta_planner *planner, ta_error *error);

/* optimal: plan and execute in slices. Spends at most `max_nodes` search nodes; *done is 1 when the search
 * ended (or the planner is not optimal, which takes one slice). The best plan so far is in place after every
 * slice. The result is the same however the slices are cut. */
ta_status ta_planner_solve(ta_planner *planner, uint64_t max_nodes, uint32_t *done, ta_error *error);

/* optimal: the buffer's place is given, and the others go around it (those already executed, say). Counts
 * from the next execute or solve on; TA_NO_OFFSET frees it again. Buffers that share follow their root.
 * Errors: INDEX, ARGUMENT (no multiple of the alignment), LIMIT, UNSUPPORTED (another planner; a buffer that
 * shares), MEMORY. That fixed buffers share bytes while both live is execute's error. */
ta_status ta_planner_fix(ta_planner *planner, uint32_t buffer, uint64_t offset, ta_error *error);

/* How a tensor is allocated (TensorFlow Lite's words). */
typedef enum ta_type {
#define TYPE(number, id, ...) TA_##id = number,
#include "tensor_arena_words.def"
} ta_type;

typedef enum ta_arena_id {
  TA_ARENA_NOT = 0,
  TA_ARENA_RW_PLACE = 1,
  TA_ARENA_PERSISTENT_PLACE = 2
} ta_arena_id;

typedef enum ta_buffer_kind { TA_BUFFER_TENSOR = 0, TA_BUFFER_SCRATCH = 1, TA_BUFFER_ROW = 2 } ta_buffer_kind;

/* One buffer of a plan. 40 bytes on every target. */
typedef struct ta_buffer {
  uint64_t bytes;      /* what the runtime hands its planner (tflm: rounded up to 16) */
  uint64_t offset;     /* from its arena's base; TA_NO_OFFSET: not placed */
  int32_t first, last; /* life in steps, both included; -1 = never */
  uint32_t subgraph;
  uint32_t index;  /* kind TENSOR: the tensor; SCRATCH: its node; ROW: the CSV row */
  uint32_t shares; /* the buffer whose bytes these are (in-place sharing, alias), or TA_NO_INDEX */
  uint8_t kind;    /* ta_buffer_kind */
  uint8_t type;    /* ta_type */
  uint8_t arena;   /* ta_arena_id: which arena it is (or will be) placed in; NOT: dynamic, constant, unused,
                      empty */
  uint8_t in_plan; /* 1: the planner is asked to place it, so it counts as live (bytes may still be 0) */
} ta_buffer;

/* Tensors in order (subgraph, index), then scratch; CSV: rows. Stay the planner's; a later call may change
 * them. */
const ta_buffer *ta_planner_buffers(const ta_planner *planner, uint32_t *count);

/* The high-water marks of the two arenas so far: cheap, where ta_planner_summary works out the rest too. */
void ta_planner_marks(const ta_planner *planner, uint64_t *arena_bytes, uint64_t *persistent_bytes);

/* The ta_runtime_id it plans for, never the default. */
uint32_t ta_planner_runtime(const ta_planner *planner);

typedef enum ta_plan_status {
#define PLAN_STATUS(number, id, ...) TA_##id = number,
#include "tensor_arena_words.def"
} ta_plan_status;

/* A plan in numbers. What is not known makes them lower bounds: unknown_tensors, unknown_operators. 136 bytes
 * on every target. */
typedef struct ta_summary {
  uint64_t arena_bytes;      /* high-water mark of the rw arena */
  uint64_t persistent_bytes; /* of the persistent arena */
  uint64_t lower_bound_bytes;
  uint64_t constant_bytes; /* each constant buffer of the model once */
  uint64_t peak_live_bytes;
  /* What an arena must have for this plan: of tflm min_arena_bytes, or where that is not known head and tail;
   * otherwise arena_bytes. And what it must have for any plan. */
  uint64_t needed_bytes, least_needed_bytes;
  /* tflm: the whole arena, once it is planned. Of optimal, of the file with this plan in it (ta_optimize).
   * Where that cannot be written all three are TA_NO_OFFSET, as for every other runtime; min_arena_bytes is
   * for linear, too. */
  uint64_t head_bytes, tail_bytes, min_arena_bytes;
  uint64_t search_nodes; /* spent by optimal */
  int32_t peak_step;     /* the first of equal peaks; -1 when there are no steps */
  int32_t steps;
  uint32_t status;          /* ta_plan_status */
  uint32_t arena_alignment; /* of the arena's base: the runtime's, or that of a buffer that asks for more */
  uint32_t tensor_alignment;
  uint32_t unknown_tensors;   /* whose bytes are not known, or only when they are run */
  uint32_t unknown_operators; /* that tflm's tables do not cover */
  uint32_t search_ended;      /* optimal: 1 when nothing is left to search */
  uint32_t fits;              /* with a budget, needed_bytes: 0 not decided, 1 yes, 2 no (optimal: proved) */
  uint32_t fixed_places; /* buffers whose places were given: bound and proof are of plans that keep them */
  uint64_t better_bytes; /* own of a list: the arena of a sound plan that optimal makes without a search,
                            where that is smaller or the list's is not sound; TA_NO_OFFSET: there is none */
} ta_summary;

/* Errors: STATE before plan, LIMIT (more bytes live at one step than the largest size), MEMORY. */
ta_status ta_planner_summary(ta_planner *planner, ta_summary *out, ta_error *error);

typedef enum ta_format {
#define FORMAT(number, id, ...) TA_FORMAT_##id = number,
#include "tensor_arena_words.def"
} ta_format;

/* The plan as text. *text stays the planner's, until its next report or ta_planner_free.
 * Errors: those of ta_planner_summary, ARGUMENT (no such format). */
ta_status ta_planner_report(ta_planner *planner, uint32_t format, const char **text, size_t *len,
                            ta_error *error);

/* ---- packed graph blocks --------------------------------------------------------------------------------
 *
 * A graph and a list of operations as one block of bytes, for hosts that hold their graph in structures of
 * their own (the JavaScript package makes it from graph JSON). ta_model_open reads it and trusts nothing in
 * it. Everything is little-endian and unaligned; u and i are 32-bit words, U is 64 bits. In this order:
 *
 *   header      u magic = TA_BLOCK_MAGIC, u version = TA_BLOCK_VERSION,
 *               u alignment (0: the runtime's; else a power of two up to 2^20), u preserve_all (0 or 1),
 *               u tensors, u nodes, u inputs, u outputs, u variables, u indices, u operations, u text
 *   tensors     each U bytes, u ta_type, u is_variable (0 or 1), u length of its name
 *   nodes       each u inputs, u outputs, u temporaries, u in-place mask, u length of its name
 *   indices     `indices` times i: the graph's inputs, outputs and variables, then for each node its inputs,
 *               outputs and temporaries. -1 is an absent entry; a planner refuses it among temporaries and
 *               variables
 *   operations  each u ta_operation_code, i first, i second, U bytes
 *   text        `text` bytes: the tensors' names, then the nodes' names, with nothing between
 *
 * The counts have to add up: `indices` and `text` are the sums over graph, tensors and nodes, and the block
 * ends where its text ends.
 */
#define TA_BLOCK_MAGIC           UINT32_C(0x42474154) /* "TAGB" */
#define TA_BLOCK_VERSION         UINT32_C(1)
#define TA_BLOCK_HEADER_BYTES    48u
#define TA_BLOCK_TENSOR_BYTES    20u
#define TA_BLOCK_NODE_BYTES      20u
#define TA_BLOCK_OPERATION_BYTES 20u

/* What `first`, `second` and `bytes` mean to each; those not named are ignored. */
typedef enum ta_operation_code {
  TA_OPERATION_PLAN = 0,
  TA_OPERATION_EXECUTE = 1, /* first, second: the node range */
  TA_OPERATION_RESET = 2,
  TA_OPERATION_RESET_AFTER = 3, /* first: the node */
  TA_OPERATION_RESIZE = 4,      /* first: the tensor; bytes */
  TA_OPERATION_RETYPE = 5,      /* first: the tensor; second: a ta_type */
  TA_OPERATION_RELEASE = 6,
  TA_OPERATION_ACQUIRE = 7
} ta_operation_code;

/* How many operations the model's block carries; 0 for every other kind of model. */
uint32_t ta_model_operations(const ta_model *model);

/* Does operation number `operation` of the block that the planner's model was read from. Errors: INDEX (no
 * such operation), and those of the call that it stands for. */
ta_status ta_planner_apply(ta_planner *planner, uint32_t operation, ta_error *error);

/* ---- why a buffer lies where it does ---------------------------------------------------------------------
 */

#define TA_MAX_IN_WAY 8

/* Indices are of buffers; TA_NO_INDEX: none. 80 bytes on every target. */
typedef struct ta_why {
  uint64_t gap_offset, gap_bytes; /* the largest gap below it that its turn found too small; 0 bytes: none */
  uint32_t turn, turns;           /* it was placed as number `turn` of `turns`; 0: not one by one */
  uint32_t in_way_count; /* buffers placed before it, alive with it, below it (by search: all such) */
  uint32_t in_way[TA_MAX_IN_WAY]; /* the highest of them, from the top down */
  uint32_t before, after; /* the last buffer that had one of its bytes before its life, the next after */
  uint32_t sharers;       /* how many share its bytes in place: its root's, or those whose root it is */
  uint32_t root;          /* whose bytes it shares */
  uint32_t reserved;      /* 0 */
} ta_why;

/* Why the buffer has its place. `rule` (may be NULL) gets whose turn it was, in words ("largest first"), or
 * NULL for the search's plans; static text. O(n log n). Errors: INDEX, STATE before plan, MEMORY. */
ta_status ta_planner_why(const ta_planner *planner, uint32_t buffer, ta_why *out, const char **rule,
                         ta_error *error);

/* ---- the map: tensor ids in a pixel buffer ---------------------------------------------------------------
 */

/* What a picture needs of a plan, indexed: made once from its buffers, drawn often. */
typedef struct ta_view ta_view;

/* The part of the plan that a picture shows: steps [x0, x1) in 1/65536 of a step, bytes [y0, y1) of the rw
 * arena in 1/256 of a byte. May reach past the plan on every side. 32 bytes on every target. */
typedef struct ta_window {
  int64_t x0, x1, y0, y1;
} ta_window;

/* A picture: a window on width x height pixels, low addresses at the bottom (`down` = 1: at the top). 48
 * bytes on every target. */
typedef struct ta_frame {
  ta_window window;
  uint32_t width, height;
  uint32_t down;
  uint32_t reserved; /* 0 */
} ta_frame;

#define TA_STEP_UNITS 65536
#define TA_BYTE_UNITS 256

/* What a pixel of the id buffer holds: 0 where nothing is, the buffer's index + 1 where it lies, or one of:
 */
#define TA_PIXEL_SEAM UINT32_C(0xFFFFFFFE) /* the gap that keeps neighbours apart */
#define TA_PIXEL_HOLE UINT32_C(0xFFFFFFFF) /* free, with a live buffer above it */

#define TA_VIEW_MAX_SIDE 16384 /* pixels */

/* Copies what it needs of `buffers` (those placed in the rw arena, with bytes and a life). The view is the
 * caller's, to be given to ta_view_free. O(n log n) time, O(n) memory. Errors: LIMIT (2^31 buffers or more),
 * MEMORY. */
ta_status ta_view_new(const ta_allocator *allocator, const ta_buffer *buffers, uint32_t count, ta_view **out,
                      ta_error *error);
void ta_view_free(ta_view *view);

/* Paints ids[height][width]: one rectangle a buffer, first to last step by its bytes. Every rectangle is at
 * least a pixel wide and high; one that is not, by its true edges, takes no pixel from one that is. Seen from
 * afar, of the buffers that are narrower than a pixel and begin in the same one, the tallest is drawn.
 * Errors: ARGUMENT (a window that is empty, or reaches past 2^62 units; a side of 0 or over
 * TA_VIEW_MAX_SIDE). */
ta_status ta_view_raster(ta_view *view, const ta_frame *frame, uint32_t *ids, ta_error *error);

/* The buffers of which some part lies in the pixel (x, y): how many, and the first `capacity` of their
 * indices. 0 for a frame that ta_view_raster refuses. O(log n) and those it looks at. */
uint32_t ta_view_pick(const ta_view *view, const ta_frame *frame, uint32_t x, uint32_t y, uint32_t *found,
                      uint32_t capacity);

/* The buffers whose visible part is at least min_width x min_height pixels, at most `capacity`. */
uint32_t ta_view_labels(const ta_view *view, const ta_frame *frame, uint32_t min_width, uint32_t min_height,
                        uint32_t *found, uint32_t capacity);

/* For each of `width` columns of steps [x0, x1) (1/65536): the most bytes live at one of its steps, and the
 * highest end of a live buffer. */
void ta_view_curve(const ta_view *view, int64_t x0, int64_t x1, uint32_t width, uint64_t *live,
                   uint64_t *high);

/* How a class of buffers is painted: two colours (bytes R, G, B, A in memory order) and a texture. */
typedef struct ta_ink {
  uint32_t fill, mark, texture;
} ta_ink;

typedef enum ta_texture { TA_SOLID = 0, TA_HATCHED = 1, TA_DOTTED = 2 } ta_texture;

/* ids -> colours. classes[0] is the ink of free pixels, classes[1] of seams, classes[2] of holes,
 * classes[3 + i] of buffer i; each is an index into `inks`. `scale` is the textures' pixel size. */
void ta_view_colour(const uint32_t *ids, uint32_t width, uint32_t height, const uint8_t *classes,
                    const ta_ink *inks, uint32_t scale, uint32_t *rgba);
/* ---- checking plans --------------------------------------------------------------------------------------
 */

#define TA_NOT_CLAIMED INT64_MIN /* a claim's offset: it has none */

/* One buffer of a plan that somebody else made. 40 bytes on every target. */
typedef struct ta_claim {
  int64_t offset;      /* from its arena's base, or TA_NOT_CLAIMED */
  uint64_t bytes;      /* 0: in nobody's way */
  uint64_t alignment;  /* 0 counts as 1 */
  int32_t first, last; /* life in steps, both included */
  uint32_t group;      /* claims of one group may share bytes; TA_NO_INDEX: of no group */
  uint32_t arena;      /* 0: rw; 1: persistent, where every claim lives always */
} ta_claim;

typedef enum ta_clash_kind {
  TA_CLASH_OVERLAP = 0,    /* a and b share bytes low..high during steps first..last */
  TA_CLASH_MISALIGNED = 1, /* a's offset is no multiple of its alignment */
  TA_CLASH_OUTSIDE = 2,    /* a's bytes low..high are past the arena's end */
  TA_CLASH_NEGATIVE = 3,   /* a starts before the arena */
  TA_CLASH_UNPLACED = 4,   /* a has bytes and a life, but no offset */
  TA_CLASH_BACKWARDS = 5,  /* a's last step comes before its first */
  TA_CLASH_ADRIFT = 6      /* a, a view, does not lie where its root b says */
} ta_clash_kind;

/* 40 bytes on every target. */
typedef struct ta_clash {
  uint64_t low, high;  /* bytes, both included */
  int32_t first, last; /* steps, both included */
  uint32_t a, b;       /* claims, a < b; b is TA_NO_INDEX when the clash is about one */
  uint32_t kind;       /* ta_clash_kind */
  uint32_t zero;
} ta_clash;

/* 16 bytes on every target. */
typedef struct ta_verdict {
  uint64_t clashes; /* how many there are: each pair and each fault of a single claim once */
  uint32_t listed;  /* how many of them were written */
  uint32_t sound;   /* 1: none */
} ta_verdict;

/* Whether claimed places can be used: no two claims share a byte while both live, each is aligned and inside
 * its arena. `arena_bytes`: of the rw and the persistent arena; TA_NO_OFFSET: not known, no end is checked.
 * The first `capacity` clashes are written to `clashes` (faults of single claims, then pairs by the step at
 * which they meet); `clashes` may be NULL when `capacity` is 0. O(n log n) whatever clashes.
 * Errors: LIMIT (bytes or an end past TA_MAX_BYTES), ARGUMENT (no such arena), MEMORY. */
ta_status ta_verify(const ta_allocator *allocator, const ta_claim *claims, uint32_t n,
                    const uint64_t arena_bytes[2], ta_clash *clashes, uint32_t capacity, ta_verdict *out,
                    ta_error *error);

/* The same for a buffer list whose offset column is the plan: claim i is row i. A view needs no offset of its
 * own; where it has one, it must be its root's plus its place inside. */
ta_status ta_verify_rows(const ta_allocator *allocator, const ta_model *model, uint64_t arena_bytes,
                         ta_clash *clashes, uint32_t capacity, ta_verdict *out, ta_error *error);

/* The same for what a planner of `model` placed (of a list's own plan, ta_verify_rows says more): claim i is
 * buffer i. What it has not placed is left out, but
 * for what the file's offline plan puts before the arena. A variable lives always, but under tflite-2018,
 * which knows none. */
ta_status ta_verify_planner(const ta_allocator *allocator, const ta_model *model, ta_planner *planner,
                            ta_clash *clashes, uint32_t capacity, ta_verdict *out, ta_error *error);

/* ---- two models that compute the same -------------------------------------------------------------------
 */

typedef enum ta_same_answer {
  TA_SAME = 0,       /* proved: from the same inputs both compute the same outputs, to the bit */
  TA_NOT_SAME = 1,   /* an operator, an input or an output is not what the old model has there */
  TA_CANNOT_TELL = 2 /* something is not known here, or a model breaks the order that a proof needs */
} ta_same_answer;

/* 256 bytes on every target. */
typedef struct ta_same {
  uint32_t answer;         /* a ta_same_answer */
  uint32_t operators;      /* how many of the new model's operators have been explained */
  uint32_t reference_only; /* 1: with CMSIS-NN's int8 TRANSPOSE_CONV the results may differ */
  uint32_t subgraph, node; /* the first of the new model that has no explanation, or TA_NO_INDEX */
  uint32_t old_node;       /* the operator of the old model that it was held against, or TA_NO_INDEX */
  int32_t first,
      last;       /* of an output, the rows or columns that are right; -1: the answer is not about them */
  char text[224]; /* why, NUL-terminated; empty when the answer is TA_SAME */
} ta_same;

/* Whether two .tflite models compute the same. Each operator of the new model must be one of the old, on the
 * same tensors and constants (by content), or on some of their rows and columns, or a SLICE, PAD or
 * CONCATENATION that only moves such rows; and each output must be all of the old one, right everywhere.
 * Paddings, strides and shapes are worked out afresh from the files. Operators that have a state or an effect
 * must all be there, in order. Names and metadata (but for signatures) do not count. Kernels are taken to be
 * deterministic. Memory from `allocator` (NULL: malloc) is given back before it returns. Cost: O(n log n) in
 * the bytes of both files; files that share so much that it would take more get TA_CANNOT_TELL. Errors:
 * UNSUPPORTED (no .tflite), MEMORY. */
ta_status ta_verify_same(const ta_allocator *allocator, const ta_model *new_model, const ta_model *old_model,
                         ta_same *out, ta_error *error);

/* ---- the whole arena of TensorFlow Lite Micro -----------------------------------------------------------
 */

/* 24 bytes on every target. */
typedef struct ta_size_options {
  uint32_t target;       /* ta_target */
  uint32_t kernels;      /* ta_kernels */
  uint32_t planner;      /* TA_PLANNER_OWN or TA_PLANNER_LINEAR */
  uint32_t format;       /* TA_FORMAT_JSON or TA_FORMAT_TEXT */
  uint64_t budget_bytes; /* the arena there is; TA_NO_OFFSET: not said */
} ta_size_options;

/* cortex-m, reference, own, JSON, no budget. */
void ta_size_options_init(ta_size_options *options);

/* 40 bytes on every target. */
typedef struct ta_size {
  uint64_t head_bytes;       /* planned buffers: tensors and scratch */
  uint64_t tail_bytes;       /* what is kept for good */
  uint64_t arena_used_bytes; /* both: what the runtime's arena_used_bytes() says */
  uint64_t min_arena_bytes;  /* the smallest arena, in steps of 16 and 16-aligned, that AllocateTensors
                                accepts; TA_NO_OFFSET: not known (linear) */
  uint32_t covered;          /* 0: operators outside TFLM's own are left out, the figures are lower bounds */
  uint32_t fits;             /* with a budget: 0 not decided, 1 yes, 2 no */
} ta_size;

/* How large TFLM's arena must be for a .tflite model, itemised, as text. `options` may be NULL (defaults),
 * `out` too. *text stays the model's, until the next call or ta_model_free. Cost: that of planning under
 * tflm. Errors: ARGUMENT (an option out of its range), UNSUPPORTED (no .tflite model; CMSIS-NN at lp64),
 * REFUSED (TFLM itself would refuse the model), LIMIT (a size past its 32-bit offsets), MEMORY. */
ta_status ta_model_size(ta_model *model, const ta_size_options *options, ta_size *out, const char **text,
                        size_t *len, ta_error *error);

/* ---- writing an offline plan ------------------------------------------------------------------------------
 */

/* A copy of a .tflite file with an offline plan for TensorFlow Lite Micro in it: `offsets` has one entry for
 * each tensor of every subgraph, in order, in bytes from the head's start, or -1 where the runtime is to find
 * the place. Whether the offsets make a plan is not looked at. A plan that the file has already is
 * overwritten where it lies (of several the last, which is the one that is read); otherwise a new root, with
 * the old entries and one more, is put in front, and every byte of the old file stands unchanged behind it,
 * moved by a multiple of 16. *out has *out_len bytes and is the caller's, who gives it back to the same
 * allocator (NULL: free). Cost: O(n) in the file's bytes. Errors: UNSUPPORTED (no .tflite file; one that
 * refers to positions in itself by number, has fields this library does not know or no buffers; a plan of
 * another length there), ARGUMENT (not one offset a tensor, or one below -1), LIMIT (more than 2 GiB),
 * MEMORY. */
ta_status ta_offline_write(const ta_allocator *allocator, const ta_model *model, const int32_t *offsets,
                           uint32_t n, uint8_t **out, size_t *out_len, ta_error *error);

/* ---- the same model in a smaller arena --------------------------------------------------------------------
 *
 * A model is rewritten so that it computes the same outputs with the same kernels in a smaller arena: its
 * operators in another order, PADs folded into convolutions, windows of operators cut into strips, and the
 * smallest plan written into the file.
 */

typedef struct ta_shrink ta_shrink;

/* What is done, in this order. */
typedef enum ta_shrink_step_id {
  TA_SHRINK_ORDER = 1,
  TA_SHRINK_FOLD = 2,
  TA_SHRINK_STRIPS = 4,
  TA_SHRINK_PLAN = 8,
  TA_SHRINK_ALL = 15
} ta_shrink_step_id;

/* 48 bytes on every target. */
typedef struct ta_shrink_options {
  uint64_t
      budget_bytes;    /* the arena there is: as few multiply-accumulates as fit it; TA_NO_OFFSET: not said */
  uint64_t nodes;      /* evaluations that the search for windows may spend; 0: TA_DEFAULT_SHRINK_NODES */
  uint64_t plan_nodes; /* nodes that each search for the smallest plan may spend; 0: TA_DEFAULT_NODES */
  uint32_t target;     /* ta_target */
  uint32_t kernels;    /* ta_kernels */
  uint32_t steps;      /* a set of ta_shrink_step_id */
  uint32_t macs;       /* multiply-accumulates that strips may add, in thousandths of the model's */
  uint32_t force;      /* 1: a file also where nothing is gained, and in place of a plan in the file */
  uint32_t reserved;   /* 0 */
} ta_shrink_options;

#define TA_DEFAULT_SHRINK_NODES UINT64_C(20000)

/* cortex-m, reference, all steps, 100 thousandths, no budget. */
void ta_shrink_options_init(ta_shrink_options *options);

/* What came of it. 112 bytes on every target. */
typedef struct ta_shrink_outcome {
  ta_size before, after; /* of the model, and of the new file (without one: of the model) */
  uint64_t nodes;        /* evaluations spent */
  uint64_t macs, extra_macs;
  uint64_t copied_bytes; /* by added operators, in a run */
} ta_shrink_outcome;

/* `options` may be NULL. `windows` (may be NULL: they are searched for) gives the windows by hand, as text:
 * FIRST-LAST:N, operator indices after the steps before and the number of strips, then :exact= and a list of
 * operators, :trim= and a list of tensors, both optional; several windows with blanks between them
 * ("0-3:4:trim=51 4-7:2"). The model must outlive the handle. Errors: ARGUMENT, SYNTAX (windows), UNSUPPORTED
 * (no .tflite model; a file that cannot be rewritten, or has a plan), REFUSED (by TFLM), LIMIT, MEMORY. */
ta_status ta_shrink_new(const ta_allocator *allocator, const ta_model *model,
                        const ta_shrink_options *options, const char *windows, ta_shrink **out,
                        ta_error *error);
void ta_shrink_free(ta_shrink *shrink);

/* Spends at most about `max_nodes` evaluations; *done is 1 when all has been done. Where the slices are cut
 * changes nothing. Errors: ARGUMENT (windows by hand that cannot be), LIMIT, MEMORY. After a failure the
 * handle is only to be freed. */
ta_status ta_shrink_step(ta_shrink *shrink, uint64_t max_nodes, uint32_t *done, ta_error *error);

/* No more is searched: the steps that follow write the best that was found. */
void ta_shrink_hurry(ta_shrink *shrink);

/* The new file, when all has been done: it stays the handle's. NULL: nothing is gained. */
const uint8_t *ta_shrink_file(const ta_shrink *shrink, size_t *len);
void ta_shrink_figures(const ta_shrink *shrink, ta_shrink_outcome *out);

/* What was done, as JSON. *text stays the handle's, until the next call or ta_shrink_free. Errors: STATE (not
 * done), MEMORY. */
ta_status ta_shrink_report(ta_shrink *shrink, const char **text, size_t *len, ta_error *error);

/* ---- the interpreter's walk -------------------------------------------------------------------------------
 *
 * What TensorFlow Lite's interpreter does to its memory planner while it allocates and invokes a graph with
 * dynamic tensors, without computing anything. The bytes of what follows a dynamic tensor are known only when
 * its operator has run; so nodes are prepared (given their tensors' places) as far as the first one with a
 * dynamic output, that node runs, the host says how many bytes came out, and the next nodes are prepared.
 */
typedef struct ta_walk ta_walk;

/* Where an invocation has arrived. 16 bytes on every target. */
typedef struct ta_walk_step {
  int32_t node;                        /* the node that runs now; -1: the graph has none */
  int32_t planned_first, planned_last; /* the nodes that were given places on the way here; -1, -1: none */
  uint32_t done; /* 1: it is the invocation's last node; the next step is node 0 of another invocation */
} ta_walk_step;

/* A walk over the options' subgraph under tflite-2018 or tflite, with that runtime's own planner. `options`
 * may be NULL; the default runtime here is tflite-2018 for graphs, tflite for .tflite. The model must outlive
 * the walk. Errors: those of ta_planner_new and ta_planner_plan; UNSUPPORTED (another runtime or planner). */
ta_status ta_walk_new(const ta_allocator *allocator, const ta_model *model, const ta_planner_options *options,
                      ta_walk **out, ta_error *error);
void ta_walk_free(ta_walk *walk);

/* The walk's planner, to read places and totals and to retype tensors; the walk's own, until ta_walk_free. */
ta_planner *ta_walk_planner(const ta_walk *walk);

/* AllocateTensors: forgets every place, then prepares nodes from 0 up to the first that has a dynamic output
 * (or the last node). The next step is node 0. *out, if not NULL, says what was planned (node is -1). Costs
 * O(tensors) and what the range costs. Errors: those of ta_planner_execute. */
ta_status ta_walk_allocate(ta_walk *walk, ta_walk_step *out, ta_error *error);

/* Goes on to the invocation's next node; when that has not been prepared, prepares it and those after it, up
 * to the first with a dynamic output. Starts with ta_walk_allocate when that has not been called, or a graph
 * input was given other bytes since. *out may be NULL. Invocations that change no bytes plan nothing. Costs
 * what the range costs. Errors: those of ta_planner_execute; the step is then not taken. */
ta_status ta_walk_next(ta_walk *walk, ta_walk_step *out, ta_error *error);

/* A tensor has other bytes: a dynamic one whose node has just run; one that is not placed yet, whose bytes
 * the next preparation would work out; or a graph input, and then the next step starts over. Under tflite,
 * other bytes than before for a dynamic output of the node that runs now also forget the places of all nodes
 * after it, which are then prepared again. Errors: INDEX, LIMIT, STATE (the tensor has its place in an
 * arena). */
ta_status ta_walk_set_bytes(ta_walk *walk, uint32_t tensor, uint64_t bytes, ta_error *error);

#ifdef __cplusplus
}
#endif
#endif
