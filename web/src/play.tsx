// A game in play: the position, what can be clicked, who sits where, what happened, and what the person was told.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ActionPanel } from "./actions";
import { Analysis } from "./analysis";
import { Connection, withNews, type Advice, type Begun, type Setup, type View, type Worth } from "./connection";
import { Copy } from "./copy";
import { DOOR, GALLERY } from "./door";
import { title } from "./gallery";
import { colours, Token } from "./pieces";
import { packed } from "./links";
import { differences, isEdge, listed, type Board, type Piece, type Player, type Scene } from "./scene";
import { Eyes, nearest, Seat, SeatLinks, Seats } from "./seats";
import { SetupForm } from "./setup";
import { Stage, useClicks, wideness } from "./stage";
import { TypedAction } from "./typed";
import { Prose, spaced } from "./values";

/** Between two positions that are shown one after the other; many, as when seeds are sown around, take less. */
const PAUSE_MS = 320, QUEUED_MS = 2000;
const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches || document.hidden;

export function Play({ setup, onSetup }: { setup: Setup; onSetup: (setup: Partial<Setup>, replace?: boolean) => void }) {
  const game = useGame(setup, onSetup);
  const { begun, view, problem, absent } = game;
  const named = begun?.game.rules ?? setup.game;
  useEffect(() => { document.title = `${title(named)} – ggp`; }, [named]);
  const [uncovered, setUncovered] = useState<number | null>(null);
  const latest = view !== null && view.at === view.length;
  const turn = view && latest && !game.busy ? view.turn : null;

  const scene = view?.scene ?? null;
  const legal = useMemo(() => (turn === null ? [] : view!.legal), [view, turn]);
  const clicking = useClicks(view, scene, turn, legal, (action) => game.play(turn!, action.text));
  const { play, back } = clicking;
  useEffect(() => {
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement) return;
      if (event.key === "Escape") back();
      if (event.key === "[") game.step(-1);
      if (event.key === "]") game.step(1);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });

  if (!begun || !view) return <main id="main" class="page"><p class="card" role="status">{problem ?? `Setting up ${title(named)} …`}</p></main>;
  const people = begun.seats.filter((seat) => seat.who === "you").length;
  if (!begun.open && people > 1 && view.eyes !== null && view.eyes !== uncovered && !view.finished) {
    const name = spaced(begun.seats[view.eyes]!.name);
    return (
      <main id="main" class="page" data-ready="yes">
        <section class="card cover" data-turn="">
          <h1>{name} is next</h1>
          <p class="soft">Hand the screen over: what follows is for {name} alone.</p>
          <button class="main" data-action={`show ${name}`} onClick={() => setUncovered(view.eyes)}>I am {name}</button>
        </section>
      </main>
    );
  }
  const entries = (scene?.entries ?? []).filter((entry) => !saysTurn(entry, view, begun));
  const tableau = scene !== null && scene.boards.length === 0;
  const waiting = !view.over && latest && (turn === null || game.busy);
  return (
    <main id="main" class="page play" data-ready={view.compiling ? undefined : "yes"} data-over={view.over && latest ? view.over.text : undefined}>
      <h1 class="hidden">{title(begun.game.rules)}</h1>
      <div class={scene?.boards.length ? "desk" : "desk plain-desk"} style={{ "--wide": wideness(scene), "--below": entries.length ? "350px" : "270px" }}>
        {!tableau && <Seats begun={begun} view={view} players={scene?.players ?? []} absent={absent} side="top" />}
        <Stage
          scene={scene} entries={entries} name={begun.game.name} turn={turn} over={view.over && latest ? view.over.text : undefined} changed={game.changed} clicking={clicking}
          nearest={nearest(view, begun)} head={(role) => <Seat role={role} begun={begun} view={view} players={scene?.players ?? []} absent={absent} />}
        >
          {!scene && <p class="card soft">This game hides too much to draw what you know: what you were told is listed beside.</p>}
          <Grounds boards={scene?.boards ?? []} players={scene?.players ?? []} />
          {scene && !view.certain && <p class="soft note">Too much is hidden to be sure: this is what a sample of the possible positions has in common.</p>}
        </Stage>
        {!tableau && <Seats begun={begun} view={view} players={scene?.players ?? []} absent={absent} side="bottom" />}
      </div>
      <div class="side">
        {view.over && latest ? (
          <section class="card over" role="status">
            <h2>{sentence(spaced(view.over.text)).replace(/ (?=-?\d)/g, "\u00a0")}</h2>
            <div class="buttons"><button class="main" onClick={() => onSetup({ seed: setup.seed + 1, record: [] })}>Play again</button>{!begun.alone && <a class="button" href={GALLERY}>All games</a>}</div>
          </section>
        ) : (
          <section class="card" aria-label="Your move">
            <h2>{heading(view, begun, turn, waiting)}</h2>
            {turn !== null && <ActionPanel clicking={clicking} entries={scene?.entries ?? []} />}
            {turn !== null && <TypedAction legal={legal} onPlay={play} />}
            {problem && <p class="problem" role="alert">{problem}</p>}
            <Latest view={view} begun={begun} />
          </section>
        )}
        <Analysis view={view} begun={begun} advice={game.advice} curve={game.curve} drawing={game.drawing} onAnalyse={game.analyse} onCurve={game.drawCurve} onLook={game.look} />
        <SeatLinks begun={begun} absent={absent} />
        <History view={view} begun={begun} game={game} setup={setup} onSetup={onSetup} />
        {!begun.open && view.eyes !== null && <Told view={view} begun={begun} />}
        {!begun.guest && <SetupForm key={JSON.stringify(setup)} begun={begun} setup={setup} onSetup={onSetup} />}
        <section class="card">
          <details>
            <summary>Rules of {title(begun.game.rules)}</summary>
            {!begun.alone && <p class="buttons"><ChangeRules text={setup.text || begun.guest ? begun.game.text : ""} name={begun.game.name} />{!setup.text && !begun.guest && DOOR === "studio" && <OnePage name={begun.game.name} parameters={begun.game.parameters} />}</p>}
            <p><b>{begun.game.title}</b></p>
            <p class="soft"><Prose text={begun.game.prose} /></p>
            <pre tabIndex={0}>{begun.game.text}</pre>
          </details>
        </section>
      </div>
    </main>
  );
}

