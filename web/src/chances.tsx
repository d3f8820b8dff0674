// The curve of the chances in a match that is over, from its journal, worked out in a process of its own.
import { useEffect, useRef, useState } from "preact/hooks";
import { Curve } from "./analysis";
import { urlOf } from "./base";
import { Connection, withNews, type Worth } from "./connection";
import { part } from "./manager";
import type { Player } from "./scene";

interface Properties {
  match: string;
  roles: string[];
  players: Player[];
  /** The transitions, as `ggp studio` records them. */
  record: string[];
  at: number;
  onLook: (at: number) => void;
}

export function Chances({ match, roles, players, record, at, onLook }: Properties) {
  const [curve, setCurve] = useState<Worth[]>([]);
  const [state, setState] = useState<"" | "busy" | "done">("");
  const [problem, setProblem] = useState("");
  const [open, setOpen] = useState(true);
  const connection = useRef<Connection>();
  useEffect(() => () => connection.current?.close(), []);
  const work = async () => {
    setState("busy");
    const journal = await (await fetch(urlOf(`/matches/${part(match)}/journal`))).text();
    const { game, rules, parameters } = JSON.parse(journal.slice(0, journal.indexOf("\n"))) as { game: string; rules: string; parameters: Record<string, string> };
    const line = connection.current = new Connection((message) => {
      if (message.type === "begun") { setOpen(message.open); line.curve(); }
      setCurve((before) => withNews(before, message));
      if (message.type === "drawn") { setState("done"); line.close(); }
      const said = message.type === "problem" ? message.text : message.type === "advice" ? message.problem : undefined;
      if (said) { setProblem(said); setState(""); line.close(); }
    }, () => setState((before) => (before === "busy" ? "" : before)), "draft");
    line.start({ game, text: rules, seat: "", seats: {}, against: "me", seed: 0, clock_s: 1, parameters, record });
  };
  return (
    <section class="card" aria-label="Chances">
      <h2>Chances</h2>
      {curve.length > 1 && <Curve curve={curve} length={record.length} at={at} roles={roles} players={players} isOpen={open} textOf={(place) => record[place]} onLook={onLook} />}
      {!curve.length && <p class="soft">What a search says of each position, and where the match was decided.</p>}
      {problem && <p class="problem" role="alert">{problem}</p>}
      {state !== "done" && <div class="buttons"><button disabled={state === "busy"} onClick={() => void work().catch((error: Error) => { setProblem(error.message); setState(""); })}>{state === "busy" ? "Searching …" : "Work them out"}</button></div>}
    </section>
  );
}
