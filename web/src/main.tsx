// The pages: which one an address shows.
import { render, type ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pageOf, urlOf } from "./base";
import type { Setup } from "./connection";
import { GALLERY, Header } from "./door";
import { GamePage } from "./game";
import { Gallery, title } from "./gallery";
import { nameIn, packed, unpacked } from "./links";
import { Loaded } from "./loaded";
import { Play } from "./play";
import { clockOf, seedOf } from "./setup";
import "./style.css";

function App() {
  const [address, setAddress] = useState(location.href);
  const [query, setQuery] = useState(new URL(location.href).searchParams.get("q") ?? "");
  useEffect(() => {
    const moved = () => setAddress(location.href);
    const click = (event: MouseEvent) => {
      const link = (event.target as Element).closest?.("a");
      if (!link || event.ctrlKey || event.metaKey || event.button || link.origin !== location.origin || link.target || link.hash || link.hasAttribute("download")) return;
      event.preventDefault();
      history.pushState(null, "", link.href);
      moved();
      scrollTo(0, 0);
    };
    addEventListener("popstate", moved);
    addEventListener("click", click);
    return () => { removeEventListener("popstate", moved); removeEventListener("click", click); };
  }, []);
  const url = new URL(address), page = pageOf(url);
  const go = (to: URL, replace = false) => {
    if (replace) history.replaceState(null, "", to);
    else history.pushState(null, "", to);
    setAddress(to.href);
  };
  const setUp = async (change: Partial<Setup>, replace?: boolean) => {
    const to = addressOf(url, change);
    if (change.text !== undefined) to.hash = change.text && `g=${await packed(change.text)}`;
    go(to, replace);
  };
  const search = (text: string) => {
    setQuery(text);
    if (page !== GALLERY) go(new URL(urlOf(GALLERY), url));
  };
  const game = page.startsWith("/games/") ? decodeURIComponent(page.slice(7)) : "";
  const isPlay = page === "/play", isWrite = page === "/write";
  if (page === "/sit") return <SitPage url={url} />;
  if (page.startsWith("/embed/")) return <Manager path={page} go={() => undefined} />;
  if (page.startsWith("/view")) return <><Header here={page} /><Manager path={page} go={(to) => go(new URL(urlOf(to), url))} /></>;
  return (
    <>
      <Header here={isPlay ? page + url.search : page} name={isPlay ? "Play" : game && title(game)}>
        <input type="search" placeholder="Search games" aria-label="Search games" value={query} onInput={(event) => search(event.currentTarget.value)} />
      </Header>
      {game ? <GamePage key={game} name={game} /> : isWrite ? <WritePage key={url.href} /> : isPlay ? <Linked key={url.hash} url={url}>{(text) => <Play key={url.searchParams.has("game") ? "" : url.searchParams.get("table") ?? ""} setup={setupOf(url, text)} onSetup={(change, replace) => void setUp(change, replace)} />}</Linked> : <Gallery query={query} onQuery={setQuery} />}
    </>
  );
}

/** A seat on a manager. */
function SitPage({ url }: { url: URL }) {
  return (
    <>
      <Header here={pageOf(url) + url.search} name="Sit down" />
      <Loaded load={() => import("./sit")}>{({ Sit }) => <Sit key={url.search} url={url} />}</Loaded>
    </>
  );
}

/** A match or a competition on a manager. */
function Manager({ path, go }: { path: string; go: (address: string) => void }) {
  return <Loaded load={() => import("./watch")}>{({ Watch }) => <Watch path={path} go={go} />}</Loaded>;
}

/** The editor. */
function WritePage() {
  const opening = <main id="main" class="page"><p class="card" role="status">Opening the editor …</p></main>;
  return <Loaded load={() => import("./write")} waiting={opening}>{({ Write }) => <Write />}</Loaded>;
}

/** What needs the rules that are in an address: nothing, or text. */
function Linked({ url, children }: { url: URL; children: (text: string) => ComponentChildren }) {
  const [text, setText] = useState<string | null>(url.hash.startsWith("#g=") ? null : "");
  const [problem, setProblem] = useState("");
  useEffect(() => {
    if (url.hash.startsWith("#g=")) unpacked(url.hash.slice(3)).then(setText, () => setProblem("This link is damaged: it holds no rules."));
  }, [url.hash]);
  if (problem) return <main id="main" class="page"><p class="card problem" role="alert">{problem}</p></main>;
  return text === null ? null : <>{children(text)}</>;
}

function setupOf(url: URL, text = ""): Setup {
  const given = url.searchParams;
  const pairs = (prefix: string) => Object.fromEntries([...given].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => [name.slice(prefix.length), value]));
  return {
    game: given.get("game") ?? (nameIn(text) || "tic_tac_toe"), text: text || undefined, seat: given.get("seat") ?? "", against: given.get("against") ?? "auto", seats: pairs("seat."),
    seed: seedOf(given.get("seed")), clock_s: clockOf(given.get("clock")), parameters: pairs("p."), record: given.getAll("move"),
    table: given.get("table") ?? undefined,
  };
}

function addressOf(url: URL, change: Partial<Setup>): URL {
  const next = new URL(url);
  for (const [name, value] of Object.entries(change)) {
    if (name === "record") {
      next.searchParams.delete("move");
      for (const line of value as string[]) next.searchParams.append("move", line);
    } else if (name === "seats" || name === "parameters") {
      const prefix = name === "seats" ? "seat." : "p.";
      for (const old of [...next.searchParams.keys()]) if (old.startsWith(prefix)) next.searchParams.delete(old);
      for (const [key, given] of Object.entries(value as Record<string, string>)) next.searchParams.set(prefix + key, given);
    } else if (name === "text") continue;  // stands in the fragment
    else if (value === undefined) next.searchParams.delete(name);
    else next.searchParams.set(name === "clock_s" ? "clock" : name, String(value));
  }
  return next;
}

render(<App />, document.getElementById("app")!);
// Browsers keep a page that was left, and show it again by "back": its connection was closed meanwhile.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
