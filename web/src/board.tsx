// A board as SVG: grounds, lines, pieces that glide to where they go, and what can be clicked.
import { useMemo, useRef, useState } from "preact/hooks";
import { colours, Drawn } from "./pieces";
import type { Board, Piece, Place, Player } from "./scene";
import { isEdge, keyOf, longThings, spotOf } from "./scene";

const U = 100;
const MARGIN = 46;
const STACKED = 5;
const HEX = [[0, -0.577], [0.5, -0.289], [0.5, 0.289], [0, 0.577], [-0.5, 0.289], [-0.5, -0.289]] as const;

interface Properties {
  board: Board;
  players: Player[];
  /** Keys of places that can be clicked, each with the value that it stands for. */
  open: (place: Place) => string | undefined;
  /** Whether a place was clicked already. */
  picked: (place: Place) => boolean;
  /** Places that the last transition changed. */
  changed: Set<string>;
  onPick: (place: Place) => void;
  /** A thing was dragged to where nothing can be clicked. */
  onCancel: () => void;
  turn: boolean;
  over?: string;
  label: string;
}

export function BoardView(properties: Properties) {
  const { board, players, open, picked, changed, onPick } = properties;
  const pieces = useGliding(board);
  const drag = useDragging(properties);
  const has = board.axes?.length;
  const left = has ? MARGIN : 12;
  const box = `${-left} -12 ${board.width * U + left + 12} ${board.height * U + 12 + (has ? MARGIN : 12)}`;
  const places = [...board.places].sort((one, other) => Number(other.form === "way") - Number(one.form === "way"));  // points lie on ways
  const isPlain = board.style !== "squares" && Boolean(board.lines?.length) || board.style === "triangles" || board.style === "graph";
  return (
    <svg
      class={`board ${board.style}`} viewBox={box} role="group" aria-label={properties.label}
      data-turn={properties.turn ? "" : undefined} data-over={properties.over}
      onPointerDown={drag.down} onPointerMove={drag.move} onPointerUp={drag.up} onPointerCancel={drag.end}
    >
      {board.style === "frame" && <rect class="frame" x="-8" y="-8" width={board.width * U + 16} height={board.height * U + 16} rx="22" />}
      {isPlain && <rect class="plain" x="-8" y="-8" width={board.width * U + 16} height={board.height * U + 16} rx="14" />}
      {board.style === "graph" && <Lines board={board} />}
      {places.map((place) => <Ground key={place.type + place.name + place.x + place.y} place={place} board={board} players={players} />)}
      {board.style !== "graph" && <Lines board={board} />}
      {board.places.map((place) => {
        const key = spotOf(place);
        return changed.has(key) || picked(place) ? <Outline place={place} class={picked(place) ? "picked" : "changed"} /> : null;
      })}
      {board.axes?.map((axis) => <text class="axis" x={axis.x * U} y={axis.y * U + 8}>{axis.text}</text>)}
      {board.places.map((place) => place.note && place.ground?.shape !== "nothing" && <text class="worth" x={place.x * U - (place.form === "square" ? 36 : 0)} y={place.y * U - (place.form === "hexagon" ? (place.pieces?.length ? 38 : -6) : place.form === "way" ? 14 : place.form === "square" ? 30 : -38)}>{place.note}</text>)}
      {board.places.map((place) => place.mark && (
        <g class="mark" transform={place.mark.shape === "unknown" && place.pieces?.length ? `translate(${place.x * U + 36} ${place.y * U - 34}) scale(0.5)` : `translate(${place.x * U} ${place.y * U}) scale(${place.mark.shape === "unknown" ? 0.7 : 0.9})`}>
          <Drawn piece={place.mark} players={players} />
        </g>
      ))}
      {pieces.map(({ id, piece, x, y, scale, text, at, size }) => (
        <g key={id} class={drag.of(at) ? "piece dragged" : "piece"} style={{ transform: `translate(${x * U + (drag.of(at)?.x ?? 0)}px,${y * U + (drag.of(at)?.y ?? 0)}px) scale(${scale})` }}>
          {size ? <Long piece={piece} players={players} size={size} /> : <Drawn piece={piece} players={players} text={text} />}
        </g>
      ))}
      {places.map((place) => {
        const value = open(place);
        if (value === undefined) return null;
        const holds = Boolean(place.pieces?.length);
        return (
          <g
            key={`hit ${spotOf(place)}`} class={holds ? "hit taken" : "hit"} role="button" tabindex={0} data-component={value} data-place={keyOf(place)}
            aria-label={spoken(place, players)} onClick={() => { if (!drag.ended()) onPick(place); }}
            onKeyDown={(event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); onPick(place); } }}
          >
            <Outline place={place} class="area" />
            <Hint place={place} holds={holds || picked(place)} />
          </g>
        );
      })}
    </svg>
  );
}

