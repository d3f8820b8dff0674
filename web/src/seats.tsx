// Who sits where: the others above the board, the person below it.
import type { Begun, View } from "./connection";
import { Token } from "./pieces";
import type { Player } from "./scene";

export function Seats({ begun, view, players, side }: { begun: Begun; view: View; players: Player[]; side: "top" | "bottom" }) {
  const mine = view.eyes ?? 0;
  const roles = begun.seats.map((_, role) => role).filter((role) => (role === mine) === (side === "bottom"));
  return (
    <div class={`seats ${side}`}>
      {roles.map((role) => {
        const seat = begun.seats[role]!;
        const acts = view.acting.includes(role) && !view.over;
        return (
          <div class={acts ? "seat acts" : "seat"} key={role}>
            {players.length > 0 && <Token players={players} player={role} />}
            <b>{seat.name}</b>
            <span class="soft">{seat.who}</span>
            {view.over ? <span class="result">{points(view.over.utilities[role]!)}</span> : acts && <span class="turn">{seat.who === "you" ? "to move" : "thinking"}</span>}
          </div>
        );
      })}
    </div>
  );
}

function points(utility: number): string {
  return utility > 0 ? `+${Number(utility.toFixed(3))}` : String(Number(utility.toFixed(3)));
}
