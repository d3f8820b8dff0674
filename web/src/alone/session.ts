// The game of one page, in its worker: does what `studio/session.py` does on a server, and says it in the same messages.
import type { Begun, Message, Setup, Shown, View } from "../connection";
import type { Held } from "./belief";
import { below, Fault, generator, type Game } from "./game";
import { Search } from "./search";
import { NotPossible, resultText, Table, type Made } from "./table";
import { general } from "./values";

export type Request =
  | ({ type: "start" } & Setup)
  | { type: "play"; role: number; action: string }
  | { type: "back"; to: number }
  | { type: "look"; at: number; role: number | null }
  | { type: "analyse"; at: number | null; role: number | null }
  | { type: "curve" };

const MAX_LISTED = 20_000;
const ME = "me", SEARCH = "search", RANDOM = "random";
const BOT_SEED = 11, ANALYSIS_SEED = 31;
const SLICE_MS = 40, ADVICE_MS = 250, ANALYSIS_MS = 4000, CURVE_MS = 8000, MAX_CURVE_MS = 150;
const LOSS = 0.05;

/** Let messages be read. */
const pause = () => new Promise((resolve) => setTimeout(resolve));

export class Session {
  private table: Table | null = null;
  private seats: string[] = [];
  private clockMs = 1000;
  private spent: number[] = [];
  private since = 0;
  /** Counts what was asked for: what is under way ends where it is not the last. */
  private playing = 0;
  private advising = 0;

  constructor(private readonly game: Game, private readonly send: (message: Message) => void) {}

  async answer(request: Request) {
    try {
      switch (request.type) {
        case "start": this.begin(request); break;
        case "play": this.play(request.role, request.action); break;
        case "back": this.at(request.to); this.table!.back(request.to); break;
        case "look": this.send(this.view(this.at(request.at), request.role)); return;
        case "analyse": await this.analyse(request.at, request.role); return;
        case "curve": await this.curve(); return;
      }
      await this.goOn(++this.playing);
    } catch (error) {
      if (!(error instanceof Fault || error instanceof NotPossible)) throw error;
      this.send({ type: "problem", text: error.message });
    }
  }

  private at(position: number): number {
    if (!this.table || !(position >= 0 && position < this.table.states.length)) throw new NotPossible(`there is no position ${position}`);
    return position;
  }

