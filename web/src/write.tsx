// Writing a game: its rules, the board that they make, what is wrong with them, and what the game is like.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { ActionPanel } from "./actions";
import { ROOT, urlOf } from "./base";
import { Connection, type Begun, type DraftMessage, type Finding, type Findings, type ReportFacts, type View } from "./connection";
import { copyText } from "./copy";
import { openEditor, type Editor } from "./editor";
import { title } from "./gallery";
import { nameIn, packed, unpacked } from "./links";
import { Publish } from "./publish";
import { ReportView } from "./report";
import { Eyes } from "./seats";
import { Stage, useClicks } from "./stage";

const KEPT = "ggp draft";
const PAUSE_MS = 80, EXAMINE_AFTER_MS = 1500, REPORT_S = 20;
const TEMPLATES: [string, string][] = [
  ["tic_tac_toe", "A board, in turns"], ["kuhn_poker", "Hidden cards"], ["rock_paper_scissors", "Both at once"], ["pig", "Dice"],
];
const SKELETON = `# A new game: say here where it comes from, and how a move is written.
game my_game "Take the last one"

param stones: 3..30 = 10  # on the table at the beginning
players first, second

state
    left: 0..stones = stones
    turn: player = first

phase take
    turn chooses n in 1..min(3, left)
    left := left - n
    turn := other(turn)
    next end if left == 0 else take

payoff[p] = if p == turn then -1 else 1
payoff sum = 0

display
    pile "left" left
    line "to play" turn
`;

/** Return the rules that the page opens with: those of its address, else those that were kept. */
async function opened(): Promise<string> {
  if (location.hash.startsWith("#g=")) return unpacked(location.hash.slice(3));
  const game = new URL(location.href).searchParams.get("game");
  return game ? libraryText(game) : localStorage.getItem(KEPT) ?? SKELETON;
}

async function libraryText(name: string): Promise<string> {
  const answer = await fetch(urlOf(`/api/game?name=${encodeURIComponent(name)}`));
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { text: string }).text;
}

