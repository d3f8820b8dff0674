// The states that one role considers possible, given what it did and what it was told.
//
// As long as there are few, all of them are followed. Else a sample is: of each state's successors those that fit, and
// where none is left, whole histories are mended by changing one hidden choice at a time.
import { DRAWS, Draws, type Exchange } from "./draws";
import { below, Fault, type Game, type Joint, type State } from "./game";

export const MAX_STATES = 1000;
const MAX_WORK = 10_000;
const MEND_MS = 1500, LEAST_MS = 20;
const MENDED = 64;
/** One after the other differ little: so many times as many are found, of which some are kept. */
const SPREAD = 4;
/** With fewer in a sample, more are found by mending, for so long, and until so many trials in a row found no new one. */
const FEW = 64, MORE_MS = 60, IDLE = 1000;
/** So many are wanted, and are searched for so long, where what they have in common is shown. */
const ENOUGH = 256, RENEWING_MS = 300;
/** Other choices that are tried where a record would differ. */
const TRIED = 24;
const MAX_TRANSITIONS = 4000;

export interface Record {
  action: bigint | null;
  words: BigInt64Array;
}
/** A state, how probable it is if everybody chooses at random, and what led to it. */
export interface Held {
  state: State;
  weight: number;
  joint: Joint | null;
  before: Held | null;
}

interface Branch {
  joint: Joint;
  weight: number;
}

/** A state of a history that is mended: how many records lie before it, and how many of them differ. */
interface Step extends Held {
  at: number;
  errors: number;
}

const keyOf = (words: BigInt64Array) => words.join();
export const isEqual = (one: BigInt64Array, other: BigInt64Array) => one.length === other.length && one.every((word, at) => word === other[at]);

export class Belief {
  /** Whether all possible states are held, and not a sample. */
  isCertain = true;
  /** The states that are possible right after the last record. */
  private held: Held[];
  /** Where none is found: the end of the history in which the fewest records differ. */
  private near: Held[] = [];
  private readonly records: Record[] = [];
  /** By when, by the page's clock, a state should be found. */
  deadline = Infinity;
  private work = 0;
  /** How many records in a row left nothing: the longer, the less each is worth a search, until a state is wanted. */
  private lost = 0;
  private readonly draws: Draws;
  /** Two values that a changed draw exchanged, for the draws after it. */
  private exchange: Exchange | null = null;

  constructor(private readonly game: Game, private readonly role: number, private readonly rng: BigUint64Array) {
    this.draws = new Draws(game, rng);
    this.held = [{ state: game.initial(), weight: 1, joint: null, before: null }];
  }

  /** Take note of a transition in which the role acted or was told something. */
  tell(record: Record) {
    this.records.push(record);
    this.work = 0;
    const found = this.followed((held) => this.extended(held, record));
    const patience = this.within(found.length ? MORE_MS : MEND_MS / (1 + this.lost));
    this.held = this.sampled(found.length >= (this.isCertain ? 1 : FEW) ? found : this.merged([...found, ...this.mended(patience)]));
    this.lost = this.held.length ? 0 : this.lost + 1;
  }

  /** The possible states now; where the role has to act, those with its legal actions. Nothing: none was found. */
  states(legal: BigInt64Array | null): Held[] {
    if (!legal) return this.held;
    this.work = 0;
    const deciding = (held: Held[]) => [...this.withSilent(held)].filter(({ state }) => this.decides(state, legal));
    const found = this.followed(deciding);
    return this.sampled(found.length ? found : this.merged(deciding(this.mended(this.within(MEND_MS)))));
  }

  /** Find more states that fit, where few of a sample are left: those descend from few deals, and may agree on what is not so. */
  renew() {
    const until = performance.now() + RENEWING_MS;
    while (!this.isCertain && this.held.length && this.held.length < ENOUGH && performance.now() < until) {
      this.held = this.merged([...this.held, ...this.mended(until - performance.now())]);
    }
  }

  /** So many milliseconds, or half of those that are left: more records may follow. */
  private within(milliseconds: number): number { return Math.min(milliseconds, Math.max(LEAST_MS, (this.deadline - performance.now()) / 2)); }

