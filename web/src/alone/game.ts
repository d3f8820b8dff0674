// The game's native functions, compiled to WebAssembly: see `docs/design/compiler.md`, "Native functions".
import type { Facts } from "./facts";
import { Values } from "./values";

export type State = BigInt64Array;
export type Joint = BigInt64Array;

const STACK = 2 << 20;
const PAGE = 1 << 16;
const SAME_FOR_ALL = 1n << 32n;
const PLAYOUT_LIMIT = 100_000n;

/** The rules fail in a state. */
export class Fault extends Error {}

interface Functions {
  init(state: number): void;
  actors(state: number): bigint;
  legal(state: number, player: bigint, out: number): bigint;
  chance(state: number, out: number, probability: number): bigint;
  sample_chance(state: number, rng: number): bigint;
  step(old: number, next: number, joint: number): void;
  observe(old: number, next: number, joint: number, player: bigint, out: number): bigint;
  utility(state: number, out: number): bigint;
  playout(state: number, rng: number, out: number, limit: bigint): bigint;
  [picture: `picture_${number}`]: (state: number, out: number, reals: number) => bigint;
}

export class Game {
  readonly values: Values;
  readonly players: number;
  private readonly functions: Functions;
  private readonly words: BigInt64Array;
  private readonly reals: Float64Array;
  /** Where the rows begin in memory, in words. */
  private readonly old: number;
  private readonly next: number;
  private readonly joint: number;
  private readonly rng: number;
  private readonly out: number;
  private readonly realsOut: number;

  constructor(readonly facts: Facts, module: WebAssembly.Module) {
    const { words, actions, outcomes, observation, picture } = facts.sizes;
    this.values = new Values(facts);
    this.players = facts.players.length;
    const most = Math.max(actions, outcomes, observation, picture, this.players);
    const stack = Math.ceil(facts.dataEnd / 16) * 16 + STACK;
    this.old = stack / 8;
    this.next = this.old + words;
    this.joint = this.next + words;
    this.rng = this.joint + this.players + 1;
    this.out = this.rng + 1;
    this.realsOut = this.out + most;
    const memory = new WebAssembly.Memory({ initial: Math.ceil(((this.realsOut + most) * 8) / PAGE) });
    const { tanh, exp, log, log10, pow } = Math;
    const instance = new WebAssembly.Instance(module, {
      env: {
        __linear_memory: memory, __stack_pointer: new WebAssembly.Global({ value: "i32", mutable: true }, stack),
        tanh, exp, log, log10, pow,
      },
    });
    this.functions = instance.exports as unknown as Functions;
    this.words = new BigInt64Array(memory.buffer);
    this.reals = new Float64Array(memory.buffer);
  }

  private put(state: State, at = this.old): number {
    this.words.set(state, at);
    return at * 8;
  }

  private found(count: bigint): number {
    if (count < 0n) throw new Fault(this.facts.faults[Number(-count) - 1]);
    return Number(count);
  }

  initial(): State {
    this.functions.init(this.old * 8);
    return this.words.slice(this.old, this.next);
  }

  /** A bit for each player who acts: 0 where chance does, -1 at the end. */
  actors(state: State): number {
    const acting = Number(this.functions.actors(this.put(state)));
    if (acting < 0) this.utility(state);  // raises the fault, if that is why nobody acts
    return acting;
  }

  acting(state: State): number[] {
    const mask = this.actors(state);
    return mask <= 0 ? [] : this.facts.players.map((_, player) => player).filter((player) => (mask >> player) & 1);
  }

  phase(state: State): number { return Number(state[0]!); }

  legal(state: State, player: number): BigInt64Array {
    const count = this.found(this.functions.legal(this.put(state), BigInt(player), this.out * 8));
    return this.words.slice(this.out, this.out + count);
  }

  /** The chance outcomes and their probabilities. */
  chance(state: State): { outcomes: BigInt64Array; probabilities: Float64Array } {
    const count = this.found(this.functions.chance(this.put(state), this.out * 8, this.realsOut * 8));
    return { outcomes: this.words.slice(this.out, this.out + count), probabilities: this.reals.slice(this.realsOut, this.realsOut + count) };
  }