/** What the tints of cells and the letters on pieces mean, where the rules have names for them. */
function Grounds({ boards, players }: { boards: Board[]; players: Player[] }) {
  const found = new Map<string, Piece>();
  for (const board of boards) for (const place of board.places) { const { ground } = place; if (ground?.shape === "ground" && ground.text && ground.text !== ground.colour && (place.form === "way" || !isEdge(place))) found.set(ground.text + (ground.player == null ? "" : ` of ${players[ground.player]!.name}`), ground); }
  const letters = new Map<string, string>();
  for (const { text, word: whole, means } of boards.flatMap(({ places }) => places.flatMap(({ pieces }) => pieces ?? []))) {
    const word = whole ?? means?.at(-1)?.replace(/^[^:]*:/, "");
    if (text && word && spaced(word) !== text && word.split("_").some((part) => part[0] === text[0]!.toLowerCase())) letters.set(word, text);
  }
  const notes = [...new Set(boards.map(({ note }) => note).filter(Boolean))];
  const links = boards.flatMap(({ other_lines }) => other_lines?.map(([name]) => name) ?? []);
  if (!found.size && !letters.size && !notes.length && !links.length) return null;
  return (
    <p class="grounds soft">
      {[...letters].map(([word, letter]) => <span key={word}><b>{letter}</b> {spaced(word)}</span>)}
      {links.map((name, kind) => <span key={name}><svg class="token long" viewBox="0 0 60 20" aria-hidden="true"><path class={`line link-${kind}`} d="M2 10H58" /></svg> {name}</span>)}
      {notes.map((name) => <span key={name}>small numbers: {spaced(name!)}</span>)}
      {[...found].map(([name, ground]) => (
        <span key={name}><svg class="token" viewBox="0 0 10 10" aria-hidden="true"><rect class="special" width="10" height="10" rx="2" style={ground.colour || ground.player != null ? { fill: colours(ground, players)[0] } : undefined} /></svg> {spaced(name)}</span>
      ))}
    </p>
  );
}