/** How far lines of a further kind are bent aside of those of the first, in parts of their length. */
const BEND = 0.22;

function Lines({ board }: { board: Board }) {
  return (
    <>
      {board.other_lines?.map(([name, lines], kind) => lines.map(([x1, y1, x2, y2]) => <path class={`line link-${kind}`} d={`M${x1 * U} ${y1 * U}Q${((x1 + x2) / 2 + BEND * (kind + 1) * (y2 - y1)) * U} ${((y1 + y2) / 2 - BEND * (kind + 1) * (x2 - x1)) * U} ${x2 * U} ${y2 * U}`}><title>{name}</title></path>))}
      {board.lines?.map(([x1, y1, x2, y2]) => <path class="line" d={`M${x1 * U} ${y1 * U}L${x2 * U} ${y2 * U}`} />)}
    </>
  );
}

function Ground({ place, board, players }: { place: Place; board: Board; players: Player[] }) {
  const shape = place.ground?.shape ?? "";
  const x = place.x * U, y = place.y * U;
  const own = place.ground && (place.ground.colour || place.ground.player !== undefined) ? colours(place.ground, players)[0] : undefined;
  if (place.form === "way") {
    const owner = place.pieces?.find(({ player }) => player !== undefined && player !== null), { x: left, y: top, width, height } = boxOf(place);
    const bar = (name: string, high: number, fill?: string) => <rect class={name} style={fill ? { fill } : undefined} x={left} y={top + height / 2 - high / 2} width={width} height={high} rx={high / 2} transform={turned(place)} />;
    return <g>{bar("way", 22)}{shape === "ground" && bar("way special", 14, own)}{owner && bar("way", 22, colours(owner, players)[0])}</g>;
  }
  if (isEdge(place)) {
    if (!place.ground || shape === "nothing") return null;
    const wide = place.form === "corner" ? 14 : board.style === "hexagons" ? 0.6 * U : U + 12;
    return <rect class="bar" style={own ? { fill: own } : undefined} x={x - wide / 2} y={y - 7} width={wide} height="14" rx="6" transform={turned(place)} />;
  }
  if (shape === "nothing") return null;
  if (board.style === "graph") return <g><circle class="ground edged" cx={x} cy={y} r={47} />{shape === "ground" && <circle class={own ? "land" : "special"} cx={x} cy={y} r={47} style={own ? { fill: own } : undefined} />}</g>;
  const covered = shape === "wall" || shape === "water" || shape === "burnt" ? shape : "";
  const tint = board.style === "checkered" || board.style === "hexagons" ? place.tint ?? 0 : board.style === "triangles" ? place.tint ?? 0 : 0;
  const kind = `ground tint${tint} ${covered} ${shape === "ground" ? (own ? "land" : "special") : ""}`;
  const fill = shape === "goal" ? undefined : own;
  const goal = shape === "goal" && <Outline place={place} class="goal" stroke={own} />;
  if (place.form === "triangle") {
    if (place.ground) return <rect class={kind} style={fill ? { fill } : undefined} x={x - U / 2} y={y - 2.7 * U} width={U} height={5.4 * U} />;
    const up = place.y > board.height / 2 ? 1 : -1;
    return <path class={kind} d={`M${x - 46} ${y + up * 262}L${x} ${y - up * 190}L${x + 46} ${y + up * 262}z`} />;
  }
  if (place.form === "hexagon") return <g><polygon class={kind} style={fill ? { fill } : undefined} points={hexagon(place, 0.985)} />{goal}</g>;
  if (place.form === "hole") return <circle class="hole" cx={x} cy={y} r={41} />;
  if (place.form === "point" && !covered && !place.ground) return null;
  if (place.form === "point" && shape === "ground") return <circle class={kind} style={fill ? { fill } : undefined} cx={x} cy={y} r={44} />;
  const edge = board.style === "checkered" ? "" : " edged";
  return <g><rect class={kind + edge} style={fill ? { fill } : undefined} x={x - U / 2} y={y - U / 2} width={U} height={U} />{goal}</g>;
}

