// The values beside the boards: cards, dice, pits, scores, tracks and tables.
import type { ComponentChildren } from "preact";
import { keysOfItem, spotOfItem, type Click } from "./clicks";
import { playingCard, SUITS } from "./cards";
import { colours, Drawn, isColour, Token } from "./pieces";
import { copies, type Entry, type Item, type Player, type Row } from "./scene";
import { Scrolls } from "./scrolls";
import type { Toggling } from "./stage";

/** Cards face down that lie beside each other. */
const FAN = 8;
/** Cards that are still to be drawn: nobody looks at each. */
const TO_DRAW = /\b(deck|stock|talon|draw pile)\b/;
/** Cards of which the last one counts. */
const ON_EACH_OTHER = /\b(pile|discards?|discarded|waste|stack)\b/;
/** Dominoes. */
const HALVES = /^([0-6])_of_([0-6])$/;
const INKS: Record<string, string> = {
  red: "red", yellow: "yellow", green: "green", white: "white", blue: "blue", orange: "orange", pink: "pink", cyan: "cyan",
  magenta: "magenta", purple: "magenta", violet: "magenta", brown: "brown", gray: "gray", grey: "gray",
};

export interface Handling {
  players: Player[];
  /** The lines on cards that are numbers in the rules, by their keys. */
  faces: Map<string, string[]>;
  turn: number | null;
  /** Values in the player's own rows: the same values elsewhere cannot be clicked, but where they are counted by name. */
  mine: Set<string>;
  /** What has a place of its own beside the boards. */
  named: Set<string>;
  /** What is toggled by clicks. */
  toggling: Toggling | undefined;
  /** The value that is played by a click on things with these keys; nothing where it cannot be clicked. */
  open: (keys: Click) => string | undefined;
  picked: (keys: Click) => boolean;
  onPick: (keys: Click) => void;
}
type Properties = Handling & {
  entry: Entry;
  /** Whether the values stand at the place of the player whose they are. */
  isOwn?: boolean;
};