  /** Where no possible state is found: one in which the role may do the same, and was told almost the same. */
  nearest(legal: BigInt64Array): Held[] {
    this.work = 0;
    return [...this.withSilent(this.near)].filter(({ state }) => this.decides(state, legal)).slice(0, MENDED);
  }

  private decides(state: State, legal: BigInt64Array): boolean {
    return this.attempt(() => this.game.acting(state).includes(this.role) && isEqual(this.game.legal(state, this.role), legal)) ?? false;
  }

  /** The rules may fail in a state that is possible but not the true one. */
  private attempt<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      if (error instanceof Fault) return undefined;
      throw error;
    }
  }

  /** What follows from the states held. Where that turns out to be too much, once more from a sample of them. */
  private followed(follow: (held: Held[]) => Held[]): Held[] {
    const wasCertain = this.isCertain;
    const found = follow(this.held);
    if (this.isCertain || !wasCertain) return this.merged(found);
    this.work = 0;
    return this.merged(follow(Array.from({ length: MAX_STATES }, () => ({ ...drawn(this.held, this.rng), weight: 1 }))));
  }

  private merged(held: Held[]): Held[] {
    const found = new Map<string, Held>();
    for (const one of held) {
      const key = keyOf(one.state), known = found.get(key);
      if (known) known.weight += one.weight;
      else found.set(key, one);
    }
    return [...found.values()];
  }

  private sampled(held: Held[]): Held[] {
    if (held.length <= MAX_STATES) return held;
    this.isCertain = false;
    return Array.from({ length: MAX_STATES }, () => ({ ...drawn(held, this.rng), weight: 1 }));
  }

  /** The states and all that follow them by transitions that the role does not notice. */
  private *withSilent(held: Held[]): Generator<Held> {
    if (!this.isCertain) {
      // one way each: all ways of a few states would have their beginnings in common
      for (const one of held) yield this.lastSilent(one);
      return;
    }
    const seen = new Set<string>();
    const queue = [...held];
    while (queue.length) {
      const one = queue.pop()!;
      yield one;
      if (this.acts(one.state)) continue;
      for (const next of this.following(one, null)) {
        if (next.words.length || seen.has(keyOf(next.held.state))) continue;
        seen.add(keyOf(next.held.state));
        queue.push(next.held);
      }
    }
  }

  /** Where a random play from a state is when the role acts or is told something next. */
  private lastSilent(one: Held): Held {
    for (;;) {
      const joint = this.acts(one.state) ? undefined : this.attempt(() => this.anyJoint(one.state));
      const next = joint && this.reached(one, { joint, weight: 1 });
      if (!next || next.words.length) return one;
      one = next.held;
    }
  }

  private acts(state: State): boolean { return this.attempt(() => this.game.acting(state).includes(this.role)) ?? false; }

  private extended(held: Held[], record: Record): Held[] {
    const found: Held[] = [];
    const fitting = (one: Held) => {
      if (this.acts(one.state) !== (record.action !== null)) return;
      for (const next of this.following(one, record.action)) if (isEqual(next.words, record.words)) found.push(next.held);
    };
    if (this.isCertain) {
      for (const one of this.withSilent(held)) {
        fitting(one);
        if (found.length > 4 * MAX_STATES) { this.isCertain = false; break; }
      }
      return found;
    }
    while (held.length && this.work < MAX_WORK && found.length < MAX_STATES) {
      const before = this.work;
      // in a random order: where there is more work than time, a part has to stand for the rest
      for (const one of shuffled(held, this.rng)) fitting(this.lastSilent(one));
      if (this.work === before) break;
    }
    return found;
  }

  /** What may follow a state, with what the role is told of it: all, or, where that is too much, some. */
  private *following(one: Held, own: bigint | null): Generator<{ held: Held; words: BigInt64Array }> {
    for (const branch of this.attempt(() => this.branches(one.state, own)) ?? []) {
      const next = this.reached(one, branch);
      if (this.work > MAX_WORK) return;
      if (next) yield next;
    }
  }

  /** Random choices of all who act; undefined: nothing goes on. */
  private anyJoint(state: State): Joint | undefined {
    const { game } = this;
    const acting = game.acting(state);
    if (!acting.length) return game.actors(state) < 0 ? undefined : game.jointOf(new Map(), game.sampleChance(state, this.rng));
    const choices = acting.map((player) => [player, game.legal(state, player)] as const);
    if (choices.some(([, legal]) => !legal.length)) return undefined;
    return game.jointOf(new Map(choices.map(([player, legal]) => [player, legal[below(this.rng, legal.length)]!])));
  }

  private reached(one: Held, { joint, weight }: Branch): { held: Held; words: BigInt64Array } | undefined {
    if (++this.work > MAX_WORK) { this.isCertain = false; return undefined; }
    const next = this.attempt(() => this.game.step(one.state, joint));
    const words = next && this.attempt(() => this.game.observe(one.state, next, joint, this.role));
    return next && words && { held: { state: next, weight: one.weight * weight, joint, before: one }, words };
  }

  /** Joint actions or chance outcomes: all of them, or some at random where there are many. */
  private branches(state: State, own: bigint | null): Branch[] {
    const { game } = this;
    const acting = game.acting(state);
    if (!acting.length) {
      if (game.actors(state) < 0) return [];
      return this.outcomes(state).map(([outcome, weight]) => ({ joint: game.jointOf(new Map(), outcome), weight }));
    }
    const choices = acting.map((player) => {
      const legal = [...game.legal(state, player)];
      return player === this.role && own !== null ? legal.filter((action) => action === own) : legal;
    });
    const count = choices.reduce((product, legal) => product * legal.length, 1);
    if (!count) return [];
    const jointAt = (pick: (legal: bigint[], place: number) => bigint) => game.jointOf(new Map(acting.map((player, place) => [player, pick(choices[place]!, place)])));
    if (count <= this.limit()) {
      return Array.from({ length: count }, (_, number) => {
        const joint = jointAt((legal) => { const at = number % legal.length; number = (number - at) / legal.length; return legal[at]!; });
        return { joint, weight: 1 / count };
      });
    }
    this.isCertain = false;
    return Array.from({ length: DRAWS }, () => ({ joint: jointAt((legal) => legal[below(this.rng, legal.length)]!), weight: 1 / DRAWS }));
  }

  private limit(): number { return this.isCertain ? MAX_WORK : 4 * DRAWS; }

  /** Chance outcomes with their probabilities: all, or, where there are many, some at random. */
  private outcomes(state: State): [bigint, number][] {
    const all = this.draws.listed(state, this.limit());
    if (all) return all;
    this.isCertain = false;
    return this.draws.some(state).map((outcome) => [outcome, 1 / DRAWS]);
  }

  // --- mending --------------------------------------------------------------------------------------------------------

  /** Some states at the ends of histories that fit all records, found by changing one hidden choice after the other. */
  private mended(milliseconds: number): Held[] {
    this.isCertain = false;
    const until = performance.now() + milliseconds;
    const found = new Map<string, Held>();
    const origin: Step = { state: this.game.initial(), weight: 1, joint: null, before: null, at: 0, errors: 0 };
    const from = this.held.length ? this.held : this.near;
    const known = from.length ? pathOf(drawn(from, this.rng)) : [];
    let best = this.replayed(origin, known.map((step) => step.joint!), until);
    for (let idle = 0; performance.now() < until && found.size < SPREAD * MENDED && idle < IDLE; idle += found.size ? 1 : 0) {
      const path = pathOf(best) as Step[];
      if (!path.length) break;
      const change = this.changed(path), before = path[change]!.before as Step;
      const trial = this.replayed(before, [this.altered(before.state, path[change]!.joint!), ...path.slice(change + 1).map((step) => step.joint!)], until);
      if (missing(trial, this.records) > missing(best, this.records)) continue;
      best = trial;
      const key = missing(trial, this.records) ? null : keyOf(trial.state);
      if (key === null || found.has(key)) continue;
      found.set(key, trial);
      idle = 0;
    }
    this.near = [best];
    return shuffled([...found.values()], this.rng).slice(0, MENDED);
  }

  /** The transition whose choice is changed next: any, or one shortly before the first record that differs. */
  private changed(path: Step[]): number {
    const first = path.findIndex(({ errors }) => errors > 0);
    const last = first < 0 ? path.length - 1 : first;
    if (below(this.rng, 2)) return below(this.rng, last + 1);
    let change = last;
    while (change > 0 && below(this.rng, 4)) change--;
    return change;
  }

  /** A draw in which one part is another; of choices any other. */
  private altered(state: State, joint: Joint): Joint | undefined {
    this.exchange = null;
    if (this.game.actors(state)) return undefined;
    const other = this.draws.neighbour(state, joint[this.game.players]!);
    this.exchange = other?.exchange ?? null;
    return other ? this.game.jointOf(new Map(), other.outcome) : joint;
  }

  /** Play through the records with given choices, counting the records that differ; where one would, others are tried. */
  private replayed(begin: Step, joints: (Joint | undefined)[], until: number): Step {
    let step = begin;
    for (let made = 0; step.at < this.records.length && made < MAX_TRANSITIONS && (performance.now() < until || !made); made++) {
      const record = this.records[step.at]!, isActing = this.acts(step.state), before = step;
      const taken = (joint: Joint | undefined): Step | undefined => {
        const next = joint && this.attempt(() => this.game.step(before.state, joint));
        const words = next && this.attempt(() => this.game.observe(before.state, next, joint!, this.role));
        if (!next || !words) return undefined;
        const isSilent = !isActing && !words.length;
        const fits = isSilent || (isActing === (record.action !== null) && isEqual(words, record.words));
        return { state: next, weight: 1, joint: joint!, before, at: before.at + (isSilent ? 0 : 1), errors: before.errors + (fits ? 0 : 1 - 1 / (2 + differing(words, record.words))) };
      };
      let next = taken(this.attempt(() => this.chosen(before.state, record, joints[made])));
      if (!next || next.errors > before.errors) {
        const others = this.attempt(() => this.branches(before.state, record.action)) ?? [];
        for (const { joint } of shuffled(others, this.rng).slice(0, TRIED)) {
          const other = taken(joint);
          if (other && other.errors === before.errors) { next = other; break; }
        }
      }
      if (!next) break;
      step = next;
    }
    return step;
  }

  /** What is chosen in a state: the role's own action of the record, the others' as before where it is legal. */
  private chosen(state: State, record: Record, before: Joint | undefined): Joint | undefined {
    const { game } = this;
    const acting = game.acting(state);
    if (!acting.length) {
      if (game.actors(state) < 0) return undefined;
      const known = before?.[game.players] ?? null;
      // where a card comes into another hand, that hand's own draw gets the card that was displaced
      const near = known === null ? [] : this.exchange ? [known, this.draws.exchanged(state, known, this.exchange)] : [known];
      for (const outcome of near) if (this.draws.isPossible(state, outcome)) return game.jointOf(new Map(), outcome);
      return game.jointOf(new Map(), game.sampleChance(state, this.rng));
    }
    const joint = new Map<number, bigint>();
    for (const player of acting) {
      const legal = game.legal(state, player);
      const wanted = player === this.role ? record.action : before?.[player] ?? null;
      if (player === this.role && (wanted === null || !legal.includes(wanted))) return undefined;
      joint.set(player, wanted !== null && legal.includes(wanted) ? wanted : legal[below(this.rng, legal.length)]!);
    }
    return game.jointOf(joint);
  }
}

