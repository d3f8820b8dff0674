// Random plays a second of processor time with a game's WebAssembly, one call a play: input and output are JSON.
import { readFileSync } from "node:fs";
import type { Facts } from "../../web/src/alone/facts";
import { Game, generator } from "../../web/src/alone/game";

const { facts, code, seconds } = JSON.parse(readFileSync(0, "utf8")) as { facts: Facts; code: string; seconds: number };
const game = new Game(facts, new WebAssembly.Module(Buffer.from(code, "base64")));
const rng = generator(2);
const initial = game.initial();
/** Return the seconds that some plays take. */
const time = (count: number) => {
  const began = process.cpuUsage();
  for (let play = 0; play < count; play++) game.playout(initial, rng);
  return process.cpuUsage(began).user / 1e6;
};
time(64);  // until then the code is compiled in haste
let count = 64, spent = time(count);
while (spent < seconds / 2) {
  count = Math.floor(count * Math.min(16, (1.2 * seconds) / Math.max(spent, 1e-6))) + 1;
  spent = time(count);
}
process.stdout.write(JSON.stringify(count / spent));
