/** How neural-network runtimes lay tensors out in memory. */

/** Where the package's wasm comes from, when not from the file beside it. */
export type WasmSource =
  | ArrayBuffer
  | ArrayBufferView
  | WebAssembly.Module
  | URL
  | string
  | (() => WasmValue | Promise<WasmValue>);
export type WasmValue = ArrayBuffer | ArrayBufferView | WebAssembly.Module | URL | string;

/**
 * What `open` reads: the bytes of any file (.tflite, C source with a .tflite as byte array, buffer-list CSV, graph JSON, plan JSON), the text of a
 * buffer list or of JSON, or an object that was JSON.
 */
export type Input = ArrayBuffer | ArrayBufferView | string | Graph | Plan;

export interface OpenOptions {
  /** What reports call the source. */
  readonly name?: string;
  readonly wasm?: WasmSource;
}

/** Opens a model in a sandbox of its own. There is nothing to close. */
export function open(input: Input, options?: OpenOptions): Promise<Model>;

/** The same at once, for Node and workers: browsers' main threads may refuse to compile without waiting. */
export function openSync(input: Input, options: OpenSyncOptions): Model;

export interface OpenSyncOptions {
  readonly name?: string;
  readonly wasm: ArrayBuffer | ArrayBufferView | WebAssembly.Module;
}

/* ---- graphs ---- */

export type AllocationType = 'arena_rw' | 'arena_rw_persistent' | 'dynamic' | 'mmap_ro' | 'none' | 'custom';

