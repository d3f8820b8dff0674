// From actions to clicks, for any game: which things on the screen can be clicked now, and what a click leaves.
//
// Whatever is on the screen stands for values, as keys `TYPE:text`. A click is the keys of what was clicked; each action
// takes it as the first of its components that is not decided yet and stands there. What is on the screen of no
// component becomes buttons.
import type { Action, Entry, Scene } from "./scene";
import { keyOf } from "./scene";

/** Something that was clicked: all that it stands for. */
export type Click = string[];

const STEPS: Record<string, [number, number]> = {
  north: [0, 1], northeast: [1, 1], east: [1, 0], southeast: [1, -1],
  south: [0, -1], southwest: [-1, -1], west: [-1, 0], northwest: [-1, 1],
};
const DIRECTION = new RegExp(`^(?!\\w+_of_)(?:\\w+_)?(${Object.keys(STEPS).join("|")})$`);

const RANGE = /^(-?\d+)\.\.(-?\d+)$/;
/** The type of a number of steps: behind it, the component that is their direction. */
const STRIDE = / along (.*)$/;
/** The type of a direction in which what a variable places goes: behind it, the variable. */
const ORIGIN = / from (.*)$/;

/** The keys on the screen, for the player who is to act. */
export class Screen {
  readonly keys = new Set<string>();
  /** What stands in a row of the player's own, such as a hand: the same values elsewhere cannot be clicked. */
  readonly mine = new Set<string>();
  private readonly origins = new Map<string, string>();
  /** What stands for what at each cell. */
  private readonly held = new Map<string, Click>();
  private readonly own: string[] = [];
  private readonly cells = new Set<string>();
  private readonly types = new Set<string>();
  /** Types of the levels of boards that lie above each other. */
  private readonly levels = new Set<string>();
  /** Edges that moves name by a cell and a direction: the move's word and both keys. */
  readonly edges = new Set<string>();
  /** Elements of tables: the keys of a row and of a column, which an action names in this order. */
  private readonly elements = new Set<string>();
  /** Ranges of the numbers on cards and dice. */
  private readonly spans: [number, number][] = [];

  constructor(scene: Scene, turn: number) {
    for (const board of scene.boards) {
      for (const place of board.places) {
        if (place.ground?.shape === "nothing") continue;
        const key = keyOf(place);
        if (key) this.cells.add(key);
        if (place.on) this.levels.add(typeOf(place.on));
        if (place.pieces?.some((piece) => piece.player === turn)) this.own.push(key);
        this.held.set(key, keysOfPlace(place, turn));
        for (const each of this.held.get(key)!) {
          this.keys.add(each);
          if (!this.origins.has(each)) this.origins.set(each, key);
        }
        for (const each of place.also ?? []) {
          const first = each.split(" ").find((word) => word.includes(":"))!;
          if (each.endsWith(first)) continue;
          this.edges.add(each);
          this.levels.add(typeOf(first));
        }
      }
    }
    if (!scene.boards.length) for (const { name } of scene.players) this.keys.add(`player:${name}`);  // their places on the table
    for (const entry of scene.entries) {
      for (const row of entry.rows) {
        for (const each of keysOfItem("", row.player, row.means, turn)) this.keys.add(each);
        for (const item of row.items) {
          for (const each of keysOfItem(entry.kind, row.player, item.means, turn)) {
            this.keys.add(each);
            if (row.player === turn) this.mine.add(each);
            if (!each.includes(" ")) continue;
            this.elements.add(each);
            this.cells.add(each);
            this.levels.add(typeOf(each.split(" ")[0]!));
          }
          const span = (entry.kind === "cards" || entry.kind === "dice") && RANGE.exec(item.means?.at(-1)?.replace(/:[^:]*$/, "") ?? "");
          if (span) this.spans.push([Number(span[1]), Number(span[2])]);
        }
      }
    }
    for (const key of this.keys) this.types.add(typeOf(key));
  }

  /** Return the key that stands for a component of an action; nothing where it is not on the screen. */
  keyOf(action: Action, index: number): string | undefined {
    const way = this.wayOf(action, index);
    if (way !== undefined) return this.keyOf(action, way);
    const [, type, text] = action.parts[index]!;
    if (this.levels.has(type) && action.parts.some((_, cell) => this.levelOf(action, cell) === index)) return undefined;  // chosen with its cell
    const direction = DIRECTION.exec(text)?.[1];
    const key = direction && this.levelOf(action, index) === undefined ? this.neighbour(action, index, direction) : this.placeOf(action, index);
    if (key && this.keys.has(key)) return key;
    // a number on a card or a die stands for itself in other ranges, too, where it can be every number of them
    const range = RANGE.exec(type);
    if (!range || this.types.has(type) || !this.keys.has(`number:${text}`)) return undefined;
    return this.spans.some(([low, high]) => low <= Number(range[1]) && Number(range[2]) <= high) ? `number:${text}` : undefined;
  }

