// Replays a record at a table of a page, and says what each role may see of each position: input and output are JSON.
import { readFileSync } from "node:fs";
import type { Facts } from "../../web/src/alone/facts";
import { Game } from "../../web/src/alone/game";
import { Table } from "../../web/src/alone/table";

const { facts, code, record } = JSON.parse(readFileSync(0, "utf8")) as { facts: Facts; code: string; record: string[] };
const game = new Game(facts, new WebAssembly.Module(Buffer.from(code, "base64")));
const table = new Table(game, 0);
const seen: object[] = [];
for (let at = 0; at <= record.length; at++) {
  if (at) table.replay([record[at - 1]!]);
  seen.push(facts.players.map((_, role) => {
    const begin = performance.now();
    const { scene, certain } = table.scene(role, at), { held } = table.possible(role, at);
    return { scene, certain, held: held.length, told: table.told(role, at), line: at ? table.line(table.made[at - 1]!) : "", ms: performance.now() - begin };
  }));
}
process.stdout.write(JSON.stringify(seen));
