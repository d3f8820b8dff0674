// A new game: who sits where, how long bots may think, and the game's parameters.
import type { Begun, Setup } from "./connection";
import { SOMEBODY } from "./seats";
import { spaced } from "./values";

const CLOCKS = [0.1, 0.3, 1, 3, 10], MAX_CLOCK_S = 3600;
const NAMES: Record<string, string> = { me: "me, or somebody here", link: SOMEBODY };

/** What an address says of seed and clock, or what holds where it says nothing, or nothing that can be one. */
export const seedOf = (text: string | null) => { const seed = Number(text); return Number.isSafeInteger(seed) ? seed : 0; };
export const clockOf = (text: string | null) => { const clock = Number(text); return clock > 0 && clock <= MAX_CLOCK_S ? clock : 1; };

export function SetupForm({ begun, setup, onSetup }: { begun: Begun; setup: Setup; onSetup: (setup: Partial<Setup>) => void }) {
  const submit = (event: Event) => {
    event.preventDefault();
    const given = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => String(given.get(name) ?? "");
    const parameters: Record<string, string> = {};
    for (const option of begun.options) if (text(`p.${option.name}`) !== option.default) parameters[option.name] = text(`p.${option.name}`);
    const seats = Object.fromEntries(begun.seats.map(({ name }) => [name, text(`seat.${name}`)]));
    onSetup({ seats, parameters, clock_s: clockOf(text("clock")), seed: seedOf(text("seed")), record: [] });
  };
  const clocks = [...new Set([...CLOCKS, setup.clock_s])].sort((a, b) => a - b);
  return (
    <details class="card">
      <summary>New game</summary>
      <form class="setup" onSubmit={submit}>
        {begun.seats.map(({ name, who }) => {
          const now = who === "you" ? "me" : who;
          return (
            <label key={name}><span>{spaced(name)}</span>
              <select name={`seat.${name}`}>
                {[...new Set([now, ...begun.choices])].map((choice) => <option value={choice} selected={choice === now}>{NAMES[choice] ?? choice}</option>)}
              </select>
            </label>
          );
        })}
        <label><span>strength of bots</span>
          <select name="clock">{clocks.map((clock) => <option value={clock} selected={clock === setup.clock_s}>{clock} s a move</option>)}</select>
        </label>
        {begun.options.map((option) => (
          <label key={option.name} title={`${option.type} ${option.text}`}><span>{spaced(option.name)}</span>
            <input name={`p.${option.name}`} value={begun.game.parameters[option.name] ?? option.default} autocomplete="off" />
          </label>
        ))}
        <label><span>seed</span><input name="seed" value={setup.seed} inputMode="numeric" /></label>
        <div class="buttons"><button class="main">Begin</button></div>
      </form>
    </details>
  );
}
