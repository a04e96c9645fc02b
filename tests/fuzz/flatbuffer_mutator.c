#include "fuzz/flatbuffer_mutator.h"

#include <stdbool.h>
#include <string.h>

/* What a table's slot holds. Offsets lead to STRING, BYTES, WORDS, LONGS, TABLE and TABLES. */
typedef enum field_kind { BYTE, WORD, LONG, STRING, BYTES, WORDS, LONGS, TABLE, TABLES } field_kind;

typedef enum table_kind {
  MODEL,
  OPERATOR_CODE,
  SUBGRAPH,
  TENSOR,
  OPERATOR,
  BUFFER,
  METADATA,
  SIGNATURE,
  TENSOR_MAP,
  QUANTIZATION,
  SPARSITY,
  DIMENSION,
  EXTERNAL_BUFFER,
  OPTIONS, /* of any operator: slots of unknown kinds */
} table_kind;

typedef struct field {
  uint8_t of, slot, kind, leads_to;
} field;

static const field schema[] = {
    {MODEL, 0, WORD, 0},
    {MODEL, 1, TABLES, OPERATOR_CODE},
    {MODEL, 2, TABLES, SUBGRAPH},
    {MODEL, 3, STRING, 0},
    {MODEL, 4, TABLES, BUFFER},
    {MODEL, 5, WORDS, 0},
    {MODEL, 6, TABLES, METADATA},
    {MODEL, 7, TABLES, SIGNATURE},
    {MODEL, 9, TABLES, EXTERNAL_BUFFER},
    {OPERATOR_CODE, 0, BYTE, 0},
    {OPERATOR_CODE, 1, STRING, 0},
    {OPERATOR_CODE, 2, WORD, 0},
    {OPERATOR_CODE, 3, WORD, 0},
    {SUBGRAPH, 0, TABLES, TENSOR},
    {SUBGRAPH, 1, WORDS, 0},
    {SUBGRAPH, 2, WORDS, 0},
    {SUBGRAPH, 3, TABLES, OPERATOR},
    {SUBGRAPH, 4, STRING, 0},
    {TENSOR, 0, WORDS, 0},
    {TENSOR, 1, BYTE, 0},
    {TENSOR, 2, WORD, 0},
    {TENSOR, 3, STRING, 0},
    {TENSOR, 4, TABLE, QUANTIZATION},
    {TENSOR, 5, BYTE, 0},
    {TENSOR, 6, TABLE, SPARSITY},
    {TENSOR, 7, WORDS, 0},
    {TENSOR, 8, BYTE, 0},
    {TENSOR, 10, WORD, 0},
    {OPERATOR, 0, WORD, 0},
    {OPERATOR, 1, WORDS, 0},
    {OPERATOR, 2, WORDS, 0},
    {OPERATOR, 3, BYTE, 0},
    {OPERATOR, 4, TABLE, OPTIONS},
    {OPERATOR, 5, BYTES, 0},
    {OPERATOR, 7, BYTES, 0},
    {OPERATOR, 8, WORDS, 0},
    {OPERATOR, 9, LONG, 0},
    {OPERATOR, 10, LONG, 0},
    {OPERATOR, 11, BYTE, 0},
    {OPERATOR, 12, TABLE, OPTIONS},
    {BUFFER, 0, BYTES, 0},
    {BUFFER, 1, LONG, 0},
    {BUFFER, 2, LONG, 0},
    {METADATA, 0, STRING, 0},
    {METADATA, 1, WORD, 0},
    {SIGNATURE, 0, TABLES, TENSOR_MAP},
    {SIGNATURE, 1, TABLES, TENSOR_MAP},
    {SIGNATURE, 2, STRING, 0},
    {SIGNATURE, 4, WORD, 0},
    {TENSOR_MAP, 0, STRING, 0},
    {TENSOR_MAP, 1, WORD, 0},
    {QUANTIZATION, 2, WORDS, 0},
    {QUANTIZATION, 3, LONGS, 0},
    {QUANTIZATION, 6, WORD, 0},
    {SPARSITY, 0, WORDS, 0},
    {SPARSITY, 1, WORDS, 0},
    {SPARSITY, 2, TABLES, DIMENSION},
    {DIMENSION, 0, BYTE, 0},
    {DIMENSION, 1, WORD, 0},
    {EXTERNAL_BUFFER, 0, WORD, 0},
    {EXTERNAL_BUFFER, 1, WORD, 0},
    {EXTERNAL_BUFFER, 2, LONG, 0},
    {EXTERNAL_BUFFER, 3, LONG, 0},
    {OPTIONS, 0, WORD, 0},
    {OPTIONS, 1, WORD, 0},
    {OPTIONS, 2, WORD, 0},
    {OPTIONS, 3, WORD, 0},
    {OPTIONS, 4, WORD, 0},
    {OPTIONS, 5, WORD, 0},
};