export interface Graph {
  readonly format?: 'tensor-arena-graph';
  readonly version?: 1;
  readonly name?: string;
  /** Of each tensor, bytes: a power of two up to 1048576. An alignment given as an option goes before it. */
  readonly alignment?: number;
  readonly preserve_all?: boolean;
  readonly tensors: readonly GraphTensor[];
  readonly nodes: readonly GraphNode[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  /** Default: the tensors with `is_variable`. */
  readonly variables?: readonly number[];
}

export interface GraphTensor {
  readonly name?: string;
  readonly bytes: number;
  /** Default: `arena_rw`; of a variable, `arena_rw_persistent`. */
  readonly type?: AllocationType;
  readonly is_variable?: boolean;
}

/** Indices of tensors; -1 is an absent input or output. */
export interface GraphNode {
  readonly name?: string;
  readonly inputs?: readonly number[];
  readonly outputs?: readonly number[];
  readonly temporaries?: readonly number[];
  /** Which inputs the first output may share bytes with: 4, 8, 16 for inputs 0 to 2; 1: data unmodified. */
  readonly inplace?: number;
}

/** A planner's call as data. */
export type Operation =
  | { readonly op: 'plan' | 'reset' | 'release' | 'acquire' }
  | { readonly op: 'execute'; readonly first: number; readonly last: number }
  | { readonly op: 'reset_after'; readonly node: number }
  | { readonly op: 'resize'; readonly tensor: number; readonly bytes: number }
  | { readonly op: 'retype'; readonly tensor: number; readonly type: AllocationType };

/* ---- models ---- */

export type Kind = 'tflite' | 'graph' | 'csv';

export interface Problem {
  readonly code: string;
  readonly text: string;
  readonly subgraph?: number;
  readonly tensor?: number;
  readonly node?: number;
}

/** What is known of a model before anything is planned. */
export interface ModelDescription {
  readonly kind: Kind;
  readonly name: string;
  /** .tflite: the version of its schema; otherwise 0. */
  readonly schema_version: number;
  /** The graph's own wish; 0: none. */
  readonly alignment: number;
  readonly preserve_all: boolean;
  readonly subgraphs: readonly Subgraph[];
  readonly signatures: readonly Signature[];
  /** Names, in file order. */
  readonly metadata: readonly string[];
  readonly constant_bytes: number;
  readonly has_offline_plan: boolean;
  /** Buffer lists: their rows. */
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
}

export interface Model {
  readonly kind: Kind | 'plan';
  readonly name: string;
  readonly description: ModelDescription;
  readonly subgraphs: readonly Subgraph[];
  /** Those of the main subgraph. */
  readonly tensors: readonly Tensor[];
  readonly nodes: readonly Node[];
  readonly signatures: readonly Signature[];
  readonly rows: readonly Row[];
  readonly problems: readonly Problem[];
  planner(options?: PlannerOptions): Planner;
  /** The interpreter's memory while it runs a graph with dynamic tensors, without computing. */
  interpreter(options?: InterpreterOptions): Interpreter;
  /** .tflite: the whole arena that TensorFlow Lite Micro needs for it. */
  size(options?: SizeOptions): Size;
  /** The same as a short text. */
  sizeText(options?: SizeOptions): string;
  /**
   * .tflite: the file with the smallest plan for TensorFlow Lite Micro in it, as OfflineMemoryAllocation
   * metadata, and what it gains: what the runtime will do with it is simulated on the written file. Never makes
   * it worse; refuses a file whose plan overlaps on purpose.
   */
  writeOfflinePlan(options?: OfflineOptions): Promise<OfflineResult>;
}

export interface Subgraph {
  readonly name: string;
  readonly tensors: readonly Tensor[];
  readonly nodes: readonly Node[];
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly variables: readonly number[];
}

export interface Tensor {
  readonly name: string;
  /** null: not known before the model runs. */
  readonly bytes: number | null;
  readonly type: AllocationType;
  readonly is_variable: boolean;
  readonly is_constant: boolean;
  /** What follows is there for .tflite only. A number stands for an element type without a name here. */
  readonly dtype?: string | number | null;
  readonly shape?: readonly number[];
  readonly shape_signature?: readonly number[];
  readonly buffer?: number | null;
  readonly sparse?: boolean;
  /** Lengths of the quantization vectors. */
  readonly scales?: number;
  readonly zero_points?: number;
}

export interface Node {
  /** The operator, the custom code, or the graph's own name. */
  readonly name: string;
  readonly inputs: readonly number[];
  readonly outputs: readonly number[];
  readonly temporaries: readonly number[];
  readonly intermediates: readonly number[];
  /** Subgraphs that it runs. */
  readonly calls: readonly number[];
  readonly inplace: number;
  /** .tflite only. */
  readonly op?: number;
  readonly version?: number;
}

export interface Signature {
  readonly key: string;
  readonly subgraph: number;
}

export interface Row {
  readonly id: string;
  readonly first: number;
  readonly last: number;
  readonly bytes: number;
  readonly alignment: number;
  /** Where a plan puts it: to be judged, no constraint. */
  readonly offset: number | null;
  /** Where every plan must put it. */
  readonly fixed: number | null;
  /** In the persistent arena it lives always. */
  readonly arena: 'rw' | 'persistent';
  /** The row whose bytes these are. */
  readonly alias: number | null;
  readonly alias_bytes: number;
}

/* ---- planners ---- */

export type Runtime = 'none' | 'tflite-2018' | 'tflite' | 'tflm';
export type PlannerName = 'own' | 'linear' | 'optimal';
/** `cmsis-nn` is for Cortex-M0 and M3, `-dsp` for M4, M7 and M33, `-mve` for M55 and M85. */
export type Kernels = 'reference' | 'cmsis-nn' | 'cmsis-nn-dsp' | 'cmsis-nn-mve';
export type Target = 'cortex-m' | 'ilp32' | 'lp64';
export type ReportFormat = 'json' | 'text' | 'csv' | 'c' | 'svg';
/**
 * `unplanned`: not executed yet, or a placed buffer has grown since. `overlapping`: the file's offline plan lays live
 * buffers over each other on purpose. `undecided`: it does, and only an ethos-u's command stream tells whether any loses
 * bytes. `unsound`: tensors lose bytes, or lie where they may not.
 */
export type PlanStatus = 'unplanned' | 'feasible' | 'optimal' | 'overlapping' | 'unsound' | 'undecided';

export interface PlannerOptions {
  /** Default: tflm for .tflite, tflite-2018 for graphs, none for buffer lists. */
  readonly runtime?: Runtime;
  /** Default: own; for buffer lists that have no offsets, or keep them, optimal. */
  readonly planner?: PlannerName;
  /** Of each tensor, bytes: a power of two up to 1048576. Default: the graph's, or the runtime's. */
  readonly alignment?: number;
  /** Default: 0. tflm plans all subgraphs together. */
  readonly subgraph?: number;
  /** tflm: they decide which scratch buffers its operators ask for. Default: reference. */
  readonly kernels?: Kernels;
  /** tflm: how large its objects are. Default: cortex-m. */
  readonly target?: Target;
  /** A C header of figures that are lower bounds may be used as it is: without its #error. */
  readonly force?: boolean;
  /** tflite: nothing is freed, nothing shared. Default: what the graph says. */
  readonly preserveAll?: boolean;
  /** Buffer lists: rows with an offset stay there, and the planner (not `own`) puts the others around them. */
  readonly keepOffsets?: boolean;
  /** Bytes that the arena should fit: `optimal` then decides instead of minimising. */
  readonly budget?: number;
  /** How many search nodes `optimal` may spend. Default: 2,000,000. */
  readonly nodes?: number;
}

export interface Planner {
  /** Works out lifetimes; needs no sizes. */
  plan(): void;
  /** Places what the nodes first..last need, both included; without a range, all of them. */
  execute(first?: number, last?: number): void;
  /** Forgets every place; the plan stays. */
  reset(): void;
  /** Forgets the places of tensors that first appear after the node. */
  resetAfter(node: number): void;
  /** Counts from the next execute on. All places go, but with the own planners of `tflite` and `tflite-2018`. */
  resize(tensor: number, bytes: number): void;
  /** Likewise. */
  retype(tensor: number, type: AllocationType): void;
  /**
   * `optimal`: gives a buffer (a tensor, or a row of a list) its place, around which the others go from the next
   * `execute` or `solve` on; null frees it again.
   */
  fix(buffer: number, offset: number | null): void;
  /** tflite: gives the rw arena's memory back, keeping the plan / takes it again. */
  release(): void;
  acquire(): void;
  /**
   * `optimal`: plans and executes in slices between which the event loop runs. The best plan so far is in place
   * after each slice, so also after the signal aborted (which rejects with the signal's reason).
   */
  solve(options?: SolveOptions): Promise<SolveResult>;
  /** Copies of the present places, one entry a tensor (or row). */
  layout(): Layout;
  /** The plan in numbers. Throws before plan(). */
  summary(): Summary;
  /** Why a buffer of the report lies where it does. Throws before plan(). */
  why(buffer: number): Why;
  /** The plan. Throws before plan(). */
  report(): Plan;
  /** The plan as text. Throws before plan(). */
  text(format?: ReportFormat): string;
}

export interface SolveOptions {
  readonly nodes?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SolveProgress) => void;
}

