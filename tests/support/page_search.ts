// What the search of a page finds after a record, for the role that is to act: input and output are JSON.
import { readFileSync } from "node:fs";
import type { Facts } from "../../web/src/alone/facts";
import { Game, generator } from "../../web/src/alone/game";
import { Search } from "../../web/src/alone/search";
import { Table } from "../../web/src/alone/table";

interface Given { facts: Facts; code: string; record: string[]; iterations: number }

const { facts, code, record, iterations } = JSON.parse(readFileSync(0, "utf8")) as Given;
const game = new Game(facts, new WebAssembly.Module(Buffer.from(code, "base64")));
const table = new Table(game, 0);
table.replay(record);
while (table.draw());
const role = table.waiting()[0]!;
const search = new Search(game, table.possible(role, table.made.length).held, generator(1));
for (let iteration = 0; iteration < iterations; iteration++) search.runOnce();
const legal = game.legal(table.state, role);
const shares = search.statistics(role, legal).map(({ visits }) => visits / search.iterations);
process.stdout.write(JSON.stringify({
  shares: Object.fromEntries([...legal].map((action, at) => [game.values.actionText(action), shares[at]])),
  worth: search.worth(), choice: game.values.actionText(search.choice(role, legal)),
}));