function hexagon(place: Place, scale: number): string {
  return HEX.map(([dx, dy]) => `${(place.x + dx * scale) * U},${(place.y + dy * scale) * U}`).join(" ");
}

const TURNS: Partial<Record<Place["form"], number>> = { upright: 90, rising: -30, falling: 30 };

/** How what lies flat is turned to lie on an edge. */
function turned({ form, x, y, along }: Place): string | undefined {
  const turn = along ? Math.atan2(along[1], along[0]) * 180 / Math.PI : TURNS[form];
  return turn === undefined ? undefined : `rotate(${turn} ${x * U} ${y * U})`;
}

/** The box of a way before it is turned. */
function boxOf({ x, y, along }: Place) {
  const half = Math.hypot(...along!) * U;
  return { x: x * U - half, y: y * U - 18, width: 2 * half, height: 36 };
}

/** The area of a place: what is clicked, and what is marked. */
function Outline({ place, class: name, stroke }: { place: Place; class: string; stroke?: string }) {
  const x = place.x * U, y = place.y * U;
  switch (place.form) {
    case "hexagon": return <polygon class={name} points={hexagon(place, 0.86)} style={stroke ? { stroke } : undefined} />;
    case "point": return <circle class={name} cx={x} cy={y} r={46} />;
    case "hole": return <circle class={name} cx={x} cy={y} r={44} />;
    case "triangle": return <rect class={name} x={x - 48} y={y - 268} width={96} height={536} rx="6" />;
    case "flat": case "upright": return <rect class={name} x={x - 30} y={y - 16} width={60} height={32} rx="8" transform={turned(place)} />;
    case "rising": case "falling": return <rect class={name} x={x - 24} y={y - 14} width={48} height={28} rx="8" transform={turned(place)} />;
    case "corner": return <circle class={name} cx={x} cy={y} r={20} />;
    case "way": return <rect class={name} {...boxOf(place)} rx="12" transform={turned(place)} />;
    default: return <rect class={name} x={x - 47} y={y - 47} width={94} height={94} rx="6" style={stroke ? { stroke } : undefined} />;
  }
}

function Hint({ place, holds }: { place: Place; holds: boolean }) {
  const x = place.x * U, y = place.y * U;
  if (holds && !isEdge(place)) return null;
  return <circle class="hint" cx={x} cy={y} r={isEdge(place) ? 8 : place.form === "point" ? 11 : 14} />;
}

/** What a screen reader says of a place. */
export function spoken(place: Place, players: Player[]): string {
  const words = (place.pieces ?? []).map((piece) => [
    (piece.count ?? 1) > 1 ? String(piece.count) : "", piece.player === null || piece.player === undefined ? "" : players[piece.player]?.name,
    piece.shape, piece.text,
  ].filter(Boolean).join(" "));
  return [`${place.name || "edge"}`, ...words, place.ground?.text || place.ground?.shape || ""].filter(Boolean).join(", ");
}