  private begin(setup: Setup) {
    const { facts } = this.game;
    const table = new Table(this.game, setup.seed);
    table.replay(setup.record);
    const mine = setup.seat ? facts.players.indexOf(setup.seat) : 0;
    this.seats = facts.players.map((name, role) => setup.seats[name] ?? (role === mine ? ME : setup.against));
    const unknown = this.seats.find((who) => ![ME, SEARCH, RANDOM].includes(who));
    if (unknown !== undefined || mine < 0) throw new NotPossible(`this page has no ${mine < 0 ? `role \`${setup.seat}\`` : `player \`${unknown}\``}`);
    this.clockMs = 1000 * setup.clock_s;
    this.table = table;
    this.spent = facts.players.map(() => 0);
    this.since = performance.now();
    this.advising++;
    this.send(this.begun());
  }

  private begun(): Begun {
    const { name, title, prose, text, tags, parameters, simultaneous, open, players } = this.game.facts;
    return {
      type: "begun", game: { name, rules: name, title, prose, text, tags, parameters, simultaneous }, open, alone: true, options: [], choices: [ME, SEARCH, RANDOM],
      seats: players.map((player, role) => ({ name: player, who: this.seats[role] === ME ? "you" : this.seats[role]! })),
    };
  }

  private play(role: number, action: string) {
    if (this.seats[role] !== ME) throw new NotPossible("another player has this seat");
    this.choose(role, this.table!.actionOf(role, action));
  }

  private choose(role: number, action: bigint) {
    const table = this.table!, made = table.made.length;
    table.choose(role, action);
    const now = performance.now();
    this.spent[role]! += (now - this.since) / 1000;
    if (table.made.length > made) this.since = now;
  }

  /** Show each position, and do what is next: chance's transition, the bots' choices, or waiting for the person. */
  private async goOn(turn: number) {
    const table = this.table!;
    while (turn === this.playing) {
      this.send(this.view(table.made.length, null));
      if (table.draw()) { await pause(); continue; }
      const made = table.made.length;
      const bots = table.waiting().filter((role) => this.seats[role] !== ME);
      for (const role of bots) {
        const action = await this.thought(role, turn);
        if (turn !== this.playing) return;
        this.choose(role, action);
      }
      if (table.made.length === made) return;
    }
  }

  private async thought(role: number, turn: number): Promise<bigint> {
    const table = this.table!, at = table.made.length, until = performance.now() + this.clockMs;
    const rng = generator(table.seed, BOT_SEED, role, at);
    const legal = this.game.legal(table.state, role);
    if (legal.length === 1) return legal[0]!;
    const held = this.seats[role] === SEARCH ? table.searched(role, until - 0.4 * this.clockMs) : [];
    // who has lost track of what is possible plays at random
    if (!held.length) return legal[below(rng, legal.length)]!;
    const search = new Search(this.game, held, rng);
    do {
      search.run(Math.min(SLICE_MS, this.clockMs));
      await pause();
    } while (performance.now() < until && turn === this.playing);
    return search.choice(role, legal);
  }

  // --- what is shown --------------------------------------------------------------------------------------------------

  private people(): number[] { return this.seats.map((_, role) => role).filter((role) => this.seats[role] === ME); }

  /** Through whose eyes the person looks: of several own seats, the one that is to act. */
  private eyes(waiting: number[], role: number | null): number | null {
    const people = this.people();
    if (this.table!.isOver && !this.game.facts.open) return role;
    if (role !== null && people.includes(role)) return role;
    return waiting[0] ?? people[0] ?? null;
  }

  private view(at: number, role: number | null): View {
    const table = this.table!, { game } = this;
    const isNow = at === table.made.length;
    const state = table.states[at]!;
    const waiting = isNow ? table.waiting().filter((one) => this.seats[one] === ME) : [];
    const eyes = this.eyes(waiting, role);
    const legal = waiting.length ? [...game.legal(state, waiting[0]!)].slice(0, MAX_LISTED) : [];
    const utilities = game.actors(state) < 0 ? game.utility(state) : null;
    const { scene, certain } = table.scene(eyes, at);
    return {
      type: "view", at, length: table.made.length, scene, certain, eyes, turn: waiting[0] ?? null, acting: game.acting(state),
      chosen: isNow ? [...table.chosen.keys()].sort((one, other) => one - other) : [],
      spent_s: this.spent.map((seconds) => Math.round(10 * seconds) / 10), phase: game.facts.phases[game.phase(state)]?.name ?? null,
      legal: legal.map((action) => ({ text: game.values.actionText(action), parts: game.values.parts(action, game.phase(state)) })),
      told: eyes === null ? [] : table.told(eyes, at), history: table.made.map((made) => this.shown(made, eyes)),
      over: utilities && { text: resultText(game.facts.players, utilities, general, game.facts.is_shared), utilities },
      finished: table.isOver,
    };
  }

  /** A transition as the person may know it. */
  private shown(made: Made, eyes: number | null): Shown | null {
    if (made.outcome === "") return null;
    const table = this.table!;
    if (eyes === null || table.isOver || this.game.facts.open) return { by: [...made.actions.keys()], text: table.line(made), actions: Object.fromEntries(made.actions) };
    const own = made.actions.get(eyes);
    return own === undefined ? null : { by: [eyes], text: table.line(made, eyes), actions: { [eyes]: own } };
  }

  // --- analysis -------------------------------------------------------------------------------------------------------

  private async analyse(at: number | null, role: number | null) {
    const turn = ++this.advising;
    if (at === null) return;
    const table = this.table!, state = table.states[this.at(at)]!;
    const acting = this.game.acting(state);
    const eyes = this.eyes([], role);
    const isOpen = this.game.facts.open || (table.isOver && eyes === null);
    const chosen = eyes !== null && acting.includes(eyes) ? eyes : isOpen ? acting[0] : undefined;
    if (chosen === undefined) return;
    const held = isOpen ? [{ state, weight: 1, joint: null, before: null }] : table.possible(chosen, at).held;
    if (!held.length) throw new NotPossible("too much is hidden here: no position is found that fits what you were told");
    const search = new Search(this.game, held, generator(ANALYSIS_SEED, at));
    const legal = this.game.legal(state, chosen);
    for (let spent = 0; spent < ANALYSIS_MS && turn === this.advising; spent += ADVICE_MS) {
      search.run(ADVICE_MS);
      const found = search.statistics(chosen, legal);
      const total = Math.max(1, found.reduce((sum, { visits }) => sum + visits, 0));
      this.send({
        type: "advice", at, actions: [...legal].map((action) => this.game.values.actionText(action)), shares: found.map(({ visits }) => visits / total),
        utilities: found.map(({ utility }) => utility), values: search.worth(), iterations: search.iterations,
      });
      await pause();
    }
  }

  private async curve() {
    const turn = ++this.advising;
    const table = this.table!, { game } = this;
    if (!game.facts.open && !table.isOver) throw new NotPossible("the curve would show what is hidden: wait for the end of the game");
    for (const [at, state] of table.states.entries()) {
      if (turn !== this.advising) return;
      const acting = game.acting(state);
      if (game.actors(state) < 0) this.send({ type: "worth", at, values: game.utility(state), loss: null, best: null });
      if (!acting.length) continue;
      const searched = (held: Held[]) => {
        const search = new Search(game, held, generator(ANALYSIS_SEED, at));
        search.run(Math.min(MAX_CURVE_MS, CURVE_MS / table.states.length));
        return search;
      };
      const search = searched([{ state, weight: 1, joint: null, before: null }]);
      // mistakes are judged by what the player knew
      const held = game.facts.open ? [] : table.possible(acting[0]!, at).held;
      this.send({ type: "worth", at, values: search.worth(), ...this.mistake(held.length ? searched(held) : search, at, acting) });
      await pause();
    }
    this.send({ type: "drawn" });
  }

  /** How much worse than the best what was played is, where one player chose and it is serious. */
  private mistake(search: Search, at: number, acting: number[]): { loss: number | null; best: string | null } {
    const none = { loss: null, best: null };
    const made = this.table!.made[at];
    if (!made || acting.length !== 1) return none;
    const role = acting[0]!, legal = this.game.legal(this.table!.states[at]!, role), [low, high] = this.game.facts.bounds[role]!;
    const found = search.statistics(role, legal);
    const best = found.reduce((most, one, place) => (one.visits > found[most]!.visits ? place : most), 0);
    const top = found[best]!.utility, own = found[legal.indexOf(made.joint[role]!)]!.utility;
    return top !== null && own !== null && top - own > LOSS * (high - low) ? { loss: top - own, best: this.game.values.actionText(legal[best]!) } : none;
  }
}
