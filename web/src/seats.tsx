// Who sits where: the others above the board, the person below it.
import { ROOT } from "./base";
import type { Begun, View } from "./connection";
import { useEffect, useState } from "preact/hooks";
import { Copy } from "./copy";
import { DOOR } from "./door";
import { Token } from "./pieces";
import type { Player } from "./scene";
import { spaced } from "./values";

/** Who comes by a link. */
export const SOMEBODY = "somebody with a link";
const NAMES: Record<string, string> = { link: SOMEBODY, host: "who sent the link" };

interface Properties {
  begun: Begun;
  view: View;
  players: Player[];
  /** The roles of people who have no window open. */
  absent: number[];
}

/** Whose place is at the bottom. */
export function nearest(view: View, begun: Begun): number {
  return view.eyes ?? Math.max(0, begun.seats.findIndex(({ who }) => who === "you"));
}

/** Through whose eyes a position is seen. */
export function Eyes({ seats, eyes, onLook }: { seats: Begun["seats"]; eyes: number | null; onLook: (role: number | null) => void }) {
  return (
    <label class="eyes">Through the eyes of <select value={eyes ?? ""} onChange={(event) => onLook(event.currentTarget.value === "" ? null : Number(event.currentTarget.value))}>
      <option value="">everybody</option>
      {seats.map((seat, role) => <option key={role} value={role}>{spaced(seat.name)}</option>)}
    </select></label>
  );
}

export function Seats({ side, ...rest }: Properties & { side: "top" | "bottom" }) {
  const mine = nearest(rest.view, rest.begun);
  const roles = rest.begun.seats.map((_, role) => role).filter((role) => (role === mine) === (side === "bottom"));
  return <div class={`seats ${side}`}>{roles.map((role) => <Seat key={role} role={role} {...rest} />)}</div>;
}

/** Who a player is, whether it is to act, and how long it has thought. */
export function Seat({ role, begun, view, players, absent }: Properties & { role: number }) {
  const seat = begun.seats[role]!;
  const acts = view.acting.includes(role) && !view.over;
  return (
    <div class={acts ? "seat acts" : "seat"}>
      {players.length > 0 && <Token players={players} player={role} />}
      <b>{spaced(seat.name)}</b>
      <span class="soft">{NAMES[seat.who] ?? seat.who}{absent.includes(role) && ", not here"}</span>
      {view.over ? <span class="result">{points(view.over.utilities[role]!)}</span> : acts && <span class="turn">{view.chosen.includes(role) ? "has chosen" : seat.who === "you" || absent.includes(role) ? "to move" : "thinking"}</span>}
      <Clock spent={view.spent_s[role]!} runs={acts && view.at === view.length && !view.chosen.includes(role)} />
    </div>
  );
}

/** The links to the seats that wait for somebody, where the person gave some away. */
export function SeatLinks({ begun, absent }: { begun: Begun; absent: number[] }) {
  const open = begun.seats.map(({ name, link }, role) => ({ name, link, role })).filter(({ link }) => link);
  if (!open.length) return null;
  return (
    <section class="card" aria-label="Links to seats">
      <h2>Links to seats</h2>
      {open.map(({ name, link, role }) => {
        const address = `${ROOT}/play?table=${link}`;
        return (
          <p key={name} class="buttons">
            <a href={address} target="_blank" rel="noopener" data-link={name}>{spaced(name)}</a>
            <Copy label={`Copy link to the seat ${name}`} text={address}>Copy link</Copy>
            <span class="soft" role="status">{absent.includes(role) ? "waited for" : "here"}</span>
          </p>
        );
      })}
      <p class="soft">Whoever opens a link takes that seat, and comes back to it by the same link.{DOOR === "studio" && " This studio answers its own machine alone."}</p>
    </section>
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