/* A place worth changing. */
typedef enum site_kind { SITE_BYTE, SITE_WORD, SITE_LONG, SITE_COUNT, SITE_OFFSET, SITE_SLOT } site_kind;

typedef struct site {
  uint32_t at;
  uint8_t what;           /* site_kind */
  uint8_t kind, leads_to; /* of an offset: what it leads to */
} site;

#define MAX_SITES 4096u
#define MAX_TODO  1024u

typedef struct walk {
  uint8_t *data;
  size_t size, capacity;
  site sites[MAX_SITES];
  uint32_t n_sites;
  struct {
    uint32_t at;
    uint8_t table;
  } todo[MAX_TODO];
  uint32_t n_todo;
  uint64_t random;
} walk;

static uint32_t next_random(walk *w) {
  uint64_t z = w->random += UINT64_C(0x9E3779B97F4A7C15);
  z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
  return (uint32_t)(z >> 33);
}

static uint32_t below(walk *w, uint32_t n) {
  return next_random(w) % n;
}

static bool inside(const walk *w, uint64_t at, uint64_t bytes) {
  return at <= w->size && bytes <= w->size - at;
}

static uint32_t load(const walk *w, uint32_t at, uint32_t bytes) {
  uint32_t value = 0;
  if (inside(w, at, bytes)) memcpy(&value, w->data + at, bytes);
  return value;
}

static void store(walk *w, uint32_t at, uint64_t value, uint32_t bytes) {
  if (inside(w, at, bytes)) memcpy(w->data + at, &value, bytes);
}

static void add_site(walk *w, uint32_t at, site_kind what, uint8_t kind, uint8_t leads_to) {
  if (w->n_sites < MAX_SITES) w->sites[w->n_sites++] = (site){at, (uint8_t)what, kind, leads_to};
}

static void add_table(walk *w, uint64_t at, uint8_t of) {
  if (!inside(w, at, 4) || w->n_todo == MAX_TODO) return;
  w->todo[w->n_todo].at = (uint32_t)at;
  w->todo[w->n_todo++].table = of;
}

static uint32_t element_bytes(uint8_t of) {
  return of == LONGS ? 8 : of == WORDS || of == TABLES ? 4 : 1;
}

static void visit_vector(walk *w, uint64_t at, uint8_t of, uint8_t leads_to) {
  if (!inside(w, at, 4)) return;
  uint32_t count = load(w, (uint32_t)at, 4), step = element_bytes(of);
  add_site(w, (uint32_t)at, SITE_COUNT, of, 0);
  for (uint32_t i = 0; i < count && i < 64 && inside(w, at + 4 + (uint64_t)i * step, step); i++) {
    uint32_t element = (uint32_t)at + 4 + i * step;
    if (of == TABLES) {
      add_site(w, element, SITE_OFFSET, TABLE, leads_to);
      add_table(w, (uint64_t)element + load(w, element, 4), leads_to);
    } else if (of == WORDS) {
      add_site(w, element, SITE_WORD, 0, 0);
    } else if (i < 8) {
      add_site(w, element, SITE_BYTE, 0, 0);
    }
  }
}

static void visit_field(walk *w, uint32_t at, const field *f) {
  if (f->kind <= LONG) {
    add_site(w, at, f->kind == BYTE ? SITE_BYTE : f->kind == WORD ? SITE_WORD : SITE_LONG, 0, 0);
    return;
  }
  add_site(w, at, SITE_OFFSET, f->kind, f->leads_to);
  uint64_t target = (uint64_t)at + load(w, at, 4);
  if (f->kind == TABLE)
    add_table(w, target, f->leads_to);
  else
    visit_vector(w, target, f->kind, f->leads_to);
}

static void visit_table(walk *w, uint32_t at, uint8_t of) {
  int64_t vtable = (int64_t)at - (int32_t)load(w, at, 4);
  if (vtable < 0 || !inside(w, (uint64_t)vtable, 4)) return;
  uint32_t vtable_bytes = load(w, (uint32_t)vtable, 2);
  add_site(w, (uint32_t)vtable, SITE_SLOT, 0, 0);
  for (size_t i = 0; i < sizeof schema / sizeof *schema; i++) {
    const field *f = &schema[i];
    uint32_t slot = 4 + 2u * f->slot;
    if (f->of != of || slot + 2 > vtable_bytes) continue;
    uint32_t entry = (uint32_t)vtable + slot, offset = load(w, entry, 2);
    add_site(w, entry, SITE_SLOT, 0, 0);
    if (offset != 0 && inside(w, (uint64_t)at + offset, 1)) visit_field(w, at + offset, f);
  }
}

static void find_sites(walk *w) {
  add_site(w, 0, SITE_OFFSET, TABLE, MODEL);
  add_table(w, load(w, 0, 4), MODEL);
  while (w->n_todo > 0 && w->n_sites < MAX_SITES) {
    w->n_todo--;
    visit_table(w, w->todo[w->n_todo].at, w->todo[w->n_todo].table);
  }
}

