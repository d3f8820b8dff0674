// A person sits down in a competition: waiting, then its matches, under the same clocks as everybody.
import { useEffect, useMemo, useState } from "preact/hooks";
import { ActionPanel } from "./actions";
import { title } from "./gallery";
import { competitionPage, matchPage } from "./lists";
import { ask, ENDED, isClosed, part, useTitle, words, type CompetitionDetails } from "./manager";
import { Token } from "./pieces";
import { listed, differences } from "./scene";
import { lastName, useSeat, type Seated, type SeatedMatch } from "./seat";
import { Stage, useClicks, wideness } from "./stage";
import { TypedAction } from "./typed";
import { spaced } from "./values";

const WAITS: Record<string, string> = {
  refused: "Nobody may enter this competition any more, or its host has refused you.", kicked: "The host has removed you.", disqualified: "The host has disqualified you.",
  asking: "The host has to accept you.", qualifying: "You play a qualifying match first.", entered: "You are in. Your matches begin here as soon as they are paired.", playing: "You are in. Your matches begin here as soon as they are paired.",
};

export function Sit({ url }: { url: URL }) {
  const competition = url.searchParams.get("competition") ?? "", invitation = url.searchParams.get("invitation");
  const [name, setName] = useState<string | null>(null);
  const seated = useSeat(name, competition, invitation);
  useTitle(`A seat in ${competition}`);
  const waiting = seated.matches.find((one) => one.act) ?? [...seated.matches].reverse().find((one) => !one.end) ?? seated.matches.at(-1);
  const [chosen, setChosen] = useState<string | null>(null);
  const match = seated.matches.find((one) => one.match === chosen && (!one.end || !waiting?.act)) ?? waiting;
  if (name === null) return <Name competition={competition} onName={setName} />;
  if (!match) {
    return (
      <main id="main" class="page" data-ready="yes">
        <section class="card cover" role="status">
          <h1>{seated.name ? `Welcome, ${seated.name}` : "Sitting down …"}</h1>
          <p>{seated.problem ?? (seated.entry ? WAITS[seated.entry] ?? words(seated.entry) : "…")}</p>
          <p><a href={competitionPage(competition)}>{competition}</a></p>
        </section>
      </main>
    );
  }
  return <Seat key={match.match} match={match} seated={seated} competition={competition} onChoose={setChosen} />;
}

function Name({ competition, onName }: { competition: string; onName: (name: string) => void }) {
  const [text, setText] = useState(lastName());
  const [one, setOne] = useState<CompetitionDetails | null>(null), [problem, setProblem] = useState<string | null>(null);
  useEffect(() => { ask<CompetitionDetails>(`/competitions/${part(competition)}`).then(setOne, (error: Error) => setProblem(error.message)); }, [competition]);
  const ended = one && ENDED.includes(one.state);
  if (!one || ended) {
    return (
      <main id="main" class="page" data-ready={one || problem ? "yes" : undefined}>
        <section class="card cover" role="status">
          <h1>{ended ? `${one.name} is over` : problem ? "No seat here" : "Sitting down …"}</h1>
          {problem && <p>{competition ? `The manager says: ${problem} (“${competition}”).` : "The address names no competition."}</p>}
          {ended && <p>Nobody can sit down any more. <a href={competitionPage(one.name)}>See its results</a></p>}
          {problem && <p><a href="/view">All competitions</a></p>}
        </section>
      </main>
    );
  }
  return (
    <main id="main" class="page" data-ready="yes">
      <form class="card cover" onSubmit={(event) => { event.preventDefault(); if (text.trim()) onName(text.trim()); }}>
        <h1>Sit down in {one.name}</h1>
        {isClosed(one) && <p class="problem">It has begun, and takes nobody new. Who is in sits down again under the same name.</p>}
        <label>your name <input name="name" required maxLength={32} value={text} autocomplete="nickname" onInput={(event) => setText(event.currentTarget.value)} /></label>
        <p class="soft">You play under the clocks of the competition. Your name and its token stay in this browser.</p>
        <button class="main">Sit down</button>
      </form>
    </main>
  );
}

