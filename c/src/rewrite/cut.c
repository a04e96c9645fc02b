#include "rewrite/cut.h"

#include "base/num.h"

/* ---- divisions of signed numbers by positive ones ---- */

static int32_t div_down(int64_t a, int32_t b) {
  return (int32_t)(a >= 0 ? a / b : -((-a + b - 1) / b));
}

static int32_t div_up(int64_t a, int32_t b) {
  return div_down(a + b - 1, b);
}

static ta_range within(ta_range range, int32_t length) {
  return (ta_range){ta_max_i32(range.from, 0), ta_min_i32(range.to, length)};
}

/* ---- what is needed ---- */

static ta_range bilinear_need(const ta_cut *cut, const ta_cut_axis *axis, ta_range out) {
  int32_t f = axis->factor;
  if (f == 1) return out;
  if (!cut->half_pixel) return (ta_range){out.from / f, (out.to - 1) / f + 2};
  /* A row r lies at (r + 1/2) / f - 1/2 of the input. */
  return (ta_range){div_down(2 * (int64_t)out.from + 1 - f, 2 * f),
                    div_down(2 * (int64_t)out.to - 1 - f, 2 * f) + 2};
}

/* Between the outputs of a filter smaller than the stride are rows that need no input: they get the nearest.
 */
static ta_range transposed_need(const ta_cut_axis *axis, ta_range out) {
  ta_range need = within((ta_range){div_up((int64_t)out.from + axis->before - axis->extent + 1, axis->stride),
                                    (out.to - 1 + axis->before) / axis->stride + 1},
                         axis->in);
  if (need.from >= need.to) need.from = need.to - 1;
  return need;
}

/* A strip of nothing but padding still needs one row to be padded. */
static ta_range pad_need(const ta_cut_axis *axis, ta_range out) {
  ta_range need = within((ta_range){out.from - axis->pads[0], out.to - axis->pads[0]}, axis->in);
  if (need.from < need.to) return need;
  return out.to <= axis->pads[0] ? (ta_range){0, 1} : (ta_range){axis->in - 1, axis->in};
}

/* The rows under the filter, those of the padding too. */
static ta_range under_filter(const ta_cut_axis *axis, ta_range out) {
  return (ta_range){out.from * axis->stride - axis->before,
                    (out.to - 1) * axis->stride - axis->before + axis->extent};
}

ta_range ta_cut_need(const ta_cut *cut, int a, ta_range out) {
  const ta_cut_axis *axis = &cut->axis[a];
  switch ((ta_reach)cut->reach) {
  case TA_REACH_FILTER:
  case TA_REACH_POOL:
    return within(under_filter(axis, out), axis->in);
  case TA_REACH_PAD:
    return pad_need(axis, out);
  case TA_REACH_NEAREST:
  case TA_REACH_SPREAD:
    return (ta_range){out.from / axis->factor, div_up(out.to, axis->factor)};
  case TA_REACH_BILINEAR:
    return within(bilinear_need(cut, axis, out), axis->in);
  case TA_REACH_GATHER:
    return (ta_range){out.from * axis->factor, out.to * axis->factor};
  case TA_REACH_TRANSPOSED:
    return transposed_need(axis, out);
  default:
    return out;
  }
}

ta_range ta_cut_raw(const ta_cut *cut, int a, ta_range out) {
  bool slides = cut->reach == TA_REACH_FILTER || cut->reach == TA_REACH_POOL;
  return slides ? under_filter(&cut->axis[a], out) : ta_cut_need(cut, a, out);
}

/* ---- what comes out ---- */