  /** Whether a key stands beside the boards only. */
  isBeside(key: string): boolean {
    return !this.origins.has(key);
  }

  /** The component that says on which level another one, a cell, is: the nearest before it, or else behind it; the other one of an edge. */
  levelOf(action: Action, cell: number): number | undefined {
    if (!this.levels.size) return undefined;
    if (cell === 1 && this.edges.has(edgeOf(action))) return 0;
    const isOn = (index: number) => {
      const [, type, text] = action.parts[index]!, [, board, name] = action.parts[cell]!;
      const key = `${type}:${text} ${board}:${name}`;
      // of rows and columns that are the same numbers, one of a pair, and then the other
      const goes = type === board ? index === cell - 1 && this.levelOf(action, index) === undefined : index < cell || (index > cell && !this.elements.has(key));
      return goes && this.levels.has(type) && this.cells.has(key);
    };
    const found = action.parts.map((_, index) => index).filter(isOn);
    return found.filter((index) => index < cell).at(-1) ?? found[0];
  }

  /** The component that is the direction in which something goes so many steps; nothing for other components. */
  private wayOf(action: Action, index: number): number | undefined {
    const way = STRIDE.exec(action.parts[index]![1])?.[1], found = action.parts.findIndex(([name]) => name === way);
    return found < 0 ? undefined : found;
  }

  /** The components that are decided together with one: its level, or the direction and the number of steps, which are one cell. */
  together(action: Action, index: number): number[] {
    const way = this.wayOf(action, index) ?? index, level = this.levelOf(action, index);
    return [index, way, ...action.parts.flatMap((_, other) => (this.wayOf(action, other) === way ? [other] : [])), ...(level === undefined ? [] : [level])];
  }

  private placeOf(action: Action, index: number): string {
    const [, type, text] = action.parts[index]!, level = this.levelOf(action, index);
    if (index === 1 && this.edges.has(edgeOf(action))) return edgeOf(action);
    return level === undefined ? `${type}:${text}` : `${action.parts[level]![1]}:${action.parts[level]![2]} ${type}:${text}`;
  }

  private neighbour(action: Action, index: number, direction: string): string | undefined {
    let from = this.origins.get(`at:${ORIGIN.exec(action.parts[index]![1])?.[1]}`), thing = "";
    if (!from) action.parts.forEach((_, place) => {
      const key = this.placeOf(action, place), origin = this.origins.get(key);
      if (place !== index && origin) [from, thing] = [origin, key];
    });
    if (!from && this.own.length === 1) from = this.own[0];
    const match = from && /^(.*):([a-z]+)(\d+)$/.exec(from);
    if (!match) return undefined;
    const [dx, dy] = STEPS[direction]!, [, board, name, row] = match;
    const stride = action.parts.findIndex((_, place) => this.wayOf(action, place) === index);
    let key: string, steps = stride < 0 ? 0 : Number(action.parts[stride]![2]) - 1;
    do {  // past all of a thing that lies over several cells
      steps += 1;
      key = `${board}:${letters(column(name!) + steps * dx)}${Number(row) + steps * dy}`;
    } while (key !== thing && this.held.get(key)?.includes(thing));
    return this.cells.has(key) ? key : undefined;
  }
}

/** What stands for an action that names an edge by a cell and a direction: its word and both values. */
function edgeOf(action: Action): string {
  return action.parts.length === 2 ? `${wordOf(action)} ${action.parts.map(([, type, text]) => `${type}:${text}`).join(" ")}`.trim() : "";
}

export function keysOfPlace(place: Scene["boards"][0]["places"][0], turn: number): Click {
  const own = (place.pieces ?? []).filter((piece) => piece.player === undefined || piece.player === null || piece.player === turn);
  const apart = place.on && place.name ? [`${place.type}:${place.name}`, place.on] : [];
  return [keyOf(place), ...(place.also ?? []), ...apart, ...own.flatMap((piece) => piece.means ?? [])].filter((key) => key && !key.startsWith("player:"));
}

export function keysOfItem(kind: string, player: number | null | undefined, means: string[] | undefined, turn: number): Click {
  const keys = means ?? [];
  if (player !== undefined && player !== null && player !== turn) return keys.filter((key) => key.startsWith("player:"));
  const numbers = kind === "cards" || kind === "dice" ? keys.slice(-1).map((key) => `number:${key.split(":").pop()}`) : [];
  return [...keys, ...numbers];
}