  /** Draw a chance outcome; `rng` is one word, which goes on. */
  sampleChance(state: State, rng: BigUint64Array): bigint {
    const at = this.put(state);
    this.words[this.rng] = BigInt.asIntN(64, rng[0]!);
    const outcome = this.functions.sample_chance(at, this.rng * 8);
    this.found(outcome < 0n ? outcome : 0n);
    rng[0] = this.words[this.rng]!;
    return outcome;
  }

  step(state: State, joint: Joint): State {
    const at = this.put(state);
    this.words.set(joint, this.joint);
    this.functions.step(at, this.next * 8, this.joint * 8);
    const found = this.words.slice(this.next, this.joint);
    this.found(-found[1]!);
    return found;
  }

  observe(old: State, next: State, joint: Joint, player: number): BigInt64Array {
    const at = this.put(old);
    this.put(next, this.next);
    this.words.set(joint, this.joint);
    const count = this.functions.observe(at, this.next * 8, this.joint * 8, BigInt(player), this.out * 8);
    const told = this.found(count < 0n ? count : count % SAME_FOR_ALL);
    return this.words.slice(this.out, this.out + told);
  }

  utility(state: State): number[] {
    this.found(this.functions.utility(this.put(state), this.realsOut * 8));
    return [...this.reals.subarray(this.realsOut, this.realsOut + this.players)];
  }

  /** The utilities at the end of a random play; nothing where it does not end. */
  playout(state: State, rng: BigUint64Array): number[] | null {
    const at = this.put(state);
    this.words[this.rng] = BigInt.asIntN(64, rng[0]!);
    const made = this.functions.playout(at, this.rng * 8, this.realsOut * 8, PLAYOUT_LIMIT);
    rng[0] = this.words[this.rng]!;
    return made < 0n ? null : [...this.reals.subarray(this.realsOut, this.realsOut + this.players)];
  }

  /** The records of a display, see `ggp/rules_compiler/entry_points/pictures.py`. */
  picture(display: number, state: State): { words: BigInt64Array; reals: Float64Array } {
    const count = this.found(this.functions[`picture_${display}`]!(this.put(state), this.out * 8, this.realsOut * 8));
    return { words: this.words.subarray(this.out, this.out + count), reals: this.reals.subarray(this.realsOut, this.realsOut + count) };
  }

  /** What everybody chooses, as `step` reads it. */
  jointOf(chosen: ReadonlyMap<number, bigint>, outcome = 0n): Joint {
    const joint = new BigInt64Array(this.players + 1);
    for (const [player, action] of chosen) joint[player] = action;
    joint[this.players] = outcome;
    return joint;
  }
}

// --- random numbers, as `ggp/arithmetic` has them ------------------------------------------------------------------

function scramble(word: bigint): bigint {
  const of = (value: bigint) => BigInt.asUintN(64, value);
  let value = of(word + 0x9e3779b97f4a7c15n);
  value = of((value ^ (value >> 30n)) * 0xbf58476d1ce4e5b9n);
  value = of((value ^ (value >> 27n)) * 0x94d049bb133111ebn);
  return value ^ (value >> 31n);
}

/** The first state of a generator for some integers. */
export function generator(...seeds: number[]): BigUint64Array {
  let word = 0n;
  for (const seed of seeds) word = scramble(word ^ scramble(BigInt.asUintN(64, BigInt(seed))));
  return new BigUint64Array([word || 1n]);
}

/** Draw an integer below a bound; of `xorshift64*`. */
export function below(rng: BigUint64Array, bound: number): number {
  let word = rng[0]!;
  word ^= word >> 12n;
  word ^= BigInt.asUintN(64, word << 25n);
  word ^= word >> 27n;
  rng[0] = word;
  return Number((BigInt.asUintN(64, word * 0x2545f4914f6cdd1dn) >> 32n) * BigInt(bound) >> 32n);
}