export function Write() {
  const [text, setText] = useState("");
  const [errors, setErrors] = useState<number | null>(null);
  const [note, setNote] = useState("");
  const [library, setLibrary] = useState<string[]>([]);
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Editor>();
  const draft = useDraft(text, errors);
  const showPlay = useRef(draft.showPlay);
  showPlay.current = draft.showPlay;
  useEffect(() => {
    let current: Editor | undefined, left = false;
    const open = (rules: string) => {
      if (left || !host.current) return;
      setText(rules);
      current = editor.current = openEditor(host.current, rules, {
        onChange: (changed) => { setText(changed); setErrors(null); keep(changed); },
        onChecked: setErrors,
        onShow: (finding) => showPlay.current(finding.play!),
        onLost: () => setNote("The connection to ggp studio is lost. Your text is kept in this browser; start it again and reload this page."),
      });
    };
    opened().then(open, (error: Error) => { setNote(location.hash ? "This link is damaged: it holds no rules." : error.message); open(SKELETON); });
    void fetch(urlOf("/api/games")).then((answer) => answer.json()).then((games: { name: string }[]) => setLibrary(games.map(({ name }) => name)));
    return () => { left = true; current?.close(); };
  }, []);
  useEffect(() => editor.current?.show(draft.findings?.findings ?? []), [draft.findings]);

  const keep = (rules: string) => { try { localStorage.setItem(KEPT, rules); } catch { setNote("This browser keeps nothing: save to a file."); } };
  const begin = async (from: string) => {
    if (!from || !editor.current) return;
    if (text.trim() && text !== SKELETON && !confirm("Replace the rules in the editor? Ctrl-Z brings them back.")) return;
    editor.current.replace(from === "empty" ? "" : from === "new" ? SKELETON : await libraryText(from));
  };
  const link = async () => `${ROOT}/write#g=${await packed(text)}`;
  const copy = async () => {
    const address = await link();
    history.replaceState(null, "", address);
    await copyText(address).then(() => setNote("The link is copied: it holds the whole game."), () => setNote("The link is in the address bar: it holds the whole game."));
  };
  const save = () => {
    const anchor = document.createElement("a");
    anchor.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    anchor.download = `${nameIn(text) || "game"}.rules`;
    anchor.click();
    URL.revokeObjectURL(anchor.href);
  };
  const play = async () => { location.href = `${ROOT}/play?against=auto#g=${await packed(text)}`; };
  const name = nameIn(text) || "game";
  return (
    <main id="main" class="page write" data-ready={draft.view || errors || !text.trim() ? "yes" : undefined}>
      <section class="card rules" aria-label="Rules">
        <div class="buttons">
          <h1>{title(name)}</h1>
          <select aria-label="Start from" value="" onChange={(event) => { void begin(event.currentTarget.value); event.currentTarget.value = ""; }}>
            <option value="">Start from …</option>
            <option value="empty">An empty page</option>
            <option value="new">A small game</option>
            <optgroup label="Templates">{TEMPLATES.map(([game, label]) => <option key={game} value={game}>{label}: {title(game)}</option>)}</optgroup>
            <optgroup label="Library">{library.map((game) => <option key={game} value={game}>{title(game)}</option>)}</optgroup>
          </select>
          <button onClick={() => editor.current?.format()}>Format</button>
          <button onClick={save}>Save</button>
          <label class="button">Open<input class="hidden" type="file" accept=".rules,text/plain" onChange={(event) => { void event.currentTarget.files?.[0]?.text().then((rules) => editor.current?.replace(rules)); }} /></label>
          <button onClick={() => void copy()}>Copy link</button>
        </div>
        <div class="editor" ref={host} data-errors={errors ?? undefined} />
        <p class="soft status" role="status">{note || (errors === null ? "Checking …" : errors ? `${errors} error${errors === 1 ? "" : "s"}: the board is that of the last rules without any` : "No errors")} <span class="keys">Ctrl-Space completes, F2 renames, F12 goes to the definition</span></p>
      </section>
      <div class="side">
        <Preview draft={draft} name={name} ready={errors === 0} />
        <FindingsView draft={draft} onGo={(finding) => finding.line && editor.current?.goTo(finding.line, finding.column ?? 1)} />
        <Publish text={text} ready={errors === 0} />
        <section class="card">
          <h2>The game</h2>
          {draft.facts && <ReportView facts={draft.facts} roles={draft.begun?.seats.map((seat) => seat.name) ?? []} />}
          <div class="buttons">
            <button class="main" disabled={errors !== 0} onClick={() => void play()}>Play it</button>
            <button disabled={errors !== 0 || draft.progress !== null} onClick={() => draft.report(text)}>{draft.progress === null ? "Report" : `Report: ${Math.round(100 * draft.progress)} %`}</button>
          </div>
          {!draft.facts && <p class="soft note">A report tells how long games are, who wins, how much chance and skill count, and what is never used. It takes {REPORT_S} seconds.</p>}
        </section>
      </div>
    </main>
  );
}

interface Drafted {
  begun: Begun | null;
  view: View | null;
  problem: string;
  findings: Findings | null;
  facts: ReportFacts | null;
  progress: number | null;
  look: (at: number, role: number | null) => void;
  playFrom: (at: number) => void;
  play: (role: number, action: string) => void;
  sample: () => void;
  showPlay: (play: string[]) => void;
  report: (text: string) => void;
}

/** The rules at work, in processes of their own: one draws and plays, one examines and reports. */
function useDraft(text: string, errors: number | null): Drafted {
  const [begun, setBegun] = useState<Begun | null>(null);
  const [view, setView] = useState<View | null>(null);
  const [problem, setProblem] = useState("");
  const [findings, setFindings] = useState<Findings | null>(null);
  const [facts, setFacts] = useState<ReportFacts | null>(null);
  const [progress, setProgress] = useState<number | null>(null);
  const player = useRef<Connection>();
  const examiner = useRef<Connection>();
  const seed = useRef(1);
  const eyes = useRef<number | null>(null);
  const receive = (message: unknown) => {
    const known = message as DraftMessage | Begun | View | { type: "problem"; text: string };
    if (known.type === "begun") { setBegun(known); setProblem(""); }
    if (known.type === "view") setView(known);
    if (known.type === "problem") { setProblem(known.text); setProgress(null); }
    if (known.type === "findings") setFindings(known);
    if (known.type === "progress") setProgress(known.share);
    if (known.type === "report") { setFacts(known.facts); setProgress(null); }
  };
  const connected = (at: typeof player) => (at.current ??= new Connection(receive, () => { at.current = undefined; setProgress(null); }, "draft"));
  useEffect(() => () => { player.current?.close(); examiner.current?.close(); }, []);
  useEffect(() => {
    setFindings(null);
    if (errors !== 0 || !text.trim()) return;
    const draw = setTimeout(() => connected(player).draft(text, seed.current, []), PAUSE_MS);
    const examine = setTimeout(() => connected(examiner).examine(text), EXAMINE_AFTER_MS);
    return () => { clearTimeout(draw); clearTimeout(examine); };
  }, [text, errors]);
  useEffect(() => setFacts(null), [text]);
  const draw = (play: string[]) => connected(player).draft(text, seed.current, play);
  return {
    begun, view, problem, findings, facts, progress,
    look: (at, role) => { eyes.current = role; player.current?.look(at, role); },
    playFrom: (at) => player.current?.back(at),
    play: (role, action) => player.current?.play(role, action),
    sample: () => { seed.current += 1; draw([]); },
    showPlay: draw,
    report: (rules) => { setProgress(0); connected(examiner).report(rules, REPORT_S); },
  };
}