/** The type of the value that a key stands for. */
function typeOf(key: string): string {
  return key.slice(0, key.lastIndexOf(":"));
}

function column(name: string): number {
  return [...name].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 96, 0);
}

function letters(number: number): string {
  return number < 1 ? "" : letters(Math.floor((number - 1) / 26)) + String.fromCharCode(97 + ((number - 1) % 26));
}

/** An action that fits all clicks so far, and which of its components they decided. */
interface Candidate {
  action: Action;
  decided: Set<number>;
}

/** What can be done next. */
export interface Choice {
  /** The actions that are left. */
  left: Action[];
  /** What can be clicked: keys on the screen. */
  keys: Set<string>;
  /** Actions of which nothing more is on the screen, or not for all of their kind: they become buttons. */
  buttons: Action[];
}

/** Actions of which all components are looked for on the screen. */
const MOST_LOOKED_AT = 500;

/** Return what is left after some clicks. */
export function choose(actions: Action[], clicks: Click[], screen: Screen): Choice {
  let candidates: Candidate[] = actions.map((action) => ({ action, decided: new Set<number>() }));
  for (const click of clicks) {
    const next: { candidate: Candidate; rank: number }[] = [];
    for (const { action, decided } of candidates) {
      const index = action.parts.findIndex((_, at) => !decided.has(at) && click.includes(screen.keyOf(action, at) ?? " "));
      if (index < 0) continue;
      const now = new Set([...decided, ...screen.together(action, index)]);
      next.push({ candidate: { action, decided: now }, rank: rankOf(action, index) });
    }
    const first = Math.min(...next.map(({ rank }) => rank));
    candidates = next.filter(({ rank }) => rank === first).map(({ candidate }) => candidate);
    if (click.some((key) => screen.edges.has(key))) candidates = kindsOf(candidates.map(({ action }) => action)).map(([one]) => candidates.find(({ action }) => action === one)!);  // one edge, by either of its cells
  }
  const left = candidates.map(({ action }) => action);
  const differing = differences(candidates);
  const subsets = new Map(kindsOf(left).map((some) => [kindOf(some[0]!), subsetsOf(some)]));
  const uses = new Map<string, number>();
  const keyed = candidates.map(({ action, decided }) => {
    const varied = differing.get(kindOf(action))!;
    const open = action.parts.map((_, index) => index).filter((index) => !decided.has(index));
    const asked = open.filter((index) => varied.has(index));
    const known = candidates.length > MOST_LOOKED_AT ? [] : open.map((index) => screen.keyOf(action, index));
    for (const key of new Set(known)) if (key) uses.set(key, (uses.get(key) ?? 0) + 1);
    const first = (asked.length ? asked : open).find((index) => screen.keyOf(action, index));
    if (first === undefined) return { action, more: [], later: [] };
    const base = baseOf(action, first), isSubset = subsets.get(kindOf(action))!.has(base);
    const more = isSubset ? open.filter((index) => baseOf(action, index) === base).flatMap((index) => screen.keyOf(action, index) ?? []) : [];
    const key = screen.keyOf(action, first)!;
    const alone = (index: number) => action.parts.filter(([, type]) => type === action.parts[index]![1]).length === 1;
    const later = known.filter((each, place) => each && open[place]! > first && typeOf(each) === action.parts[open[place]!]![1] && alone(open[place]!));
    return { action, key, more, later };
  });
  // where only some values of a component stand beside the board, its form has them all, and they are chosen there
  const partly = new Set(keyed.filter(({ key }) => !key).map(({ action }) => kindOf(action)));
  const onScreen = ({ action, key }: { action: Action; key?: string | undefined }) => Boolean(key && !(partly.has(kindOf(action)) && screen.isBeside(key)));
  const keys = new Set(keyed.filter(onScreen).flatMap(({ key, more }) => [key!, ...more]));
  // a thing that one action alone names, such as where a ride leads, says all of it
  for (const one of keyed.filter(onScreen)) for (const key of one.later) if (key && uses.get(key) === 1 && !screen.isBeside(key)) keys.add(key);
  const buttons = keyed.filter((one) => !onScreen(one)).map(({ action }) => action);
  return { left, keys, buttons };
}

/** The place of a component's name; the members of a subset and the values of an index have one name. */
function rankOf(action: Action, index: number): number {
  return action.parts.findIndex((_, at) => baseOf(action, at) === baseOf(action, index));
}

