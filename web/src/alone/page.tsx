// A page that needs nothing: one game, its code and its display in the page itself, played in a worker.
import { render } from "preact";
import { useState } from "preact/hooks";
import { connectBy, type Setup } from "../connection";
import { title } from "../gallery";
import { Play } from "../play";
import { clockOf, seedOf } from "../setup";
import "../style.css";
import type { Given } from "./worker";

const { worker: script, ...given } = (window as unknown as { game: Given & { worker: string } }).game;
const worker = new Worker(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
worker.postMessage(given);

connectBy((receive) => {
  const take = ({ data }: MessageEvent) => receive(data as Parameters<typeof receive>[0]);
  worker.addEventListener("message", take);
  return { send: (message) => worker.postMessage(message), close: () => worker.removeEventListener("message", take) };
});

/** What the fragment of the address sets, such as `#seat=o&against=random&seed=3`. */
function setupOf(fragment: string): Setup {
  const said = new URLSearchParams(fragment);
  return {
    game: given.facts.name, seat: said.get("seat") ?? "", against: said.get("against") ?? "search", seats: {}, parameters: given.facts.parameters,
    seed: seedOf(said.get("seed")), clock_s: clockOf(said.get("clock")), record: said.getAll("move"),
  };
}

function App() {
  const [setup, setSetup] = useState(() => setupOf(location.hash.slice(1)));
  return (
    <>
      <a class="skip" href="#main">Skip to the page</a>
      <header><b class="logo">{title(given.facts.name)}</b></header>
      <Play setup={setup} onSetup={(change) => setSetup((before) => ({ ...before, ...change }))} />
    </>
  );
}

render(<App />, document.getElementById("app")!);
