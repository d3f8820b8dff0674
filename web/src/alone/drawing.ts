// Scenes of states, as `ggp/display` makes them: records of the pictures, or values of variables, on empty boards.
import { SEVERAL, type Board, type Entry, type Piece, type Place, type Scene } from "../scene";
import { entryOf } from "./entries";
import type { BoardFacts, LineFacts, Look, OverlayFacts, RuleFacts, SourceFacts } from "./facts";
import type { Game, State } from "./game";
import type { Value } from "./values";

const MAX_PIECES = 6;
/** Steps along x and y of the directions, in their order. */
const STEPS = [[0, 1], [1, 1], [1, 0], [1, -1], [0, -1], [-1, -1], [-1, 0], [-1, 1]] as const;

interface Drawn {
  cells: number;
  cell: number;
  piece: Piece;
  layer: string;
  rule: number;
  side: number | null;
}
/** The fields of the records of each rule or line, by its number. */
type Records = Map<number, number[]>;

/** Where a side of a cell is, see `ggp.display.geometry.Layout.side`. */
function sideOf(board: BoardFacts, x: number, y: number, side: number): [number, number] {
  const [east, north] = STEPS[side]!, high = board.lean ? Math.sqrt(3) / 2 : 1;
  return [x + (east + board.lean * north / 2) / 2, Math.round((y - north * high / 2) * 1e6) / 1e6];
}

export class Drawing {
  constructor(private readonly game: Game) {}

  /** What is special at the places of a track, whose they are, and what they are worth. */
  private track({ jumps, marks, owners, notes, note }: LineFacts, of: Value[], first: number): Partial<Entry> {
    const { players } = this.game.facts.display;
    const owned = owners?.flatMap((variable) => (of[variable] as (number | null)[]).flatMap((player, place): [number, string, string][] => (player === null ? [] : [[first + place, players[player]!.name, players[player]!.colour]])));
    return { ...(jumps && { jumps }), ...((owned ?? marks) && { marks: [...owned ?? [], ...marks ?? []] }), ...(notes && { notes, note }) };
  }

  /** The scene of a state as the rules show it to everybody, or to a player. */
  scene(state: State, player: number | null): Scene {
    const { players, displays, faces } = this.game.facts.display;
    const number = player !== null && displays.length > 1 ? player + 1 : 0;
    const { sizes, boards, lines, constants } = displays[number]!;
    const values = this.game.values;
    if (!sizes) {
      const of = this.game.facts.display.variables.map((_, variable) => this.variable(state, variable));
      return {
        players, ...(faces && { faces }), boards: boards.map((board) => {
          const lines = [...board.lines ?? [], ...board.links?.flatMap((variable) => this.lines(board, of[variable]!)) ?? [], ...board.arms?.flatMap((variable) => this.arms(board, of[variable] as number[][])) ?? []];
          return { ...this.filled(board, this.fromVariables(board, of)), ...(lines.length && { lines }) };
        }),
        entries: [...lines.map((line) => {
          const entry = entryOf(values, line.kind, line.label, line.type, of[line.number]!, line.is_sequence);
          return line.kind === "track" ? { ...entry, ...this.track(line, of, entry.low ?? 0) } : entry;
        }), ...constants ?? []],
      };
    }
    const { words, reals } = this.game.picture(number, state);
    const records: Records = new Map();
    for (let at = 0; at < words.length; at += sizes[Number(words[at]!)]!) {
      const rule = Number(words[at]!);
      records.set(rule, [...(records.get(rule) ?? []), at + 1]);
    }
    const read = (type: number, at: number) => this.field(type, at, words, reals);
    return {
      players, ...(faces && { faces }),
      boards: boards.map((board) => {
        const drawn = board.rules!.flatMap((rule, place) => (records.get(rule.number) ?? []).flatMap((at) => this.drawn(rule, place, at, read)));
        const lines = board.steps && this.lines(board, read(board.steps.type, records.get(board.steps.number)![0]!));
        return { ...this.filled(board, drawn), ...(lines && { lines }) };
      }),
      entries: lines.map((line) => entryOf(values, line.kind, line.label, line.type, read(line.type, records.get(line.number)![0]!))),
    };
  }

  /** A value of a record; a text is the number of one of the display's. */
  private field(type: number, at: number, words: BigInt64Array, reals: Float64Array): Value {
    const { values, facts } = this.game;
    return values.type(type).kind === "text" ? facts.display.texts[Number(words[at]!)]![3] : values.decode(type, words, at, reals);
  }

