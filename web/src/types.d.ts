/** Shapes that pass between the page's modules. */

export interface ModelTensor {
  name: string;
  dtype: string | null;
  shape: readonly number[];
  bytes: number | null;
  type: string;
  isVariable: boolean;
}

export interface ModelNode {
  name: string;
  inputs: readonly number[];
  outputs: readonly number[];
  temporaries: readonly number[];
}

export interface ModelSubgraph {
  name: string;
  tensors: readonly ModelTensor[];
  nodes: readonly ModelNode[];
  inputs: readonly number[];
  outputs: readonly number[];
}

export interface ModelInfo {
  kind: 'tflite' | 'graph' | 'csv' | 'plan';
  name: string;
  /** 0 for a plan file, whose size says nothing of its model. */
  fileBytes: number;
  subgraphs: readonly ModelSubgraph[];
  /** Runtimes that can plan this kind of input. */
  runtimes: readonly string[];
  /** A buffer list that has offsets: a plan of its own. */
  hasOffsets: boolean;
}

export interface Problem {
  code: string;
  text: string;
  subgraph?: number;
  tensor?: number;
  node?: number;
  /** The buffers it is about, where the plan was given. */
  buffers?: readonly number[];
}

/** The plan JSON of the core, without its buffers. */
export interface PlanHead {
  runtime: string;
  planner: string;
  subgraph: number | null;
  alignment: { arena: number; tensor: number };
  /** 'unsound' is the page's own word for a given plan with faults. */
  status: 'unplanned' | 'feasible' | 'optimal' | 'overlapping' | 'unsound' | 'undecided';
  arena_bytes: number;
  persistent_bytes: number;
  lower_bound_bytes: number;
  constant_bytes: number;
  peak: { step: number; live_bytes: number };
  steps: number;
  timeline: readonly { subgraph: number; node: number | null }[];
  problems: readonly Problem[];
  budget_bytes?: number;
  fits?: boolean | null;
  /** Rounded to tenths by the core; not there where nothing is claimed. */
  above_bound_percent?: number | undefined;
  /** With any of these, every figure is a lower bound. */
  unknown?: { tensors: number; operators: number };
  /** tflm: what the figures depend on, and the whole arena. */
  target?: string;
  kernels?: string;
  head_bytes?: number | null;
  tail_bytes?: number | null;
  min_arena_bytes?: number | null;
  /** What the runtime takes beside this arena. */
  not_counted?: { text: string };
  /** Whose figures they are. */
  tool_version?: string;
}

/** One entry a buffer. */
export interface Columns {
  n: number;
  bytes: Float64Array;
  /** NaN: not placed. */
  offset: Float64Array;
  first: Int32Array;
  last: Int32Array;
  /** 0 in no arena, 1 rw, 2 persistent. */
  arena: Uint8Array;
  /** Index of the tensor, of a scratch buffer's node, or of the row. */
  index: Int32Array;
  subgraph: Int32Array;
  /** 1: scratch. */
  scratch: Uint8Array;
  /** The buffer whose bytes these are, or -1. */
  shares: Int32Array;
}

/** The whole arena of TensorFlow Lite Micro. */
export interface ArenaPart {
  label: string;
  bytes: number;
}
export interface WholeArena {
  total: number;
  smallest: number | null;
  head: number;
  tail: number;
  parts: readonly ArenaPart[];
  /** Each by itself: whose it is (a node of a subgraph, a tensor), and what. */
  items: readonly { what: string; bytes: number; subgraph?: number; node?: number; tensor?: number }[];
  complete: boolean;
  /** The figures are those of the file with this plan in it. */
  rewritten: boolean;
  /** What its size is rounded up to. */
  align: number;
  /** What arena_used_bytes() will say. */
  used: number;
  target: string;
  kernels: string;
  notes: readonly string[];
}

/** Something one can do to need less, as the engine found it. */
export interface Offer {
  /** What it is called in file names and calls. */
  id: string;
  /** What is done: "better places, same tensors". */
  what: string;
  /** What the whole arena is then, and how much less than now. */
  bytes: number;
  saves: number;
  /** What it costs, in words; '' for nothing. */
  cost: string;
  /** The figures hold once the file is written anew, and it can be saved. */
  isFile: boolean;
  /** What to ask for to see it here. */
  change: Partial<PlanOptions> | null;
}

/** Two buffers that share bytes [low, high) while both live, in steps [first, last]. */
export interface Clash {
  a: number;
  b: number;
  bytes: [number, number];
  steps: [number, number];
}

/** Live bytes as they change: entry i holds from step[i] up to step[i + 1]; `before` and `after` are the maxima around it. */
export interface Changes {
  step: Int32Array;
  live: Float64Array;
  before: Float64Array;
  after: Float64Array;
}

export interface PlanData {
  head: PlanHead;
  columns: Columns;
  names: readonly string[];
  whole: WholeArena | null;
  /** How a search ended that has not proved its plan the smallest: by somebody, or at its node budget. */
  search: '' | 'stopped' | 'spent';
  unknownSizes: number;
  /** What the runtime that was to be asked first said to the model; null: it took it. */
  refusal: { runtime: string; text: string } | null;
  changes: Changes;
  clashes: readonly Clash[];
  /** What the core holds for the model and its picture. */
  memoryBytes: number;
}

/** A plan with all that the page tells of it, for a page without its model. */
export interface FrozenPlan {
  info: ModelInfo;
  plan: object;
  whole: WholeArena | null;
  search: PlanData['search'];
  unknownSizes: number;
  refusal: PlanData['refusal'];
  /** Why each buffer lies where it does; none where there are too many. */
  whys: readonly (Why | null)[];
}

export interface PlanOptions {
  runtime: string;
  planner: string;
  alignment: number;
  subgraph: number;
  kernels: string;
  target: string;
}

export interface Viewport {
  x0: number;
  x1: number;
  y0: number;
  y1: number;
}

/** What the core painted. */
export interface Picture {
  viewport: Viewport;
  width: number;
  height: number;
  ids: Uint32Array;
  pixels: Uint8ClampedArray;
  /** Buffers with room for a label. */
  labels: Uint32Array;
  /** What it took to paint, milliseconds. */
  cost: number;
}

export interface Ink {
  fill: number;
  mark: number;
  texture: number;
}

export type Why = import('../../wasm/index.js').Why;

export interface Failure {
  title: string;
  text: string;
  next: string;
  detail: string;
  /** What may help at once: reading again what was given, or a picture of fewer pixels. */
  offers?: 'again' | 'coarser' | undefined;
}

/** A picture to paint: a viewport on so many pixels. */
export interface Frame extends Viewport {
  width: number;
  height: number;
  /** Low addresses at the top. */
  down: boolean;
}
