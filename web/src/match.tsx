// A match: its board at every step, live while it is played, its moves with times and addresses, its errors.
import { useEffect, useRef, useState } from "preact/hooks";
import { ROOT, urlOf } from "./base";
import { Chances } from "./chances";
import { Copy } from "./copy";
import { title } from "./gallery";
import { competitionPage, Facts, GameLink, playerPage } from "./lists";
import type { Competition, Match } from "./manager";
import { ask, part, resultOf, seconds, useAsked, useTitle, when, words } from "./manager";
import { Token } from "./pieces";
import { differences, type Scene } from "./scene";
import { IDLE, Stage, wideness } from "./stage";
import { Waiting } from "./watch";

const PACES_MS = [2000, 1000, 400, 100];

interface Step {
  actions: Record<string, string>;
  outcome: string | null;
  at_ms: number | null;
  errors: { role: string; kind: string; detail: string }[];
  scene: Scene | null;
}

export function MatchView({ id, embedded }: { id: string; embedded?: boolean }) {
  const { found, problem } = useAsked(`match ${id}`, async () => {
    const match = await ask<Match>(`/matches/${part(id)}`);
    return { match, competition: match.competition === null ? null : await ask<Competition>(`/competitions/${part(match.competition)}`) };
  }, 2000);
  const match = found?.match;
  const names = match && (match.state === "running" ? Object.values(match.players).join(" – ") : resultOf(match));
  useTitle(names && `${names}, ${title(match!.game)}`);
  const [steps, setSteps] = useState<Step[]>([]);
  const [acting, setActing] = useState<string[]>([]);
  const [until, setUntil] = useState(0);
  const [note, setNote] = useState("");
  const [ended, setEnded] = useState(false);
  const [wanted, setWanted] = useState<number | null>(addressed());
  const [pace, setPace] = useState(0);
  useEffect(() => {
    const feed = new EventSource(urlOf(`/matches/${part(id)}/feed`));
    let gathered: Step[] = [], asked: string[] = [], timer: number | undefined;
    feed.addEventListener("step", (event) => {
      gathered.push(JSON.parse((event as MessageEvent<string>).data) as Step);
      asked = [];
      timer ??= window.setTimeout(() => { const more = gathered; gathered = []; timer = undefined; setSteps((before) => [...before, ...more]); setActing(asked); }, 50);
    });
    feed.addEventListener("act", (event) => { asked = [...asked, JSON.parse((event as MessageEvent<string>).data) as string]; setActing(asked); });
    feed.addEventListener("left", (event) => setUntil(performance.now() + (JSON.parse((event as MessageEvent<string>).data) as number)));
    feed.addEventListener("note", (event) => setNote(JSON.parse((event as MessageEvent<string>).data) as string));
    feed.addEventListener("end", () => { feed.close(); window.setTimeout(() => setEnded(true), 60); });
    return () => { feed.close(); clearTimeout(timer); };
  }, [id]);
  const last = Math.max(0, steps.length - 1);
  const at = Math.min(wanted ?? last, last);
  const go = (to: number) => {
    const next = Math.max(0, Math.min(last, to));
    setWanted(next === last && !ended ? null : next);
    history.replaceState(null, "", `#${next}`);
  };
  useEffect(() => {
    const moved = () => setWanted(addressed());
    const key = (event: KeyboardEvent) => {
      if (event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement) return;
      const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: last }[event.key];
      if (to !== undefined) { event.preventDefault(); setPace(0); go(to); }
    };
    addEventListener("hashchange", moved);
    addEventListener("keydown", key);
    return () => { removeEventListener("hashchange", moved); removeEventListener("keydown", key); };
  });
  useEffect(() => {
    if (!pace) return;
    const timer = window.setTimeout(() => (at < last ? go(at + 1) : setPace(0)), pace);
    return () => clearTimeout(timer);
  });
  if (!match) return <Waiting problem={problem} />;
  const step = steps[at];
  const before = at > 0 ? steps[at - 1]!.scene : null;
  const scene = step?.scene ?? null;
  const roles = Object.keys(match.players);
  return (
    <main id="main" class={embedded ? "page play embedded" : "page play"} data-ready={ended ? "yes" : undefined} data-over={match.state === "running" ? undefined : resultOf(match)}>
      <div class="wide headline">
        <h1>{names}</h1>
        <p class="soft">{match.state === "running" && <><span class="live">live</span> </>}{embedded ? title(match.game) : <GameLink game={match.game} otherwise={match.competition ? `${competitionPage(match.competition)}#rules` : undefined} />}{Object.entries(match.parameters).map(([name, value]) => `, ${words(name)} ${words(value)}`)}</p>
      </div>
      <div class={scene?.boards.length ? "desk" : "desk plain-desk"} style={{ "--wide": wideness(scene), "--below": "390px" }}>
        <div class="seats">
          {roles.map((role, number) => (
            <div class={role in (steps[at + 1]?.actions ?? {}) || (at === last && acting.includes(role)) ? "seat acts" : "seat"} key={role}>
              {scene && <Token players={scene.players} player={number} />}<b><a href={playerPage(match.players[role]!, match.competition)}>{match.players[role]}</a></b><span class="soft">{words(role)}{match.connected && !match.connected.includes(role) && ", not connected"}</span>
              <span class="clock" aria-label="thought so far">{seconds(thought(steps, at, role))}</span>
              {match.utilities && <span class="turn">got {Number(match.utilities[role]!.toFixed(3))}</span>}
            </div>
          ))}
        </div>
        <Stage scene={scene} entries={scene?.entries ?? []} name={match.game} turn={null} over={undefined} changed={before && scene ? differences(before, scene) : new Set()} clicking={IDLE}>
          {!scene && <p class="card soft">{note || (steps.length ? "The positions of this game are not drawn." : "…")}</p>}
        </Stage>
        {match.state === "running" && acting.length > 0 && at === last && <p class="by"><Left until={until} /> <span class="soft">{acting.map((role) => match.players[role]).join(" and ")} to move</span></p>}
        <div class="controls">
          <button aria-label="to the beginning" onClick={() => go(0)} disabled={at === 0}>|◀</button>
          <button aria-label="back" onClick={() => go(at - 1)} disabled={at === 0}>◀</button>
          <input type="range" aria-label="move" min={0} max={last} value={at} onInput={(event) => go(Number(event.currentTarget.value))} />
          <button aria-label="forward" onClick={() => go(at + 1)} disabled={at === last}>▶</button>
          <button aria-label="to the end" onClick={() => go(last)} disabled={at === last}>▶|</button>
          <select aria-label="autoplay" value={pace} onChange={(event) => { const next = Number(event.currentTarget.value); if (next && at === last) go(0); setPace(next); }}>
            <option value={0}>still</option>{PACES_MS.map((ms) => <option value={ms}>{ms / 1000} s a move</option>)}
          </select>
        </div>
        <p role="status">{at === 0 ? "The beginning" : `${at} of ${last}: ${told(step!)}`}</p>
      </div>
      {!embedded && <div class="side">
        <section class="card" aria-label="Moves">
          <h2>Moves</h2>
          <MoveList steps={steps} at={at} roles={roles} scene={scene} ended={ended} />
        </section>
        {match.error_list && match.error_list.length > 0 && (
          <section class="card"><h2>Errors</h2><ErrorList match={match} steps={steps} /></section>
        )}
        {match.journal && ended && steps.length > 1 && <Chances match={id} roles={roles} players={scene?.players ?? []} record={steps.slice(1).map((one) => lineOf(one, roles))} at={at} onLook={go} />}
        <Share id={id} at={at} />
        <section class="card">
          <Facts
            pairs={[
              ["competition", match.competition && <a href={competitionPage(match.competition)}>{found!.competition?.name}</a>], ["begun", when(match.created_at)], ["ended", match.ended_at && when(match.ended_at)],
              ["errors", match.errors && Object.entries(match.errors).filter(([, count]) => count).map(([role, count]) => `${match.players[role]} ${count}`).join(", ")], ["journal", match.journal && <a href={`/matches/${part(id)}/journal`}>JSON lines</a>],
            ]}
          />
        </section>
      </div>}
      {embedded && <p class="wide"><a href={`/view/matches/${part(id)}#${at}`} target="_blank" rel="noopener">The whole match</a></p>}
    </main>
  );
}

