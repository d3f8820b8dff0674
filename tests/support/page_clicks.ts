// What can be clicked in a position, and what is left after some clicks: input and output are JSON.
import { readFileSync } from "node:fs";
import { playingCard } from "../../web/src/cards";
import { choose, Screen, togglesOf, typed, type Click } from "../../web/src/clicks";
import { joined } from "../../web/src/races";
import type { Action, Scene } from "../../web/src/scene";

const positions = JSON.parse(readFileSync(0, "utf8")) as { scene: Scene; turn: number; legal: Action[]; clicks: Click[]; text?: string }[];
process.stdout.write(JSON.stringify(positions.map(({ scene, turn, legal, clicks, text }) => {
  const choice = choose(legal, clicks, new Screen(scene, turn)), toggles = togglesOf(choice, scene.entries, turn);
  const held = scene.entries.flatMap(({ rows }) => rows.flatMap(({ items }) => items.map((item) => playingCard(item.text).join(""))));
  return { typed: typed(legal, text ?? "").map((action) => action.text), held, entries: joined(scene.entries, scene.players), left: choice.left.map(({ text }) => text), keys: [...choice.keys], things: toggles?.things, values: toggles?.values };
})));
