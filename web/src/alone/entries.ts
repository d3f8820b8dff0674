// Labelled values beside the boards, as `ggp/display/values.py` makes them.
import type { Entry, Item, Row } from "../scene";
import type { Value, Values } from "./values";

const MAX_ITEMS = 400;
const LONG_SET = 60;

export function entryOf(values: Values, kind: string, label: string, number: number, value: Value, isSequence = false): Entry {
  const type = values.type(number), isCounted = kind === "counted";
  if (isCounted) kind = "cards";
  if (isSequence && type.kind === "array") {
    const rows = sequenceRows(values, type, value as Value[]);
    return { kind, label, text: rows.map((row) => [row.name, ...row.items.map((item) => item.text)].join(" ")).join("; "), rows };
  }
  if (kind === "places" && type.kind === "array") {
    const rows = placeRows(values, type.indices[0]!, type.inner, value as number[]);
    return { kind, label, text: rows.map(({ items: [place, ...held] }) => `${place!.text}: ${held.map((item) => item.text).join(" ") || "–"}`).join("; "), rows };
  }
  const text = values.text(number, value);
  let rows = type.kind === "array" ? arrayRows(values, type, value as Value[]) : [rowOf(values, number, value, "", null, [])];
  const isListed = ["set", "sequence"].includes(values.type(type.kind === "array" ? type.inner : number).kind);
  const isNamed = type.kind === "array" && innermost(values, type.inner) === type.indices.at(-1);  // by a number of the same range
  if (((kind !== "cards" && kind !== "dice") || isNamed) && !isListed) rows = rows.map((row) => ({ ...row, items: row.items.map(measured) }));
  const element = values.type(type.kind === "array" ? type.inner : number);
  const bare = element.kind === "option" ? values.type(element.inner) : element;
  if (kind === "cards" && type.kind === "array" && bare.kind === "scalar" && element.kind === "scalar" && !bare.of && values.scalar(type.indices.at(-1)!).of === "name") {
    rows = rows.map((row) => ({ ...row, items: row.items.filter((item) => item.number).map((item) => counted(values, item, type.indices.at(-1)!)) }));
  }
  if (isCounted) rows = rows.map((row) => ({ ...row, items: row.items.flatMap(({ name, number, means }) => Array.from({ length: number ?? 0 }, () => ({ text: name!, means: means!.slice(0, -1) }))) }));
  if (rows.reduce((sum, row) => sum + row.items.length, 0) > MAX_ITEMS) rows = [{ items: [{ text }] }];
  const ends = kind === "track" && bare.kind === "scalar" && !bare.of ? { low: bare.low, high: bare.low + bare.size - 1 } : {};
  return kind === "ring" ? { kind: "pits", label, text, rows: ring(rows) } : { kind, label, text, rows, ...ends };
}

function innermost(values: Values, number: number): number {
  const type = values.type(number);
  return type.kind === "option" ? type.inner : number;
}

/** What is sown, in two rows, of which the second leads back. */
function ring(rows: Row[]): Row[] {
  if (rows.length > 1) return [{ ...rows[1]!, items: [...rows[1]!.items].reverse() }, rows[0]!];
  const items = rows[0]!.items, half = items.length / 2;
  return [{ items: items.slice(half).reverse() }, { items: items.slice(0, half) }];
}

/** A card for a number of equal ones. */
function counted(values: Values, item: Item, type: number): Item {
  return { text: item.name!, shape: shapeOf(values, type, item.name!), number: item.number ?? null, means: item.means!.slice(0, -1) };
}

/** A number that counts or measures something stands for what it is the number of, not for itself. */
function measured(item: Item): Item {
  return item.number === null || item.number === undefined || item.means?.at(-1)?.includes(" ") ? item : { ...item, means: item.means!.slice(0, -1) };
}