const DRAGGED = 8;
/** Points that the pointer moves before a press becomes dragging. */
interface Dragging {
  key: string;
  begun: boolean;
  x: number;
  y: number;
}

/** Dragging a thing is two clicks: where it begins, and where it ends. */
function useDragging({ board, picked, onPick, onCancel }: Properties) {
  const [now, setNow] = useState<Dragging | null>(null);
  const ended = useRef(0);
  const keyAt = (event: PointerEvent) => document.elementFromPoint(event.clientX, event.clientY)?.closest<SVGElement>("[data-place]")?.dataset.place;
  const placeOf = (key: string | undefined) => board.places.find((place) => keyOf(place) === key);
  return {
    /** How far the things of a place are dragged, in the board's units. */
    of: (at: string) => (now?.begun && (at === now.key || at.startsWith(`${now.key} `)) ? now : undefined),
    /** Whether a click is only the end of dragging. */
    ended: () => performance.now() - ended.current < 50,
    down: (event: PointerEvent) => {
      const key = event.button === 0 ? keyAt(event) : undefined;
      if (key && placeOf(key)?.pieces?.length) setNow({ key, begun: false, x: event.clientX, y: event.clientY });
    },
    move: (event: PointerEvent & { currentTarget: EventTarget | null }) => {
      if (!now) return;
      const svg = event.currentTarget as SVGSVGElement;
      if (!now.begun) {
        const place = placeOf(now.key);
        if (!place || Math.hypot(event.clientX - now.x, event.clientY - now.y) < DRAGGED) return;
        svg.setPointerCapture(event.pointerId);
        if (!picked(place)) onPick(place);
      }
      const place = placeOf(now.key)!, to = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM()!.inverse());
      setNow({ key: now.key, begun: true, x: to.x - place.x * U, y: to.y - place.y * U });
    },
    up: (event: PointerEvent) => {
      if (!now) return;
      setNow(null);
      if (!now.begun) return;
      ended.current = performance.now();
      const key = keyAt(event), place = placeOf(key);
      if (place && key !== now.key) onPick(place);
      else onCancel();
    },
    end: () => setNow(null),
  };
}

interface Placed {
  id: number;
  piece: Piece;
  x: number;
  y: number;
  scale: number;
  text?: string;
  signature: string;
  at: string;
  /** Of what lies over several places: how long it is, and how it is turned. */
  size?: [number, number];
}

/** Give every piece an identity that it keeps where it stays or moves, so that it glides. */
function useGliding(board: Board): Placed[] {
  const before = useRef<{ placed: Placed[]; next: number }>({ placed: [], next: 1 });
  return useMemo(() => {
    const long = longThings(board), single = ({ means }: Piece) => !means?.some((key) => long.has(key));
    const held = [...board.places.map((place) => piecesOn({ ...place, pieces: place.pieces?.filter(single) ?? [] }, board)), ...longOn(board).map((one) => [one])], placed = held.flat();
    const free = new Map<string, Placed[]>();
    const stays = new Map(before.current.placed.map((one) => [`${one.at} ${one.signature}`, one]));
    const kept = new Set<number>();
    for (const one of placed) {
      const same = stays.get(`${one.at} ${one.signature}`);
      if (same && !kept.has(same.id)) { one.id = same.id; kept.add(same.id); }
    }
    for (const one of before.current.placed) if (!kept.has(one.id)) free.set(one.signature, [...(free.get(one.signature) ?? []), one]);
    for (const one of placed) {
      if (!one.id) one.id = free.get(one.signature)?.shift()?.id ?? before.current.next++;
    }
    for (const stack of held) {  // what lies above is drawn later
      const ids = stack.map(({ id }) => id).sort((a, b) => a - b);
      stack.forEach((one, number) => { one.id = ids[number]!; });
    }
    placed.sort((a, b) => a.id - b.id);
    before.current = { placed, next: before.current.next };
    return placed;
  }, [board]);
}

