// The values beside the boards: cards, dice, pits, scores, tracks and tables.
import { keysOfItem, type Click } from "./clicks";
import { colours, Drawn, Token } from "./pieces";
import type { Entry, Item, Player, Row } from "./scene";

const SUITS: Record<string, string> = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠", c: "♣", d: "♦", h: "♥", s: "♠" };
const RANKS: Record<string, string> = {
  t: "10", j: "J", q: "Q", k: "K", a: "A", jack: "J", queen: "Q", king: "K", ace: "A", knave: "J",
  two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10", "11": "J", "12": "Q", "13": "K", "14": "A",
};
const INKS: Record<string, string> = { red: "red", yellow: "yellow", green: "green", white: "white", blue: "blue" };

interface Properties {
  entry: Entry;
  players: Player[];
  turn: number | null;
  /** Values in the player's own rows: the same values elsewhere cannot be clicked. */
  mine: Set<string>;
  /** The value that is played by a click on things with these keys; nothing where it cannot be clicked. */
  open: (keys: Click) => string | undefined;
  picked: (keys: Click) => boolean;
  onPick: (keys: Click) => void;
}

export function EntryView(properties: Properties) {
  const { entry, players } = properties;
  const named = entry.rows.some((row) => row.name);
  const columns = entry.kind === "table" && entry.rows.length > 1 ? (entry.rows[0]?.items.map((item) => item.name ?? "") ?? []) : [];
  return (
    <section class={`entry ${entry.kind}`} aria-label={entry.label}>
      <h2>{spaced(entry.label)}</h2>
      {columns.some(Boolean) ? (
        <div class="scrolls" tabIndex={0} role="group" aria-label={`${entry.label}, a table`}>
          <table>
            <thead><tr><th />{columns.map((name) => <th scope="col">{name}</th>)}</tr></thead>
            <tbody>
              {entry.rows.map((row) => (
                <tr><th scope="row"><Name row={row} players={players} /></th>{row.items.map((item) => <td><One {...properties} row={row} item={{ ...item, name: "" }} /></td>)}</tr>
              ))}
            </tbody>
          </table>
        </div>
      ) : (
        <div class={named ? "rows named" : "rows"}>
          {entry.rows.map((row) => (
            <div class="row">
              {named && <span class="who"><Name row={row} players={players} /></span>}
              <span class={row.items.length > 16 ? "items many" : "items"}>{row.items.length ? row.items.map((item) => <One {...properties} row={row} item={item} />) : <span class="none">none</span>}</span>
            </div>
          ))}
        </div>
      )}
    </section>
  );
}

function Name({ row, players }: { row: Row; players: Player[] }) {
  const own = row.player !== undefined && row.player !== null;
  return <>{own && <Token players={players} player={row.player!} />}{spaced(row.name ?? "")}</>;
}

function One(properties: Properties & { row: Row; item: Item }) {
  const { entry, row, item, turn, mine, open, picked, onPick } = properties;
  const all = turn === null ? [] : keysOfItem(entry.kind, row.player, item.means, turn);
  const keys = row.player === turn ? all : all.filter((key) => !mine.has(key));
  const value = keys.length ? open(keys) : undefined;
  const body = <Value {...properties} />;
  if (value === undefined) return <span class={keys.length && picked(keys) ? "item picked" : "item"}>{body}</span>;
  return (
    <button class={picked(keys) ? "item open picked" : "item open"} data-component={value} aria-label={`${entry.label} ${item.name ?? ""} ${item.text}`} onClick={() => onPick(keys)}>
      {body}
    </button>
  );
}

function Value({ entry, item, players }: Properties & { item: Item }) {
  const name = item.name ? <small>{spaced(item.name)}</small> : null;
  switch (entry.kind) {
    case "cards": return item.text ? <>{name}<Card text={item.text} /></> : <span class="none">{name} none</span>;
    case "backs": return <Backs count={item.number ?? 0} />;
    case "pile": return <><Backs count={Math.min(item.number ?? 0, 3)} tight /><b>{item.text}</b></>;
    case "dice": return <>{name}<Die number={item.number} text={item.text} /></>;
    case "pits": return <Pit name={item.name ?? ""} count={item.number} text={item.text} />;
    case "track": return <b class="track">{item.text}</b>;
    default:
      if (item.player !== undefined && item.player !== null) return <span class="player"><Token players={players} player={item.player} />{item.text}</span>;
      if (item.shape) return <svg class="token" viewBox="-50 -50 100 100" aria-label={item.text}><Drawn piece={{ shape: item.shape }} players={players} /></svg>;
      return <>{name}<span class={item.text === "?" ? "unknown" : undefined}>{item.text.length > 1 && SUITS[item.text] ? `${SUITS[item.text]} ` : ""}{item.text ? spaced(item.text) : "–"}</span></>;
  }
}

