// Men on numbered points, as in backgammon, where the rules say in one place how many there are, and in another whose.
import type { Entry, Player } from "./scene";

const MIN_POINTS = 8;

/** The values beside the boards; those that say how many men are on numbered points, and whose, become rows of each player. */
export function joined(entries: Entry[], players: Player[]): Entry[] {
  const signed = entries.find(({ kind, rows }) => kind === "race" && rows.length === 1);
  if (signed) return joined(entries.map((entry) => (entry === signed ? race(signed, players, (number, player) => (player ? -number : number)) : entry)), players);
  const numbered = entries.filter((entry) => pointsOf(entry) !== undefined);
  for (const whose of numbered) {
    const items = whose.rows[0]!.items;
    if (items.some((item) => (item.player ?? null) === null && item.text !== "") || items.every((item) => !item.text)) continue;
    const men = numbered.find((entry) => pointsOf(entry) === pointsOf(whose) && entry.rows[0]!.items.every((item, place) => typeof item.number === "number" && item.number >= 0 && (item.number > 0) === (items[place]!.text !== "")));
    if (!men) continue;
    const made = race(men, players, (number, player, place) => (items[place]!.player === player ? number : 0));
    return joined(entries.filter((entry) => entry !== whose).map((entry) => (entry === men ? made : entry)), players);
  }
  return entries;
}

/** One row of numbers as rows of how many men each player has. */
function race(entry: Entry, players: Player[], share: (number: number, player: number, place: number) => number): Entry {
  const { items } = entry.rows[0]!;
  const rows = players.map(({ name }, player) => ({ name, player, items: items.map((item, place) => ({ ...item, number: Math.max(0, share(item.number ?? 0, player, place)) })) }));
  return { ...entry, kind: "race", rows };
}

/** The numbers of the points that a row of values is about, as a text. */
function pointsOf({ kind, rows }: Entry): string | undefined {
  const names = kind === "table" && rows.length === 1 ? rows[0]!.items.map((item) => item.name ?? "") : [];
  return names.length >= MIN_POINTS && names.every((name) => /^\d+$/.test(name)) ? names.join() : undefined;
}
