// Who sits where: the others above the board, the person below it.
import type { Begun, View } from "./connection";
import { useEffect, useState } from "preact/hooks";
import { Token } from "./pieces";
import type { Player } from "./scene";
import { spaced } from "./values";

interface Properties {
  begun: Begun;
  view: View;
  players: Player[];
}

export function Seats({ side, ...rest }: Properties & { side: "top" | "bottom" }) {
  const mine = rest.view.eyes ?? 0;
  const roles = rest.begun.seats.map((_, role) => role).filter((role) => (role === mine) === (side === "bottom"));
  return <div class={`seats ${side}`}>{roles.map((role) => <Seat key={role} role={role} {...rest} />)}</div>;
}

/** Who a player is, whether it is to act, and how long it has thought. */
export function Seat({ role, begun, view, players }: Properties & { role: number }) {
  const seat = begun.seats[role]!;
  const acts = view.acting.includes(role) && !view.over;
  return (
    <div class={acts ? "seat acts" : "seat"}>
      {players.length > 0 && <Token players={players} player={role} />}
      <b>{spaced(seat.name)}</b>
      <span class="soft">{seat.who}</span>
      {view.over ? <span class="result">{points(view.over.utilities[role]!)}</span> : acts && <span class="turn">{view.chosen.includes(role) ? "has chosen" : seat.who === "you" ? "to move" : "thinking"}</span>}
      <Clock spent={view.spent_s[role]!} runs={acts && view.at === view.length && !view.chosen.includes(role)} />
    </div>
  );
}

/** How long a player has thought; it runs while the player is to act. */
function Clock({ spent, runs }: { spent: number; runs: boolean }) {
  const [more, setMore] = useState(0);
  useEffect(() => {
    setMore(0);
    if (!runs) return;
    const began = performance.now();
    const timer = setInterval(() => setMore((performance.now() - began) / 1000), 1000);
    return () => clearInterval(timer);
  }, [runs, spent]);
  const seconds = Math.floor(spent + more);
  return <span class="clock" role="timer" aria-live="off" aria-label="thought so far">{Math.floor(seconds / 60)}:{String(seconds % 60).padStart(2, "0")}</span>;
}

function points(utility: number): string {
  return utility > 0 ? `+${Number(utility.toFixed(3))}` : String(Number(utility.toFixed(3)));
}