  private look(type: number, value: Value): Look {
    const { texts, looks } = this.game.facts.display;
    if (typeof value === "string") return texts.find((text) => text[3] === value)!;
    const facts = this.game.values.type(type);
    const bare = facts.kind === "option" ? facts.inner : type;
    const text = String(value);
    return looks[bare]?.[(value as number) - this.game.values.scalar(bare).low] ?? ["disc", text, text, text];
  }

  private drawn(rule: RuleFacts, place: number, at: number, read: (type: number, at: number) => Value): Drawn[] {
    const fields = new Map<string, { type: number; value: Value }>();
    const means: string[] = [];
    for (const [name, type, words] of rule.fields) {
      const value = read(type, at);
      at += words;
      if (name === "means") means.push(this.game.values.meaning(type, value as number));
      else fields.set(name, { type, value });
    }
    const what = fields.get("what")!.value;
    const cells = Array.isArray(what) ? (what as number[]) : what === null ? [] : [what as number];
    const piece = cells.length ? this.piece(rule, fields, means) : null;
    if (!piece) return [];
    const layer = this.layer(piece, "piece");
    return cells.map((cell) => ({ cells: rule.cells, cell, piece, layer, rule: place, side: rule.side }));
  }

  private layer(piece: Piece, otherwise: string): string { return this.game.facts.shapes[piece.shape ?? ""] ?? otherwise; }

  private piece(rule: RuleFacts, fields: Map<string, { type: number; value: Value }>, means: string[]): Piece | null {
    const player = (fields.get("owner")?.value ?? null) as number | null;
    let { shape, text } = rule;
    if (rule.isPlain) return { shape: shape!, player, colour: rule.colour };
    const given = fields.get("shape");
    if (given) {
      if (given.value === null) return null;
      const look = this.look(given.type, given.value);
      shape = look[0];
      text ||= look[1];
    }
    const count = (fields.get("count")?.value ?? 1) as number;
    if (count < 1) return null;
    const label = fields.get("label");
    if (label && label.value !== null) text = this.look(label.type, label.value)[2];
    return { shape: shape ?? "", text, player, colour: rule.colour, count, means };
  }

  // --- boards -------------------------------------------------------------------------------------------------------

  private filled(board: BoardFacts, drawn: Drawn[]): Board {
    const { name, style, width, height, lines, axes, player, by_others, level, note, long, other_lines } = board;
    const key = (cells: number, cell: number) => `${cells} ${cell}`;
    const places = new Map<string, Place>(board.places.map(([cell, place]) => [key(board.cells, cell), place]));
    for (const other of board.others) {
      if (!other.always && !drawn.some((one) => one.cells === other.cells)) continue;
      for (const [cell, place] of other.places) places.set(key(other.cells, cell), place);
    }
    for (const edge of board.edges) if (![...places.values()].some(({ x, y }) => x === edge.x && y === edge.y)) places.set(`edge ${edge.x} ${edge.y}`, edge);
    const byRule = new Map<string, number>();
    for (const one of drawn) {
      const at = one.side === null ? this.ownKey(board, one, places, key) : this.edge(board, one, places);
      const layered = `${at} ${one.layer}`;
      if (!byRule.has(layered)) byRule.set(layered, one.rule);
      const place = places.get(at);
      if (place && byRule.get(layered) === one.rule) places.set(at, withPiece(place, one.piece, one.layer));
    }
    return { name, style, width, height, places: [...places.values()], lines, axes, ...(player !== undefined && { player, by_others }), ...(level && { level }), ...(note && { note }), ...(long?.length && { long }), ...(other_lines && { other_lines }) };
  }

  private ownKey(board: BoardFacts, one: Drawn, places: Map<string, Place>, key: (cells: number, cell: number) => string): string {
    const own = key(one.cells, one.cell);
    if (one.cells === board.cells || places.has(own)) return own;
    const { columns } = board.others.find((other: OverlayFacts) => other.cells === one.cells) ?? board;
    const row = Math.floor(one.cell / columns), column = one.cell % columns;  // on a square of a board of points
    return key(board.cells, Math.floor(row / 2) * board.columns + Math.floor(column / 2));
  }

  /** The key of the place at a side of a cell, see `ggp.display.geometry.Layout.side`; an edge is made where it is drawn first. */
  private edge(board: BoardFacts, one: Drawn, places: Map<string, Place>): string {
    const cell = board.places[one.cell]![1];
    const [east, north] = STEPS[one.side!]!, across = east + board.lean * north / 2, [x, y] = sideOf(board, cell.x, cell.y, one.side!);
    for (const [known, place] of places) if (place.x === x && place.y === y) return known;
    const made = `edge ${x} ${y}`;
    places.set(made, { name: "", type: "", x, y, form: !north ? "upright" : !board.lean ? "flat" : across * north > 0 ? "falling" : "rising" });
    return made;
  }