export function Card({ text }: { text: string }) {
  if (text === "?") return <Backs count={1} />;
  const parts = text.split(/_of_|(?<=^(?:[2-9tjqka]|10))(?=[cdhs]$)/);
  const suit = SUITS[parts[1] ?? ""] ?? "";
  const red = suit === "♥" || suit === "♦";
  const words = spaced(text).split(" ");
  const tint = words.find((word) => INKS[word]);
  const lines = words.filter((word) => word !== "of" && (word !== tint || words.length === 1));
  const widest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(28, 74 / widest, 56 / lines.length);
  return (
    <svg class="playing-card" viewBox="0 0 60 84" role="img" aria-label={spaced(text)}>
      <rect class={`face ${tint ?? ""}`} x="1.5" y="1.5" width="57" height="81" rx="7" />
      <g class={red ? "ink red" : "ink"}>
        {suit ? <><text x="7" y="22" font-size="19" font-weight="700">{RANKS[parts[0]!] ?? parts[0]!}</text><text x="30" y="64" font-size="34" text-anchor="middle">{suit}</text></>
          : lines.map((line, number) => <text x="30" y={42 + size * (0.35 + 1.1 * (number - (lines.length - 1) / 2))} font-size={size} font-weight="700" text-anchor="middle">{line}</text>)}
      </g>
    </svg>
  );
}

function Backs({ count, tight }: { count: number; tight?: boolean }) {
  return (
    <span class={tight ? "backs tight" : "backs"} role="img" aria-label={`${count} face down`}>
      {Array.from({ length: Math.min(count, 13) }, () => (
        <svg class="playing-card" viewBox="0 0 60 84" aria-hidden="true">
          <rect class="back" x="1.5" y="1.5" width="57" height="81" rx="7" />
          <path class="weave" d="M10 10h40v64h-40zM10 26l40 32M10 58l40-32M30 10v64" />
        </svg>
      ))}
    </span>
  );
}

const SPOTS: Record<number, [number, number][]> = {
  1: [[0, 0]], 2: [[-16, -16], [16, 16]], 3: [[-17, -17], [0, 0], [17, 17]], 4: [[-16, -16], [16, -16], [-16, 16], [16, 16]],
  5: [[-17, -17], [17, -17], [0, 0], [-17, 17], [17, 17]], 6: [[-16, -18], [16, -18], [-16, 0], [16, 0], [-16, 18], [16, 18]],
};

function Die({ number, text }: { number: number | null | undefined; text: string }) {
  const spots = number ? SPOTS[number] : undefined;
  return (
    <svg class="die" viewBox="-40 -40 80 80" role="img" aria-label={text || "none"}>
      <rect class="face" x="-37" y="-37" width="74" height="74" rx="14" />
      {spots ? spots.map(([x, y]) => <circle class="spot" cx={x} cy={y} r="7.5" />) : <text class="ink" y="11" font-size="30" text-anchor="middle">{text}</text>}
    </svg>
  );
}

function Pit({ name, count, text }: { name: string; count: number | null | undefined; text: string }) {
  const seeds = Array.from({ length: Math.min(count ?? 0, 24) }, (_, n) => {
    const angle = n * 2.4, radius = 7 * Math.sqrt(n);
    return <circle class="seed" cx={radius * Math.cos(angle)} cy={radius * Math.sin(angle) - 4} r="5.4" />;
  });
  return (
    <span class="pit">
      <svg viewBox="-44 -44 88 88" role="img" aria-label={`${name}: ${text}`}><circle class="bowl" r="42" />{seeds}</svg>
      <small>{name}</small><b>{text}</b>
    </span>
  );
}

export function spaced(text: string): string {
  return text.replace(/_/g, " ");
}

export { colours };
