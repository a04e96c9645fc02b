// The `tflite-2018` and `tflite` planners a second time, slow and plain, as the model that the real ones are
// tested against. Every step scans every tensor. Both rest on one idea: a tensor is placed by best fit among
// the placed tensors whose closed lifetimes meet its own. They differ in the lifetimes, in the order in which
// a range's tensors are placed, and in which of the gaps that fit is taken. An execute that fails changes
// nothing.

const LIMIT = Number.MAX_SAFE_INTEGER;
const FOREVER = Infinity;

/** An expected refusal. `code` is the name of a status. */
class Refusal extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.code = code;
  }
}

/** @param {number} a @param {number} b */
function add(a, b) {
  if (a + b > LIMIT) throw new Refusal('over-limit', `${a} + ${b} bytes`);
  return a + b;
}

/** @param {number} value @param {number} alignment */
function alignUp(value, alignment) {
  const rest = value % alignment;
  return rest === 0 ? value : add(value, alignment - rest);
}

/** @param {number[]} list */
const present = (list) => list.filter((tensor) => tensor !== -1);

/** @param {Node[]} nodes */
function refuseAbsentTemporaries(nodes) {
  for (const [i, node] of nodes.entries())
    if (node.temporaries.includes(-1)) throw new Refusal('bad-index', `temporaries of node ${i}`);
}

/**
 * @typedef {import('../../wasm/index.js').AllocationType} AllocationType
 * @typedef {import('./random-graphs.js').Node} Node
 * @typedef {{ first: number, last: number }} Life  in steps, both included; `last` is Infinity for a life to the end
 * @typedef {{ arena: 'rw' | 'persistent', offset: number, bytes: number, first: number, last: number,
 *   shares?: boolean }} Place
 * `bytes` is what the tensor had when it was placed; `last` is Infinity for a life to the end; `shares` marks a
 * place that is another tensor's.
 */

/** What both planners have in common. */
class Planner {
  /** @param {import('./random-graphs.js').Graph} graph @param {number} alignment */
  constructor(graph, alignment) {
    this.graph = graph;
    this.alignment = graph.alignment ?? alignment;
    this.bytes = graph.tensors.map((tensor) => tensor.bytes);
    this.types = graph.tensors.map((tensor) => tensor.type);
    this.planned = false;
    /** Null for a tensor that nothing makes. @type {(Life | null)[]} */
    this.lives = [];
    /** @type {(Place | null)[]} */
    this.places = graph.tensors.map(() => null);
    this.marks = { rw: 0, persistent: 0 };
  }

  get nodes() {
    return this.graph.nodes;
  }

  /** The last thing that planning does. @param {(Life | null)[]} lives */
  keepLives(lives) {
    this.lives = lives;
    this.planned = true;
  }

  /** Of a tensor that something makes. @param {number} tensor */
  lifeOf(tensor) {
    const life = this.lives[tensor];
    if (!life) throw new Error(`tensor ${tensor} has no life`);
    return life;
  }

  /** The tensors whose life begins in one of the steps. @param {number[]} steps */
  bornIn(steps) {
    return this.lives.flatMap((life, tensor) => (life && steps.includes(life.first) ? [tensor] : []));
  }

  /** Executes, or throws and leaves everything as it was. @param {number} first @param {number} last */
  execute(first, last) {
    this.needPlan();
    const before = this.copyState();
    try {
      this.placeRange(first, last);
    } catch (error) {
      Object.assign(this, before);
      throw error;
    }
  }

  /** What an execute changes. @returns {object} */
  copyState() {
    return { places: [...this.places], marks: { ...this.marks } };
  }

  /** @param {number} _first @param {number} _last */
  placeRange(_first, _last) {
    throw new Error('each planner has its own');
  }

  reset() {
    this.places.fill(null);
    this.marks = { rw: 0, persistent: 0 };
  }

  /** @param {number} node */
  resetAfter(node) {
    this.needPlan();
    this.places.forEach((place, tensor) => {
      if (place?.arena === 'rw' && place.first > node) this.places[tensor] = null;
    });
  }

  /** @param {number} tensor @param {number} bytes */
  resize(tensor, bytes) {
    this.#needTensor(tensor);
    if (bytes > LIMIT) throw new Refusal('over-limit', `${bytes} bytes`);
    this.bytes[tensor] = bytes;
  }