function MoveList({ steps, at, roles, scene, ended }: { steps: Step[]; at: number; roles: string[]; scene: Scene | null; ended: boolean }) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const now = list.current?.querySelector<HTMLElement>("[aria-current]");
    if (now && list.current) list.current.scrollTop = now.offsetTop - list.current.offsetTop - list.current.clientHeight / 2;
  }, [at, steps.length]);
  return (
    <ol class="moves tall" ref={list} tabIndex={0} aria-label="What happened">
      {steps.slice(1).map((one, number) => (
        <li key={number}>
          <a class={number + 1 === at ? "move now" : "move"} href={`#${number + 1}`} aria-current={number + 1 === at ? "step" : undefined}>
            <span class="soft">{number + 1}</span> {one.outcome !== null ? <i>{words(one.outcome)}</i> : Object.entries(one.actions).map(([role, action]) => <span class="by" key={role}>{scene && <Token players={scene.players} player={roles.indexOf(role)} />}{words(action)}</span>)}
            {one.errors.map(({ role, kind, detail }) => <small class="bad" title={detail}>{one.errors.length > 1 ? `${words(role)} ` : ""}{words(kind)}</small>)}
            {one.at_ms !== null && one.outcome === null && <small>{seconds(one.at_ms - (steps[number]?.at_ms ?? 0))}</small>}
          </a>
        </li>
      ))}
      {steps.length < 2 && <li class="soft">{ended ? "no moves" : "nothing yet"}</li>}
    </ol>
  );
}

