// A manager's API: what it answers, and how pages ask again while they are watched.
import { listed } from "./scene";
import { useEffect, useState } from "preact/hooks";
import { urlOf } from "./base";

export interface Match {
  match: string;
  competition: string | null;
  meeting: number | null;
  game: string;
  parameters: Record<string, string>;
  state: "running" | "finished" | "aborted" | "forfeited";
  reason: string | null;
  players: Record<string, string>;
  utilities: Record<string, number> | null;
  forfeited: string[];
  errors: Record<string, number> | null;
  /** Of one match that is asked for: who is connected, while it is in play, and how long a decision may take. */
  connected?: string[] | null;
  error_list?: { player: string; step: number; kind: string; detail: string }[] | null;
  journal: boolean;
  created_at: string;
  ended_at: string | null;
}
export interface Competition {
  competition: string;
  name: string;
  state: string;
  reason: string | null;
  games: string[];
  format: string;
  entry: string;
  secret_chance: boolean;
  starts_at: string | null;
  created_at: string;
  started_at: string | null;
  ended_at: string | null;
}
export interface CompetitionDetails extends Competition {
  settings: {
    start_clock_ms: number; play_clock_ms: number; total_ms: number | null; increment_ms: number; strikes: number; min_players: number | null; max_players: number | null; latecomers: boolean | null;
    format: { kind: string; rounds?: number | null }; games: { game: string; rules?: string | null }[];
  };
  entrants: Record<string, number>;
  progress: { round: number; rounds: number | null; matches_over: number; matches_known: number; matches_running: number; remaining_s: number | null } | null;
  warnings?: string[];
  failure?: string | null;
}
export interface Standing {
  name: string;
  rank: number;
  points: number;
  matches: number;
  byes: number;
  win_rate: number | null;
  ci95: number | null;
  rating: number | null;
  low: number | null;
  high: number | null;
  errors: number;
  /** Milliseconds that it thought about a decision, in the mean and at most. */
  mean_ms: number | null;
  longest_ms: number | null;
  forfeits: number;
  state: string;
  against: Record<string, { meetings: number; wins: number; draws: number }>;
}
export interface Meeting {
  meeting: number;
  round: number;
  players: string[];
  bye: boolean;
  stage: string | null;
}
export interface Rating {
  matches: number;
  rating: number;
  low: number;
  high: number;
}
export interface Entrant {
  name: string;
  state: string;
  reason?: string | null;
}

export const part = encodeURIComponent;
/** The end of a page's address: slashes stay where they can, since some proxies write them for `%2F`, and pages count them. */
export const parts = (text: string) => (/(^|\/)\.{0,2}(\/|$)/.test(text) ? part(text) : text.split("/").map(part).join("/"));
const TOKEN = "ggp host's token";
export const token = () => sessionStorage.getItem(TOKEN) ?? "";
export const keepToken = (text: string) => { if (text) sessionStorage.setItem(TOKEN, text); else sessionStorage.removeItem(TOKEN); };

async function request(address: string, method: string, body?: object): Promise<Response> {
  const headers: Record<string, string> = { accept: "application/json" };
  if (token()) headers.authorization = `Bearer ${token()}`;
  if (method !== "GET") headers["content-type"] = "application/json";
  const answer = await fetch(urlOf(address), { method, headers, body: method === "GET" ? undefined : JSON.stringify(body ?? {}) });
  if (!answer.ok) throw new Error(((await answer.json().catch(() => ({}))) as { error?: string }).error ?? answer.statusText);
  return answer;
}

export async function ask<T>(address: string): Promise<T> {
  return (await request(address, "GET")).json() as Promise<T>;
}

/** All pages of a list, up to a number. */
export async function askAll<T>(address: string, pages = 10): Promise<T[]> {
  const found: T[] = [];
  for (let next: string | null = address; next && pages > 0; pages -= 1) {
    const answer: Response = await request(next, "GET");
    found.push(...((await answer.json()) as T[]));
    const more = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1], to: URL | null = more ? new URL(more, `http://manager${next}`) : null;
    next = to && to.pathname + to.search;
  }
  return found;
}