function baseOf(action: Action, index: number): string {
  return action.parts[index]![0].replace(/\[.*/, "");
}

/** The names of the components that are the members of a subset: of two values, one comes first in all actions of a kind. */
function subsetsOf(actions: Action[]): Set<string> {
  const bases = actions[0]!.parts.map((_, index) => baseOf(actions[0]!, index));
  return new Set(bases.filter((base, first) => {
    const places = bases.flatMap((other, index) => (other === base ? [index] : []));
    if (places.length < 2 || places[0] !== first) return false;
    const seen = new Set<string>();
    return actions.every(({ parts }) => places.every((one, at) => places.slice(0, at).every((other) => {
      const [before, after] = [parts[other]![2], parts[one]![2]];
      seen.add(`${before} ${after}`);
      return !seen.has(`${after} ${before}`);
    })));
  }));
}

/** The words of an action, without its components. */
export function wordOf(action: Action): string {
  return action.text.split(" ").slice(0, -action.parts.length || undefined).join(" ");
}

/** What an action is called, its components left out. */
export function kindOf(action: Action): string {
  return wordOf(action) + "/" + action.parts.map(([name]) => name).join(" ");
}

/** The actions of each kind. */
export function kindsOf(actions: Action[]): Action[][] {
  const found = new Map<string, Action[]>();
  for (const action of actions) {
    const kind = action.parts.length ? kindOf(action) : "";  // bare words stand together
    const known = found.get(kind);
    if (known) known.push(action);
    else found.set(kind, [action]);
  }
  return [...found.values()];
}

/** A kind of action that says one of two things of each of several things beside the boards, such as which dice to throw again. */
export interface Toggles {
  actions: Action[];
  /** The things, as `spotOfItem` names them, what is written on them, and the values of each, in the order of the components. */
  things: string[];
  texts: string[];
  values: string[][];
  /** `dice` or `cards`. */
  kind: string;
}

/** What tells a value beside the boards from others. */
export function spotOfItem(label: string, name: string | undefined): string {
  return `${label} ${name}`;
}

/** Return what is toggled on the screen; nothing where a click on these things means something else. */
export function togglesOf({ keys, buttons }: Choice, entries: Entry[], turn: number): Toggles | undefined {
  for (const actions of kindsOf(buttons)) {
    const names = actions[0]!.parts.map(([name]) => /\[(.*)\]$/.exec(name)?.[1]);
    const all = [...new Set(actions.flatMap(({ parts }) => parts.map(([, , text]) => text)))].sort((a, b) => Number(b === "no") - Number(a === "no"));
    const values = names.map((_, index) => all.filter((value) => actions.some(({ parts }) => parts[index]![2] === value)));
    if (names.length < 2 || names.includes(undefined) || values.some(({ length }) => length > 2)) continue;
    for (const { kind, label, rows } of entries) {
      const row = rows.find(({ player }) => player === turn) ?? (rows.length === 1 ? rows[0]! : undefined);
      const items = names.map((name) => row?.items.find((item) => item.name === name));
      const isFree = items.every((item) => item && !keysOfItem(kind, row!.player, item.means, turn).some((key) => keys.has(key)));
      if (isFree && (kind === "dice" || kind === "cards")) return { actions, values, kind, things: names.map((name) => spotOfItem(label, name)), texts: items.map((item) => item!.text) };
    }
  }
  return undefined;
}

/** For each kind of action, the components in which those that are left differ. */
function differences(candidates: Candidate[]): Map<string, Set<number>> {
  const first = new Map<string, Action>();
  const found = new Map<string, Set<number>>();
  for (const { action } of candidates) {
    const kind = kindOf(action);
    const other = first.get(kind);
    if (!other) {
      first.set(kind, action);
      found.set(kind, new Set());
    } else {
      action.parts.forEach(([, , text], index) => {
        if (other.parts[index]![2] !== text) found.get(kind)!.add(index);
      });
    }
  }
  return found;
}

/** Return the legal actions that a typed text means: the one of that text, or all that begin with its words. */
export function typed(actions: Action[], text: string): Action[] {
  const plain = text.trim().toLowerCase().replace(/\s+/g, " ");
  const exact = actions.filter((action) => action.text.toLowerCase() === plain);
  if (exact.length || !plain) return exact;
  // as the page shows them: underscores are spaces there
  for (const between of [" ", ""]) {
    const shown = (one: string) => one.toLowerCase().replace(/[_ ]/g, between), begun = shown(plain);
    const begins = actions.filter((action) => shown(action.text).startsWith(begun)), whole = begins.filter((action) => shown(action.text) === begun);
    if (begins.length) return whole.length ? whole : begins;
  }
  return [];
}
