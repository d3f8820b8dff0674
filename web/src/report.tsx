// What `ggp report` says of a game, as figures.
import type { ReportFacts } from "./connection";
import { spaced } from "./values";

const percent = (share: number | null) => (share === null ? "—" : `${Math.round(100 * share)} %`);

const number = (value: number | null) => (value === null ? "—" : String(Number(value.toPrecision(3))));

export function ReportView({ facts, roles }: { facts: ReportFacts; roles: string[] }) {
  const figures: [string, string][] = [
    [facts.mean_length.toFixed(1), "transitions, mean"],
    [facts.branching.toFixed(1), "choices, mean"],
    [percent(facts.chance_share), "of the transitions are chance's"],
  ];
  if (facts.shared) figures.push([number(facts.shared.random), "result of all, at random"], [number(facts.shared.auto), "result of all, by auto"]);
  else figures.push(
    [percent(facts.first_player.auto ?? facts.first_player.random), `${facts.first_player.role} wins, ${facts.first_player.auto === null ? "at random" : "by auto"}`],
    [percent(facts.draws.auto ?? facts.draws.random), "draws"],
    [percent(facts.skill.double_time), "won with twice the time"],
    [percent(facts.skill.auto_random), "won by auto against random"],
    [facts.lead_changes === null ? "—" : facts.lead_changes.toFixed(1), "changes of lead"],
  );
  if (facts.value) figures.push([facts.value.map((value) => value.toFixed(3).replace(/\.?0+$/, "")).join(", "), `exact value for ${roles.join(", ")}`]);
  return (
    <>
      <dl class="figures">{figures.map(([value, label]) => <div key={label}><dt>{label}</dt><dd>{value}</dd></div>)}</dl>
      {facts.lengths.length > 1 && <Lengths bins={facts.lengths} />}
      {facts.leads.some((one) => one.length > 1) && <Leads games={facts.leads} role={facts.first_player.role || roles[0]!} />}
      {facts.unused.length > 0 && <p>Never used: {facts.unused.join(", ")}</p>}
      <p class="soft note">{facts.games.toLocaleString("en")} random games{facts.auto_games > 0 && `, ${facts.auto_games.toLocaleString("en")} by auto${facts.auto_games < ROUGH ? ": its shares are rough" : ""}`}.</p>
    </>
  );
}

/** Fewer games than this say little of shares; more lines than that cannot be told apart. */
const ROUGH = 1000, MOST_LINES = 40;
const WIDE = 360, HIGH = 120, EDGE = 6, FOOT = 16;

/** How long random games are: a bar for each bin. */
function Lengths({ bins }: { bins: ReportFacts["lengths"] }) {
  const most = Math.max(...bins.map(([, , games]) => games)), wide = (WIDE - 2 * EDGE) / bins.length;
  const first = bins[0]!, last = bins.at(-1)!;
  return (
    <figure class="plot">
      <figcaption>Length of random games, in transitions</figcaption>
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={`from ${first[0]} to ${last[1]} transitions`}>
        {bins.map(([begin, end, games], number) => {
          const high = (games / most) * (HIGH - FOOT - EDGE);
          return <rect x={EDGE + number * wide} y={HIGH - FOOT - high} width={Math.max(1, wide - 1)} height={high}><title>{`${begin === end ? begin : `${begin} to ${end}`}: ${games}`}</title></rect>;
        })}
        <text class="axis begin" x={EDGE} y={HIGH - 3}>{first[0]}</text>
        <text class="axis" x={WIDE - EDGE} y={HIGH - 3}>{last[1]}</text>
      </svg>
    </figure>
  );
}

/** Who leads in games between strong players: a line for each, of very many for some of them. */
function Leads({ games, role }: { games: number[][]; role: string }) {
  const all = games.flat(), low = Math.min(0, ...all), high = Math.max(...all, low + 1e-6), last = Math.max(...games.map(({ length }) => length)) - 1;
  const x = (at: number) => EDGE + (at / Math.max(1, last)) * (WIDE - 2 * EDGE), y = (value: number) => EDGE + ((high - value) / (high - low)) * (HIGH - FOOT - 2 * EDGE);
  return (
    <figure class="plot">
      <figcaption>{games.length > MOST_LINES ? `${MOST_LINES} games` : "Games"} by auto: what {spaced(role)} can expect, from {low.toFixed(1)} to {high.toFixed(1)}</figcaption>
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={`${Math.min(MOST_LINES, games.length)} games`}>
        <path class="rule" d={`M${EDGE} ${y(0)}H${WIDE - EDGE}`} />
        {games.slice(0, MOST_LINES).map((one) => <polyline class="lead" points={one.map((value, at) => `${x(at)},${y(value)}`).join(" ")} />)}
        <text class="axis begin" x={EDGE} y={HIGH - 3}>0</text>
        <text class="axis" x={WIDE - EDGE} y={HIGH - 3}>{last} transitions</text>
      </svg>
    </figure>
  );
}