export interface SolveProgress {
  readonly searchNodes: number;
  readonly arenaBytes: number;
  readonly lowerBoundBytes: number;
}

export interface SolveResult extends SolveProgress {
  /** Whether the search ended, so that more nodes would change nothing. */
  readonly done: boolean;
  readonly status: PlanStatus;
  /** With a budget: whether a plan fits; null: not decided. */
  readonly fits: boolean | null;
}

export interface Layout {
  /** As in Summary. */
  readonly arenaBytes: number;
  readonly persistentBytes: number;
  /** Bytes from the base of the tensor's arena; NaN: not placed. */
  readonly offsets: Float64Array;
  readonly bytes: Float64Array;
  /** Lives in steps, both included; -1: never. */
  readonly first: Int32Array;
  readonly last: Int32Array;
  /** 1: it has a place. */
  readonly allocated: Uint8Array;
  /** 0: in no arena; 1: rw; 2: persistent. */
  readonly arena: Uint8Array;
  /** Whose bytes it has, in place or as a view: an index; -1: its own. */
  readonly shares: Int32Array;
}

export interface Summary {
  /** The planned part: the highest byte that a tensor or scratch buffer takes. `Model.size()` tells all that TFLM needs. */
  readonly arenaBytes: number;
  readonly persistentBytes: number;
  readonly lowerBoundBytes: number;
  readonly constantBytes: number;
  readonly peakLiveBytes: number;
  readonly peakStep: number;
  readonly steps: number;
  readonly status: PlanStatus;
  readonly arenaAlignment: number;
  readonly tensorAlignment: number;
  /** What an arena must have for this plan: under tflm `minArenaBytes`, else `arenaBytes`. And for any plan. */
  readonly neededBytes: number;
  readonly leastNeededBytes: number;
  /** tflm: the whole arena. Of `optimal`, once this plan is in the file. null: not known, or another runtime. */
  readonly headBytes: number | null;
  readonly tailBytes: number | null;
  readonly minArenaBytes: number | null;
  /** What is not known: with any, the figures are lower bounds. */
  readonly unknownTensors: number;
  readonly unknownOperators: number;
  readonly searchNodes: number;
  readonly searchEnded: boolean;
  readonly fits: boolean | null;
  /** Of a list's own plan: the arena that `optimal` gives it without a search, where that is smaller or the list's plan is not sound. */
  readonly betterBytes: number | null;
  /** Buffers whose places were given: bound and status are of the plans that keep them. */
  readonly fixedPlaces: number;
}

