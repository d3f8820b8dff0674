// The states that one role considers possible, given what it did and what it was told.
//
// As long as there are few, all of them are followed. Else a sample is: of each state's successors those that fit, and
// where none is left, whole histories are mended by changing one hidden choice at a time.
import { below, Fault, type Game, type Joint, type State } from "./game";

export const MAX_STATES = 1000;
const MAX_WORK = 20_000;
const DRAWS = 96;
const MEND_MS = 2000;
const MENDED = 64;
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

const keyOf = (words: BigInt64Array) => words.join();
export const isEqual = (one: BigInt64Array, other: BigInt64Array) => one.length === other.length && one.every((word, at) => word === other[at]);

export class Belief {
  /** Whether all possible states are held, and not a sample. */
  isCertain = true;
  /** The states that are possible right after the last record. */
  private held: Held[];
  private readonly records: Record[] = [];
  private work = 0;

  constructor(private readonly game: Game, private readonly role: number, private readonly rng: BigUint64Array) {
    this.held = [{ state: game.initial(), weight: 1, joint: null, before: null }];
  }

  /** Take note of a transition in which the role acted or was told something. */
  tell(record: Record) {
    this.records.push(record);
    this.work = 0;
    const found = this.merged(this.extended(this.held, record));
    this.held = found.length ? this.sampled(found) : this.mended();
  }

  /** The possible states now; where the role has to act, those with its legal actions. Nothing: none was found. */
  states(legal: BigInt64Array | null): Held[] {
    if (!legal) return this.held;
    this.work = 0;
    const deciding = (held: Held[]) => this.sampled(this.merged([...this.withSilent(held)].filter(({ state }) => this.decides(state, legal))));
    const found = deciding(this.held);
    return found.length ? found : deciding(this.mended());
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

  private acts(state: State): boolean { return this.attempt(() => this.game.acting(state).includes(this.role)) ?? false; }

  private extended(held: Held[], record: Record): Held[] {
    const found: Held[] = [];
    // in a random order: where there is more work than time, a part has to stand for the rest
    for (const one of this.withSilent(shuffled(held, this.rng))) {
      if (this.acts(one.state) !== (record.action !== null)) continue;
      for (const next of this.following(one, record.action)) if (isEqual(next.words, record.words)) found.push(next.held);
      if (found.length > 4 * MAX_STATES) { this.isCertain = false; break; }
    }
    return found;
  }

  /** What may follow a state, with what the role is told of it: all, or, where that is too much, some. */
  private *following(one: Held, own: bigint | null): Generator<{ held: Held; words: BigInt64Array }> {
    for (const { joint, weight } of this.attempt(() => this.branches(one.state, own)) ?? []) {
      if (++this.work > MAX_WORK) { this.isCertain = false; return; }
      const next = this.attempt(() => this.game.step(one.state, joint));
      const words = next && this.attempt(() => this.game.observe(one.state, next, joint, this.role));
      if (next && words) yield { held: { state: next, weight: one.weight * weight, joint, before: one }, words };
    }
  }

  /** Joint actions or chance outcomes: all of them, or some at random where there are many. */
  private branches(state: State, own: bigint | null): { joint: Joint; weight: number }[] {
    const { game } = this;
    const acting = game.acting(state);
    if (!acting.length) {
      if (game.actors(state) < 0) return [];
      const { outcomes, probabilities } = game.chance(state);
      const some = [...outcomes].map((outcome, at) => ({ joint: game.jointOf(new Map(), outcome), weight: probabilities[at]! }));
      return this.few(some);
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

  private few(branches: { joint: Joint; weight: number }[]): { joint: Joint; weight: number }[] {
    if (branches.length <= this.limit()) return branches;
    this.isCertain = false;
    return Array.from({ length: DRAWS }, () => ({ joint: drawn(branches, this.rng).joint, weight: 1 / DRAWS }));
  }

  // --- mending --------------------------------------------------------------------------------------------------------

  /** Some states at the ends of histories that fit all records, found by changing one hidden choice after the other. */
  private mended(): Held[] {
    this.isCertain = false;
    const until = performance.now() + MEND_MS;
    const found: Held[] = [];
    let best = this.replayed([], -1);
    while (performance.now() < until && found.length < MENDED) {
      const trial = this.replayed(best.joints, below(this.rng, best.joints.length || 1));
      if (trial.errors > best.errors) continue;
      best = trial;
      if (!trial.errors) found.push({ state: trial.state, weight: 1, joint: null, before: null });
    }
    return found;
  }

  /** Play through all records with the choices of some history, one of them changed, and count the records that differ. */
  private replayed(joints: Joint[], change: number): { joints: Joint[]; errors: number; state: State } {
    const { game, records } = this;
    let state = game.initial(), errors = 0, at = 0;
    const made: Joint[] = [];
    while (at < records.length && made.length < MAX_TRANSITIONS) {
      const record = records[at]!;
      const joint = this.attempt(() => this.chosen(state, record, made.length === change ? undefined : joints[made.length]));
      const next = joint && this.attempt(() => game.step(state, joint));
      const words = next && this.attempt(() => game.observe(state, next, joint!, this.role));
      if (!next || !words) break;
      const isActing = this.acts(state);
      made.push(joint!);
      state = next;
      if (!isActing && !words.length) continue;
      if (isActing !== (record.action !== null) || !isEqual(words, record.words)) errors++;
      at++;
    }
    return { joints: made, errors: errors + records.length - at, state };
  }

  /** What is chosen in a state: the role's own action of the record, the others' as before where it is legal. */
  private chosen(state: State, record: Record, before: Joint | undefined): Joint | undefined {
    const { game } = this;
    const acting = game.acting(state);
    if (!acting.length) {
      if (game.actors(state) < 0) return undefined;
      const known = before?.[game.players] ?? null;
      if (known !== null && game.chance(state).outcomes.includes(known)) return game.jointOf(new Map(), known);
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
