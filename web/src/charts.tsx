// Charts of competitions: the cross table as a heat map, the bracket, ratings with their intervals.
import type { Meeting, Rating, Standing } from "./manager";
import { brief, words } from "./manager";
import { Scrolls } from "./scrolls";

const WIDE = 640, HIGH = 260, LEFT = 64, BOTTOM = 24;
const INKS = ["#2a63e0", "#c0392b", "#1f8a5b", "#8e44ad", "#b9770e", "#0e7c86"];
const DASHES = ["", "7 4", "2 4", "10 3 2 3", "4 2", "1 3"];

/** Who scored how much against whom, in per cent of the points. */
export function CrossTable({ rows, link, here }: { rows: Standing[]; link: (name: string) => string; here: Set<string> | null }) {
  return (
    <Scrolls name="Cross table">
      <table class="cross">
        <thead><tr><th scope="col">player</th><th scope="col">points</th>{rows.map((row, number) => <th scope="col" key={row.name} title={row.name}>{number + 1}</th>)}<th scope="col">rating</th><th scope="col">time a move</th><th scope="col">errors</th></tr></thead>
        <tbody>
          {rows.map((row, number) => (
            <tr key={row.name}>
              <th scope="row">{row.rank ? `${row.rank}.` : "–"} <a href={link(row.name)}>{row.name}</a>{(row.state || (here && !here.has(row.name))) && <small> {row.state ? words(row.state) : "not connected"}</small>}</th>
              <td>{Number(row.points.toFixed(2))}</td>
              {rows.map((other, at) => {
                const met = row.against[other.name];
                if (at === number || !met?.meetings) return <td key={other.name} class="blank">{at === number ? "" : "·"}</td>;
                const share = (met.wins + met.draws / 2) / met.meetings;
                return <td key={other.name} class="heat" style={heat(share)} title={`${row.name} against ${other.name}: ${met.wins} won, ${met.draws} drawn of ${met.meetings}`}>{Math.round(100 * share)}</td>;
              })}
              <td>{row.rating === null ? "–" : `${Math.round(row.rating)} ± ${Math.round((row.high! - row.low!) / 2)}`}</td>
              <td title={row.longest_ms === null ? undefined : `the longest: ${brief(row.longest_ms)}`}>{brief(row.mean_ms)}</td>
              <td>{row.errors}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolls>
  );
}

/** From red over pale, or dark, to green, with ink that is read on all of them. */
function heat(share: number): { background: string; color: string } {
  const [hue, strength] = share < 0.5 ? [14, 0.5 - share] : [168, share - 0.5];
  return { background: `light-dark(hsl(${hue} 62% ${92 - 62 * strength}%), hsl(${hue} 40% ${17 + 24 * strength}%))`, color: "light-dark(#10141c, #f2f5fb)" };
}

export function Bracket({ meetings, link, winner }: { meetings: Meeting[]; link: (name: string) => string; winner: string | undefined }) {
  const stages = [...new Set(meetings.filter((one) => one.stage?.startsWith("last ")).map((one) => one.stage!))];
  if (!stages.length) return null;
  const unique = (stage: string) => [...new Map(meetings.filter((one) => one.stage === stage).map((one) => [[...one.players].sort().join("\n"), one])).values()];
  return (
    <section class="card">
      <h2>Knock-out</h2>
      <Scrolls name="Bracket" kind="bracket">
        {stages.map((stage, number) => {
          const next = new Set(number === stages.length - 1 ? [winner] : meetings.filter((one) => one.stage === stages[number + 1]).flatMap((one) => one.players));
          const name = stage === "last 2" ? "final" : stage;
          return (
            <div key={stage}><span class="soft">{name}</span><ol aria-label={name}>
              {unique(stage).map((one) => (
                <li class="pair" key={one.meeting}>
                  {one.players.map((name) => <a href={link(name)} class={next.has(name) ? "through" : undefined}>{name}{next.has(name) ? " ✓" : ""}</a>)}
                  {one.bye && <span class="soft">bye</span>}
                </li>
              ))}
            </ol></div>
          );
        })}
      </Scrolls>
    </section>
  );
}

/** Ratings over the course of a competition, each with its 95 % interval. */
export function Ratings({ courses }: { courses: { name: string; course: Rating[] }[] }) {
  const shown = courses.filter(({ course }) => course.length > 1);
  if (!shown.length) return <p class="soft">Too few matches.</p>;
  const all = shown.flatMap(({ course }) => course);
  const least = Math.min(...all.map((one) => one.low)), most = Math.max(...all.map((one) => one.high), least + 1);
  const apart = [50, 100, 200, 500, 1000, 2000].find((each) => (most - least) / each <= 6) ?? 5000;
  const low = apart * Math.floor(least / apart), high = apart * Math.ceil(most / apart);
  const last = Math.max(...all.map((one) => one.matches));
  const x = (one: Rating) => LEFT + (one.matches / last) * (WIDE - LEFT - 8);
  const y = (value: number) => 8 + ((high - value) / (high - low)) * (HIGH - BOTTOM - 8);
  const marks = Array.from({ length: (high - low) / apart + 1 }, (_, number) => low + number * apart);
  return (
    <figure class="ratings">
      <svg viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={shown.map(({ name, course }) => `${name}: ${Math.round(course.at(-1)!.rating)}`).join(", ")}>
        {marks.map((value) => <g><path class="rule" d={`M${LEFT} ${y(value)}H${WIDE - 8}`} /><text class="axis" x={LEFT - 6} y={y(value) + 4}>{Math.round(value)}</text></g>)}
        <text class="axis end" x={WIDE - 8} y={HIGH - 6}>{last} matches</text>
        {shown.map(({ course }, number) => (
          <g style={{ color: INKS[number % INKS.length] }}>
            <polygon class="band" points={[...course.map((one) => `${x(one)},${y(one.low)}`), ...course.map((one) => `${x(one)},${y(one.high)}`).reverse()].join(" ")} />
            <polyline class="rating" stroke-dasharray={DASHES[number % DASHES.length]} points={course.map((one) => `${x(one)},${y(one.rating)}`).join(" ")} />
          </g>
        ))}
      </svg>
      <figcaption>
        {shown.map(({ name, course }, number) => (
          <span key={name}><svg viewBox="0 0 28 8" width="28" height="8" aria-hidden="true" style={{ color: INKS[number % INKS.length] }}><path d="M0 4h28" stroke="currentColor" stroke-width="3" stroke-dasharray={DASHES[number % DASHES.length]} /></svg> {name} {Math.round(course.at(-1)!.rating)} ± {Math.round((course.at(-1)!.high - course.at(-1)!.low) / 2)}</span>
        ))}
      </figcaption>
    </figure>
  );
}