/** The plan as JSON, version 1. */
export interface Plan {
  readonly format: 'tensor-arena-plan';
  readonly version: 1;
  readonly source: { readonly kind: Kind; readonly name: string };
  readonly runtime: Runtime;
  readonly planner: PlannerName;
  /** null: all subgraphs together, or rows. */
  readonly subgraph: number | null;
  readonly alignment: { readonly arena: number; readonly tensor: number };
  readonly status: PlanStatus;
  /** As `arenaBytes` of Summary. */
  readonly arena_bytes: number;
  readonly persistent_bytes: number;
  readonly lower_bound_bytes: number;
  readonly constant_bytes: number;
  readonly peak: { readonly step: number; readonly live_bytes: number };
  readonly steps: number;
  /** How far the arena is above the lower bound, rounded to tenths; left out where nothing is claimed of it. */
  readonly above_bound_percent?: number;
  /** What is not known: with any of these, every figure is a lower bound. */
  readonly unknown: { readonly tensors: number; readonly operators: number };
  /** tflm: what the figures depend on, and the whole arena; null where it is not known. Of `optimal`, once the plan is in the file. */
  readonly target?: Target;
  readonly kernels?: Kernels;
  readonly head_bytes?: number | null;
  readonly tail_bytes?: number | null;
  readonly min_arena_bytes?: number | null;
  /** tflite, tflite-2018: what the runtime takes beside this arena. */
  readonly not_counted?: { readonly text: string; readonly other_subgraphs: number; readonly other_arena_bytes: number | null };
  readonly tool_version: string;
  readonly timeline: readonly { readonly subgraph: number; readonly node: number | null }[];
  readonly buffers: readonly PlanBuffer[];
  readonly problems: readonly Problem[];
  /** As `betterBytes` of Summary, where there is one. */
  readonly better_bytes?: number;
  readonly budget_bytes?: number;
  readonly fits?: boolean | null;
  /** When it does not fit: how many bytes are missing; of `optimal`, at least. */
  readonly shortfall_bytes?: number;
}

interface PlanBufferBase {
  readonly subgraph: number | null;
  readonly name: string;
  readonly bytes: number;
  readonly arena: 'rw' | 'persistent' | null;
  readonly first: number;
  readonly last: number;
  readonly offset: number | null;
  /** The buffer whose bytes these are. */
  readonly shares?: number;
  /** Where it is not the plan's tensor alignment. */
  readonly alignment?: number;
  /** Its place was given: every plan must put it there. */
  readonly fixed?: true;
}
export interface TensorBuffer extends PlanBufferBase {
  readonly kind: 'tensor';
  readonly tensor: number;
}
export interface RowBuffer extends PlanBufferBase {
  readonly kind: 'tensor';
  readonly id: string;
}
export interface ScratchBuffer extends PlanBufferBase {
  readonly kind: 'scratch';
  readonly node: number;
}
export type PlanBuffer = TensorBuffer | RowBuffer | ScratchBuffer;

/* ---- the interpreter's walk ---- */

export interface InterpreterOptions {
  /** Default: tflite-2018 for graphs, tflite for .tflite. */
  readonly runtime?: 'tflite-2018' | 'tflite';
  readonly alignment?: number;
  readonly subgraph?: number;
  readonly preserveAll?: boolean;
}

/**
 * Nodes get their places as far as the first with a dynamic output; that node runs, the host says how many bytes
 * came out, and the next nodes get theirs.
 */
export interface Interpreter {
  /** Starts over: gives the nodes up to the first with a dynamic output their places, and says which they are. */
  allocateTensors(): readonly [first: number, last: number] | null;
  /** Goes on to the next node of an invocation, giving more nodes their places when it must. */
  next(): WalkStep;
  /** A dynamic tensor, when its node has run, or a graph input has these bytes. */
  setBytes(tensor: number, bytes: number): void;
  /** Copies of the present places. */
  layout(): Layout;
}

