// Boards and the values beside them, and the clicks on them that become actions.
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { BoardView } from "./board";
import { choose, keysOfPlace, Screen, togglesOf, type Choice, type Click, type Toggles } from "./clicks";
import { Token } from "./pieces";
import { joined } from "./races";
import type { Action, Board, Entry, Place, Scene } from "./scene";
import { Tableau } from "./tableau";
import { EntryView, spaced } from "./values";

const EMPTY: Scene = { players: [], boards: [], entries: [] };

/** What is toggled beside the boards, with the values chosen so far, and the action of these; nothing where it is not legal. */
export interface Toggling extends Toggles {
  chosen: string[];
  action: Action | undefined;
  flip: (index: number) => void;
}

export interface Clicking {
  choice: Choice;
  clicks: Click[];
  mine: Set<string>;
  toggling?: Toggling | undefined;
  pick: (keys: Click) => void;
  play: (action: Action) => void;
  back: () => void;
  /** The value that a click on something with these keys chooses; nothing where it cannot be clicked. */
  open: (keys: Click) => string | undefined;
  picked: (keys: Click) => boolean;
}

/** Where nothing can be clicked. */
export const IDLE: Clicking = {
  choice: { left: [], keys: new Set(), buttons: [] }, clicks: [], mine: new Set(), pick: () => undefined, play: () => undefined, back: () => undefined,
  open: () => undefined, picked: () => false,
};

/** Clicks so far, and what they leave of the legal actions; a new position forgets them. */
export function useClicks(position: unknown, scene: Scene | null, turn: number | null, legal: Action[], onPlay: (action: Action) => void): Clicking {
  const [clicks, setClicks] = useState<Click[]>([]);
  const [flipped, setFlipped] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => { setClicks([]); setFlipped(new Set()); }, [position]);
  const screen = useMemo(() => new Screen(turn === null ? EMPTY : scene ?? EMPTY, turn ?? 0), [scene, turn]);
  const choice = useMemo(() => choose(legal, clicks, screen), [legal, clicks, screen]);
  const toggles = useMemo(() => togglesOf(choice, scene?.entries ?? [], turn ?? 0), [choice, scene, turn]);
  const chosen = toggles?.values.map((values, index) => values[flipped.has(index) ? values.length - 1 : 0]!) ?? [];
  const toggling = toggles && {
    ...toggles, chosen, action: toggles.actions.find(({ parts }) => parts.every(([, , text], index) => text === chosen[index])),
    flip: (index: number) => setFlipped(new Set(flipped.has(index) ? [...flipped].filter((one) => one !== index) : [...flipped, index])),
  };
  const play = (action: Action) => { setClicks([]); onPlay(action); };
  const pick = (keys: Click) => {
    const hit = keys.filter((key) => choice.keys.has(key)), again = clicks.findIndex((click) => click.some((key) => keys.includes(key)));
    if (!hit.length && again >= 0) { setClicks(clicks.filter((_, index) => index !== again)); return; }
    let next = [...clicks, hit];
    let left = hit.length ? choose(legal, next, screen) : null;
    if (!left?.left.length) {  // not what was asked for: perhaps another beginning
      next = [keys];
      left = choose(legal, next, screen);
    }
    if (!left.left.length) { setClicks([]); return; }
    if (left.left.length === 1) play(left.left[0]!);
    else setClicks(next);
  };
  const all = new Set(clicks.flat());
  return {
    choice, clicks, mine: screen.mine, toggling, pick, play,
    back: () => setClicks(clicks.slice(0, -1)),
    open: (keys) => {
      const key = keys.find((one) => choice.keys.has(one)) ?? keys.find((one) => all.has(one));
      return key?.slice(key.lastIndexOf(":") + 1);
    },
    picked: (keys) => keys.some((key) => all.has(key)),
  };
}

/** The player whose board it is, or its level; empty where there is one for all. */
function ownerOf(board: Board, scene: Scene): string {
  return spaced(board.level ?? (board.player === undefined || board.player === null ? "" : scene.players[board.player]!.name));
}

/** Whether a board is another player's, on which only that player acts. */
function isClosed(board: Board, turn: number): boolean {
  return board.player !== undefined && board.player !== null && board.player !== turn && !board.by_others;
}

/** How many times as wide as high the boards of a scene are beside each other. */
export function wideness(scene: Scene | null): string {
  const boards = scene?.boards ?? [];
  return String(Math.max(0.6, boards.reduce((sum, { width }) => sum + width, 0) / Math.max(1, ...boards.map(({ height }) => height))));
}