/** What happened since the person last chose, in words. */
function Latest({ view, begun }: { view: View; begun: Begun }) {
  const before = view.history.slice(0, view.at);
  const own = before.map((made) => made?.by.some((role) => begun.seats[role]?.who === "you") ?? false).lastIndexOf(true);
  const lines = before.slice(Math.max(0, own)).filter((made) => made?.text).slice(-4);
  if (!lines.length) return null;
  return (
    <p class="latest soft" role="status">
      {lines.map((made) => <span>{made!.by.length ? spaced(made!.text.replace(/\byou: /g, "you play ").replace(/: /g, " plays ")) : `Chance: ${spaced(made!.text.replace("chance: ", ""))}`}</span>)}
    </p>
  );
}

function heading(view: View, begun: Begun, turn: number | null, waiting: boolean): string {
  if (turn !== null) return begun.seats.filter((seat) => seat.who === "you").length > 1 ? `${spaced(begun.seats[turn]!.name)} to play` : "Your move";
  if (view.compiling) return "Compiling the rules …";
  if (!waiting) return `Position ${view.at} of ${view.length}`;
  const others = view.acting.filter((role) => !view.chosen.includes(role)).map((role) => begun.seats[role]).filter((seat) => seat && seat.who !== "you");
  const chosen = view.chosen.some((role) => begun.seats[role]?.who === "you") ? "Chosen. " : "";
  return others.length ? `${chosen}Waiting for ${spaced(listed(others.map((seat) => seat!.name)))} …` : "One moment …";
}

/** Whether a value only says whose turn it is: the seats say so, too. */
function saysTurn(entry: Scene["entries"][0], view: View, begun: Begun): boolean {
  const item = entry.rows.length === 1 && entry.rows[0]!.items.length === 1 ? entry.rows[0]!.items[0]! : null;
  return entry.kind === "line" && item?.player !== undefined && item.player !== null && /^(to (play|move|act)|((on|whose) )?turn|turn of|mover|(current|active) player)$/.test(entry.label) && begun.seats.length > 0 && view !== null;
}

function History({ view, begun, game, setup, onSetup }: { view: View; begun: Begun; game: Game; setup: Setup; onSetup: (setup: Partial<Setup>) => void }) {
  const shown = view.history.map((made, index) => ({ made, index: index + 1 })).filter(({ made }) => made);
  const own = shown.filter(({ made }) => made!.by.some((role) => begun.seats[role]?.who === "you"));
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => { if (view.at === view.length) list.current?.scrollTo({ top: list.current.scrollHeight }); }, [view]);
  const record = view.history.map((made) => made?.text ?? "").join("\n");
  const known = begun.open || view.finished;
  const takeBack = () => game.back(own.length ? own[own.length - 1]!.index - 1 : 0);
  return (
    <section class="card" aria-label="Moves" data-record={view.finished ? record : undefined}>
      <h2>Moves</h2>
      <ol class="moves" ref={list} tabIndex={0} aria-label="What happened">
        {shown.length === 0 && <li class="soft">nothing yet</li>}
        {shown.map(({ made, index }) => (
          <li>
            <button class={index === view.at ? "move now" : "move"} onClick={() => game.look(index)} aria-current={index === view.at ? "step" : undefined}>
              <span class="soft">{index}</span> {made!.by.length === 0 ? <i>{spaced(made!.text)}</i> : made!.by.map((role) => (
                <span class="by"><Token players={view.scene?.players ?? []} player={role} />{spaced(made!.actions[role]!)}</span>
              ))}
            </button>
          </li>
        ))}
      </ol>
      <div class="buttons">
        <button aria-label="to the beginning" onClick={() => game.look(0)} disabled={view.at === 0}>|◀</button>
        <button aria-label="one step back" onClick={() => game.step(-1)} disabled={view.at === 0}>◀</button>
        <button aria-label="one step forward" onClick={() => game.step(1)} disabled={view.at === view.length}>▶</button>
        <button aria-label="to the end" onClick={() => game.look(view.length)} disabled={view.at === view.length}>▶|</button>
        {!begun.guest && <button onClick={takeBack} disabled={own.length === 0}>Take back</button>}
        {!begun.guest && <button onClick={() => onSetup({ seed: setup.seed + 1, record: [] })}>Restart</button>}
        <Copy text={record} />
        {!begun.guest && <button onClick={() => save(begun, setup, record)} disabled={!known} title={known ? undefined : "once the game is over: it would show what is hidden"}>Save</button>}
        {!begun.guest && <label class="button">Load<input class="hidden" type="file" accept="application/json,.json" onChange={(event) => void load(event.currentTarget, onSetup)} /></label>}
        {!begun.open && view.finished && <Eyes seats={begun.seats} eyes={view.eyes} onLook={(role) => game.look(view.at, role)} />}
      </div>
    </section>
  );
}