/* ---- changes ---- */

static uint64_t interesting(walk *w, uint64_t old) {
  static const uint64_t values[] = {0,
                                    1,
                                    2,
                                    3,
                                    4,
                                    6,
                                    16,
                                    32,
                                    64,
                                    119,
                                    127,
                                    128,
                                    255,
                                    256,
                                    65535,
                                    65536,
                                    0x7FFFFFFF,
                                    0x80000000,
                                    0xFFFFFFFE,
                                    0xFFFFFFFF,
                                    0x100000000,
                                    0x20000000000000,
                                    0x7FFFFFFFFFFFFFFF,
                                    0xFFFFFFFFFFFFFFFF};
  switch (below(w, 6)) {
  case 0:
    return old + 1;
  case 1:
    return old - 1;
  case 2:
    return old * 2;
  case 3:
    return below(w, 16);
  case 4:
    return UINT64_C(1) << below(w, 40);
  default:
    return values[below(w, sizeof values / sizeof *values)];
  }
}

/* Another site with the same use, or the one itself. */
static const site *alike(walk *w, const site *as) {
  for (int attempt = 0; attempt < 32; attempt++) {
    const site *other = &w->sites[below(w, w->n_sites)];
    if (other->what == as->what && other->kind == as->kind && other->leads_to == as->leads_to) return other;
  }
  return as;
}

/* Copies the vector to the end of the file with more elements, repeating those it has, and leads to it. */
static void grow_vector(walk *w, const site *s) {
  uint32_t from = s->at + load(w, s->at, 4), step = element_bytes(s->kind);
  uint32_t count = load(w, from, 4), more = 1 + below(w, below(w, 8) == 0 ? 256 : 4);
  uint64_t to = ((uint64_t)w->size + 7) / 8 * 8 + 4;
  uint64_t bytes = 4 + ((uint64_t)count + more) * step;
  if (!inside(w, from, 4 + (uint64_t)count * step) || to + bytes > w->capacity || to < s->at) return;
  memset(w->data + w->size, 0, (size_t)(to + bytes) - w->size);
  w->size = (size_t)(to + bytes);
  store(w, (uint32_t)to, count + more, 4);
  for (uint32_t i = 0; i < count + more; i++) {
    uint32_t source = from + 4 + (i < count || count == 0 ? i : below(w, count)) * step;
    uint32_t target = (uint32_t)to + 4 + i * step;
    if (count == 0)
      store(w, target, below(w, 4), step);
    else if (s->kind == TABLES)
      store(w, target, source + load(w, source, 4) - target, 4);
    else
      memcpy(w->data + target, w->data + source, step);
  }
  store(w, s->at, (uint32_t)to - s->at, 4);
}

static void change_offset(walk *w, const site *s) {
  bool vector = s->kind != TABLE;
  uint32_t choice = below(w, vector ? 8 : 5);
  if (choice >= 4 && vector) {
    grow_vector(w, s);
  } else if (choice == 0) {
    store(w, s->at, load(w, s->at, 4) + (below(w, 9) - 4) * 4, 4);
  } else if (choice == 1 && below(w, 4) == 0) {
    store(w, s->at, interesting(w, load(w, s->at, 4)), 4);
  } else {
    const site *other = alike(w, s);
    store(w, s->at, other->at + load(w, other->at, 4) - s->at, 4);
  }
}

static void change(walk *w, const site *s) {
  switch ((site_kind)s->what) {
  case SITE_BYTE:
    store(w, s->at, interesting(w, load(w, s->at, 1)), 1);
    break;
  case SITE_WORD:
    if (below(w, 3) == 0)
      store(w, s->at, load(w, alike(w, s)->at, 4), 4);
    else
      store(w, s->at, interesting(w, load(w, s->at, 4)), 4);
    break;
  case SITE_LONG:
    store(w, s->at, interesting(w, load(w, s->at, 4)), 8);
    break;
  case SITE_COUNT:
    store(w, s->at, interesting(w, load(w, s->at, 4)), 4);
    break;
  case SITE_OFFSET:
    change_offset(w, s);
    break;
  case SITE_SLOT:
    store(w, s->at, below(w, 3) == 0 ? 0 : load(w, alike(w, s)->at, 2), 2);
    break;
  }
}

size_t fuzz_mutate_flatbuffer(uint8_t *data, size_t size, size_t capacity, uint32_t seed) {
  static walk w; /* large; the fuzzer runs on one thread */
  if (size < 8 || size > UINT32_MAX / 2) return 0;
  w.data = data;
  w.size = size;
  w.capacity = capacity;
  w.n_sites = w.n_todo = 0;
  w.random = seed;
  find_sites(&w);
  if (w.n_sites < 2) return 0;
  for (uint32_t changes = 1 + below(&w, 4); changes > 0; changes--)
    change(&w, &w.sites[below(&w, w.n_sites)]);
  return w.size;
}
