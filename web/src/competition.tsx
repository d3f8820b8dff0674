// A competition: standings as a cross table, the bracket, ratings, matches, how to join, and what hosts may do.
import { listed } from "./scene";
import { useEffect, useState } from "preact/hooks";
import { Bracket, CrossTable, Ratings } from "./charts";
import { HostToken, Manage } from "./host";
import { title } from "./gallery";
import { packed } from "./links";
import { Facts, GameLink, Join, Matches, matchPage, playerPage } from "./lists";
import type { CompetitionDetails, Entrant, Match, Meeting, Rating, Standing } from "./manager";
import { ask, askAll, ENDED, GONE, isClosed, part, placed, resultOf, seconds, token, useAsked, useTitle, when, words } from "./manager";
import { Waiting } from "./watch";

const RATED = 6;
const LATEST = 16;

export function CompetitionView({ id }: { id: string }) {
  const address = `/competitions/${part(id)}`;
  const { found, problem, again } = useAsked(`competition ${id}`, async () => {
    const [one, standings, meetings, entrants, players] = await Promise.all([
      ask<CompetitionDetails>(address), askAll<Standing>(`${address}/standings`), askAll<Meeting>(`${address}/meetings?limit=1000`, 3), askAll<Entrant>(`${address}/entrants`), ask<{ name: string }[]>("/players"),
    ]);
    const rows = placed(standings), rated = rows.filter((row) => row.rating !== null).slice(0, RATED);
    const [matches, running, ...courses] = await Promise.all([
      ask<Match[]>(`/matches?competition=${part(one.competition)}&limit=100`), ask<Match[]>(`/matches?competition=${part(one.competition)}&state=running&limit=${LATEST}`),
      ...rated.map((row) => ask<Rating[]>(`${address}/ratings?player=${part(row.name)}`)),
    ]);
    return { one, rows, meetings, entrants, here: new Set(players.map(({ name }) => name)), running, matches: matches.filter((each) => each.state !== "running").reverse(), courses: rated.map((row, number) => ({ name: row.name, course: courses[number]! })) };
  });
  useTitle(found?.one.name);
  if (!found) return <Waiting problem={problem} />;
  const { one, rows, meetings, entrants, here, matches, running, courses } = found;
  const link = (name: string) => playerPage(name, one.competition);
  const { progress, settings } = one;
  const hasPlayed = rows.some((row) => row.matches > 0);
  const round = progress && (progress.rounds ? `${progress.round} of ${progress.rounds}` : String(progress.round));
  return (
    <main id="main" class="page" data-ready="yes">
      <div class="headline"><h1>{one.name}</h1><p class="soft" role="status">{hasPlayed && <><b class="ink-of-page">{standingOf(one.state, rows)}</b> · </>}{words(one.format)}, {words(one.state)}{round && progress!.matches_known > 0 && !ENDED.includes(one.state) ? `, round ${round}` : ""} · {one.games.map((game, number) => <>{number > 0 && ", "}<GameLink game={game} otherwise="#rules" /></>)}</p></div>
      <section class="card">
        <h2>{hasPlayed ? "Standings" : "Entrants"}</h2>
        {hasPlayed ? <CrossTable rows={rows} link={link} here={ENDED.includes(one.state) ? null : here} /> : <Entrants entrants={entrants} here={here} link={link} />}
        {hasPlayed && <p class="soft">Cells are points won against each, in per cent. <a href={`${address}/standings?format=csv`} download="standings.csv">Standings as CSV</a></p>}
      </section>
      <Bracket meetings={meetings} link={link} winner={one.state === "finished" ? rows.find((row) => row.rank === 1)?.name : undefined} />
      <div class="columns">
        <div>
          {hasPlayed && <section class="card"><h2>Ratings</h2><Ratings courses={courses} /></section>}
          {running.length > 0 && <section><h2>In play</h2><Matches matches={running.reverse()} empty="" /></section>}
          {hasPlayed && <section class="later"><h2>Latest matches</h2><Matches matches={matches.slice(0, LATEST)} empty="None yet." /></section>}
        </div>
        <div>
          <section class="card">
            <h2>Terms</h2>
            <Facts
              pairs={[
                ["entry", words(one.entry)], ["start clock", seconds(settings.start_clock_ms)], ["play clock", seconds(settings.play_clock_ms)],
                ["for a whole match", settings.total_ms && `${seconds(settings.total_ms)}${settings.increment_ms ? `, and ${seconds(settings.increment_ms)} more a move` : ""}`],
                ["late moves in a row that forfeit", settings.strikes || "any number is played on"],
                ["begins with", one.started_at === null && settings.min_players && `${settings.min_players} players`], ["at most", settings.max_players && `${settings.max_players} players`],
                ["chance", one.secret_chance ? "secret" : "reproducible, not secret"], ["matches over", progress?.matches_known ? `${progress.matches_over} of ${progress.matches_known}` : null],
                ["begins", one.started_at === null && one.starts_at ? <Countdown to={one.starts_at} /> : null], ["begun", one.started_at && when(one.started_at)], ["ended", one.ended_at && when(one.ended_at)], ["why", one.reason],
              ]}
            />
          </section>
          {settings.games.map(({ game, rules }) => rules && <RulesOf key={game} game={game} rules={rules} />)}
          <Pairings meetings={meetings} matches={[...running, ...matches]} link={link} />
          {!ENDED.includes(one.state) && <Join competition={one.name} invitation={one.entry === "invitation"} closed={isClosed(one)} />}
          {token() ? <Manage one={one} onDone={again} /> : <HostToken onChange={again} />}
        </div>
      </div>
    </main>
  );
}