  /** @param {number} tensor @param {AllocationType} type */
  retype(tensor, type) {
    this.#needTensor(tensor);
    this.types[tensor] = type;
  }

  /** The arena that a tensor of this type is placed in. @param {number} tensor */
  arenaOf(tensor) {
    const type = this.types[tensor];
    return type === 'arena_rw' ? 'rw' : type === 'arena_rw_persistent' ? 'persistent' : null;
  }

  /** Steps 0 to the last node; with no nodes, step 0 alone. @param {number} first @param {number} last */
  range(first, last) {
    const end = Math.min(last, Math.max(this.nodes.length, 1) - 1);
    const steps = [];
    for (let step = Math.max(first, 0); step <= end; step++) steps.push(step);
    return steps;
  }

  /**
   * Places a tensor, which must not be placed yet, for the life [first, last].
   * @param {number} tensor @param {number} first @param {number} last
   */
  place(tensor, first, last) {
    const arena = this.arenaOf(tensor);
    const bytes = this.bytes[tensor];
    if (arena === null || bytes === 0) return;
    const neighbours = this.places
      .flatMap((other, i) => {
        if (other?.arena !== arena || other.shares) return [];
        const meets = arena === 'persistent' || this.isHeld(i) || !(other.last < first || last < other.first);
        return meets ? [other] : [];
      })
      .sort((a, b) => a.offset - b.offset);
    const offset = this.#bestFit(neighbours, bytes);
    this.marks[arena] = Math.max(this.marks[arena], add(offset, bytes));
    this.places[tensor] = { arena, offset, bytes, first, last: arena === 'persistent' ? FOREVER : last };
  }

  /** @param {Place[]} neighbours in offset order @param {number} bytes */
  #bestFit(neighbours, bytes) {
    let end = 0;
    let best = Infinity;
    let chosen = null;
    for (const next of neighbours) {
      const start = alignUp(end, this.alignment);
      if (start + bytes <= next.offset && this.gapSize(start, end, next.offset) < best) {
        best = next.offset - end;
        chosen = start;
      }
      end = Math.max(end, next.offset + next.bytes);
    }
    return chosen ?? alignUp(end, this.alignment);
  }

  /** Whether a tensor's bytes are taken at any time. @param {number} _tensor */
  isHeld(_tensor) {
    return false;
  }

  /** How a gap is compared with the best so far. @param {number} start aligned @param {number} end @param {number} next */
  gapSize(start, end, next) {
    void start;
    return next - end;
  }

  /** A placed tensor may not have grown when its first node runs again. @param {number} tensor */
  refuseGrown(tensor) {
    const place = this.places[tensor];
    if (place && !place.shares && this.arenaOf(tensor) !== null && this.bytes[tensor] > place.bytes)
      throw new Refusal('tensor-grew', `tensor ${tensor}`);
  }

  /** Where each tensor is. */
  layout() {
    return {
      offsets: this.places.map((place) => place?.offset ?? null),
      arena: this.marks.rw,
      persistent: this.marks.persistent,
    };
  }

  needPlan() {
    if (!this.planned) throw new Refusal('wrong-order', 'plan first');
  }

  /** @param {number} tensor */
  #needTensor(tensor) {
    if (!(tensor in this.bytes)) throw new Refusal('bad-index', `tensor ${tensor}`);
  }
}

/**
 * The planner of January 2018, without its faults. `held` is what the arena holds "now": what was placed and
 * not freed since. A tensor that comes late, when later nodes were executed already, also keeps out of the
 * way of those that were freed by now but live when it does.
 */
class Tflite2018 extends Planner {
  /** @param {import('./random-graphs.js').Graph} graph */
  constructor(graph) {
    super(graph, 4);
    /** @type {Set<number>} */
    this.held = new Set();
    this.executed = -1; // the last node that was
  }

  plan() {
    const { tensors, nodes, inputs, outputs } = this.graph;
    refuseAbsentTemporaries(nodes);
    const end = Math.max(nodes.length, 1) - 1;
    const lives = tensors.map((_, tensor) => {
      const steps = (/** @type {(node: Node) => number[]} */ list) =>
        nodes.flatMap((node, i) => (list(node).includes(tensor) ? [i] : []));
      const made = steps((node) => [...node.temporaries, ...node.outputs]);
      if (inputs.includes(tensor)) made.unshift(0);
      if (made.length === 0) return null;
      const reads = steps((node) => node.inputs);
      const unread = reads.length === 0 && (inputs.includes(tensor) || steps((node) => node.outputs).length > 0);
      const kept = outputs.includes(tensor) || unread;
      return { first: made[0], last: kept ? end : Math.max(...made, ...reads) };
    });
    this.keepLives(lives);
  }