export const tell = <T>(address: string, body?: object): Promise<T> => request(address, "POST", body).then((answer) => answer.json() as Promise<T>);

export interface Asked<T> {
  found: T | null;
  problem: string | null;
  again: () => void;
}

/** The states of competitions that are over. */
export const ENDED = ["finished", "cancelled"];
/** Whether a competition takes nobody new any more. */
export const isClosed = ({ state, settings, format }: CompetitionDetails) => ENDED.includes(state) || (state !== "registering" && !(settings.latecomers ?? format === "ladder"));
/** Of entrants that have left. */
export const GONE = ["failed", "refused", "withdrawn", "kicked", "disqualified"];

const REMOVED = ["kicked", "disqualified"];
/** Standings with the places of those who are not removed by the host; these have none, 0. */
export const placed = (rows: Standing[]): Standing[] => rows.map((row) => ({ ...row, rank: REMOVED.includes(row.state) ? 0 : row.rank - rows.filter((other) => REMOVED.includes(other.state) && other.rank < row.rank).length }));

/** Ask again and again while the page is looked at. */
export function useAsked<T>(key: string, get: () => Promise<T>, every_ms = 3000): Asked<T> {
  const [state, setState] = useState<{ key: string; found: T | null; problem: string | null }>({ key, found: null, problem: null });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    let timer: number | undefined;
    let ended = false;
    const look = async () => {
      try {
        const found = await get();
        if (!ended) setState({ key, found, problem: null });
      } catch (error) {
        if (!ended) setState((before) => ({ key, found: before.key === key ? before.found : null, problem: (error as Error).message }));
      }
      if (!ended) timer = window.setTimeout(() => (document.hidden ? document.addEventListener("visibilitychange", () => void look(), { once: true }) : void look()), every_ms);
    };
    void look();
    return () => { ended = true; clearTimeout(timer); };
  }, [key, turn]);
  const now = state.key === key ? state : { found: null, problem: null };
  return { found: now.found, problem: now.problem, again: () => setTurn(turn + 1) };
}

export const when = (text: string | null) => (text === null ? "–" : new Date(text).toLocaleString(undefined, { year: "numeric", month: "short", day: "numeric", hour: "2-digit", minute: "2-digit", timeZoneName: "short" }));
export const seconds = (ms: number) => `${Number((ms / 1000).toFixed(1))} s`;
/** A short time, such as the mean of many moves. */
export const brief = (ms: number | null) => (ms === null ? "–" : ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10_000 ? 2 : 1)} s`);
export const words = (text: string) => text.replace(/_/g, " ");

/** The result in words: who won, first. */
export function resultOf(match: Match): string {
  if (match.state === "running") return "In play";
  const roles = Object.keys(match.players);
  const named = (some: string[]) => listed(some.map((role) => `${match.players[role]} (${words(role)})`));
  const stayed = roles.filter((role) => !match.forfeited.includes(role));
  const because = match.reason ? `: ${match.reason}` : "";
  if (!match.utilities && match.forfeited.length && stayed.length) return `${named(stayed)} won${because}`;
  if (match.state === "aborted" || !match.utilities) return `${match.state}${because}`;
  const utilities = roles.map((role) => match.utilities![role]!);
  const best = Math.max(...utilities);
  const winners = roles.filter((role) => match.utilities![role] === best);
  const numbers = [...utilities].sort((one, other) => other - one).map((utility) => `${Number(utility.toFixed(2))}`).join(" to ");
  const plain = roles.length === 2 && Math.min(...utilities) === -1 && best === 1;
  const why = match.forfeited.length ? `, ${listed(match.forfeited.map((role) => match.players[role]!))} forfeited` : "";
  if (roles.length === 1) return `${match.players[roles[0]!]} got ${numbers}`;
  if (winners.length === roles.length) return `A draw${why}`;
  return `${named(winners)} won${why || (plain ? "" : `, ${numbers}`)}`;
}

/** Name the window after what it shows. */
export function useTitle(title: string | undefined) {
  useEffect(() => { if (title) document.title = `${title} – ggp`; }, [title]);
}