/** The result of a match in a word: who won. */
function shortOf(match: Match): string {
  if (match.state === "running") return "live";
  const result = resultOf(match);
  const named = Object.entries(match.players).filter(([role, name]) => result.includes(`${name} (${words(role)})`));
  return named.map(([, name]) => name).join(" and ") || result.replace("A draw", "draw").replace(/:.*/, "");
}

/** Who is first, in words. */
function standingOf(state: string, rows: Standing[]): string {
  const first = rows.filter((row) => row.rank === 1).map((row) => row.name);
  if (first.length > 2) return `${first.length} players ${state === "finished" || state === "cancelled" ? "shared" : "share"} the first place`;
  return `${listed(first)} ${state === "finished" ? "won" : state === "cancelled" ? "led" : first.length > 1 ? "lead" : "leads"}`;
}

/** The rules of a game that is not of the library. */
function RulesOf({ game, rules }: { game: string; rules: string }) {
  const [fragment, setFragment] = useState("");
  useEffect(() => { void packed(rules).then(setFragment); }, [rules]);
  return <section class="card" id="rules"><details><summary>Rules of {words(game)}</summary><p><a class="button" href={`/write#g=${fragment}`}>Change the rules</a></p><pre tabIndex={0}>{rules}</pre></details></section>;
}

function Countdown({ to }: { to: string }) {
  const left = Math.max(0, Math.round((new Date(to).getTime() - Date.now()) / 1000));
  const text = left > 86_400 ? "" : `, in ${Math.floor(left / 3600)}:${String(Math.floor(left / 60) % 60).padStart(2, "0")}:${String(left % 60).padStart(2, "0")}`;
  return <>{when(to)}{text}</>;
}

/** Who has entered before anybody has played, and who of them is connected. */
function Entrants({ entrants, here, link }: { entrants: Entrant[]; here: Set<string>; link: (name: string) => string }) {
  const shown = entrants.filter(({ state }) => !GONE.includes(state));
  if (!shown.length) return <p class="soft">Nobody has entered yet.</p>;
  return <ul class="chips">{shown.map(({ name, state }) => <li key={name}><a href={link(name)}>{name}</a> <span class="soft">{[state === "entered" ? "" : words(state), here.has(name) ? "" : "not connected"].filter(Boolean).join(", ")}</span></li>)}</ul>;
}

/** The meetings of the latest round, with their matches. */
function Pairings({ meetings, matches, link }: { meetings: Meeting[]; matches: Match[]; link: (name: string) => string }) {
  const last = meetings.at(-1)?.round;
  if (last === undefined) return null;
  return (
    <section class="card">
      <h2>Round {last + 1}</h2>
      <ul class="plain-list">
        {meetings.filter((one) => one.round === last).slice(0, 40).map((one) => (
          <li key={one.meeting}>{one.players.map((name, number) => <>{number > 0 && " – "}<a href={link(name)}>{name}</a></>)}{one.bye && " has a bye"} {one.stage && <span class="soft">{one.stage}</span>} {matches.filter((match) => match.meeting === one.meeting).reverse().map((match) => <a key={match.match} class="kind" href={matchPage(match.match)} title={`${title(match.game)}: ${resultOf(match)}`}>{shortOf(match)}</a>)}</li>
        ))}
      </ul>
    </section>
  );
}
