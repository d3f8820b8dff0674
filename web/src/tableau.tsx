// The values of a game without a board, as on a table: a place for each player, and what is common between them.
import { toChildArray, type ComponentChildren } from "preact";
import { Token } from "./pieces";
import type { Entry } from "./scene";
import { EntryView, spaced, type Handling } from "./values";

interface Properties extends Handling {
  entries: Entry[];
  /** Whose place is at the bottom. */
  nearest: number;
  /** What stands at the head of a player's place; its name if nothing else is given. */
  head?: ((role: number) => ComponentChildren) | undefined;
  children?: ComponentChildren;
}

export function Tableau({ entries, nearest, head, children, ...handling }: Properties) {
  const { players } = handling;
  const own = players.map(({ name }, role) => entries.filter(isOwned).map((entry) => ({ ...entry, rows: entry.rows.filter((row) => row.player === role).map((row) => ({ ...row, name: (row.name ?? "").split(" ").filter((word) => word !== name).join(" ") })) })).filter((entry) => entry.rows.length > 0));
  const common = entries.filter((entry) => !isOwned(entry));
  const place = (role: number) => (
    <section class={role === nearest ? "place-of nearest" : "place-of"} key={role} aria-label={spaced(players[role]!.name)}>
      <header>{head ? head(role) : <><Token players={players} player={role} /><b>{spaced(players[role]!.name)}</b></>}<Chosen name={players[role]!.name} {...handling} /></header>
      <Values entries={own[role]!} {...handling} isOwn />
    </section>
  );
  const others = players.map((_, role) => role).filter((role) => role !== nearest);
  return (
    <div class="tableau">
      {others.length > 0 && <div class="others">{others.map(place)}</div>}
      {(common.length > 0 || toChildArray(children).length > 0) && <div class="common">{children}<Values entries={common} {...handling} /></div>}
      {players.length > 0 && place(nearest)}
    </div>
  );
}

/** What chooses a player, where one can be chosen. */
function Chosen({ name, turn, open, picked, onPick }: Handling & { name: string }) {
  const keys = [`player:${name}`], value = turn === null ? undefined : open(keys);
  if (value === undefined) return null;
  return <button class={picked(keys) ? "item open picked" : "item open"} data-component={value} aria-label={`choose ${spaced(name)}`} onClick={() => onPick(keys)}>choose</button>;
}

function Values({ entries, ...handling }: Handling & { entries: Entry[]; isOwn?: boolean }) {
  if (!entries.length) return null;
  return <div class="entries">{merged(entries).map((entry) => <EntryView key={entry.label} entry={entry} {...handling} />)}</div>;
}

function isOwned(entry: Entry): boolean {
  return entry.kind !== "track" && entry.kind !== "race" && entry.rows.length > 0 && entry.rows.every((row) => row.player !== undefined && row.player !== null);
}

/** Values of the same things, one below or beside the other in one table: what was guessed, and what the answers were. */
function merged(entries: Entry[]): Entry[] {
  const found: Entry[] = [];
  for (const entry of entries) {
    const names = namesOf(entry);
    const other = names && found.find((one) => namesOf(one) === names && one.kind === "table");
    if (!other) { found.push(entry); continue; }
    const place = found.indexOf(other);
    if (entry.rows.length === 1 && other.rows.length > 1 && isRecord(other)) {  // a column more
      const rows = other.rows.map((row, index) => ({ ...row, items: [...row.items, { ...entry.rows[0]!.items[index]!, name: entry.label }] }));
      found[place] = { ...other, rows };
    } else if (entry.rows.length === 1 && !isRecord(other)) {
      const rows = [...other.rows.map((row) => ({ ...row, name: row.name || other.label })), { ...entry.rows[0]!, name: entry.label }];
      found[place] = { ...other, rows, label: "" };
    } else {
      found.push(entry);
    }
  }
  return found;
}

/** Whether a table's rows are the things that it is about, and not its columns. */
function isRecord(entry: Entry): boolean {
  return entry.rows.length > 1 && entry.label !== "";
}

/** The names of the things that a table is about, as a text. */
function namesOf(entry: Entry): string | undefined {
  if (entry.kind !== "table" && entry.kind !== "cards") return undefined;
  const names = isRecord(entry) ? entry.rows.map((row) => row.name ?? "") : (entry.rows[0]?.items.map((item) => item.name ?? "") ?? []);
  return names.length > 1 && names.every(Boolean) ? names.join("\n") : undefined;
}