function save(begun: Begun, setup: Setup, record: string) {
  const text = JSON.stringify({ ...setup, table: undefined, record: record ? record.split("\n") : [] }, null, 2);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "application/json" }));
  link.download = `${begun.game.name.replace(/^.*\//, "").replace(/\.rules$/, "")}.json`;
  link.click();
  URL.revokeObjectURL(link.href);
}

async function load(input: HTMLInputElement, onSetup: (setup: Partial<Setup>) => void) {
  const text = await input.files?.[0]?.text();
  input.value = "";
  try {
    const { game, text: rules, seat, seats, against, seed, clock_s, parameters, record } = JSON.parse(text ?? "") as Setup;
    if (typeof game !== "string" || !Array.isArray(record)) throw new SyntaxError();
    onSetup({ game, text: rules ?? "", seat, seats, against, seed, clock_s, parameters, record, table: undefined });
  } catch {
    alert("This file is no game that was saved here.");
  }
}

function Told({ view, begun }: { view: View; begun: Begun }) {
  const seat = view.eyes === null ? "" : begun.seats[view.eyes]!.name;
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => list.current?.scrollTo({ top: list.current.scrollHeight }), [view]);
  return (
    <section class="card" aria-label="What you were told">
      <h2>What {spaced(seat)} was told</h2>
      <ol class="told" ref={list} tabIndex={0} aria-label="Your choices and observations">
        {view.told.length === 0 && <li class="soft">nothing yet</li>}
        {view.told.map((line) => <li>{spaced(line)}</li>)}
      </ol>
    </section>
  );
}

