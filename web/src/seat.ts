// A person's seat on a manager: the players' protocol (docs/protocol.md), and a process that draws what it tells.
import { useEffect, useRef, useState } from "preact/hooks";
import { socketAt } from "./base";
import { sendInParts } from "./connection";
import type { Action, Scene } from "./scene";

const RETRY_MS = [1000, 2000, 5000, 10_000];
const NAME = "ggp name", TOKEN = "ggp token of ";

export interface Observation {
  action: string | null;
  replaced: string | null;
  observation: { label: string; value: unknown }[];
}
interface Start {
  match: string;
  game: string;
  rules: string;
  roles: string[];
  role: string;
  play_clock_ms: number;
  remaining_ms: number;
}
/** What a manager sends, see `docs/protocol.md`; other types are skipped. */
type Told = { number: number } & (
  | ({ type: "start" } & Start)
  | ({ type: "observe"; match: string } & Observation)
  | { type: "act"; match: string; step: number; legal: string[]; remaining_ms: number }
  | { type: "end"; match: string; result: string; reason: string | null; utilities: Record<string, number> | null; forfeited: string[] }
);
type Answer = Told
  | { type: "welcome"; name: string; token: string }
  | { type: "refused"; code: string; message: string }
  | { type: "entry"; name: string; state: string; message: string | null }
  | { type: "error"; message: string };
/** What the seat sees, from `studio/seat.py`. */
export interface Seen {
  scene: Scene | null;
  certain: boolean;
  role: number;
  legal: Action[];
  step?: number;
}
export interface SeatedMatch extends Start {
  seen: Seen | null;
  told: Observation[];
  /** What is to be decided, and until when, by `performance.now()`. */
  act: { step: number; legal: string[]; until_ms: number } | null;
  end: Extract<Told, { type: "end" }> | null;
  problem: string | null;
}
export interface Seated {
  name: string | null;
  entry: string | null;
  problem: string | null;
  matches: SeatedMatch[];
  move: (match: SeatedMatch, action: string) => void;
  resign: (match: SeatedMatch) => void;
}

export const lastName = () => localStorage.getItem(NAME) ?? "";
export const tokenOf = (name: string) => localStorage.getItem(TOKEN + name);
export function keepPlayer(name: string, token: string) {
  localStorage.setItem(NAME, name);
  localStorage.setItem(TOKEN + name, token);
}

/** Make a name known to the manager; return its name there and its token, which is kept in the browser, too. */
export function newPlayer(name: string): Promise<{ name: string; token: string }> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(socketAt("/play"));
    socket.onopen = () => socket.send(JSON.stringify({ type: "hello", name, protocol: 1, token: null }));
    socket.onerror = () => reject(new Error("the manager does not answer"));
    socket.onmessage = (event) => {
      const answer = JSON.parse(event.data as string) as Answer;
      if (answer.type === "welcome") { keepPlayer(answer.name, answer.token); resolve({ name: answer.name, token: answer.token }); socket.close(); }
      if (answer.type === "refused") reject(new Error(answer.message));
    };
  });
}