function Seat({ match, seated, competition, onChoose }: { match: SeatedMatch; seated: Seated; competition: string; onChoose: (match: string) => void }) {
  const { seen, act, end } = match;
  const scene = seen?.scene ?? null, role = match.roles.indexOf(match.role);
  const shown = act !== null && seen?.step === act.step;
  const legal = useMemo(() => (!act ? [] : shown && seen!.legal.length ? seen!.legal : act.legal.map((text) => ({ text, parts: [] }))), [act, shown, seen]);
  const turn = act ? role : null;
  const clicking = useClicks(seen, scene, turn, legal, (action) => seated.move(match, action.text));
  const [before, setBefore] = useState({ now: scene, last: scene });
  useEffect(() => { if (scene) setBefore(({ now }) => ({ now: scene, last: now })); }, [scene]);
  const changed = useMemo(() => (before.last && scene && before.last !== scene ? differences(before.last, scene) : new Set<string>()), [before, scene]);
  useEffect(() => {
    const key = (event: KeyboardEvent) => { if (event.key === "Escape") clicking.back(); };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  });
  const over = end ? resultOf(match) : undefined;
  const last = seated.matches.filter((one) => one.end).at(-1);
  const others = seated.matches.filter((one) => one !== match && !one.end);
  return (
    <main id="main" class="page play" data-ready="yes" data-over={over}>
      <div class="wide headline"><h1>{title(match.game)}</h1><p class="soft">{seated.name} as {spaced(match.role)}, in <a href={competitionPage(competition)}>{competition}</a></p></div>
      <div class={scene?.boards.length ? "desk" : "desk plain-desk"} style={{ "--wide": wideness(scene), "--below": "330px" }}>
        <Stage scene={scene} entries={scene?.entries ?? []} name={match.game} turn={turn} over={over} changed={changed} clicking={clicking} nearest={role}>
          {!scene && <p class="card soft">{match.problem ?? (seen ? "This game hides too much to draw what you know: what you were told is listed beside." : "Setting up …")}</p>}
          {scene && !seen!.certain && <p class="soft note">Too much is hidden to be sure: this is what a sample of the possible positions has in common.</p>}
        </Stage>
      </div>
      <div class="side">
        <section class="card" aria-label="Your move">
          <h2>{end ? over : act ? "Your move" : "Waiting for the others …"}</h2>
          {act && <Countdown until={act.until_ms} />}
          {turn !== null && <ActionPanel clicking={clicking} entries={scene?.entries ?? []} />}
          {turn !== null && <TypedAction legal={legal} onPlay={clicking.play} />}
          {seated.problem && <p class="problem" role="alert">{seated.problem}</p>}
          {end ? <p><a href={matchPage(match.match)}>Look at the match</a>. The next one begins here.</p> : <p><button onClick={() => { if (confirm("Give this match up?")) seated.resign(match); }}>Resign</button></p>}
        </section>
        {!end && last && <section class="card" role="status"><h2>Your last match</h2><p>{resultOf(last)}. <a href={matchPage(last.match)}>Look at it</a></p></section>}
        {others.length > 0 && <section class="card"><h2>Your other matches</h2><div class="buttons">{others.map((one) => <button key={one.match} onClick={() => onChoose(one.match)}>{title(one.game)}{one.act ? ", your move" : ""}</button>)}</div></section>}
        <section class="card" aria-label="What you were told">
          <h2>What you were told</h2>
          <ol class="told" tabIndex={0} aria-label="Your choices and observations">
            {match.told.length === 0 && <li class="soft">nothing yet</li>}
            {match.told.map((one) => <li>{[one.action !== null ? `you chose ${one.action}${one.replaced ? ` (drawn for you: ${one.replaced})` : ""}` : "", ...one.observation.map((each) => `${each.label}: ${valueText(each.value)}`)].filter(Boolean).join("; ")}</li>)}
          </ol>
        </section>
        <section class="card"><p class="by"><Token players={scene?.players ?? []} player={Math.max(role, 0)} />{match.roles.map(spaced).join(", ")}</p><p class="soft">{match.play_clock_ms / 1000} s a move</p></section>
      </div>
    </main>
  );
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(valueText).join(" ");
  if (value !== null && typeof value === "object") return Object.entries(value).map(([key, each]) => `${key} ${valueText(each)}`).join(", ");
  return value === true ? "yes" : value === false ? "no" : value === null ? "none" : spaced(String(value));
}

function Countdown({ until }: { until: number }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 200);
    return () => clearInterval(timer);
  }, [until]);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return <p class={left <= 5 ? "countdown soon" : "countdown"} role="timer" aria-live="off">{Math.floor(left / 60)}:{String(left % 60).padStart(2, "0")}</p>;
}

function resultOf(match: SeatedMatch): string {
  const { utilities, reason, result, forfeited } = match.end!;
  if (forfeited.length) return forfeited.includes(match.role) ? "You forfeited" : `${listed(forfeited.map(spaced))} forfeited`;
  if (!utilities) return `${result}${reason ? `: ${reason}` : ""}`;
  const own = utilities[match.role]!, best = Math.max(...Object.values(utilities)), least = Math.min(...Object.values(utilities));
  if (best === least) return match.roles.length > 1 ? "A draw" : `You got ${own}`;
  const winners = match.roles.filter((role) => utilities[role] === best);
  return own === best ? (winners.length > 1 ? "You won, with others" : "You won") : `${listed(winners.map(spaced))} won`;
}