export function EntryView(properties: Properties) {
  const { entry, isOwn } = properties;
  const named = entry.rows.some((row) => row.name);
  if (entry.kind === "track" && entry.high) return <Track {...properties} />;
  if (entry.kind === "race") return <Race {...properties} />;
  const isStanding = entry.kind === "cards" && entry.rows.length > 1 && entry.rows.every((row) => (isOwn || (row.player ?? null) === null) && row.items.every((item) => !item.name));
  const columns = entry.kind === "table" && entry.rows.length > 1 ? (entry.rows[0]?.items.map((item) => item.name ?? "") ?? []) : [];
  return (
    <div class={`entry ${entry.kind}`} role="group" aria-label={entry.label}>
      {entry.label && <h2>{spaced(entry.label)}</h2>}
      {columns.some(Boolean) ? (
        <Scrolls name={`${entry.label}, a table`}>
          <table>
            <thead><tr><td />{columns.map((name) => <th scope="col">{name}</th>)}</tr></thead>
            <tbody>
              {entry.rows.map((row) => (
                <tr><th scope="row"><Name {...properties} row={row} /></th>{row.items.map((item) => <td><One {...properties} row={row} item={item} inColumn /></td>)}</tr>
              ))}
            </tbody>
          </table>
        </Scrolls>
      ) : (
        <div class={isStanding ? "rows standing" : named ? "rows named" : "rows"}>
          {entry.rows.map((row) => (
            <div class="row">
              {named && <span class="who">{!isStanding && row.means ? <Clicked {...properties} row={row} item={{ text: "", name: row.name, means: row.means }} kind="item"><Name {...properties} row={row} /></Clicked> : <Name {...properties} row={row} />}</span>}
              <span class={`items${row.items.length > 16 || (entry.kind === "cards" && row.items.length > 5 && TO_DRAW.test(entry.label)) ? " many" : ""}${entry.kind === "cards" && row.items.length > 5 && ON_EACH_OTHER.test(entry.label) ? " fan" : ""}`} style={entry.kind === "pits" && row.items.length <= MOST_ABREAST ? { display: "grid", gridTemplateColumns: `repeat(${row.items.length}, minmax(0, 76px))`, alignItems: "start" } : undefined}>{isStanding && row.means ? <Items {...properties} row={standing(row)} /> : row.items.length ? <Items {...properties} row={row} /> : <span class="none">none</span>}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** A row of cards that is a column: the last card in it stands for the column, too, and if there is none, its place does. */
function standing(row: Row): Row {
  if (!row.items.length) return { ...row, items: [{ text: "empty", means: row.means }] };
  return { ...row, items: [...row.items.slice(0, -1), ...row.items.slice(-1).map((item) => ({ ...item, means: [...(item.means ?? []), ...row.means!] }))] };
}

/** The items of a row; cards of which nothing is known lie on each other. */
function Items(properties: Properties & { row: Row }) {
  const { entry, row } = properties;
  const hidden = entry.kind === "cards" ? row.items.filter((item) => item.text === "?" && !item.name && !item.means?.length) : [];
  const chain = entry.kind === "cards" && (row.player ?? null) === null && row.items.length > 1 && !TO_DRAW.test(entry.label) ? chained(row.items.map((item) => endsOf(linesOf(item, properties.faces)?.[0] ?? item.text))) : undefined;
  return (
    <>
      {row.items.filter((item) => !hidden.includes(item)).map((item, at) => <One {...properties} row={row} item={item} ends={chain?.[at]} />)}
      {hidden.length > 0 && <><Backs count={hidden.length} tight={hidden.length > FAN} />{hidden.length > FAN && <b class="times">×{hidden.length}</b>}</>}
    </>
  );
}

function linesOf(item: Item, faces: Map<string, string[]> | undefined): string[] | undefined {
  return faces?.get(item.means?.at(-1) ?? "");
}

/** The numbers on a domino; nothing where it is none. */
function endsOf(text: string): number[] | undefined {
  return HALVES.exec(text)?.slice(1).map(Number);
}

/** The ends of dominoes from left to right, each turned so that equal ends meet; nothing where they make no chain. */
export function chained(dominoes: (number[] | undefined)[]): number[][] | undefined {
  for (const turned of [dominoes[0], dominoes[0]?.slice().reverse()]) {
    let open = turned?.[0];
    const laid = dominoes.map((ends) => {
      const way = ends?.[0] === open ? ends : ends?.[1] === open ? ends!.slice().reverse() : undefined;
      open = way?.[1];
      return way;
    });
    if (open !== undefined) return laid as number[][];
  }
  return undefined;
}

function Name({ row, players, isOwn }: Properties & { row: Row }) {
  const hasToken = row.player !== undefined && row.player !== null && !isOwn;
  return <>{hasToken && <Token players={players} player={row.player!} />}{spaced(row.name ?? "")}</>;
}

/** A value; `inColumn`: its name stands at the head of its column. */
function One({ inColumn, ...properties }: Properties & { row: Row; item: Item; ends?: number[] | undefined; inColumn?: boolean }) {
  const { entry, item } = properties;
  return <Clicked {...properties} kind={item.name && !inColumn && entry.kind !== "dice" && entry.kind !== "pits" ? "item named" : "item"}><Value {...properties} item={inColumn ? { ...item, name: "" } : item} /></Clicked>;
}

/** What stands for a value: a button where the value can be played. */
function Clicked({ entry, row, item, isOwn, turn, mine, named, toggling, open, picked, onPick, kind, children }: Properties & { row: Row; item: Item; kind: string; children: ComponentChildren }) {
  const index = toggling?.things.indexOf(spotOfItem(entry.label, item.name)) ?? -1;
  if (toggling && turn !== null && index >= 0 && (row.player ?? turn) === turn) {
    const values = toggling.values[index]!, now = toggling.chosen[index]!, next = values.find((value) => value !== now);
    const isOn = now !== values[0];
    return (
      <button class={`${kind} open${isOn ? " picked" : ""}`} aria-pressed={isOn} disabled={next === undefined} data-component={next} aria-label={`${item.name} ${item.text}: ${now}`} onClick={() => toggling.flip(index)}>
        {children}
      </button>
    );
  }
  const all = turn === null ? [] : keysOfItem(entry.kind, row.player, item.means, turn).filter((key) => entry.kind !== "dice" || !named.has(key));
  const isSupply = (row.player ?? null) === null && Boolean(item.name);  // of which a player may have some
  const apart = isOwn ? all.filter((key) => !key.startsWith("player:")) : all;  // players are chosen at the heads of their places
  const keys = row.player === turn || isSupply ? apart : apart.filter((key) => !mine.has(key));
  const value = keys.length ? open(keys) : undefined;
  if (value === undefined) return <span class={keys.length && picked(keys) ? `${kind} picked` : kind}>{children}</span>;
  return (
    <button class={`${kind} open${picked(keys) ? " picked" : ""}`} data-component={value} aria-label={entry.kind === "cards" ? undefined : spaced(`${entry.label || row.name} ${item.name ?? ""} ${item.text}`)} onClick={() => onPick(keys)}>
      {children}
    </button>
  );
}

const MOST_MEN = 5, MOST_ABREAST = 10;

/** The men of all players on the numbered points of a race: two rows where there are many points, and the way turns back. */
function Race(properties: Properties) {
  const { entry, players, turn } = properties;
  const points = entry.rows[0]!.items, wide = points.length < 12 ? points.length : Math.ceil(points.length / 2);
  const own = entry.rows.find((row) => row.player === turn) ?? entry.rows[0]!;
  const above = points.slice(wide).map((_, place) => wide + place), below = points.slice(0, wide).map((_, place) => wide - 1 - place);
  return (
    <div class="entry race" role="group" aria-label={entry.label}>
      <h2>{spaced(entry.label)}</h2>
      {(above.length ? [above, below] : [below.reverse()]).map((line, number) => (
        <div class={number || !above.length ? "points" : "points upper"} style={{ gridTemplateColumns: `repeat(${wide}, minmax(0, 1fr))` }}>
          {line.map((place) => (
            <Clicked {...properties} row={own} item={own.items[place]!} kind="point">
              <small>{points[place]!.name}</small>
              {entry.rows.map((row) => <Men players={players} player={row.player!} count={row.items[place]!.number ?? 0} />)}
            </Clicked>
          ))}
        </div>
      ))}
    </div>
  );
}

function Men({ players, player, count }: { players: Player[]; player: number; count: number }) {
  return <>{Array.from({ length: Math.min(count, MOST_MEN) }, () => <Token players={players} player={player} />)}{count > MOST_MEN && <b>{count}</b>}</>;
}

export function Value({ entry, row, item, players, faces, ends }: { entry: Entry; row?: Row; item: Item; players: Player[]; faces?: Map<string, string[]>; ends?: number[] | undefined }) {
  if (ends) return <Domino ends={ends} lies />;
  const written = linesOf(item, faces), lines = TO_DRAW.test(entry.label) && !endsOf(written?.[0] ?? "") ? undefined : written;
  const name = item.name ? <><small>{spaced(item.name)}</small>{" "}</> : null;
  switch (entry.kind) {
    case "cards": return item.text ? <>{name}<Card text={whole(item, row)} lines={lines} picture={item.shape && <Drawn piece={{ shape: item.shape, player: row?.player }} players={players} />} />{copies(item) > 1 && <b class="times">×{item.number}</b>}</> : <>{name}<Card text="empty" /></>;
    case "backs": return <Backs count={item.number ?? 0} />;
    case "pile": return <><Backs count={Math.min(item.number ?? 0, 3)} tight /><b>{item.text}</b></>;
    case "dice": return <>{name}<Die number={item.number} text={item.text} /></>;
    case "pits": return <Pit name={item.name ?? ""} count={item.number} text={item.text} />;
    case "track": return <b class="track">{item.text}</b>;
    default:
      if (item.player !== undefined && item.player !== null) return <>{name}<span class="player"><Token players={players} player={item.player} />{item.text}</span></>;
      if (item.shape) return <svg class="token" viewBox="-50 -50 100 100" aria-label={item.text}><Drawn piece={{ shape: item.shape }} players={players} /></svg>;
      if (entry.kind === "places" && typeof item.number === "number") return <span class="bar-of" style={{ width: `${24 + 16 * item.number}px` }}>{item.text}</span>;
      if (entry.kind === "table" && (item.text === "yes" || item.text === "no")) return <>{name}<i class={`truth ${item.text}`} role="img" aria-label={item.text} /></>;
      return <>{name}<Swatch text={item.text} /><span class={item.text === "?" ? "unknown" : undefined}>{item.text.length > 1 && SUITS[item.text] ? `${SUITS[item.text]} ` : ""}{item.text ? spaced(item.text) : "–"}</span></>;
  }
}

/** The text of a card; of one in the row of a colour or a suit, that belongs to it. */
function whole(item: Item, row: Row | undefined): string {
  const part = item.name || row?.name?.split(" ").at(-1) || "";
  return (INKS[part] || SUITS[part]) && /^[a-z]+$/.test(item.text) && item.text !== "empty" ? `${item.text}_of_${part}` : item.text;
}

/** A spot of the colour that a word names; nothing where it names none. */
export function Swatch({ text }: { text: string }) {
  if (!isColour(text)) return null;
  return <svg class="swatch" viewBox="-46 -46 92 92" aria-hidden="true"><Drawn piece={{ shape: "disc", colour: text }} players={[]} /></svg>;
}

const LAP = 14, SHORT_LAP = 8;
/** Whether the window is as narrow as a telephone: squares of longer laps would be too small to tap. */
const isNarrow = () => matchMedia("(max-width: 560px)").matches;

/** A track of numbered squares, in rows that run to and fro, with the players on it. */
function Track(properties: Properties) {
  const { entry, players } = properties;
  const low = entry.low ?? 0, count = entry.high! - low + 1;
  const high = Math.ceil(count / (entry.jumps ? Math.ceil(Math.sqrt(count)) : isNarrow() ? SHORT_LAP : LAP)), wide = Math.ceil(count / high);
  const at = (number: number) => {
    const row = Math.floor((number - low) / wide), column = (number - low) % wide;
    return { x: 50 + 100 * (row % 2 ? wide - 1 - column : column), y: 50 + 100 * row };
  };
  const here = entry.rows.flatMap((row) => row.items.map((item) => ({ player: row.player ?? item.player ?? null, item, name: nameOf(row, item, players) }))).filter(({ item }) => typeof item.number === "number");
  return (
    <div class="entry track" role="group" aria-label={entry.label}>
      <h2>{spaced(entry.label)}</h2>
      <svg class="laps" viewBox={`-4 -4 ${wide * 100 + 8} ${high * 100 + 8}`} role="group" aria-label={entry.text}>
        {Array.from({ length: count }, (_, index) => {
          const { x, y } = at(low + index);
          const mark = entry.marks?.find(([place]) => place === low + index);
          return <g key={index}><rect class={`ground edged ${mark ? "land" : index === count - 1 ? "special" : ""}`} style={mark && { fill: colours({ colour: mark[2] }, players)[0] }} x={x - 48} y={y - 48} width="96" height="96" rx="12" /><text class="number" x={x - 36} y={y - 18}>{low + index}</text>{entry.notes?.[index] && <text class="number at-foot" x={x + 40} y={y + 42} text-anchor="end">{entry.notes[index]}</text>}</g>;
        })}
        {entry.jumps?.map(([from, to]) => {
          const one = at(from), other = at(to), long = Math.hypot(other.x - one.x, other.y - one.y);
          return <path class={to > from ? "jump" : "jump down"} transform={`translate(${one.x} ${one.y}) rotate(${Math.atan2(other.y - one.y, other.x - one.x) * 180 / Math.PI})`} d={`M16 0H${long - 16}m-18-12l18 12l-18 12`}><title>{`${from} → ${to}`}</title></path>;
        })}
        {here.map(({ player, item, name }, index) => {
          const same = here.filter((other) => other.item.number === item.number), place = same.findIndex((other) => other.item === item);
          const { x, y } = at(item.number!);
          const across = Math.max(1, Math.ceil(Math.sqrt(same.length))), step = 84 / across, down = Math.ceil(same.length / across);
          const scale = same.length > 1 ? step / 88 : 0.72;
          const text = name && (/^\d/.test(name) ? name : name[0]!.toUpperCase());
          return (
            <g key={index} class="piece" style={{ transform: `translate(${x + step * ((place % across) - (across - 1) / 2)}px,${y + 6 + step * (Math.floor(place / across) - (down - 1) / 2)}px) scale(${scale})` }}>
              <Drawn piece={{ shape: "disc", player, colour: player === null ? name : null, text }} players={players} />
              <Hit {...properties} player={player} items={[item]} label={`${spaced(name)} ${player === null ? "" : players[player]!.name} ${item.text}`}><circle class="area" r="44" /></Hit>
            </g>
          );
        })}
      </svg>
      <p class="grounds soft">{[...new Map(entry.marks?.map(([, name, colour]) => [name, colour]))].map(([name, colour]) => <span key={name}><Swatch text={colour} /> {spaced(name)}</span>)}{entry.note && <span>small numbers: {entry.note}</span>}</p>
    </div>
  );
}

/** What a player's thing on a track is called, or the point where it is: by its index that is not the player. */
function nameOf(row: Row, item: Item, players: Player[]): string {
  return item.name || (row.name ?? "").split(" ").filter((word) => word !== players[row.player!]?.name).join(" ");
}

/** What is clicked on a drawing of values: a player's own, and what is nobody's. */
function Hit({ player, items, label, children, turn, open, picked, onPick }: Handling & { player: number | null; items: Item[]; label: string; children: ComponentChildren }) {
  const keys = turn === null || (player ?? turn) !== turn ? [] : items.flatMap(({ means }) => keysOfItem("", turn, means, turn)).filter((key) => !key.startsWith("player:"));
  const value = keys.length ? open(keys) : undefined;
  const mark = keys.length > 0 && picked(keys) && <g class="chosen">{children}</g>;
  if (value === undefined) return <>{mark}</>;
  const press = (event: KeyboardEvent) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); onPick(keys); } };
  return <g class="hit taken" role="button" tabindex={0} data-component={value} aria-label={label} onClick={() => onPick(keys)} onKeyDown={press}>{mark}{children}</g>;
}

export function Card({ text, picture, lines: written }: { text: string; picture?: ComponentChildren; lines?: string[] | undefined }) {
  if (text === "?") return <Backs count={1} />;
  if (written) return <Written number={text} lines={written} />;
  if (text === "empty") return <svg class="playing-card" viewBox="0 0 60 84" role="img" aria-label={text}><rect class="slot" x="2" y="2" width="56" height="80" rx="7" /></svg>;
  const ends = endsOf(text);
  if (ends) return <Domino ends={ends} />;
  const [rank, suit] = playingCard(text);
  const red = suit === "♥" || suit === "♦";
  const words = spaced(text).split(" ");
  const tint = words.find((word) => INKS[word]);
  const lines = words.filter((word) => word !== "of" && (word !== tint || words.length === 1));
  const widest = Math.max(...lines.map((line) => line.length));
  const size = Math.min(widest > 2 ? 15 : 28, 74 / widest, 56 / lines.length);
  return (
    <svg class="playing-card" viewBox="0 0 60 84" role="img" aria-label={spaced(text)}>
      <rect class={`face ${tint ? INKS[tint] : ""}`} x="1.5" y="1.5" width="57" height="81" rx="7" />
      <g class={red ? "ink red" : "ink"}>
        {picture ? <><svg x="3" y="6" width="54" height="54" viewBox="-50 -50 100 100">{picture}</svg><text x="30" y="74" font-size={Math.min(13, 74 / text.length)} text-anchor="middle">{spaced(text)}</text></> : suit ? <><text x="7" y="22" font-size="19" font-weight="700">{rank}</text><text x="53" y="21" font-size="17" text-anchor="end">{suit}</text><text x="30" y="64" font-size="34" text-anchor="middle">{suit}</text></>
          : <>{lines.length === 1 && (widest < 3 ? <text class="corner" aria-hidden="true" x="10" y="19" font-size="15" font-weight="700" text-anchor="middle">{lines[0]}</text>
            : <text class="word" aria-hidden="true" x="30" y="14" font-size={Math.min(13, 74 / widest)} font-weight="700" text-anchor="middle">{lines[0]}</text>)}{lines.map((line, number) => <text x="30" y={42 + size * (0.35 + 1.1 * (number - (lines.length - 1) / 2))} font-size={size} font-weight="700" text-anchor="middle">{line}</text>)}</>}
      </g>
    </svg>
  );
}

/** A card that is a number in the rules, with what they say of it; a playing card where they name its rank and suit. */
function Written({ number, lines }: { number: string; lines: string[] }) {
  const suit = lines.find((line) => line.length > 1 && SUITS[line]), rank = suit && lines.find((line) => line !== suit)?.split(" ").at(-1);
  if (rank) return <Card text={`${rank}_of_${suit}`} />;
  if (lines.length === 1 && HALVES.test(lines[0]!)) return <Card text={lines[0]!} />;
  const tint = lines.find((line) => INKS[line]), longest = Math.max(...lines.map(({ length }) => length));
  const wide = longest > 7 || lines.length > 2 ? 96 : 60, size = Math.min(15, (1.5 * wide) / longest, 62 / lines.length / 1.12);
  return (
    <svg class={wide > 60 ? "playing-card wide" : "playing-card"} viewBox={`0 0 ${wide} 84`} role="img" aria-label={`${number}: ${lines.join(", ")}`}>
      <rect class={`face ${tint ? INKS[tint] : ""}`} x="1.5" y="1.5" width={wide - 3} height="81" rx="7" />
      <g class="ink"><text x="7" y="14" font-size="10">{number}</text>{lines.map((line, at) => <text x={wide / 2} y={49 + size * (0.35 + 1.12 * (at - (lines.length - 1) / 2))} font-size={size} font-weight={at ? 400 : 700} text-anchor="middle">{line}</text>)}</g>
    </svg>
  );
}

/** A domino; `lies`: its first end is on the left. */
function Domino({ ends, lies }: { ends: number[]; lies?: boolean }) {
  return (
    <svg class={lies ? "playing-card lying" : "playing-card"} viewBox={lies ? "0 0 84 60" : "0 0 60 84"} role="img" aria-label={ends.join(" of ")}>
      <g transform={lies ? "translate(0 60) rotate(-90)" : undefined}>
        <rect class="face" x="1.5" y="1.5" width="57" height="81" rx="7" /><rect class="spot" x="9" y="41" width="42" height="2" />
        {ends.map((number, half) => SPOTS[number]?.map(([x, y]) => <circle class="spot" cx={30 + x * 0.55} cy={21 + half * 42 + y * 0.55} r="4.2" />))}
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
      {spots ? spots.map(([x, y]) => <circle class="spot" cx={x} cy={y} r="7.5" />) : number !== 0 && <text class="ink" y="11" font-size="30" text-anchor="middle">{text}</text>}
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
      <small>{spaced(name)}</small>{" "}<b>{text}</b>
    </span>
  );
}

/** Comments of rules as prose: what is quoted there is set as code. */
export function Prose({ text }: { text: string }) {
  return <>{text.split("`").map((part, place) => (place % 2 ? <code class="inline">{part}</code> : part))}</>;
}

export function spaced(text: string): string {
  return text.replace(/_/g, " ");
}
