// The gallery: every game with a picture, searched by words and tags.
import { useEffect, useMemo, useState } from "preact/hooks";
import { urlOf } from "./base";
import { DOOR } from "./door";

export interface Game {
  name: string;
  title: string;
  prose: string;
  players: string[];
  tags: string[];
}

export function Gallery({ query, onQuery }: { query: string; onQuery: (text: string) => void }) {
  const [games, setGames] = useState<Game[] | null>(null);
  const [tags, setTags] = useState<string[]>([]);
  useEffect(() => { void fetch(urlOf("/api/games")).then((answer) => answer.json()).then(setGames); }, []);
  useEffect(() => { document.title = "Games – ggp"; }, []);
  const known = useMemo(() => [...new Set((games ?? []).flatMap((game) => game.tags))].sort(), [games]);
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (game: Game) => {
    const text = `${game.name.replace(/_/g, " ")} ${game.name.replace(/_/g, "")} ${game.title} ${game.prose} ${game.tags.join(" ")}`.toLowerCase();
    return words.every((word) => text.includes(word.replace(/s$/, ""))) && tags.every((tag) => game.tags.includes(tag));
  };
  const found = (games ?? []).filter(fits);
  const toggle = (tag: string) => setTags(tags.includes(tag) ? tags.filter((other) => other !== tag) : [...tags, tag]);
  return (
    <main id="main" class="page" data-ready={games ? "yes" : undefined}>
      <div class="headline">
        <h1>Games</h1>
        <p class="soft" role="status">{games ? `${found.length} of ${games.length}` : "…"}</p>
        <div class="tags" role="group" aria-label="Filter by kind">
          {known.map((tag) => <button class="tag" aria-pressed={tags.includes(tag)} onClick={() => toggle(tag)}>{tag}</button>)}
        </div>
      </div>
      {games && found.length === 0 && <p class="card">No game fits. <button onClick={() => { onQuery(""); setTags([]); }}>Show all</button></p>}
      <ul class="gallery">
        {found.map((game) => (
          <li key={game.name}>
            <a class="card game" href={DOOR === "studio" ? `/play?game=${encodeURIComponent(game.name)}` : `/games/${encodeURIComponent(game.name)}`}>
              <span class="picture"><img src={`/api/picture?name=${encodeURIComponent(game.name)}`} alt="" loading="lazy" width="300" height="240" /></span>
              <b>{title(game.name)}</b>
              <span class="soft">{game.title}</span>
              <span class="kinds">{game.tags.map((tag) => <span class="kind">{tag}</span>)}</span>
            </a>
          </li>
        ))}
      </ul>
    </main>
  );
}

export function title(name: string): string {
  const plain = name.replace(/^.*\//, "").replace(/\.rules$/, "").replace(/_/g, " ");
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}