static bool keep_filter(const ta_cut *cut, const ta_cut_axis *axis, ta_held_range in, ta_held_range *out) {
  int32_t n = ta_range_length(in.stored), s = axis->stride, ef = axis->extent, count, before = 0;
  if (cut->same) {
    count = div_up(n, s);
    before = ta_max_i32(0, (count - 1) * s + ef - n) / 2;
  } else {
    count = n < ef ? 0 : (n - ef) / s + 1;
  }
  int32_t shift = in.stored.from + axis->before - before;
  if (count == 0 || shift < 0 || shift % s != 0) return false;
  out->stored = (ta_range){shift / s, shift / s + count};
  out->valid.from = in.valid.from == 0 ? 0 : div_up((int64_t)in.valid.from + axis->before, s);
  out->valid.to =
      in.valid.to == axis->in ? axis->out : div_down((int64_t)in.valid.to + axis->before - ef, s) + 1;
  return true;
}

static bool keep_bilinear(const ta_cut *cut, const ta_cut_axis *axis, ta_held_range in, ta_held_range *out) {
  int32_t f = axis->factor, half = cut->half_pixel ? f / 2 : 0;
  out->stored = (ta_range){in.stored.from * f, in.stored.to * f};
  out->valid.from = in.valid.from == 0 ? 0 : in.valid.from * f + half;
  out->valid.to = in.valid.to == axis->in ? axis->out : f == 1 ? in.valid.to : (in.valid.to - 1) * f + half;
  if (f == 1) out->valid.from = in.valid.from;
  return true;
}

static bool keep_transposed(const ta_cut *cut, const ta_cut_axis *axis, ta_held_range in,
                            ta_held_range *out) {
  int32_t s = axis->stride, k = axis->extent;
  out->stored.from = in.stored.from * s;
  out->stored.to = cut->same ? in.stored.to * s : (in.stored.to - 1) * s + k;
  out->valid.from = in.valid.from == 0 ? 0 : (in.valid.from - 1) * s + k - axis->before;
  out->valid.to = in.valid.to == axis->in ? axis->out : in.valid.to * s - axis->before;
  return true;
}

static bool keep_gather(const ta_cut_axis *axis, ta_held_range in, ta_held_range *out) {
  int32_t block = axis->factor;
  if (in.stored.from % block != 0 || ta_range_length(in.stored) % block != 0) return false;
  out->stored = (ta_range){in.stored.from / block, in.stored.to / block};
  out->valid = (ta_range){div_up(in.valid.from, block), in.valid.to / block};
  return true;
}

static ta_range times(ta_range range, int32_t factor) {
  return (ta_range){range.from * factor, range.to * factor};
}

static bool keep(const ta_cut *cut, const ta_cut_axis *axis, ta_held_range in, ta_held_range *out) {
  switch ((ta_reach)cut->reach) {
  case TA_REACH_FILTER:
  case TA_REACH_POOL:
    return keep_filter(cut, axis, in, out);
  case TA_REACH_NEAREST:
  case TA_REACH_SPREAD:
    *out = (ta_held_range){times(in.stored, axis->factor), times(in.valid, axis->factor)};
    return true;
  case TA_REACH_BILINEAR:
    return keep_bilinear(cut, axis, in, out);
  case TA_REACH_GATHER:
    return keep_gather(axis, in, out);
  case TA_REACH_TRANSPOSED:
    return keep_transposed(cut, axis, in, out);
  default:
    *out = in;
    return true;
  }
}

bool ta_cut_keep(const ta_cut *cut, int a, ta_held_range in, ta_held_range *out) {
  const ta_cut_axis *axis = &cut->axis[a];
  if (!keep(cut, axis, in, out)) return false;
  out->valid.from = ta_max_i32(out->valid.from, out->stored.from);
  out->valid.to = ta_min_i32(out->valid.to, out->stored.to);
  return out->stored.from >= 0 && out->stored.to <= axis->out;
}

/* ---- parts ---- */

ta_range ta_cut_part(int32_t length, int32_t least, uint32_t k, uint32_t n) {
  int64_t l = length, m = least;
  if (length % least != 0) return (ta_range){(int32_t)(k * l / n), (int32_t)((k + 1) * l / n)};
  return (ta_range){(int32_t)(l / m * (k * m / n)), (int32_t)(l / m * ((k + 1) * m / n))};
}