function Preview({ draft, name, ready }: { draft: Drafted; name: string; ready: boolean }) {
  const { view, begun } = draft;
  const latest = view !== null && view.at === view.length;
  const turn = latest ? view.turn : null;
  const legal = useMemo(() => (turn === null ? [] : view!.legal), [view, turn]);
  const clicking = useClicks(view, view?.scene ?? null, turn, legal, (action) => draft.play(turn!, action.text));
  const unchanged = useMemo(() => new Set<string>(), []);
  if (!view || !begun) return <section class="card"><p class="soft" role="status">{draft.problem || (ready ? "The board is being drawn …" : "The board is drawn here once the rules have no errors.")}</p></section>;
  const last = view.at > 0 ? view.history[view.at - 1] : null;
  return (
    <section class="card preview" aria-label="The board">
      <Stage scene={view.scene} entries={view.scene?.entries ?? []} name={name} turn={turn} over={view.over && latest ? view.over.text : undefined} changed={unchanged} clicking={clicking}>
        {!view.scene && <p class="soft">Too much is hidden from this role to draw what it knows: {view.told.join("; ") || "it was told nothing yet"}.</p>}
      </Stage>
      <label class="slider">Position
        <input type="range" min={0} max={view.length} value={view.at} onInput={(event) => draft.look(Number(event.currentTarget.value), view.eyes)} />
        <output>{view.at} of {view.length}</output>
      </label>
      <p class="where"><b>{view.over ? view.over.text : begun.seats.filter((_, role) => view.acting.includes(role)).map((seat) => seat.name).join(" and ") || "chance"}</b>{!view.over && " next"}{last && <span class="soft"> after {last.text}</span>}{view.phase && !view.over && <span class="soft"> in phase {view.phase}</span>}</p>
      {turn !== null && <ActionPanel clicking={clicking} entries={view.scene?.entries ?? []} />}
      {draft.problem && <p class="problem" role="alert">{draft.problem}</p>}
      <div class="buttons">
        {!latest && <button class="main" onClick={() => draft.playFrom(view.at)}>Play from here</button>}
        <button onClick={draft.sample}>New sample</button>
        <button onClick={() => draft.playFrom(0)} disabled={view.length === 0}>Start again</button>
        <Eyes seats={begun.seats} eyes={view.eyes} onLook={(role) => draft.look(view.at, role)} />
      </div>
    </section>
  );
}

function FindingsView({ draft, onGo }: { draft: Drafted; onGo: (finding: Finding) => void }) {
  const { findings } = draft;
  if (!findings) return null;
  return (
    <section class="card findings" aria-label="What play shows" data-findings={findings.findings.length}>
      <h2>What play shows</h2>
      <p class="soft">{findings.games.toLocaleString("en")} random games, {findings.finished === findings.games ? "all ended" : `${findings.finished.toLocaleString("en")} ended`}{findings.findings.length === 0 && "; nothing wrong was found"}</p>
      {findings.findings.map((finding) => (
        <article key={`${finding.line} ${finding.message}`} class={finding.severity}>
          <button class="place" onClick={() => onGo(finding)}>{finding.line}:{finding.column}</button> {finding.message}
          {finding.hint && <p class="soft">{finding.hint}</p>}
          <div class="buttons">
            {finding.play?.length ? <button onClick={() => draft.showPlay(finding.play!)}>Show the play</button> : null}
            {finding.alike?.plays.map((play, number) => <button key={number} onClick={() => draft.showPlay(play)}>{finding.alike!.player} cannot tell: play {number + 1}</button>)}
          </div>
        </article>
      ))}
    </section>
  );
}