interface Properties {
  scene: Scene | null;
  entries: Entry[];
  name: string;
  turn: number | null;
  /** The result, at the end. */
  over: string | undefined;
  changed: Set<string>;
  clicking: Clicking;
  /** Whose place is at the bottom of a table without a board. */
  nearest?: number;
  /** What stands at the head of a player's place there. */
  head?: (role: number) => ComponentChildren;
  children?: ComponentChildren;
}

const CLICKED = "[data-component], [data-action]";
const centre = (element: Element) => { const box = element.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2] as const; };

/** Who plays by keys goes on where the last thing was played: that is gone, and the focus with it. */
function useKeptFocus() {
  const left = useRef<readonly [number, number] | null>(null);
  useEffect(() => {
    const note = (event: Event) => {
      const isPlayed = event instanceof KeyboardEvent && (event.key === "Enter" || event.key === " ") && event.target instanceof Element && event.target.matches(CLICKED);
      left.current = isPlayed ? centre(event.target as Element) : null;
    };
    for (const kind of ["keydown", "pointerdown"]) addEventListener(kind, note, true);
    return () => { for (const kind of ["keydown", "pointerdown"]) removeEventListener(kind, note, true); };
  }, []);
  useEffect(() => {
    if (!left.current || document.activeElement !== document.body) return;
    const [x, y] = left.current, far = (element: Element) => { const [ox, oy] = centre(element); return Math.hypot(ox - x, oy - y); };
    const nearest = [...document.querySelectorAll<HTMLElement | SVGElement>(CLICKED)].sort((one, other) => far(one) - far(other))[0];
    nearest?.focus({ preventScroll: true });
  });
}

export function Stage({ scene, entries: apart, name, turn, over, changed, clicking, nearest, head, children }: Properties) {
  useKeptFocus();
  const boards = scene?.boards ?? [], entries = joined(apart, scene?.players ?? []);
  const handling = { players: scene?.players ?? [], faces: new Map(scene?.faces), named: namesIn(entries), turn, mine: clicking.mine, toggling: clicking.toggling, open: clicking.open, picked: clicking.picked, onPick: clicking.pick };
  return (
    <div class={boards.length > 1 ? "stage several" : "stage"} data-turn={turn !== null ? "" : undefined} data-over={over} onKeyDown={moveFocus}>
      {boards.map((board, number) => (
        <figure key={number} style={{ "--share": String(board.width) }}>
          <BoardView
            board={board} players={scene!.players} changed={changed} turn={turn !== null} label={`${board.name} of ${ownerOf(board, scene!) || name}`}
            open={(place: Place) => (turn === null || isClosed(board, turn) ? undefined : clicking.open(keysOfPlace(place, turn)))}
            picked={(place: Place) => turn !== null && clicking.picked(keysOfPlace(place, turn))}
            onPick={(place: Place) => clicking.pick(keysOfPlace(place, turn!))} onCancel={clicking.back}
          />
          {ownerOf(board, scene!) && <figcaption>{!board.level && <Token players={scene!.players} player={board.player!} />} {ownerOf(board, scene!)}</figcaption>}
        </figure>
      ))}
      {scene && !boards.length ? <Tableau entries={entries} nearest={nearest ?? 0} head={head} {...handling}>{children}</Tableau> : children}
      {boards.length > 0 && entries.length > 0 && <div class="entries">{entries.map((entry) => <EntryView key={entry.label} entry={entry} {...handling} />)}</div>}
    </div>
  );
}

/** What has a place of its own beside the boards, such as a bowl by its number: a die that shows this number is not clicked for it. */
function namesIn(entries: Entry[]): Set<string> {
  const places = entries.filter(({ kind }) => kind !== "dice").flatMap(({ rows }) => rows.flatMap(({ items }) => items.filter(({ name }) => name)));
  return new Set(places.flatMap(({ means }) => means ?? []));
}

/** Arrow keys go to the nearest thing that can be clicked in their direction. */
function moveFocus(event: KeyboardEvent) {
  const steps: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const step = steps[event.key];
  if (!step || !(event.target instanceof Element && event.target.matches("[data-component]"))) return;
  event.preventDefault();
  const [x, y] = centre(event.target);
  let best: HTMLElement | SVGElement | undefined, least = Infinity;
  for (const other of (event.currentTarget as Element).querySelectorAll<HTMLElement | SVGElement>("[data-component]")) {
    const [ox, oy] = centre(other);
    const along = (ox - x) * step[0] + (oy - y) * step[1];
    const across = Math.abs((ox - x) * step[1]) + Math.abs((oy - y) * step[0]);
    if (along > 1 && along + 2 * across < least) { least = along + 2 * across; best = other; }
  }
  best?.focus();
}
