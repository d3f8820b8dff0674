// A table at which a game is played: everything that happened, and what each role may know of it; as `studio/table.py`.
import { listed, type Scene } from "../scene";
import { Belief, type Held, type Record as Known } from "./belief";
import { inCommon } from "./common";
import { Drawing } from "./drawing";
import { Fault, generator, type Game, type Joint, type State } from "./game";

const CHANCE_SEED = 7, BELIEF_SEED = 29;
const COMPARING_MS = 400;

/** A transition: what each role chose, or what chance drew. */
export interface Made {
  joint: Joint;
  actions: Map<number, string>;
  outcome: string | null;
}

/** What was asked for is not possible at this table now. */
export class NotPossible extends Error {}

export class Table {
  readonly states: State[];
  readonly made: Made[] = [];
  readonly chosen = new Map<number, bigint>();
  private readonly drawing: Drawing;
  private beliefs = new Map<number, { belief: Belief; at: number }>();
  private scenes = new Map<string, { scene: Scene | null; certain: boolean }>();

  constructor(readonly game: Game, readonly seed: number) {
    this.states = [game.initial()];
    this.drawing = new Drawing(game);
  }

  get state(): State { return this.states.at(-1)!; }
  get isOver(): boolean { return this.game.actors(this.state) < 0; }

  /** The roles that have yet to choose. */
  waiting(): number[] { return this.game.acting(this.state).filter((role) => !this.chosen.has(role)); }

  choose(role: number, action: bigint) {
    if (!this.waiting().includes(role)) throw new NotPossible(`${this.game.facts.players[role]} is not to act now`);
    this.chosen.set(role, action);
    if (this.waiting().length) return;
    const actions = new Map([...this.chosen].sort(([one], [other]) => one - other).map(([player, given]) => [player, this.game.values.actionText(given)]));
    const joint = this.game.jointOf(this.chosen);
    this.chosen.clear();
    this.add(joint, actions, null);
  }

  /** The legal action of a text. */
  actionOf(role: number, text: string): bigint {
    const found = [...this.game.legal(this.state, role)].find((action) => this.game.values.actionText(action) === text);
    if (found === undefined) throw new NotPossible(`\`${text}\` is not legal now`);
    return found;
  }

  /** Make a transition of chance or of nobody, if one is due. */
  draw(): boolean {
    if (this.game.actors(this.state) !== 0) return false;
    this.drawn(this.game.sampleChance(this.state, generator(this.seed, CHANCE_SEED, this.made.length)));
    return true;
  }

  private drawn(outcome: bigint) {
    this.add(this.game.jointOf(new Map(), outcome), new Map(), this.game.values.outcomeText(outcome, this.game.phase(this.state)));
  }

  private add(joint: Joint, actions: Map<number, string>, outcome: string | null) {
    this.states.push(this.game.step(this.state, joint));
    this.made.push({ joint, actions, outcome });
  }

  back(to: number) {
    this.states.splice(to + 1);
    this.made.splice(to);
    this.chosen.clear();
    this.beliefs.clear();
    this.scenes.clear();
  }

  /** Make the transitions of a record, as `line` writes them. */
  replay(lines: string[]) {
    for (const [number, line] of lines.entries()) {
      try {
        this.replayLine(line);
      } catch (error) {
        throw error instanceof NotPossible ? new NotPossible(`line ${number + 1} of the record, \`${line}\`: ${error.message}`) : error;
      }
    }
  }

  private replayLine(line: string) {
    const { game, state } = this;
    if (game.actors(state) === 0) {
      const text = line.replace(/^chance: /, "");
      const outcome = [...game.chance(state).outcomes].find((one) => game.values.outcomeText(one, game.phase(state)) === text);
      if (outcome === undefined) throw new NotPossible("chance cannot draw this");
      this.drawn(outcome);
      return;
    }
    for (const part of line.split("; ")) {
      const [name, action] = [part.slice(0, part.indexOf(": ")), part.slice(part.indexOf(": ") + 2)];
      const role = game.facts.players.indexOf(name);
      if (role < 0) throw new NotPossible(`there is no player \`${name}\``);
      this.choose(role, this.actionOf(role, action));
    }
  }