  /** @param {number} first @param {number} last */
  placeRange(first, last) {
    const steps = this.range(first, last);
    for (const tensor of this.bornIn(steps)) this.refuseGrown(tensor);
    for (const step of steps) this.#executeStep(step);
  }

  copyState() {
    return { ...super.copyState(), held: new Set(this.held), executed: this.executed };
  }

  /** @param {number} step */
  #executeStep(step) {
    const node = this.nodes[step] ?? { temporaries: [], outputs: [] };
    const listed = [...node.temporaries, ...(step === 0 ? this.graph.inputs : []), ...node.outputs];
    for (const tensor of new Set(present(listed))) {
      const life = this.lifeOf(tensor);
      if (life.first !== step) continue;
      if (!this.places[tensor]) {
        this.place(tensor, life.first, life.last);
        if (this.places[tensor]) this.held.add(tensor);
      }
      if (life.last <= this.executed) this.held.delete(tensor);
    }
    for (const tensor of this.held) if (this.lifeOf(tensor).last === step) this.held.delete(tensor);
    this.executed = Math.max(this.executed, step);
  }

  /** @param {number} tensor */
  isHeld(tensor) {
    return this.held.has(tensor);
  }

  reset() {
    super.reset();
    this.held.clear();
    this.executed = -1;
  }

  /** @param {number} node */
  resetAfter(node) {
    super.resetAfter(node);
    if (node >= this.executed) return;
    this.executed = node;
    this.places.forEach((place, tensor) => {
      if (!place) this.held.delete(tensor);
      else if (place.last > node) this.held.add(tensor);
    });
  }

  release() {
    this.needPlan();
    throw new Refusal('unsupported', 'release');
  }

  acquire() {
    this.needPlan();
    throw new Refusal('unsupported', 'acquire');
  }
}

/** The planner of today's LiteRT. */
class Tflite extends Planner {
  /** @param {import('./random-graphs.js').Graph} graph */
  constructor(graph) {
    super(graph, 64);
    /** Which tensor's bytes an output shares: output to root. @type {Map<number, number>} */
    this.roots = new Map();
  }

  plan() {
    if (this.planned) return;
    const { tensors, nodes, inputs, outputs, variables = [], preserve_all: preserveAll } = this.graph;
    refuseAbsentTemporaries(nodes);
    if (variables.includes(-1)) throw new Refusal('bad-index', 'variables');
    const steps = (/** @type {number} */ tensor, /** @type {(node: Node) => number[]} */ list) =>
      nodes.flatMap((node, i) => (list(node).includes(tensor) ? [i] : []));
    const lives = tensors.map((_, tensor) => {
      const made = steps(tensor, (node) => [...node.temporaries, ...node.outputs]);
      if (inputs.includes(tensor) || variables.includes(tensor)) made.unshift(0);
      if (made.length === 0) return null;
      const used = steps(tensor, (node) => [...node.temporaries, ...node.inputs]);
      const whole = [...inputs, ...outputs, ...variables].includes(tensor);
      const unread = !nodes.some((node) => node.inputs.includes(tensor)) && nodes.some((node) => node.outputs.includes(tensor));
      return { first: made[0], last: preserveAll || whole || unread ? FOREVER : Math.max(made[0], ...used) };
    });
    this.keepLives(lives);
    if (!preserveAll) this.#share();
    // A root lives to the last read of whoever shares its bytes.
    for (const [output, root] of this.roots) {
      if (!nodes.some((node) => node.inputs.includes(output))) continue;
      const life = this.lifeOf(root);
      life.last = Math.max(life.last, this.lifeOf(output).last);
    }
  }