  /** Each line from a cell to where the steps lead, once: directions, or the neighbours of each cell. */
  private lines(board: BoardFacts, steps: Value): [number, number, number, number][] {
    const centre = (cell: number): [number, number] => [board.places[cell]![1].x, board.places[cell]![1].y];
    const given = steps as (number | number[])[];
    return board.places.flatMap(([cell]) => {
      const column = cell % board.columns, row = Math.floor(cell / board.columns);
      const near = !board.steps || this.game.values.type(board.steps.type).kind === "array"
        ? (given[cell] as number[]).filter((other) => other > cell || !(given[other] as number[]).includes(cell))
        : (given as number[]).map((direction) => [column + STEPS[direction]![0], row + STEPS[direction]![1]] as const)
          .filter(([x, y]) => x >= 0 && y >= 0 && x < board.columns && y < board.rows).map(([x, y]) => y * board.columns + x);
      return near.map((other): [number, number, number, number] => [...centre(cell), ...centre(other)]);
    });
  }

  /** Each line from the middle of a cell to one of its sides. */
  private arms(board: BoardFacts, steps: number[][]): [number, number, number, number][] {
    return board.places.flatMap(([cell, { x, y }]) => steps[cell]!.map((step): [number, number, number, number] => [x, y, ...sideOf(board, x, y, step)]));
  }

  // --- without a `display` --------------------------------------------------------------------------------------------

  private variable(state: State, number: number): Value {
    const { type, offset, sets } = this.game.facts.display.variables[number]!;
    const values = this.game.values;
    if (sets === null) return values.decode(type, state, offset);
    // kept as the set of the places of each value
    const array = values.type(type) as { indices: number[]; inner: number };
    const stored = values.type(sets) as { indices: number[]; inner: number };
    const places = values.type(stored.inner) as { inner: number };
    const found: Value[] = values.keys(array.indices).map(() => (values.type(array.inner).kind === "scalar" && values.scalar(array.inner).of === "truth" ? 0 : null));
    (values.decode(sets, state, offset) as number[][]).forEach((members, place) => {
      for (const member of members) found[member - values.scalar(places.inner).low] = values.scalar(stored.indices[0]!).low + place;
    });
    return found;
  }

  private fromVariables(board: BoardFacts, of: Value[]): Drawn[] {
    const drawn: Drawn[] = [];
    const grounds = (cells: number) => board.grounds!.filter((one) => one[0] === cells && one[3] === null);
    for (const cells of new Set([...board.sources!.map((source) => source.cells), ...board.grounds!.map((one) => one[0])])) {
      const sources = board.sources!.filter((source) => source.cells === cells);
      for (const source of sources) for (const [cell, piece, side] of this.walls(source, of[source.variable]!)) drawn.push({ cells, cell, piece, layer: "ground", rule: 0, side });
      for (const [at, cell, piece, side] of board.grounds!) if (at === cells && side !== null) drawn.push({ cells, cell, piece, layer: "ground", rule: 0, side });
      for (const [cell, piece, layer] of this.byTypes(sources.filter((source) => !source.sides), of, grounds(cells))) drawn.push({ cells, cell, piece, layer, rule: 0, side: null });
    }
    return drawn;
  }

  /** What variables say of one board, see `ggp.display.drawn.drawn_by_types`. */
  private byTypes(sources: SourceFacts[], of: Value[], lands: [number, number, Piece, number | null][]): [number, Piece, string][] {
    const pieces = new Map<number, Piece[]>(), grounds = new Map<number, Piece>();
    const tinted = new Map<number, Piece[]>(), walkers = new Set<number>(), things = new Set<number>();
    const { tints, variables } = this.game.facts.display;
    for (const source of sources) {
      for (const [cell, piece] of this.ofVariable(source, of[source.variable]!, source.heading ? of[source.heading[0]]! : null)) {
        if (this.layer(piece, "piece") === "ground") {
          if (source.tinting && !grounds.has(cell)) tinted.set(cell, [...(tinted.get(cell) ?? []), piece]);
          else if (!tinted.has(cell) && !grounds.has(cell)) grounds.set(cell, piece);
        } else if (source.is_stack) {
          pieces.set(cell, [...(pieces.get(cell) ?? []), piece].slice(-MAX_PIECES));
        } else if (pieces.has(cell) && (walkers.has(cell) !== Boolean(source.is_walker) || (things.has(cell) && source.is_thing && ((pieces.get(cell)!.at(-1)!.player ?? null) === null) !== ((piece.player ?? null) === null)))) {
          pieces.get(cell)!.push(piece);
        } else {
          if (!pieces.has(cell)) pieces.set(cell, []);
          join(pieces.get(cell)!, piece, variables[source.variable]!.mark);
        }
        if (source.is_walker) walkers.add(cell);
        if (source.is_thing) things.add(cell);
      }
    }
    const tinting = sources.find((source) => source.tinting)?.tinting ?? [];
    for (const [cell, held] of tinted) {  // in a colour of their own, see `joined_tints`
      const kinds = held.reduce((sum, { text }) => sum + 2 ** tinting.indexOf(text!), 0), single = Math.floor(Math.log2(kinds));
      const colour = tints[(held.length === 1 ? single : tinting.length + kinds - single - 2) % tints.length];
      grounds.set(cell, { ...held[0]!, text: held.map(({ text }) => text).join(SEVERAL), ...(colour && { colour }) });
    }
    for (const [, cell, piece] of lands) if (!grounds.has(cell)) grounds.set(cell, piece);
    return [...[...grounds].map(([cell, piece]) => [cell, piece, "ground"] as [number, Piece, string]), ...[...pieces].flatMap(([cell, held]) => held.map((piece) => [cell, piece, "piece"] as [number, Piece, string]))];
  }

