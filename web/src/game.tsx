// A game of the library: its picture, its rules in prose, and their text; on a manager, where it is played.
import { useEffect, useState } from "preact/hooks";
import { urlOf } from "./base";
import { DOOR } from "./door";
import { title, type Game } from "./gallery";
import { Loaded } from "./loaded";
import { Prose } from "./values";

export function GamePage({ name }: { name: string }) {
  const [game, setGame] = useState<(Game & { text: string }) | null>(null);
  const [problem, setProblem] = useState("");
  useEffect(() => { document.title = `${title(name)} – ggp`; }, [name]);
  useEffect(() => {
    void fetch(urlOf(`/api/game?name=${encodeURIComponent(name)}`)).then((answer) => (answer.ok ? answer.json() : Promise.reject(new Error()))).then(setGame, () => setProblem(`There is no game ${title(name)} here.`));
  }, [name]);
  if (!game) return <main id="main" class="page" data-ready={problem ? "yes" : undefined}><p class="card" role="status">{problem || "…"}</p></main>;
  const query = new URLSearchParams({ game: name });
  return (
    <main id="main" class="page" data-ready="yes">
      <div class="headline"><h1>{title(name)}</h1><p class="soft">{game.title}</p></div>
      <div class="columns">
        <div>
          <section class="card later"><h2>Rules</h2><p><Prose text={game.prose} /></p><pre tabIndex={0}>{game.text}</pre></section>
        </div>
        <div>
          <section class="card">
            <span class="picture"><img src={`/api/picture?name=${encodeURIComponent(name)}`} alt="" width="300" height="240" /></span>
            <p class="kinds">{game.tags.map((tag) => <span class="kind">{tag}</span>)}</p>
            {game.players.length > 0 && <p class="soft">{game.players.map((one) => one.replace(/_/g, " ")).join(", ")}</p>}
            {DOOR !== "reading" && <p class="buttons"><a class="button main" href={`/play?${query}`}>Play</a> <a class="button" href={`/write?${query}`}>Change the rules</a></p>}
          </section>
          {DOOR !== "studio" && <Loaded load={() => import("./lists")}>{({ PlayedHere }) => <PlayedHere game={name} />}</Loaded>}
        </div>
      </div>
    </main>
  );
}
