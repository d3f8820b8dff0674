// What chance may draw in a state; of draws in several parts, such as the cards of a hand, others that differ in one.
import type { BlockFacts } from "./facts";
import { below, type Game, type State } from "./game";

export const DRAWS = 96;
/** Draws of a phase that show how its parts belong together, and at most how many show that a value can be drawn. */
const MADE = 64, SHOWN = 256;

/** How the parts of a draw belong together. */
interface Parts {
  block: BlockFacts;
  /** For each part those of its own subset, which stand in ascending order, or itself alone. */
  groups: number[][];
  /** Whether nothing is drawn twice. */
  isDistinct: boolean;
}

/** Two values of a type that took each other's places. */
export interface Exchange { type: number; from: number; to: number }

export class Draws {
  /** Phases in which chance was found to have more outcomes than are looked at. */
  private readonly crowded = new Set<number>();
  private readonly parts = new Map<number, Parts>();

  constructor(private readonly game: Game, private readonly rng: BigUint64Array) {}

  /** The outcomes with their probabilities; nothing where there are more than `limit`. To list many takes long. */
  listed(state: State, limit: number): [bigint, number][] | null {
    const phase = this.game.phase(state);
    if (this.crowded.has(phase) && new Set(this.some(state)).size > DRAWS / 2) return null;
    const { outcomes, probabilities } = this.game.chance(state);
    if (outcomes.length <= limit) return Array.from(outcomes, (outcome, at) => [outcome, probabilities[at]!]);
    this.crowded.add(phase);
    return null;
  }

  some(state: State): bigint[] { return Array.from({ length: DRAWS }, () => this.game.sampleChance(state, this.rng)); }

  /** Whether an outcome can be drawn; where these are many, as some draws show. */
  isPossible(state: State, outcome: bigint): boolean {
    const phase = this.game.phase(state);
    if (!this.crowded.has(phase) || this.game.facts.phases[phase]!.weighted) return this.game.chance(state).outcomes.includes(outcome);
    const { block, groups, isDistinct } = this.partsOf(state), values = this.game.values.positions(block, outcome);
    const isAscending = groups.every((group) => group.every((place, number) => !number || values[group[number - 1]!]! < values[place]!));
    if (!isAscending || (isDistinct && !this.areDistinct(block, values))) return false;
    const open = new Map(values.entries());
    for (let made = 0; open.size && made < SHOWN; made++) {
      const drawn = this.game.values.positions(block, this.game.sampleChance(state, this.rng));
      for (const [at, value] of open) if (groups[at]!.some((other) => drawn[other] === value)) open.delete(at);
    }
    return !open.size;
  }

  /** Another outcome with one part of a new one, and which values changed; nothing where nothing is drawn. */
  neighbour(state: State, outcome: bigint): { outcome: bigint; exchange: Exchange } | null {
    const { block, groups } = this.partsOf(state), drawn = this.game.values.positions(block, this.game.sampleChance(state, this.rng));
    if (!drawn.length) return null;
    const at = below(this.rng, drawn.length), group = groups[at]!;
    const exchange = { type: block.types[at]!, from: this.game.values.positions(block, outcome)[at]!, to: drawn[group[below(this.rng, group.length)]!]! };
    return { outcome: this.exchanged(state, outcome, exchange, at), exchange };
  }

  /** An outcome in which two values have taken each other's places; where a value may be drawn twice, one part alone changes. */
  exchanged(state: State, outcome: bigint, { type, from, to }: Exchange, only = -1): bigint {
    const { block, groups, isDistinct } = this.partsOf(state);
    const changed = this.game.values.positions(block, outcome).map((value, at) => {
      if (!isDistinct || block.types[at] !== type) return at === only ? to : value;
      return value === from ? to : value === to ? from : value;
    });
    const sorted = changed.map((_, at) => { const group = groups[at]!; return group.map((place) => changed[place]!).sort((one, other) => one - other)[group.indexOf(at)]!; });
    return this.game.values.numberOf(block, sorted);
  }

  private partsOf(state: State): Parts {
    const phase = this.game.phase(state), known = this.parts.get(phase);
    if (known) return known;
    const block = this.game.facts.blocks[this.game.facts.phases[phase]!.draws!]!;
    const made = Array.from({ length: MADE }, () => this.game.values.positions(block, this.game.sampleChance(state, this.rng)));
    const nameOf = (at: number) => block.components[at]![0].replace(/\[[^[]*$/, "");
    const groups = block.types.map((_, at) => {
      const group = block.types.map((_, other) => other).filter((other) => nameOf(other) === nameOf(at));
      return made.every((drawn) => group.every((place, number) => !number || drawn[group[number - 1]!]! < drawn[place]!)) ? group : [at];
    });
    const found = { block, groups, isDistinct: made.every((drawn) => this.areDistinct(block, drawn)) };
    this.parts.set(phase, found);
    return found;
  }

  private areDistinct({ types }: BlockFacts, values: number[]): boolean {
    return new Set(values.map((value, at) => `${types[at]} ${value}`)).size === values.length;
  }
}
