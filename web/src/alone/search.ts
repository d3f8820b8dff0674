// Monte Carlo tree search for every game: each player has a tree of its own information states.
//
// Where nothing is hidden this is UCT, where players move at once it is decoupled UCT, else multiple-observer IS-MCTS,
// from states that the role considers possible. Utilities are scaled to [0, 1].
//
// Source: Cowling, Powley, Whitehouse 2012, "Information set Monte Carlo tree search", section V; its availability counts.
import { drawn, type Held } from "./belief";
import { below, Fault, type Game, type State } from "./game";

const EXPLORATION = 0.8;
const SERIOUS = 0.1;
const MAX_DEPTH = 400;
const MAX_NODES = 300_000;

interface Edge {
  visits: number;
  total: number;
  /** How often it was legal where its node was visited. */
  available: number;
}
class Node {
  readonly edges = new Map<bigint, Edge>();
  readonly children = new Map<string, Node>();
  visits = 0;
}

export class Search {
  iterations = 0;
  private nodes = 0;
  private readonly roots: Node[];
  private readonly totals: Float64Array;

  /** Begin at some states, drawn by their weights. */
  constructor(private readonly game: Game, private readonly from: Held[], private readonly rng: BigUint64Array) {
    this.roots = game.facts.players.map(() => new Node());
    this.totals = new Float64Array(game.players);
  }

  run(ms: number) {
    const until = performance.now() + ms;
    do this.runOnce(); while (performance.now() < until);
  }

  runOnce() {
    try {
      this.iterate(drawn(this.from, this.rng).state);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;  // the rules may fail in a state that is possible but not the true one
    }
  }

  private iterate(begin: State) {
    const { game } = this;
    const path: { edge: Edge; player: number }[] = [];
    let state = begin, at = [...this.roots], isNew = false;
    for (let depth = 0; depth < MAX_DEPTH && !isNew; depth++) {
      const acting = game.acting(state);
      const chosen = new Map<number, bigint>();
      let joint;
      if (acting.length) {
        for (const player of acting) {
          const node = at[player]!;
          isNew ||= node.visits === 0 && depth > 0;
          const [action, edge] = this.select(node, game.legal(state, player));
          chosen.set(player, action);
          path.push({ edge, player });
        }
        joint = game.jointOf(chosen);
      } else {
        if (game.actors(state) < 0) break;
        joint = game.jointOf(chosen, game.sampleChance(state, this.rng));
      }
      const next = game.step(state, joint);
      at = at.map((node, player) => {
        const told = game.observe(state, next, joint, player);
        const key = `${chosen.get(player) ?? ""}|${told.join()}`;
        return key === "|" ? node : this.child(node, key);
      });
      state = next;
    }
    const utilities = game.actors(state) < 0 ? game.utility(state) : game.playout(state, this.rng);
    this.iterations++;
    const scaled = game.facts.bounds.map(([low, high], player) => (utilities && high > low ? (utilities[player]! - low) / (high - low) : 0.5));
    scaled.forEach((value, player) => { this.totals[player]! += value; });
    for (const { edge, player } of path) {
      edge.visits++;
      edge.total += scaled[player]!;
    }
  }

  private child(node: Node, key: string): Node {
    let found = node.children.get(key);
    if (!found) {
      found = new Node();
      if (this.nodes < MAX_NODES) {
        node.children.set(key, found);
        this.nodes++;
      }
    }
    return found;
  }

  /** Choose by UCB1; actions that were never tried come first, in a random order. */
  private select(node: Node, legal: BigInt64Array): [bigint, Edge] {
    node.visits++;
    let best: [bigint, Edge] | undefined, most = -Infinity, untried = 0;
    for (const action of legal) {
      let edge = node.edges.get(action);
      if (!edge) node.edges.set(action, edge = { visits: 0, total: 0, available: 0 });
      edge.available++;
      if (!edge.visits) {
        if (below(this.rng, ++untried) === 0) best = [action, edge];
      } else if (!untried) {
        const value = edge.total / edge.visits + EXPLORATION * Math.sqrt(Math.log(edge.available) / edge.visits);
        if (value > most) { most = value; best = [action, edge]; }
      }
    }
    if (!best) throw new Fault("a player has to act and has no legal action");
    return best;
  }

  // --- what it found ----------------------------------------------------------------------------------------------------

  /** For each legal action of a player at the root: how often it was tried, and its mean utility. */
  statistics(player: number, legal: BigInt64Array): { visits: number; utility: number | null }[] {
    return [...legal].map((action) => {
      const edge = this.roots[player]!.edges.get(action);
      return { visits: edge?.visits ?? 0, utility: edge?.visits ? this.utility(player, edge.total / edge.visits) : null };
    });
  }

  /** What the root is worth to each player. */
  worth(): number[] { return [...this.totals].map((total, player) => this.utility(player, total / Math.max(this.iterations, 1))); }

  private utility(player: number, scaled: number): number {
    const [low, high] = this.game.facts.bounds[player]!;
    return low + scaled * (high - low);
  }

  /** The action to play: the one tried most, or, where mixing matters, one in proportion to how often they were tried. */
  choice(player: number, legal: BigInt64Array): bigint {
    const visits = this.statistics(player, legal).map((one) => one.visits);
    const most = Math.max(...visits);
    if (this.game.facts.open && !this.game.facts.simultaneous) return legal[visits.indexOf(most)]!;
    return drawn([...legal].map((action, at) => ({ action, weight: visits[at]! < SERIOUS * most ? 0 : visits[at]! })), this.rng).action;
  }
}
