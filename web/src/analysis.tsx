// What a search says: bars for the legal actions of the position, a curve over the game, and where it was lost.
import { useEffect, useState } from "preact/hooks";
import type { Advice, Begun, View, Worth } from "./connection";
import { colours } from "./pieces";
import type { Player } from "./scene";
import { spaced } from "./values";

const MOST_BARS = 6;
const WIDE = 360, HIGH = 110, EDGE = 6;

interface Properties {
  view: View;
  begun: Begun;
  advice: Advice | null;
  curve: Worth[];
  drawing: boolean;
  onAnalyse: (at: number | null) => void;
  onCurve: () => void;
  onLook: (at: number) => void;
}

export function Analysis({ view, begun, advice, curve, drawing, onAnalyse, onCurve, onLook }: Properties) {
  const [on, setOn] = useState(false);
  const busy = view.acting.length > 0 && !view.over;
  useEffect(() => { if (on) onAnalyse(view.at); }, [on, view.at, view.length, view.eyes]);
  const toggle = () => { if (on) onAnalyse(null); setOn(!on); };
  const now = advice && (advice.at ?? view.at) === view.at ? advice : null;
  const isOpen = begun.open || view.finished;
  return (
    <section class="card" aria-label="Analysis">
      <h2>Analysis</h2>
      <div class="buttons">
        <button aria-pressed={on} onClick={toggle}>{on ? "Stop" : "Hint"}</button>
        <button onClick={onCurve} disabled={!isOpen} title={isOpen ? undefined : "once the game is over: it would show what is hidden"}>Curve</button>
      </div>
      {!on && advice?.at === null && <p class="problem">{advice.problem}</p>}
      {on && (now ? <Bars advice={now} isOpen={begun.open || (view.finished && view.eyes === null)} /> : <p class="soft">{!busy ? "Nobody chooses here." : isOpen && view.eyes === null || begun.open || view.acting.includes(view.eyes!) ? "Thinking …" : "Others choose here."}</p>)}
      {drawing && <p class="soft" role="status">Searching every position …</p>}
      {curve.length > 1 && <Curve curve={curve} length={view.length} at={view.at} roles={begun.seats.map(({ name }) => name)} players={view.scene?.players ?? []} isOpen={begun.open} textOf={(at) => view.history[at]?.text} onLook={onLook} />}
    </section>
  );
}

function Bars({ advice, isOpen }: { advice: Advice; isOpen: boolean }) {
  if (advice.problem) return <p class="problem">{advice.problem}</p>;
  const order = advice.actions.map((_, index) => index).sort((a, b) => advice.shares[b]! - advice.shares[a]! || (advice.utilities[b] ?? -Infinity) - (advice.utilities[a] ?? -Infinity));
  const rest = order.slice(MOST_BARS).reduce((sum, index) => sum + advice.shares[index]!, 0);
  const rows = order.slice(0, MOST_BARS).map((index) => ({ text: spaced(advice.actions[index]!), share: advice.shares[index]!, utility: advice.utilities[index] ?? null }));
  return (
    <>
      <p class="soft">{advice.iterations === null ? "Solved: exact values." : `${advice.iterations.toLocaleString()} positions tried, from ${isOpen ? "here" : "what is known here"}.`}</p>
      <table class="bars">
        <thead class="hidden"><tr><th scope="col">action</th><th scope="col">share</th><th scope="col">probability</th><th scope="col">value</th></tr></thead>
        <tbody>
          {[...rows, ...(order.length > MOST_BARS ? [{ text: "others", share: rest, utility: null }] : [])].map(({ text, share, utility }) => (
            <tr key={text}>
              <th scope="row">{text}</th>
              <td class="bar-cell"><span class="bar-of" style={{ width: `${Math.round(100 * share)}%` }} /></td>
              <td>{Math.round(100 * share)} %</td>
              <td>{utility === null ? "" : signed(utility)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

function signed(value: number): string {
  const rounded = Math.abs(value) < 0.005 ? 0 : value;
  return (rounded > 0 ? "+" : rounded < 0 ? "−" : "") + Math.abs(rounded).toFixed(2);
}

interface CurveProperties {
  curve: Worth[];
  /** Transitions of the game; the position that is looked at. */
  length: number;
  at: number;
  roles: string[];
  players: Player[];
  isOpen: boolean;
  textOf: (at: number) => string | undefined;
  onLook: (at: number) => void;
}

/** The value of each position for each player; of two players with opposite interests, for the first. */
export function Curve({ curve, length, at, roles, players, isOpen, textOf, onLook }: CurveProperties) {
  const all = curve.flatMap((one) => one.values);
  const low = Math.min(0, ...all), best = Math.max(0, ...all), high = Math.max(best, low + 0.01);
  const x = (place: number) => EDGE + (place / Math.max(1, length)) * (WIDE - 2 * EDGE);
  const y = (value: number) => HIGH - EDGE - ((value - low) / (high - low)) * (HIGH - 2 * EDGE);
  const opposed = roles.length === 2 && curve.every(({ values }) => Math.abs(values[0]! + values[1]!) < 1e-6);
  const errors = curve.filter((one) => one.loss !== null).sort((a, b) => b.loss! - a.loss!).slice(0, 3).sort((a, b) => a.at - b.at);
  const pick = (event: MouseEvent) => {
    const box = (event.currentTarget as Element).getBoundingClientRect();
    const share = (event.clientX - box.x) / box.width;
    onLook(Math.max(0, Math.min(length, Math.round(((share * WIDE - EDGE) / (WIDE - 2 * EDGE)) * length))));
  };
  return (
    <>
      <p class="soft">{opposed ? `What ${spaced(roles[0]!)} can expect` : "What each can expect"}, {signed(low) === signed(best) ? "about 0 throughout" : `from ${signed(low)} to ${signed(best)}`}{isOpen ? "" : ", all cards open"}:</p>
      <svg class="curve" viewBox={`0 0 ${WIDE} ${HIGH}`} role="img" aria-label={`values over ${length} transitions`} onClick={pick}>
        <path class="zero" d={`M${EDGE} ${y(0)}H${WIDE - EDGE}`} />
        {roles.slice(0, opposed ? 1 : undefined).map((_, role) => (
          <polyline style={{ stroke: opposed ? undefined : colours({ player: role }, players)[0] }} points={curve.map((one) => `${x(one.at)},${y(one.values[role]!)}`).join(" ")} />
        ))}
        <path class="here" d={`M${x(at)} 0V${HIGH}`} />
        {errors.map((one) => <circle cx={x(one.at)} cy={y(one.values[0]!)} r="4" />)}
      </svg>
      {errors.map((one) => (
        <p class="error-of"><button onClick={() => onLook(one.at)}>Before {one.at + 1}</button> {spaced(textOf(one.at) ?? "")}: {spaced(one.best!)} was worth {signed(one.loss!).slice(1)} more{isOpen ? "" : ", by what its player knew"}</p>
      ))}
    </>
  );
}