/** Sit down under a name, in a competition, until the page is left. */
export function useSeat(name: string | null, competition: string, invitation: string | null): Seated {
  const [state, setState] = useState<Omit<Seated, "move" | "resign">>({ name: null, entry: null, problem: null, matches: [] });
  const socket = useRef<WebSocket>();
  useEffect(() => {
    if (name === null) return;
    let tries = 0, left = false, timer: number | undefined;
    /** Of each match, the connection to its process, how many messages that has still to answer, and whether it is over: then others need its room. */
    const seats = new Map<string, { socket: WebSocket; next: number; unanswered: number; ended: boolean }>();
    const leave = (seat: { socket: WebSocket; unanswered: number; ended: boolean }) => { if (seat.ended && seat.unanswered <= 0) seat.socket.close(); };
    const change = (match: string, how: (one: SeatedMatch) => Partial<SeatedMatch>) =>
      setState((before) => ({ ...before, matches: before.matches.map((one) => (one.match === match ? { ...one, ...how(one) } : one)) }));
    const hear = (answer: Answer) => {
      switch (answer.type) {
        case "welcome":
          tries = 0;
          keepPlayer(answer.name, answer.token);
          setState((before) => ({ ...before, name: answer.name, problem: null }));
          say({ type: "enter", competition, invitation });
          break;
        case "refused":
          if (answer.code === "token") localStorage.removeItem(TOKEN + name);
          setState((before) => ({ ...before, problem: answer.message }));
          break;
        case "entry": setState((before) => ({ ...before, entry: answer.message ? `${answer.state}: ${answer.message}` : answer.state })); break;
        case "error": setState((before) => ({ ...before, problem: answer.message })); break;
        case "start": begin(answer); break;
        case "observe": case "act": case "end": follow(answer); break;
        default:  // a later manager may tell more
      }
    };
    const begin = (start: Extract<Told, { type: "start" }>) => {
      say({ type: "ready", match: start.match });
      if (seats.has(start.match)) return;
      setState((before) => ({ ...before, matches: [...before.matches, { ...start, seen: null, told: [], act: null, end: null, problem: null }] }));
      // nobody looks at the end of those before any more
      for (const { socket, ended } of seats.values()) if (ended) whenOpen(socket, () => socket.close());
      const socket = new WebSocket(socketAt("/api/seat")), seat = { socket, next: start.number + 1, unanswered: 1, ended: false };
      seats.set(start.match, seat);
      socket.onopen = () => socket.send(JSON.stringify({ match: start.match, token: tokenOf(lastName()) }));
      socket.onmessage = (event) => {
        const found = JSON.parse(event.data as string) as ({ type: "seen" } & Seen) | { type: "problem"; text: string } | { type: "done" };
        if (found.type === "done") { seat.unanswered -= 1; leave(seat); }
        if (found.type === "seen") change(start.match, () => ({ seen: found }));
        if (found.type === "problem") change(start.match, () => ({ problem: found.text }));
      };
    };
    const follow = (told: Exclude<Told, { type: "start" }>) => {
      const seat = seats.get(told.match);
      if (!seat) return;
      const isNew = told.number >= seat.next;  // all is repeated after a broken connection
      if (told.type === "act") change(told.match, () => ({ act: { step: told.step, legal: told.legal, until_ms: performance.now() + told.remaining_ms } }));
      if (!isNew) return;
      seat.next = told.number + 1;
      if (told.type === "end") {
        change(told.match, () => ({ end: told, act: null }));
        seat.ended = true;
        leave(seat);
      } else {
        seat.unanswered += 1;
        whenOpen(seat.socket, () => sendInParts(seat.socket, JSON.stringify(told)));
      }
      if (told.type === "observe") change(told.match, (one) => ({ told: [...one.told, told], act: null }));
    };
    const say = (message: object) => { if (socket.current?.readyState === WebSocket.OPEN) socket.current.send(JSON.stringify(message)); };
    const connect = () => {
      const one = new WebSocket(socketAt("/play"));
      socket.current = one;
      one.onopen = () => say({ type: "hello", name, protocol: 1, token: tokenOf(name) });
      one.onmessage = (event) => hear(JSON.parse(event.data as string) as Answer);
      one.onclose = (event) => {
        if (left || event.code === 1000 || event.code === 1008) return;
        setState((before) => ({ ...before, problem: "The connection is broken; trying again …" }));
        timer = window.setTimeout(connect, RETRY_MS[Math.min(tries++, RETRY_MS.length - 1)]);
      };
    };
    connect();
    return () => {
      left = true;
      clearTimeout(timer);
      socket.current?.close();
      for (const seat of seats.values()) seat.socket.close();
    };
  }, [name, competition, invitation]);
  const say = (message: object) => socket.current?.send(JSON.stringify(message));
  return {
    ...state,
    move: (match, action) => {
      if (match.act) say({ type: "move", match: match.match, step: match.act.step, action });
      setState((before) => ({ ...before, matches: before.matches.map((one) => (one.match === match.match ? { ...one, act: null } : one)) }));
    },
    resign: (match) => say({ type: "resign", match: match.match }),
  };
}

function whenOpen(socket: WebSocket, call: () => void) {
  if (socket.readyState === WebSocket.OPEN) call();
  else socket.addEventListener("open", call, { once: true });
}