export interface WalkStep {
  /** The node that runs now; -1: the graph has none. */
  readonly node: number;
  /** The nodes that got their places on the way here. */
  readonly planned: readonly [first: number, last: number] | null;
  /** It is the invocation's last; the next is node 0 of another. */
  readonly done: boolean;
}

/** Why a buffer has its place. Buffers are indices in the report. */
export interface Why {
  /** It was placed as number `turn` of `turns`; null: the search placed all together. */
  readonly turn: number | null;
  readonly turns: number;
  /** Whose turn came first, in words; null for the search. */
  readonly rule: string | null;
  /** What was placed before it, lives at the same time and lies below it: how many, and the highest of them. */
  readonly inWayCount: number;
  readonly inWay: readonly number[];
  /** The largest gap below it that was too small. */
  readonly gap: { readonly offset: number; readonly bytes: number } | null;
  /** Which buffer had some of its bytes last before it, and which has them next. */
  readonly before: number | null;
  readonly after: number | null;
  /** How many share its bytes in place, and whose bytes it shares. */
  readonly sharers: number;
  readonly root: number | null;
}

/* ---- the whole arena of TensorFlow Lite Micro ---- */

export interface SizeOptions {
  /** Default: cortex-m. */
  readonly target?: Target;
  /** Default: reference. */
  readonly kernels?: Kernels;
  /** Default: own. */
  readonly planner?: 'own' | 'linear';
  /** Bytes that the arena has. */
  readonly budget?: number;
}

export interface Size {
  readonly format: 'tensor-arena-size';
  readonly version: 1;
  readonly runtime: 'tflm';
  readonly target: Target;
  readonly kernels: Kernels;
  /** Planned buffers: tensors and scratch. */
  readonly head_bytes: number;
  /** What is kept for good. */
  readonly tail_bytes: number;
  readonly arena_used_bytes: number;
  /** The smallest arena that AllocateTensors accepts, in steps of 16; null: not known. */
  readonly min_arena_bytes: number | null;
  readonly peak: HeadPeak;
  readonly budget_bytes?: number;
  readonly fits?: boolean | null;
  /** When it does not fit: how many bytes are missing. */
  readonly shortfall_bytes?: number;
  /** false: operators outside TFLM's own are left out, and the figures are lower bounds. */
  readonly covered: boolean;
  /** Their names. */
  readonly missing: readonly string[];
  readonly items: readonly SizeItem[];
}

/** The step of a run with the most live bytes, and whose they are, largest first. */
export interface HeadPeak {
  readonly step: number;
  readonly live_bytes: number;
  /** Tensors, and scratch buffers by their node. */
  readonly buffers: readonly { readonly subgraph: number; readonly tensor?: number; readonly node?: number; readonly bytes: number }[];
  /** One sentence that says it. */
  readonly text: string;
}

export interface SizeItem {
  readonly what: string;
  readonly bytes: number;
  readonly subgraph?: number;
  readonly node?: number;
  readonly tensor?: number;
}

/* ---- writing an offline plan ---- */

export interface OfflineOptions {
  /** For the figures. Default: cortex-m. */
  readonly target?: Target;
  /** The plan holds for the scratch buffers of these. Default: reference. */
  readonly kernels?: Kernels;
  readonly nodes?: number;
  /** Bytes that the arena has. */
  readonly budget?: number;
  /** Write even where nothing is gained. */
  readonly force?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: SolveProgress) => void;
}

export interface OfflineFigures {
  readonly head_bytes: number;
  readonly arena_used_bytes: number;
  readonly min_arena_bytes: number | null;
}

/**
 * What the runtime needs for the written file, against what it needs for the file as it is. `worse` is never
 * written: the file's own plan saves bytes by what no sound plan does, such as giving variables a place in the head.
 */
export type OfflineOutcome = 'smaller' | 'same' | 'worse';

export interface OfflineResult {
  /** null: nothing was gained, so nothing was written. */
  readonly bytes: Uint8Array | null;
  readonly outcome: OfflineOutcome;
  readonly target: Target;
  readonly kernels: Kernels;
  readonly before: OfflineFigures;
  /** Where nothing was written, as before. */
  readonly after: OfflineFigures;
  /** No plan of these lifetimes has a smaller head. */
  readonly proved: boolean;
  readonly lower_bound_bytes: number;
  readonly peak: HeadPeak;
  /** false: the scratch of operators outside TFLM's own is not known; only the planned part is promised. */
  readonly covered: boolean;
  readonly missing: readonly string[];
  readonly budget_bytes?: number;
  /** null: not decided. */
  readonly fits?: boolean | null;
  readonly shortfall_bytes?: number;
}

