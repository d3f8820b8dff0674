// Lists that several of a manager's pages show: matches, and how to join.
import { title } from "./gallery";
import type { Match } from "./manager";
import { part, resultOf, when, words } from "./manager";

export const matchPage = (id: string) => `/view/matches/${part(id)}`;
export const competitionPage = (id: string) => `/view/competitions/${part(id)}`;
export const playerPage = (name: string, competition?: string | null) => (competition ? `${competitionPage(competition)}/players/${part(name)}` : `/view/players/${part(name)}`);

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
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return <dl class="facts">{shown.map(([name, value]) => <div><dt>{words(name)}</dt><dd>{value}</dd></div>)}</dl>;
}

/** Commands that let a program join, to be copied. */
export function Join({ competition, invitation }: { competition?: string; invitation?: boolean }) {
  const quoted = competition && (/^[\w-]+$/.test(competition) ? competition : `'${competition.replace(/'/g, "'\\''")}'`);
  const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/play`;
  const own = `${address} my-name${quoted ? ` ${quoted}` : ""}`;
  const ways: [string, string][] = [
    ["a player of ggp", `ggp join ${location.host} auto --name my-name${quoted ? ` --competition ${quoted}` : ""}${invitation ? " --invitation TOKEN" : ""}`],
    ["Python", `python docs/examples/first_player.py ${own}`],
    ["JavaScript", `node docs/examples/client.mjs ${own}`],
    ["Java", `java docs/examples/Client.java ${own}`],
  ];
  return (
    <section class="card">
      <h2>How to join</h2>
      {ways.map(([name, command]) => (
        <div class="command" key={name}><span class="soft">{name}</span><code tabIndex={0}>{command}</code><button aria-label={`copy the command for ${name}`} onClick={() => void navigator.clipboard.writeText(command)}>Copy</button></div>
      ))}
    </section>
  );
}
