// Lists that several of a manager's pages show: matches, and how to join.
import { useEffect, useState } from "preact/hooks";
import { BASE, ROOT, socketAt } from "./base";
import { Copy } from "./copy";
import { title } from "./gallery";
import type { Competition, Match } from "./manager";
import { ask, askAll, part, parts, resultOf, useAsked, when, words } from "./manager";
import { newPlayer } from "./seat";

export const matchPage = (id: string) => `/view/matches/${part(id)}`;
export const competitionPage = (id: string) => `/view/competitions/${part(id)}`;
export const playerPage = (name: string, competition?: string | null) => (competition ? `${competitionPage(competition)}/players/${parts(name)}` : `/view/players/${parts(name)}`);

export function Matches({ matches, empty }: { matches: Match[]; empty: string }) {
  if (!matches.length) return <p class="soft">{empty}</p>;
  return (
    <ul class="matches">
      {matches.map((match) => (
        <li key={match.match}>
          <a class="card match" href={matchPage(match.match)}>
            <b>{Object.values(match.players).join(" – ")}</b>
            <span>{match.state === "running" ? <span class="live">live</span> : null} {resultOf(match)}</span>
            <span class="soft">{title(match.game)}, {when(match.created_at)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Facts({ pairs }: { pairs: [string, preact.ComponentChildren][] }) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== false && value !== "");
  return <dl class="facts">{shown.map(([name, value]) => <div><dt>{words(name)}</dt><dd>{value}</dd></div>)}</dl>;
}

/** Commands that let a program join, to be copied. */
export function Join({ competition, invitation, closed, player = "my-name" }: { competition?: string; invitation?: boolean; closed?: boolean; player?: string }) {
  const [made, setMade] = useState<{ name: string; token: string } | null>(null);
  const name = quotedFor(made?.name ?? player);
  const quoted = competition && quotedFor(competition);
  const address = socketAt("/play");
  const own = `${address} ${name}${quoted ? ` ${quoted}` : made ? " ''" : ""}${made ? " my-token" : ""}`;
  const got = (file: string, as = file) => `curl -so ${as} ${ROOT}/static/${file}`;
  const ways: [string, string][] = [
    ["a player of ggp", `ggp join ${location.host}${BASE} auto --name ${name}${quoted ? ` --competition ${quoted}` : ""}${invitation ? " --invitation TOKEN" : ""}${made ? " --token-file my-token" : ""}`],
    ["Python, with ggp", `${got("first_player.txt", "first_player.py")} && python first_player.py ${own}`],
    ["JavaScript", `${got("client.mjs")} && node client.mjs ${own}`],
    ["Java", `${got("Client.java")} && java Client.java ${own}`],
    ["Rust", `${got("client.rs")} && rustc -O client.rs && ./client ${own}`],
  ];
  return (
    <section class="card last">
      <h2>How to join</h2>
      {closed && <p class="soft">It has begun, and takes nobody new. Who is in comes back in the same way.</p>}
      {competition && (invitation ? <p class="soft">Only with an invitation: its link leads to a seat.</p> : <p><a class="button main" href={`/sit?competition=${part(competition)}`}>{closed ? "Back to your seat" : "Sit down yourself"}</a></p>)}
      <NewToken made={made} onMade={setMade} />
      {ways.map(([name, command]) => (
        <div class="command" key={name}><span class="soft">{name}</span><code tabIndex={0}>{command}</code><Copy label={`copy the command for ${name}`} text={command} /></div>
      ))}
    </section>
  );
}

/** A text as a shell takes it for one word. */
const quotedFor = (text: string) => (/^[\w-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`);

/** A name and its token, made here: a program that has them comes back as the same player. */
function NewToken({ made, onMade }: { made: { name: string; token: string } | null; onMade: (made: { name: string; token: string }) => void }) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const submit = (event: Event) => { event.preventDefault(); newPlayer(name.trim()).then(onMade, (error: Error) => setProblem(error.message)); };
  if (made) {
    const command = `echo '${made.token}' > my-token && chmod 600 my-token`;
    return <div class="command"><span class="soft">The token of {made.name}, shown only once: keep it in a file, which the commands below read.</span><code tabIndex={0}>{command}</code><Copy label="copy the token" text={command} /></div>;
  }
  return (
    <details>
      <summary>A name and a token for a program</summary>
      <form class="buttons" onSubmit={submit}><input aria-label="name of the program" required maxLength={32} value={name} onInput={(event) => setName(event.currentTarget.value)} /><button>Make a token</button></form>
      {problem && <p class="problem" role="alert">{problem}</p>}
    </details>
  );
}

/** A game by its name: a link to its rules, where it is a game of the library. */
export function GameLink({ game, otherwise }: { game: string; otherwise?: string }) {
  const [known, setKnown] = useState<Set<string> | null>(null);
  useEffect(() => { void library().then(setKnown, () => setKnown(new Set())); }, []);
  const to = known?.has(game) ? `/games/${part(game)}` : known && otherwise;
  return to ? <a href={to}>{title(game)}</a> : <>{title(game)}</>;
}
let asked: Promise<Set<string>> | undefined;
const library = () => (asked ??= ask<{ name: string }[]>("/api/games").then((games) => new Set(games.map(({ name }) => name))));

/** The competitions in which a game is played here, and its latest matches. */
export function PlayedHere({ game }: { game: string }) {
  const { found } = useAsked(`played ${game}`, async () => {
    const [competitions, matches] = await Promise.all([askAll<Competition>("/competitions"), ask<Match[]>("/matches?limit=200")]);
    return { competitions: competitions.filter((one) => one.games.includes(game)).reverse(), matches: matches.filter((one) => one.game === game).reverse().slice(0, 12) };
  });
  if (!found) return null;
  return (
    <>
      {found.competitions.length > 0 && <section class="card"><h2>Competitions</h2><ul class="plain-list">{found.competitions.map((one) => <li key={one.competition}><a href={competitionPage(one.competition)}>{one.name}</a> <span class="kind">{words(one.state)}</span></li>)}</ul></section>}
      <section><h2>Latest matches</h2><Matches matches={found.matches} empty="None yet on this manager." /></section>
    </>
  );
}
