// The game on the server: one websocket, and what it sends.
import { socketAt } from "./base";
import type { Action, Scene } from "./scene";

export interface Setup {
  game: string;
  /** The rules of a game that was written in the page; such a game is compiled in a process of its own. */
  text?: string;
  seat: string;
  seats: Record<string, string>;
  against: string;
  seed: number;
  clock_s: number;
  parameters: Record<string, string>;
  record: string[];
  /** The secret of a table with links that the window comes back to; or, without a game, of a link that it shows. */
  table?: string;
}
export interface Begun {
  type: "begun";
  /** `name` is that of the library or file, `rules` what the game calls itself. */
  game: { name: string; title: string; prose: string; text: string; tags: string[]; rules: string; parameters: Record<string, string>; simultaneous: boolean };
  /** Who plays each role: `you`, a player's name, `link` for who comes by a link, or `host` for who began the game. */
  seats: { name: string; who: string; link?: string }[];
  /** Whether the window came by a link: the game is another person's, who alone may take back and begin anew. */
  guest?: true;
  /** The secret with which the window of who began the game comes back; empty where no seat has a link. */
  table?: string;
  open: boolean;
  /** Whether the page needs no server, and has no other games and no editor. */
  alone?: true;
  /** Who can be chosen for a seat. */
  choices: string[];
  options: { name: string; default: string; type: string; text: string }[];
}
export interface Shown {
  by: number[];
  text: string;
  actions: Record<string, string>;
}
export interface View {
  type: "view";
  at: number;
  length: number;
  scene: Scene | null;
  /** Whether the scene shows what is certain, and not what a sample of the possible positions has in common. */
  certain: boolean;
  eyes: number | null;
  turn: number | null;
  acting: number[];
  /** Who has chosen already, where several choose at once. */
  chosen: number[];
  /** How long each role has thought. */
  spent_s: number[];
  phase: string | null;
  legal: Action[];
  told: string[];
  history: (Shown | null)[];
  /** The result, where this is the last position of a game that is over. */
  over: { text: string; utilities: number[] } | null;
  /** Set while the game is being compiled: nobody can play yet. */
  compiling?: true;
  /** Whether the game is over: nothing is hidden any more. */
  finished: boolean;
}
/** What a search says of a position, in the words of `studio/analysis.py`. */
export interface Advice {
  type: "advice";
  at: number | null;
  problem?: string;
  actions: string[];
  shares: number[];
  utilities: (number | null)[];
  values: number[] | null;
  iterations: number | null;
}
/** What a position is worth to each role, and how much worse than the best the action was that followed. */
export interface Worth {
  type: "worth";
  at: number;
  values: number[];
  loss: number | null;
  best: string | null;
}
/** A mistake in the rules, in the words of `ggp check --json`; `play` leads there. */
export interface Finding {
  severity: "error" | "warning" | "hint";
  line: number | null;
  column: number | null;
  end_line: number | null;
  end_column: number | null;
  message: string;
  hint: string | null;
  play?: string[];
  alike?: { player: string; plays: string[][]; known: string[]; choices: string[][] };
}
export interface Findings {
  type: "findings";
  findings: Finding[];
  games: number;
  finished: number;
}
/** What `ggp report --json` gives. */
export interface Report {
  type: "report";
  facts: ReportFacts;
}
export interface ReportFacts {
  games: number;
  auto_games: number;
  mean_length: number;
  branching: number;
  first_player: { role: string; random: number; auto: number | null };
  draws: { random: number; auto: number | null };
  chance_share: number;
  lead_changes: number | null;
  skill: { double_time: number | null; auto_random: number | null };
  unused: string[];
  value: number[] | null;
  /** The mean result of games in which all players have one payoff; nothing in others. */
  shared: { random: number; auto: number | null } | null;
  /** Shortest and longest of the games in a bin, and how many. */
  lengths: [number, number, number][];
  /** Of games between strong players, what the first player can expect after each transition. */
  leads: number[][];
}
export type DraftMessage = Findings | Report | { type: "progress"; share: number } | { type: "done" } | { type: "invalid" };
/** An action that was much worse than the best, by what its player knew. */
export interface Mistake {
  type: "mistake";
  at: number;
  loss: number;
  best: string;
}
/** Which people have no window open. */
export interface Absent {
  type: "absent";
  roles: number[];
}
/** Who can play the game, where it took a while to know. */
export interface Choices {
  type: "choices";
  choices: string[];
}
/** The curve is complete. */
export interface Drawn {
  type: "drawn";
}
/** A curve, with what a message says of it. */
export function withNews(curve: Worth[], message: Message): Worth[] {
  if (message.type === "worth") return [...curve, message];
  return message.type === "mistake" ? curve.map((one) => (one.at === message.at ? { ...one, loss: message.loss, best: message.best } : one)) : curve;
}
export type Message = Begun | View | Advice | Worth | Mistake | Drawn | Absent | Choices | { type: "problem"; text: string };

/** Letters of a frame, each of up to four bytes. */
const PART = 4000;

/** Send a text in frames that managers take: all but the last with `+` before them. */
export function sendInParts(socket: WebSocket, text: string) {
  for (let begin = 0, end; begin < text.length; begin = end) {
    end = begin + PART;
    if (/[\uD800-\uDBFF]/.test(text.charAt(end - 1))) end += 1;  // half of a letter would not survive
    socket.send((end < text.length ? "+" : "") + text.slice(begin, end));
  }
}

type Receive = (message: Message) => void;

/** How a game is reached: over a websocket, or, in a page that needs nothing, in its worker. */
export interface Line {
  send(message: object): void;
  close(): void;
}
let opened = (receive: Receive, closed: () => void, path: string): Line => new SocketLine(receive, closed, path);
/** Reach games otherwise from now on. */
export function connectBy(open: (receive: Receive) => Line) { opened = open; }

class SocketLine implements Line {
  private readonly socket: WebSocket;
  private readonly waiting: string[] = [];

  constructor(receive: Receive, closed: () => void, path: string) {
    this.socket = new WebSocket(socketAt(`/api/${path}`));
    this.socket.onmessage = (event) => receive(JSON.parse(event.data as string) as Message);
    this.socket.onopen = () => { for (const text of this.waiting.splice(0)) sendInParts(this.socket, text); };
    this.socket.onclose = closed;
  }

  close() {
    this.socket.onclose = null;
    this.socket.close();
  }

  send(message: object) {
    const text = JSON.stringify(message);
    if (this.socket.readyState === WebSocket.OPEN) sendInParts(this.socket, text);
    else this.waiting.push(text);
  }
}

export class Connection {
  private readonly line: Line;

  constructor(receive: Receive, closed: () => void, path: "play" | "draft" = "play") {
    this.line = opened(receive, closed, path);
  }

  start(setup: Setup) { this.line.send({ type: "start", ...setup }); }
  join(table: string) { this.line.send({ type: "join", table }); }
  play(role: number, action: string) { this.line.send({ type: "play", role, action }); }
  back(to: number) { this.line.send({ type: "back", to }); }
  look(at: number, role: number | null) { this.line.send({ type: "look", at, role }); }

  analyse(at: number | null, role: number | null) { this.line.send({ type: "analyse", at, role }); }
  draft(text: string, seed: number, play: string[]) { this.line.send({ type: "draft", text, seed, play }); }
  examine(text: string) { this.line.send({ type: "examine", text }); }
  report(text: string, seconds: number) { this.line.send({ type: "report", text, seconds }); }
  curve() { this.line.send({ type: "curve" }); }

  close() { this.line.close(); }
}