  /** Which outputs share an input's bytes. Decided once, from the bytes and types of that moment. */
  #share() {
    const { nodes, inputs, outputs, variables = [] } = this.graph;
    const listed = [...inputs, ...outputs, ...variables, ...nodes.flatMap((node) => node.inputs)];
    const count = (/** @type {number} */ tensor) => listed.filter((other) => other === tensor).length;
    for (const [step, node] of nodes.entries()) {
      const mask = node.inplace ?? 0;
      const output = node.outputs[0] ?? -1;
      if (output === -1 || [...inputs, ...outputs, ...variables].includes(output)) continue;
      if (this.lifeOf(output).first !== step || this.roots.has(output)) continue;
      const changes = (mask & 1) === 0;
      const input = node.inputs.slice(0, 3).find((tensor, i) => {
        if (tensor === -1 || (mask & (4 << i)) === 0 || inputs.includes(tensor)) return false;
        if (this.types[tensor] !== this.types[output] && this.types[tensor] !== 'arena_rw') return false;
        return !changes || (this.bytes[tensor] === this.bytes[output] && this.bytes[tensor] > 4 && count(tensor) <= 1);
      });
      if (input === undefined) continue;
      const root = this.roots.get(input) ?? input;
      const unborn = (this.lives[root]?.first ?? FOREVER) > step;
      if (root === output || unborn || (changes && count(root) > 1)) continue;
      this.roots.set(output, root);
    }
  }

  /** @param {number} first @param {number} last */
  placeRange(first, last) {
    const steps = this.range(first, last);
    const born = this.bornIn(steps);
    for (const tensor of born) this.refuseGrown(this.#sharedRoot(tensor) ?? tensor);
    for (const tensor of born) this.#partIfUnlike(tensor);
    const work = born.filter((tensor) => this.arenaOf(tensor) !== null && !this.roots.has(tensor) && !this.places[tensor]);
    const isWhole = (/** @type {number} */ tensor) => this.lifeOf(tensor).first === 0 && this.lifeOf(tensor).last === FOREVER;
    work.sort((a, b) => {
      if (isWhole(a) !== isWhole(b)) return isWhole(a) ? -1 : 1;
      if (isWhole(a)) return a - b;
      return this.bytes[b] - this.bytes[a] || this.lifeOf(a).first - this.lifeOf(b).first || a - b;
    });
    for (const tensor of work) this.place(tensor, this.lifeOf(tensor).first, this.lifeOf(tensor).last);
    for (const [tensor, root] of this.roots) {
      if (this.types[tensor] !== 'arena_rw' || !(born.includes(tensor) || work.includes(root))) continue;
      const place = this.places[root];
      this.places[tensor] = place && { ...place, shares: true };
    }
  }

  copyState() {
    const lives = this.lives.map((life) => life && { ...life });
    return { ...super.copyState(), roots: new Map(this.roots), lives };
  }

  /** The tensor whose bytes this one can still share. @param {number} tensor */
  #sharedRoot(tensor) {
    const root = this.roots.get(tensor);
    if (root === undefined || this.types[tensor] !== 'arena_rw') return undefined;
    return this.types[root] === 'arena_rw' && this.bytes[root] === this.bytes[tensor] ? root : undefined;
  }

  /** Splits the pair for good; the output then lives to the end. @param {number} tensor */
  #partIfUnlike(tensor) {
    if (!this.roots.has(tensor) || this.#sharedRoot(tensor) !== undefined || this.arenaOf(tensor) === null) return;
    this.roots.delete(tensor);
    this.places[tensor] = null;
    this.lifeOf(tensor).last = FOREVER;
  }

  release() {
    this.needPlan();
  }

  acquire() {
    this.needPlan();
  }

  gapSize(/** @type {number} */ start, /** @type {number} */ _end, /** @type {number} */ next) {
    return next - start;
  }
}

/**
 * @param {import('./random-graphs.js').Graph} graph
 * @param {string} runtime 'tflite-2018' or 'tflite'
 */
export function naivePlanner(graph, runtime) {
  return runtime === 'tflite' ? new Tflite(graph) : new Tflite2018(graph);
}

/**
 * Does one operation.
 * @param {Tflite2018 | Tflite} planner
 * @param {import('./random-graphs.js').Operation} operation
 * @returns {string} 'ok' or the name of a status
 */
export function applyNaive(planner, operation) {
  try {
    switch (operation.op) {
      case 'plan':
        planner.plan();
        break;
      case 'execute':
        planner.execute(operation.first, operation.last);
        break;
      case 'reset':
        planner.reset();
        break;
      case 'reset_after':
        planner.resetAfter(operation.node);
        break;
      case 'resize':
        planner.resize(operation.tensor, operation.bytes);
        break;
      case 'retype':
        planner.retype(operation.tensor, operation.type);
        break;
      default:
        planner[operation.op]();
    }
    return 'ok';
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}
