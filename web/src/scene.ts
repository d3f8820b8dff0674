// The scene of a position, as `ggp/scene/scene.py` describes it.
export interface Piece {
  shape?: string;
  text?: string;
  /** What the text is short for. */
  word?: string;
  player?: number | null;
  colour?: string | null;
  count?: number;
  means?: string[];
}
/** Between the names of what tints a place. */
export const SEVERAL = ", ";
export interface Place {
  name: string;
  type: string;
  x: number;
  y: number;
  form: "square" | "hexagon" | "point" | "hole" | "triangle" | "flat" | "upright" | "rising" | "falling" | "corner" | "way";
  tint?: number;
  ground?: Piece | null;
  mark?: Piece | null;
  pieces?: Piece[];
  /** The key of the level that its board is of, where there are several. */
  on?: string;
  /** A number in its corner. */
  note?: string;
  /** The other values that it stands for. */
  also?: string[];
  /** Of a way, from its middle to where it ends. */
  along?: [number, number];
}
export interface Board {
  name: string;
  style: string;
  width: number;
  height: number;
  places: Place[];
  lines?: [number, number, number, number][];
  axes?: { text: string; x: number; y: number }[];
  /** Whose it is, where each player has one. */
  player?: number | null;
  /** Whether others act on it, too. */
  by_others?: boolean;
  /** Which it is of several boards that lie above each other. */
  level?: string;
  /** What the numbers in the corners of its places are called. */
  note?: string;
  /** Types of which each member is one thing that lies over all the places where pieces mean it. */
  long?: string[];
  /** Lines of other kinds than `lines`, by their names. */
  other_lines?: [string, [number, number, number, number][]][];
}
export interface Item {
  text: string;
  name?: string;
  shape?: string;
  player?: number | null;
  number?: number | null;
  means?: string[];
}
/** How many equal cards an item stands for: a number says so where the text is not that number itself. */
export const copies = (item: Item) => (item.name || item.text === String(item.number) ? 1 : item.number ?? 1);

export interface Row {
  items: Item[];
  name?: string;
  player?: number | null;
  /** What the row itself stands for. */
  means?: string[];
  /** Whether the order of the items means something, as in a sequence. */
  in_order?: boolean;
}
export interface Entry {
  kind: string;
  label: string;
  text: string;
  rows: Row[];
  /** The ends of a track. */
  low?: number;
  high?: number;
  /** From where on a track snakes and ladders lead, and to where. */
  jumps?: [number, number][];
  /** Its special places: which, what they are called, in which colour. */
  marks?: [number, string, string][];
  /** The numbers in the corners of its places, from the first on, and what they are called. */
  notes?: string[];
  note?: string;
}
export interface Player {
  name: string;
  colour: string;
}
export interface Scene {
  players: Player[];
  boards: Board[];
  entries: Entry[];
  /** The lines on cards that are numbers in the rules, by what they mean. */
  faces?: [string, string[]][];
}

/** A component of an action: its name and type in the rules, and its value. */
export type Part = [name: string, type: string, text: string];
export interface Action {
  text: string;
  parts: Part[];
}

/** What a place stands for, together with its level where there are several; empty: nothing. */
export function keyOf(place: Place): string {
  return place.name ? `${place.on ? `${place.on} ` : ""}${place.type}:${place.name}` : "";
}

/** The places over which each thing lies that lies over several, in their order, see `Board.long_things` in `ggp/scene/scene.py`. */
export function longThings({ long, places }: Board): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  for (const place of long?.length ? places : []) {
    for (const key of place.pieces?.flatMap(({ means }) => means ?? []) ?? []) {
      if (long!.includes(key.slice(0, key.lastIndexOf(":")))) found.set(key, [...(found.get(key) ?? []), place]);
    }
  }
  return new Map([...found].filter(([, over]) => over.length > 1));
}

/** Whether a place lies between cells. */
export function isEdge({ form }: Place): boolean {
  return form === "flat" || form === "upright" || form === "rising" || form === "falling" || form === "corner" || form === "way";
}

/** What tells a place from the others of its board, also where it stands for nothing. */
export function spotOf(place: Place): string {
  return keyOf(place) || `${place.x} ${place.y}`;
}

/** The places that look different in two scenes. */
export function differences(before: Scene | null, after: Scene | null): Set<string> {
  const found = new Set<string>();
  after?.boards.forEach((board, number) => {
    const look = (place: Place) => JSON.stringify([place.pieces ?? [], place.ground ?? null]);
    const old = new Map(before?.boards[number]?.places.map((place) => [spotOf(place), look(place)]));
    for (const place of board.places) if (old.size && old.get(spotOf(place)) !== look(place)) found.add(spotOf(place));
  });
  return found.size > 12 ? new Set() : found;
}

const AND = new Intl.ListFormat("en-GB");

/** Names in words: `ann, bob and cat`. */
export function listed(names: string[]): string {
  return AND.format(names);
}