/** In how many bits the words of two observations differ, many where they are not of one kind. */
function differing(one: BigInt64Array, other: BigInt64Array): number {
  if (one.length !== other.length) return Infinity;
  let count = 0;
  for (const [at, word] of one.entries()) for (let left = BigInt.asUintN(64, word ^ other[at]!); left; left &= left - 1n) count++;
  return count;
}

function missing(step: Step, records: Record[]): number { return step.errors + records.length - step.at; }

/** What led to a state, from the first transition on. */
function pathOf(held: Held): Held[] {
  const found: Held[] = [];
  for (let one: Held | null = held; one?.before; one = one.before) found.push(one);
  return found.reverse();
}

/** Draw one of some by their weights. */
export function drawn<T extends { weight: number }>(from: T[], rng: BigUint64Array): T {
  let left = (below(rng, 1 << 30) / (1 << 30)) * from.reduce((sum, { weight }) => sum + weight, 0);
  for (const one of from) if ((left -= one.weight) < 0) return one;
  return from.at(-1)!;
}

function shuffled<T>(given: T[], rng: BigUint64Array): T[] {
  const found = [...given];
  for (let at = found.length - 1; at > 0; at--) {
    const other = below(rng, at + 1);
    [found[at], found[other]] = [found[other]!, found[at]!];
  }
  return found;
}