function piecesOn(place: Place, board: Board): Placed[] {
  const pieces = (place.pieces ?? []).filter((piece) => piece.shape !== "nothing");
  if (place.form === "triangle" && pieces.length) {
    const piece = pieces[pieces.length - 1]!, count = piece.count ?? 1;
    const up = place.y > board.height / 2 ? 1 : -1;
    return Array.from({ length: Math.min(count, STACKED) }, (_, number) => made(place, piece, {
      y: place.y + up * (2.1 - number), scale: 1.22, at: `${keyOf(place)} ${number}`,
      text: number === STACKED - 1 && count > STACKED ? String(count) : undefined,
    }));
  }
  const isAside = pieces.some(isWord) ? (piece: Piece) => !isWord(piece) : isNumber;
  if (pieces.length > 1 && pieces.some(isAside) && !pieces.every(isAside)) {
    const others = piecesOn({ ...place, pieces: pieces.filter((piece) => !isAside(piece)) }, board);
    return [...others, ...pieces.filter(isAside).map((piece) => made(place, piece, { x: place.x + 0.31, y: place.y - 0.31, scale: 0.4, at: `${keyOf(place)} number` }))];
  }
  return pieces.map((piece, number) => made(place, piece, {
    x: place.x + (number - (pieces.length - 1) / 2) * Math.min(0.3, 0.5 / Math.max(1, pieces.length - 1)),
    scale: isEdge(place) ? 0.42 : pieces.length > 1 ? 0.6 : scaleOf(piece), at: `${keyOf(place)} ${place.x} ${place.y} ${number}`,
    text: (piece.count ?? 1) > 1 ? piece.text || String(piece.count) : undefined,
  }));
}

/** What lies over several places, in the middle of them. */
function longOn(board: Board): Placed[] {
  return [...longThings(board)].map(([key, over]) => {
    const piece = over[0]!.pieces!.find(({ means }) => means?.includes(key))!;
    const sorted = [...over].sort((one, other) => one.x - other.x || one.y - other.y), [first, last] = [sorted[0]!, sorted.at(-1)!];
    const [east, south] = [last.x - first.x, last.y - first.y];
    return made(over[0]!, piece, { x: (first.x + last.x) / 2, y: (first.y + last.y) / 2, size: [Math.hypot(east, south) + 1, Math.atan2(south, east) * 180 / Math.PI], signature: key });
  });
}

function Long({ piece, players, size: [long, turn] }: { piece: Piece; players: Player[]; size: [number, number] }) {
  const [fill, edge, ink] = colours(piece, players);
  const box = (less: number) => ({ x: -long * U / 2 + less, y: -U / 2 + less, width: long * U - 2 * less, height: U - 2 * less, transform: `rotate(${turn})` });
  return (
    <>
      <rect {...box(11)} rx="30" fill={fill} stroke={edge} stroke-width="3" /><rect {...box(22)} rx="20" fill="none" stroke={ink} stroke-width="2.5" opacity="0.45" />
      <text class={(piece.text ?? "").length > 2 ? "letter long" : "letter"} y="12" fill={ink}>{piece.text}</text>
    </>
  );
}

/** A number beside what stands there: it is drawn in a corner. */
/** Whether a whole word is written on a piece: what else is there is smaller. */
function isWord(piece: Piece): boolean {
  return piece.shape === "tile" && (piece.text ?? "").length > 2;
}

function isNumber(piece: Piece): boolean {
  return !piece.shape && /^-?\d+$/.test(piece.text ?? "");
}

const MEN = new Set(["pawn", "rook", "knight", "bishop", "queen", "king"]);

function scaleOf(piece: Piece): number {
  return MEN.has(piece.shape ?? "") ? 1.12 : 0.95;
}

function made(place: Place, piece: Piece, more: Partial<Placed>): Placed {
  const signature = `${piece.shape} ${piece.text} ${piece.player} ${piece.colour}`;
  return { id: 0, piece, x: place.x, y: place.y, scale: 1, signature, at: keyOf(place), ...more };
}