  line(made: Made, only?: number): string {
    if (made.outcome !== null) return `chance: ${made.outcome}`;
    return [...made.actions].filter(([role]) => only === undefined || role === only).map(([role, action]) => `${this.game.facts.players[role]}: ${action}`).join("; ");
  }

  // --- what a role may know -------------------------------------------------------------------------------------------

  /** What a role did and was told in the transition to a position; nothing if it did not notice it. */
  private known(role: number, at: number): Known | null {
    const before = this.states[at - 1]!, { joint, actions } = this.made[at - 1]!;
    const words = this.game.observe(before, this.states[at]!, joint, role);
    const action = actions.has(role) ? joint[role]! : null;
    return action === null && !words.length ? null : { action, words };
  }

  told(role: number, at: number): string[] {
    const { values } = this.game;
    return this.made.slice(0, at).flatMap((_, place) => {
      const known = this.known(role, place + 1);
      if (!known) return [];
      const did = known.action === null ? [] : [`you chose ${values.actionText(known.action)}`];
      return known.words.length ? [...did, `you saw ${values.observation(known.words)}`] : did;
    });
  }

  /** The states that a role considers possible at a position, and whether these are all; none where it loses track. More where they are compared. */
  possible(role: number, at: number, deadline = Infinity, isCompared = false): { held: Held[]; certain: boolean } {
    const state = this.states[at]!;
    if (this.game.facts.open || this.game.actors(state) < 0) return { held: [{ state, weight: 1, joint: null, before: null }], certain: true };
    let kept = this.beliefs.get(role);
    if (!kept || kept.at > at) kept = { belief: new Belief(this.game, role, generator(BELIEF_SEED, role)), at: 0 };
    kept.belief.deadline = deadline;
    for (; kept.at < at; kept.at++) {
      const known = this.known(role, kept.at + 1);
      if (known) kept.belief.tell(known);
    }
    this.beliefs.set(role, kept);
    if (isCompared) kept.belief.renew();
    const legal = this.game.acting(state).includes(role) ? this.game.legal(state, role) : null;
    return { held: kept.belief.states(legal), certain: kept.belief.isCertain };
  }

  /** The states from which a search for a role that is to act begins: possible ones, or, where none is found, the nearest. */
  searched(role: number, deadline: number): Held[] {
    const { held } = this.possible(role, this.made.length, deadline);
    return held.length ? held : this.beliefs.get(role)!.belief.nearest(this.game.legal(this.state, role));
  }

  /** What a role may see of a position; nothing where no possible state is found. */
  scene(role: number | null, at: number): { scene: Scene | null; certain: boolean } {
    const { facts } = this.game;
    if (role === null || facts.open || this.game.actors(this.states[at]!) < 0) return { scene: this.drawing.scene(this.states[at]!, null), certain: true };
    if (facts.display.displays.length > 1) return { scene: this.drawing.scene(this.states[at]!, role), certain: true };
    const key = `${role} ${at}`;
    if (!this.scenes.has(key)) this.scenes.set(key, this.shared(role, at));
    return this.scenes.get(key)!;
  }

  private shared(role: number, at: number): { scene: Scene | null; certain: boolean } {
    const { held, certain } = this.possible(role, at, Infinity, true);
    const until = performance.now() + COMPARING_MS;
    let found: Scene | null = null;
    try {
      for (const { state } of held) {
        if (found && performance.now() > until) return { scene: found, certain: false };
        const scene = this.drawing.scene(state, role);
        found = found ? inCommon(found, scene) : scene;
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { scene: null, certain: false };  // the rules may fail in a state that is possible but not the true one
    }
    return { scene: found, certain };
  }
}

/** Who won, in words. */
export function resultText(names: string[], utilities: number[], written: (utility: number) => string, isShared: boolean): string {
  const best = Math.max(...utilities);
  const winners = names.filter((_, role) => utilities[role] === best);
  const numbers = names.map((name, role) => `${name} ${written(utilities[role]!)}`).join(", ");
  if (names.length === 1 || isShared) return `the result is ${written(utilities[0]!)}`;
  if (winners.length === names.length) return best === 0 ? "a draw" : `a draw: ${numbers}`;
  const isPlain = names.length === 2 && Math.min(...utilities) === -1 && best === 1;
  return `${listed(winners)} won${isPlain ? "" : `: ${numbers}`}`;
}