/** The errors of the players: at their moves where those are shown. */
function ErrorList({ match, steps }: { match: Match; steps: Step[] }) {
  const placed = steps.flatMap(({ errors }, at) => errors.map((one) => ({ at, player: match.players[one.role]!, ...one })));
  return (
    <ul class="plain-list">
      {(placed.length ? placed : match.error_list!.map((one) => ({ at: null, ...one }))).map((one) => <li>{one.at !== null && <a href={`#${one.at}`}>#{one.at}</a>} <b>{one.player}</b>: {words(one.kind)} <span class="soft">{one.detail}</span></li>)}
    </ul>
  );
}

/** How long whoever is to act may still take. */
function Left({ until }: { until: number }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 250);
    return () => clearInterval(timer);
  }, []);
  const left = Math.max(0, Math.ceil((until - now) / 1000));
  return <span class={left <= 5 ? "countdown soon" : "countdown"} role="timer" aria-live="off" aria-label="time left">{Math.floor(left / 60)}:{String(left % 60).padStart(2, "0")}</span>;
}

/** The move that an address names: `#37`. */
function addressed(): number | null {
  const number = /^#(\d+)$/.exec(location.hash)?.[1];
  return number === undefined ? null : Number(number);
}

/** A transition as `ggp studio` records it. */
function lineOf(step: Step, roles: string[]): string {
  if (step.outcome !== null) return step.outcome ? `chance: ${step.outcome}` : "";
  return roles.filter((role) => role in step.actions).map((role) => `${role}: ${step.actions[role]}`).join("; ");
}

/** Links to the position that is shown: to this page, and to one that other pages may embed. */
function Share({ id, at }: { id: string; at: number }) {
  const embedded = `${ROOT}/embed/matches/${part(id)}#${at}`;
  return (
    <section class="card" aria-label="Share">
      <h2>Share this position</h2>
      <div class="buttons">
        <Copy text={`${ROOT}/view/matches/${part(id)}#${at}`}>Copy the link</Copy>
        <Copy text={`<iframe src="${embedded}" width="480" height="620" title="a match"></iframe>`}>Copy HTML to embed</Copy>
      </div>
    </section>
  );
}

function told(step: Step): string {
  return step.outcome !== null ? `chance: ${words(step.outcome)}` : Object.entries(step.actions).map(([role, action]) => `${words(role)} plays ${words(action)}`).join(", ");
}

/** The time for which a role was to act, up to a step: moves made together took as long for all. */
function thought(steps: Step[], at: number, role: string): number {
  let sum = 0;
  for (let number = 1; number <= at; number += 1) {
    const step = steps[number]!;
    if (role in step.actions) sum += (step.at_ms ?? 0) - (steps[number - 1]!.at_ms ?? 0);
  }
  return sum;
}