/* ---- checking plans ---- */

/**
 * Whether a plan can be used: a plan JSON, a buffer list with offsets, or a .tflite with an offline plan (by what
 * TensorFlow Lite Micro does with it).
 */
export function verify(input: Input, options?: VerifyOptions): Promise<Verdict>;

/**
 * Whether two .tflite models compute the same outputs from the same inputs, to the bit: proved operator by operator.
 * Each operator of the new model must be one of the old, on the same tensors and constants or on some of their rows
 * and columns, or only move such rows; each output must be all of the old one.
 */
export function verifySame(newModel: Input, oldModel: Input, options?: Pick<OpenOptions, 'wasm'>): Promise<Sameness>;

export interface Sameness {
  /** true: proved. false: `node` is not what the old model has there. null: something is not known to the checker. */
  readonly same: boolean | null;
  /** How many of the new model's operators have been explained. */
  readonly operators: number;
  /** `reference`: the rows of an int8 TRANSPOSE_CONV lie elsewhere, and CMSIS-NN's result depends on where they lie. */
  readonly kernels: 'any' | 'reference';
  /** The first operator of the new model that has no explanation; null: the answer is not about one. */
  readonly subgraph: number | null;
  readonly node: number | null;
  /** The operator of the old model that it was held against. */
  readonly oldNode: number | null;
  /** Of an output, the first and the last row or column that are right. */
  readonly right: readonly [first: number, last: number] | null;
  /** Why; empty when it is the same. */
  readonly text: string;
}

export interface VerifyOptions extends OpenOptions {
  /**
   * Plan JSON: the model it was made for. A plan does not say which step uses what; with the model, every life is
   * held against the uses of its tensor.
   */
  readonly model?: Input;
}

export interface Verdict {
  /** No two live buffers share bytes, and each lies where it may. */
  readonly sound: boolean;
  /** Buffers share bytes, but only such as one custom operator takes and gives: Arm's Vela makes such plans. */
  readonly onPurpose: boolean;
  /** The first thousand. */
  readonly clashes: readonly Clash[];
  /** All of them. */
  readonly clashCount: number;
  readonly problems: readonly Problem[];
}

export type ClashKind = 'overlap' | 'misaligned' | 'outside' | 'negative' | 'unplaced' | 'backwards' | 'adrift' | 'short-lived';

export interface Clash {
  readonly kind: ClashKind;
  /** Buffers of the plan, or rows, by index; b is null when the clash is about one. */
  readonly a: number;
  readonly b: number | null;
  /** Both ends included. */
  readonly bytes: readonly [low: number, high: number];
  readonly steps: readonly [first: number, last: number];
  /** One sentence that names them. */
  readonly text: string;
}

/* ---- errors ---- */

/** What an error is about; null: not about one. */
export interface Place {
  readonly subgraph: number | null;
  readonly node: number | null;
  readonly tensor: number | null;
  /** Offset in the input. */
  readonly byte: number | null;
}

export type ErrorCode =
  | 'bad-argument'
  | 'out-of-memory'
  | 'over-limit'
  | 'wrong-order'
  | 'not-a-model'
  | 'truncated'
  | 'malformed'
  | 'bad-index'
  | 'no-subgraph'
  | 'bad-syntax'
  | 'unsupported'
  | 'tensor-grew'
  | 'refused-by-runtime'
  | 'wasm-unavailable'
  | 'wasm-mismatch'
  | 'crashed';

export class TensorArenaError extends Error {
  constructor(code: ErrorCode, message: string, place?: Place, options?: ErrorOptions);
  readonly code: ErrorCode;
  readonly place: Place;
}
/** The bytes, graph, list or plan that was given is not right. */
export class InputError extends TensorArenaError {}
/** The call is not right. */
export class UsageError extends TensorArenaError {}
/** Memory ran out, or a number is larger than the core represents. */
export class LimitError extends TensorArenaError {}
/** The input was understood, and the answer is no. */
export class AnswerError extends TensorArenaError {}
/** The wasm could not be had, or does not belong to this JavaScript. */
export class LoadError extends TensorArenaError {}
/** The core trapped. The model it happened in answers no more; others are not touched. */
export class CrashError extends TensorArenaError {}