function sentence(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// --- the game on the server ---------------------------------------------------------------------------------------

interface Game {
  begun: Begun | null;
  view: View | null;
  problem: string | null;
  changed: Set<string>;
  busy: boolean;
  absent: number[];
  advice: Advice | null;
  curve: Worth[];
  /** Whether the curve is being drawn. */
  drawing: boolean;
  analyse: (at: number | null) => void;
  drawCurve: () => void;
  play: (role: number, action: string) => void;
  back: (to: number) => void;
  look: (at: number, role?: number | null) => void;
  /** Look at a position so many further on. */
  step: (by: number) => void;
}

/** Follow a game: positions are shown one after the other, so that what bots and chance do is seen. */
function useGame(setup: Setup, onSetup: (setup: Partial<Setup>, replace: boolean) => void): Game {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [view, setView] = useState<View | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [changed, setChanged] = useState<Set<string>>(new Set());
  const [advice, setAdvice] = useState<Advice | null>(null);
  const [curve, setCurve] = useState<Worth[]>([]);
  const [drawing, setDrawing] = useState(false);
  const connection = useRef<Connection>();
  const shown = useRef<View | null>(null);
  const wanted = useRef<number | null>(null);  // the position that was asked for, until it comes
  const [absent, setAbsent] = useState<number[]>([]);
  const isOpened = useRef(false);
  const begins = JSON.stringify({ ...setup, table: undefined });
  useEffect(() => {
    const queue: View[] = [];
    let timer: number | undefined;
    const pause = () => (still() ? 0 : Math.min(PAUSE_MS, QUEUED_MS / queue.length));
    const show = () => {
      timer = undefined;
      const next = queue.shift();
      if (!next) return;
      const before = shown.current;
      const grew = before !== null && next.at > 0 && next.at !== before.at;
      if (grew) setChanged(differences(before!.scene, next.scene));
      else if (!before || next.at === 0) setChanged(new Set());
      if (before && next.length < before.length) setCurve([]);
      shown.current = next;
      if (next.at === wanted.current) wanted.current = null;
      setView(next);
      setBusy(false);
      if (queue.length) timer = window.setTimeout(show, pause());
    };
    const current = new Connection((message) => {
      if (message.type === "begun") {
        setBegun(message);
        setCurve([]);
        setAbsent([]);
        const table = message.table || undefined;
        if (!message.guest && table !== setup.table) onSetup({ game: setup.game, table }, true);
      } else if (message.type === "choices") {
        setBegun((before) => before && { ...before, choices: message.choices });
      } else if (message.type === "absent") {
        setAbsent(message.roles);
      } else if (message.type === "advice") {
        setAdvice(message);
        if (message.problem) setDrawing(false);
      } else if (message.type === "worth" || message.type === "mistake") {
        setCurve((before) => withNews(before, message));
      } else if (message.type === "drawn") {
        setDrawing(false);
      } else if (message.type === "view") {
        setProblem(null);
        queue.push(message);
        if (timer === undefined) timer = window.setTimeout(show, queue.length > 1 ? pause() : 0);
      } else if (message.type === "problem") {
        setProblem(message.text);
        setBusy(false);
        setDrawing(false);
      }
    }, () => setProblem(DOOR === "studio" ? "The connection to ggp studio is lost. Start it again and reload this page." : "The connection to the manager is lost. Reload this page."), setup.text || setup.table?.includes(".") ? "draft" : "play");
    connection.current = current;
    shown.current = null;
    setBegun(null);
    setView(null);
    setAdvice(null);
    setDrawing(false);
    setCurve([]);
    setProblem(null);
    // a page that is opened comes back to its table; what is set up anew in it begins another game there
    if (setup.table && !isOpened.current) current.join(setup.table);
    else current.start(setup);
    isOpened.current = true;
    return () => { clearTimeout(timer); current.close(); };
  }, [begins]);
  const isShared = Boolean(begun?.guest || begun?.table);
  useEffect(() => {
    // browsers keep pages that are left, with their sockets: the others would think that somebody is still here
    if (!isShared) return;
    const until = new AbortController();
    addEventListener("pagehide", () => connection.current!.close(), { signal: until.signal });
    addEventListener("pageshow", ({ persisted }) => { if (persisted) location.reload(); }, { signal: until.signal });
    return () => until.abort();
  }, [isShared]);
  const look = (at: number, role = view?.eyes ?? null) => connection.current!.look(at, role);
  return {
    begun, view, problem, changed, busy, absent, advice, curve, drawing,
    analyse: (at) => { setDrawing(false); connection.current!.analyse(at, view?.eyes ?? null); },
    drawCurve: () => { setCurve([]); setDrawing(true); connection.current!.curve(); },
    play: (role, action) => { setBusy(true); setProblem(null); setCurve([]); setDrawing(false); connection.current!.play(role, action); },
    back: (to) => { setCurve([]); setDrawing(false); connection.current!.back(to); },
    look,
    step: (by) => {
      wanted.current = Math.max(0, Math.min(view!.length, (wanted.current ?? view!.at) + by));
      look(wanted.current);
    },
  };
}

/** The game as a page that needs nothing. */
function OnePage({ name: game, parameters }: { name: string; parameters: Record<string, string> }) {
  const query = new URLSearchParams({ name: game });
  for (const [name, value] of Object.entries(parameters)) query.set(`p.${name}`, value);
  return <a class="button" download href={`/api/page?${query}`}>One page (HTML)</a>;
}

/** A link to the editor, with the rules of the game in play. */
function ChangeRules({ text, name }: { text: string; name: string }) {
  const [fragment, setFragment] = useState("");
  useEffect(() => { if (text) void packed(text).then(setFragment); }, [text]);
  return <a class="button" href={text ? `/write#g=${fragment}` : `/write?game=${encodeURIComponent(name)}`}>Change the rules</a>;
}