function arrayRows(values: Values, type: { indices: number[]; inner: number }, value: Value[]): Row[] {
  const last = type.indices.at(-1)!;
  const isWhole = values.type(type.inner).kind === "set" || values.scalar(last).of === "player";
  const outer = isWhole ? type.indices : type.indices.slice(0, -1);
  const keys = values.keys(outer);
  const isRecord = !isWhole && outer.some((index) => values.scalar(index).of !== "player");
  const columns = isWhole ? [[]] : values.keys([last]);
  return keys.map((key, place) => {
    const part = value.slice(place * columns.length, (place + 1) * columns.length);
    const name = values.keyText(outer, key, " ");
    const at = outer.findIndex((index) => values.scalar(index).of === "player");
    const player = at < 0 ? null : key[at]!;
    const means = key.map((code, index) => values.meaning(outer[index]!, code));
    if (isWhole) return rowOf(values, type.inner, part[0]!, name, player, means);
    const items = columns.map(([code], column) => itemOf(values, type.inner, part[column]!, values.scalarText(last, code!), isRecord ? [] : [...means, values.meaning(last, code!)]));
    if (isRecord) {  // an element of a table may be meant as a whole, by an action that names both
      return { items: items.map((item, column) => ({ ...item, means: outer.length === 1 ? [`${means[0]} ${values.meaning(last, columns[column]![0]!)}`] : [] })), name, player };
    }
    return { items, name, player };
  });
}

/** A row for each place where things may be: the place, and the things that are there. */
function placeRows(values: Values, things: number, place: number, value: number[]): Row[] {
  const all = values.keys([things]);
  return values.keys([place]).map(([at]) => ({
    items: [itemOf(values, place, at!, "", []), ...all.flatMap(([thing], number) => (value[number] === at ? [itemOf(values, things, thing!, "", [])] : []))],
  }));
}

/** A row for each sequence, its items from the bottom; the top stands for all. */
function sequenceRows(values: Values, type: { indices: number[]; inner: number }, value: Value[]): Row[] {
  const outer = type.indices.slice(0, -1), width = values.scalar(type.indices.at(-1)!).size;
  return values.keys(outer).map((key, number) => {
    const held = value.slice(number * width, (number + 1) * width).filter((each) => each !== null);
    const at = outer.findIndex((index) => values.scalar(index).of === "player");
    const means = key.map((code, index) => values.meaning(outer[index]!, code));
    const items: Item[] = held.map((each, place) => itemOf(values, type.inner, each, "", place === held.length - 1 ? means : []));
    return { items: items.length ? items : [{ text: "empty", means }], name: values.keyText(outer, key, " "), player: at < 0 ? null : key[at]!, in_order: true };
  });
}

function rowOf(values: Values, number: number, value: Value, name: string, player: number | null, means: string[]): Row {
  const type = values.type(number);
  if (type.kind === "sequence") return { items: (value as number[]).map((code) => itemOf(values, type.inner, code, "", [])), name, player, in_order: true };
  if (type.kind !== "set") return { items: [itemOf(values, number, value, "", means)], name, player };
  const members = value as number[];
  const isEvery = members.length === values.scalar(type.inner).size && members.length > LONG_SET;
  return { items: isEvery ? [{ text: "all" }] : members.map((code) => itemOf(values, type.inner, code, "", [])), name, player, means };
}

function itemOf(values: Values, number: number, value: Value, name: string, means: string[]): Item {
  const type = values.type(number);
  const bare = type.kind === "option" ? type.inner : number;
  const text = value === null ? "" : values.text(bare, value);
  if (typeof value !== "number" || values.type(bare).kind !== "scalar") return { text, name, means };
  const { of } = values.scalar(bare);
  return {
    text, name, shape: shapeOf(values, bare, text), player: of === "player" ? value : null, number: of ? null : value,
    means: of === "truth" ? means : [...means, values.meaning(bare, value)],
  };
}

/** The shape that a value names; of an enumeration of words, one that happens to name a shape is a word. */
function shapeOf(values: Values, type: number, word: string): string {
  const words = values.scalar(type).texts ?? [], { shapes } = values.facts;
  return word in shapes && 2 * words.filter((other) => other in shapes).length >= words.length ? word : "";
}
