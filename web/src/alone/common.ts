// What scenes of several states have in common, with `?` for the rest, as `ggp/scene/common.py` has it.
import { copies, SEVERAL, type Board, type Entry, type Item, type Piece, type Place, type Row, type Scene } from "../scene";

const UNKNOWN = "?";
const TOKEN = /([[\]{},:; ]+)/;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
const copiesOf = (items: Item[]) => items.reduce((sum, item) => sum + copies(item), 0);
const shared = (one: string[] | undefined, other: string[] | undefined) => (one ?? []).filter((each) => other?.includes(each));

export function inCommon(left: Scene, right: Scene): Scene {
  return {
    ...left,
    boards: left.boards.map((board, number) => boardInCommon(board, right.boards[number]!)),
    entries: left.entries.map((entry, number) => entryInCommon(entry, right.entries[number]!)),
  };
}

function boardInCommon(left: Board, right: Board): Board {
  const key = (place: Place) => `${place.type} ${place.x} ${place.y}`;
  const others = new Map(right.places.map((place) => [key(place), place]));
  const places = left.places.map((place) => {
    const other = others.get(key(place));
    others.delete(key(place));
    return placeInCommon(place, other);
  });
  const lines = left.lines?.filter((line) => right.lines?.some((other) => same(line, other)));
  return { ...left, places: [...places, ...[...others.values()].map((place) => placeInCommon(place, undefined))], ...(lines && { lines }) };
}

function placeInCommon(one: Place, other: Place | undefined): Place {
  if (same(one, other)) return one;
  const pieces = one.pieces ?? [], against = other?.pieces ?? [];
  if (other && same(one.ground, other.ground) && pieces.length > 0 && pieces.length === against.length) {
    const owned = pieces.every((piece, at) => (piece.player ?? null) !== null && piece.player === against[at]!.player);
    if (owned) return { ...one, mark: same(one.mark, other.mark) ? one.mark : null, pieces: pieces.map((piece, at) => pieceInCommon(piece, against[at]!)) };
  }
  const rest = against.map((piece) => JSON.stringify(piece));
  const kept = pieces.filter((piece) => {
    const at = rest.indexOf(JSON.stringify(piece));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
  return { ...one, ground: other ? groundInCommon(one.ground ?? null, other.ground ?? null) : null, mark: { shape: "unknown" }, pieces: kept };
}

/** What is known of the ground of a place: of several tints those that are always there. */
function groundInCommon(one: Piece | null, other: Piece | null): Piece | null {
  if (!one || !other || same(one, other)) return same(one, other) ? one : null;
  if (one.shape !== "ground" || other.shape !== "ground" || !one.text || !other.text) return null;
  const names = ({ text }: Piece) => text!.split(SEVERAL), [fewer, more] = names(one).length <= names(other).length ? [one, other] : [other, one];
  return names(fewer).length < names(more).length && names(fewer).every((name) => names(more).includes(name)) ? fewer : null;
}

/** A piece of which the player is known, but not what it is. */
function pieceInCommon(one: Piece, other: Piece): Piece {
  if (same(one, other)) return one;
  return { shape: one.shape === other.shape ? one.shape : "tile", text: UNKNOWN, player: one.player, means: shared(one.means, other.means) };
}

function entryInCommon(one: Entry, other: Entry): Entry {
  if (same(one, other)) return one;
  let text = textInCommon(one.text, other.text);
  if (one.rows.length !== other.rows.length) return { ...one, text, rows: [{ items: [{ text: UNKNOWN }] }] };
  const rows = one.rows.map((row, number) => rowInCommon(row, other.rows[number]!));
  if (text === UNKNOWN && rows.length > 1) text = rows.map((row) => [row.name ?? "", ...row.items.map((item) => item.text)].join(" ")).join("; ");
  return { ...one, text, rows };
}

function rowInCommon(one: Row, other: Row): Row {
  if (same(one, other)) return one;
  if (!one.in_order && ![...one.items, ...other.items].some((item) => item.name)) {  // a set
    const total = copiesOf(one.items);
    if (total !== copiesOf(other.items)) return { ...one, items: [{ text: UNKNOWN }] };
    const both = one.items.flatMap((item) => cardsInCommon(item, other.items));
    return { ...one, items: [...both, ...Array.from({ length: total - copiesOf(both) }, () => ({ text: UNKNOWN }))] };
  }
  if (one.items.length !== other.items.length) return { ...one, items: [{ text: UNKNOWN }] };
  return { ...one, items: one.items.map((item, at) => itemInCommon(item, other.items[at]!)) };
}

/** An item that is in another row, too: of equal cards as many as are in both. */
function cardsInCommon(item: Item, others: Item[]): Item[] {
  const match = others.find((other) => same(item, other) || copies(item) * copies(other) > 1 && same({ ...item, number: 0 }, { ...other, number: 0 }));
  return match ? [copies(match) < copies(item) ? match : item] : [];
}

function itemInCommon(one: Item, other: Item): Item {
  return same(one, other) ? one : { text: UNKNOWN, name: one.name, means: shared(one.means, other.means) };
}

/** The text of a value with `?` for the parts that differ; only `?` if the parts do not correspond. */
function textInCommon(left: string, right: string): string {
  const words = left.split(TOKEN), others = right.split(TOKEN);
  const correspond = words.length === others.length && !left.startsWith("{") && words.every((word, at) => at % 2 === 0 || word === others[at]);
  return correspond ? words.map((word, at) => (word === others[at] ? word : UNKNOWN)).join("") : UNKNOWN;
}
