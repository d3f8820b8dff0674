// What hosts may do, with their token: create a competition, start, pause and end it, admit and remove players.
import { useState } from "preact/hooks";
import { ROOT } from "./base";
import type { CompetitionDetails, Entrant } from "./manager";
import { askAll, ENDED, GONE, keepToken, part, tell, token, useAsked, words } from "./manager";

export function HostToken({ onChange }: { onChange: (given: boolean) => void }) {
  const [text, setText] = useState(token());
  const submit = (event: Event) => { event.preventDefault(); keepToken(text.trim()); onChange(text.trim() !== ""); };
  return (
    <details class="card">
      <summary>For the host</summary>
      <form class="setup" onSubmit={submit}>
        <p class="soft">The host's token stays in this window. On the manager's own machine, without one, any text will do.</p>
        <label><span>token</span><input type="password" autocomplete="off" value={text} onInput={(event) => setText(event.currentTarget.value)} /></label>
        <div class="buttons"><button class="main">Use it</button></div>
      </form>
    </details>
  );
}

const FORMATS = ["round_robin", "swiss", "groups_knockout", "ladder"];
/** In which states of a competition, and at which actions on it, which buttons stand. */
const POSSIBLE: Record<string, string[]> = { registering: ["start", "cancel", "invite"], running: ["pause", "cancel", "invite"], paused: ["resume", "cancel", "invite"] };
const ENTRIES = ["approval", "everybody", "invitation"];

export function NewCompetition({ onMade }: { onMade: (id: string) => void }) {
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(given.get(name) ?? "").trim();
    const settings = {
      name: text("name"), games: text("games").split(/[\s,]+/).filter(Boolean).map((game) => ({ game })), format: { kind: text("format") }, entry: text("entry"),
      ...(text("entry") === "everybody" ? { min_players: Number(text("players")) } : {}), start_clock_ms: 1000 * Number(text("start")), play_clock_ms: 1000 * Number(text("play")),
    };
    tell<{ competition: string }>("/competitions", settings).then((made) => onMade(made.competition), (error: Error) => setProblem(error.message));
  };
  return (
    <form class="card setup" onSubmit={submit}>
      <h2>New competition</h2>
      <label><span>name</span><input name="name" required maxLength={64} /></label>
      <label><span>games</span><input name="games" required placeholder="goofspiel, tron" /></label>
      <label><span>format</span><select name="format">{FORMATS.map((one) => <option value={one}>{words(one)}</option>)}</select></label>
      <label><span>entry</span><select name="entry">{ENTRIES.map((one) => <option value={one}>{words(one)}</option>)}</select></label>
      <label><span>begins with, if everybody may enter</span><input name="players" type="number" min={2} value={4} /></label>
      <label><span>start clock, s</span><input name="start" type="number" min={0.1} step="any" value={30} /></label>
      <label><span>play clock, s</span><input name="play" type="number" min={0.1} step="any" value={5} /></label>
      {problem && <p class="problem" role="alert">{problem}</p>}
      <div class="buttons"><button class="main">Create</button></div>
    </form>
  );
}

export function Manage({ one, onDone }: { one: CompetitionDetails; onDone: () => void }) {
  const address = `/competitions/${part(one.competition)}`;
  const [problem, setProblem] = useState<string | null>(null);
  const [told, setTold] = useState<string | null>(null);
  const { found: entrants, again } = useAsked(`entrants ${one.competition}`, () => askAll<Entrant>(`${address}/entrants`));
  const done = () => { setProblem(null); onDone(); again(); };
  const act = (path: string) => tell(`${address}/${path}`).then(done, (error: Error) => setProblem(error.message));
  const invite = () => tell<{ invitation: string }>(`${address}/invitations`).then(({ invitation }) => setTold(invitation), (error: Error) => setProblem(error.message));
  return (
    <section class="card">
      <h2>For the host</h2>
      <div class="buttons">
        {[...(one.format === "ladder" && one.state === "running" ? ["finish"] : []), ...(POSSIBLE[one.state] ?? [])].map((action) => <button key={action} onClick={() => void (action === "invite" ? invite() : act(action))}>{action}</button>)}
      </div>
      {told && <p>An invitation, shown only once, as a link for a person and as a token for a program: <code>{`${ROOT}/sit?competition=${part(one.name)}&invitation=${part(told)}`}</code> <code>{told}</code></p>}
      {problem && <p class="problem" role="alert">{problem}</p>}
      {(one.warnings ?? []).map((text) => <p class="problem">{text}</p>)}
      <ul class="plain-list">
        {(entrants ?? []).map(({ name, state }) => (
          <li key={name} class="entrant">
            <b>{name}</b> <span class="soft">{words(state)}</span>
            <span class="buttons">{(state === "asking" ? ["approve", "refuse"] : GONE.includes(state) || ENDED.includes(one.state) ? [] : ["kick", "disqualify"]).map((action) => <button key={action} onClick={() => void act(`entrants/${part(name)}/${action}`)}>{action}</button>)}</span>
          </li>
        ))}
      </ul>
      <button class="quiet" onClick={() => { keepToken(""); onDone(); }}>Forget the token</button>
    </section>
  );
}