  private *ofVariable({ at, looks, variable, heading, spans }: SourceFacts, value: Value, faced: Value): Generator<[number, Piece]> {
    const elements = this.game.values.type(this.game.facts.display.variables[variable]!.type).kind === "array" ? (value as Value[]) : [value];
    for (const [place, element] of elements.entries()) {
      const look = looks[place] ?? null;
      if (at === null) {
        const facing = Array.isArray(faced) ? faced[place] : faced, text = typeof facing === "number" ? { text: heading![1][facing]! } : {};
        const held = (Array.isArray(element) ? element : [element]) as (number | null)[];
        const cells = spans ? held.flatMap((one) => (one === null ? [] : spans[place]![one]!)) : held;
        for (const cell of cells) if (cell !== null && look !== null) yield [cell, { ...look, ...text } as Piece];
      } else if (typeof element === "number" && at[place] !== null) {
        const piece = look === null ? (element ? { text: String(element) } : null) : (look as (Piece | null)[])[element];
        if (piece) yield [at[place]!, piece];
      }
    }
  }

  /** The walls of which a variable tells, see `ggp/display/walls.py`. */
  private walls({ sides, variable }: SourceFacts, value: Value): [number, Piece, number][] {
    if (!sides) return [];
    const elements = this.game.values.type(this.game.facts.display.variables[variable]!.type).kind === "array" ? (value as Value[]) : [value];
    return sides.of_elements.flatMap((byCode, place) => {
      const element = elements[place]!, members = new Set(Array.isArray(element) ? element : [element]);
      return byCode.flatMap(([piece, all], code): [number, Piece, number][] => (members.has(code) !== sides.is_inverse ? all.map(([cell, side]) => [cell, piece, side]) : []));
    });
  }
}

function withPiece(place: Place, piece: Piece, layer: string): Place {
  if (layer === "ground") return { ...place, ground: piece };
  if (layer === "mark") return { ...place, mark: piece };
  return { ...place, pieces: [...(place.pieces ?? []), piece].slice(0, MAX_PIECES) };
}

/** Put what a variable says of a cell together with what others say of it; `mark` is the letter of the variable. */
function join(held: Piece[], second: Piece, mark: string) {
  const first = held.at(-1);
  const owner = (piece: Piece) => piece.player ?? null;
  if (!first) { held.push(second); return; }
  const last = held.length - 1;
  if (owner(first) !== null && owner(second) === null && first.shape === "disc" && !first.text) {
    held[last] = second.shape ? { ...second, player: first.player } : { ...first, text: second.text };
  } else if (owner(first) === null && owner(second) !== null && second.shape === "disc" && !second.text) {
    held[last] = first.shape ? { ...first, player: second.player } : { ...second, text: first.text };
  } else if (owner(first) === owner(second) && first.shape === "disc" && second.shape === "disc" && !first.text) {
    held[last] = { ...first, text: second.text || mark };
  } else if (owner(first) === owner(second) && isMan(first)) held[last] = second;
  else if (!(owner(first) === owner(second) && isMan(second)) && (!second.shape || first.shape !== second.shape || (first.text ?? "") !== (second.text ?? "") || owner(first) !== owner(second))) held.push(second);
}

/** Whether a piece only says whose it is. */
const isMan = (piece: Piece) => (piece.player ?? null) !== null && piece.shape === "disc" && !piece.text;
