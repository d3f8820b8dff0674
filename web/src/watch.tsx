// A manager's pages: what is played now, competitions, players and matches.
import { useState } from "preact/hooks";
import { CompetitionView } from "./competition";
import { HostToken, NewCompetition } from "./host";
import { competitionPage, Facts, Join, Matches, playerPage } from "./lists";
import { MatchView } from "./match";
import type { Competition, Match, Rating, Standing } from "./manager";
import { ask, askAll, brief, part, token, useAsked, useTitle, when, words } from "./manager";
import { Ratings } from "./charts";
import { Scrolls } from "./scrolls";

/** The page of an address below `/view`. */
export function Watch({ path, go }: { path: string; go: (address: string) => void }) {
  const [, , kind, id, , ...rest] = path.split("/").map(decodeURIComponent);
  if (kind === "matches") return <MatchView key={id} id={id!} embedded={path.startsWith("/embed/")} />;
  if (kind === "players") return <PlayerView key={path} name={path.split("/").slice(3).map(decodeURIComponent).join("/")} />;
  if (kind === "competitions" && rest.length) return <EntrantView key={path} id={id!} name={rest.join("/")} />;
  if (kind === "competitions") return <CompetitionView key={id} id={id!} />;
  return <First go={go} />;
}

/** What stands there while an answer is awaited, or instead of one. */
export function Waiting({ problem }: { problem: string | null }) {
  return <main id="main" class="page" data-ready={problem ? "yes" : undefined}><p class="card" role="status">{problem ?? "…"}</p></main>;
}

function First({ go }: { go: (address: string) => void }) {
  const [host, setHost] = useState(token() !== "");
  useTitle("Watch");
  const { found, problem } = useAsked("first", async () => {
    const [running, latest, competitions, players] = await Promise.all([
      ask<Match[]>("/matches?state=running&limit=12"), ask<Match[]>("/matches?limit=24"),
      askAll<Competition>("/competitions"), ask<{ name: string; matches: number }[]>("/players"),
    ]);
    return { running, latest: latest.filter((one) => one.state !== "running").reverse().slice(0, 12), competitions: competitions.reverse(), players };
  });
  if (!found) return <Waiting problem={problem} />;
  return (
    <main id="main" class="page" data-ready="yes">
      <div class="headline"><h1>Watch</h1><p class="soft" role="status">{found.running.length === 1 ? "one match" : `${found.running.length} matches`} in play, {found.players.length} connected</p></div>
      <div class="columns">
        <div>
          <section><h2>In play</h2><Matches matches={found.running.reverse()} empty="Nothing is played at the moment." /></section>
          <section class="later"><h2>Latest results</h2><Matches matches={found.latest} empty="None yet." /></section>
        </div>
        <div>
          <section class="card">
            <h2>Competitions</h2>
            {found.competitions.length === 0 && <p class="soft">There are none yet.</p>}
            <ul class="plain-list">
              {found.competitions.map((one) => (
                <li key={one.competition}><a href={competitionPage(one.competition)}>{one.name}</a> <span class="kind">{words(one.state)}</span><br /><span class="soft">{[words(one.format), ...one.games.map(words), ...(one.started_at || one.starts_at ? [when(one.started_at ?? one.starts_at)] : [])].join(", ")}</span></li>
              ))}
            </ul>
          </section>
          <section class="card">
            <h2>Players here</h2>
            {found.players.length === 0 ? <p class="soft">Nobody is connected.</p> : <ul class="chips">{found.players.map((one) => <li key={one.name}><a href={playerPage(one.name)}>{one.name}</a></li>)}</ul>}
          </section>
          <Join />
          <HostToken onChange={setHost} />
          {host && <NewCompetition onMade={(id) => go(competitionPage(id))} />}
        </div>
      </div>
    </main>
  );
}

function EntrantView({ id, name }: { id: string; name: string }) {
  useTitle(name);
  const { found, problem } = useAsked(`entrant ${id} ${name}`, async () => {
    const one = await ask<Competition>(`/competitions/${part(id)}`);
    const [rows, course, matches] = await Promise.all([
      askAll<Standing>(`/competitions/${part(id)}/standings`),
      ask<Rating[]>(`/competitions/${part(id)}/ratings?player=${part(name)}`),
      ask<Match[]>(`/matches?competition=${part(one.competition)}&player=${part(name)}&limit=30`),
    ]);
    return { one, row: rows.find((each) => each.name === name), course, matches: matches.reverse() };
  });
  if (!found) return <Waiting problem={problem} />;
  const { one, row, course, matches } = found;
  const link = (other: string) => playerPage(other, one.competition);
  return (
    <main id="main" class="page" data-ready="yes">
      <div class="headline"><h1>{name}</h1><p>in <a href={competitionPage(one.competition)}>{one.name}</a>, <a href={playerPage(name)}>everywhere</a></p></div>
      <div class="columns">
        <div>
          {row && <section class="card"><Facts pairs={[["rank", row.rank], ["points", row.points], ["matches", row.matches], ["byes", row.byes], ["forfeits", row.forfeits], ["errors", row.errors], ["time a move", row.mean_ms === null ? null : `${brief(row.mean_ms)}, the longest ${brief(row.longest_ms)}`], ["rating", row.rating === null ? null : Math.round(row.rating)], ["state", row.state || "plays"]]} /></section>}
          <section class="card"><h2>Rating</h2><Ratings courses={[{ name, course }]} /></section>
          {row && Object.keys(row.against).length > 0 && (
            <section class="card">
              <h2>Against each</h2>
              <Scrolls name="Against each">
                <table>
                  <thead><tr><th scope="col">opponent</th><th scope="col">matches</th><th scope="col">won</th><th scope="col">drawn</th></tr></thead>
                  <tbody>{Object.entries(row.against).map(([other, met]) => <tr key={other}><th scope="row"><a href={link(other)}>{other}</a></th><td>{met.meetings}</td><td>{met.wins}</td><td>{met.draws}</td></tr>)}</tbody>
                </table>
              </Scrolls>
            </section>
          )}
        </div>
        <section><h2>Latest matches</h2><Matches matches={matches} empty="None yet." /></section>
      </div>
    </main>
  );
}

function PlayerView({ name }: { name: string }) {
  useTitle(name);
  const { found, problem } = useAsked(`player ${name}`, async () => ({
    matches: (await ask<Match[]>(`/matches?player=${part(name)}&limit=30`)).reverse(),
    names: new Map((await askAll<Competition>("/competitions")).map((one) => [one.competition, one.name])),
    here: (await ask<{ name: string }[]>("/players")).some((one) => one.name === name),
  }));
  if (!found) return <Waiting problem={problem} />;
  const competitions = [...new Set(found.matches.map((one) => one.competition).filter((one) => one !== null))];
  return (
    <main id="main" class="page" data-ready="yes">
      <div class="headline"><h1>{name}</h1><p class="soft" role="status">{found.here ? "connected" : "not connected"}</p></div>
      <div class="columns">
        <section><h2>Latest matches</h2><Matches matches={found.matches} empty="None yet." /></section>
        <div>
          {competitions.length > 0 && <section class="card"><h2>Competitions</h2><ul class="plain-list">{competitions.map((one) => <li key={one}><a href={playerPage(name, one)}>{found.names.get(one) ?? one}</a></li>)}</ul></section>}
          <Join player={name} />
        </div>
      </div>
    </main>
  );
}
