// Random plays a second of processor time with a game's WebAssembly: in one call, and in a call each as searches make them.
import { readFileSync } from "node:fs";
import type { Facts } from "../../web/src/alone/facts";
import { Game, generator, type State } from "../../web/src/alone/game";

interface Given { facts: Facts; code: string; seconds: number }
interface Inside {
  functions: { playouts: (state: number, rng: number, out: number, limit: bigint, count: bigint) => bigint };
  put: (state: State) => number;
  words: BigInt64Array;
  rng: number;
  realsOut: number;
}

const { facts, code, seconds } = JSON.parse(readFileSync(0, "utf8")) as Given;
const game = new Game(facts, new WebAssembly.Module(Buffer.from(code, "base64")));
const inside = game as unknown as Inside;
const rng = generator(2);
let initial = game.initial();
while (game.actors(initial) === 0) initial = game.step(initial, game.jointOf(new Map(), game.sampleChance(initial, rng)));

/** Return plays a second; `play` makes some. */
function rate(play: (count: number) => void): number {
  play(64);  // until then the code is compiled in haste
  for (let count = 64; ; ) {
    const began = process.cpuUsage();
    play(count);
    const spent = process.cpuUsage(began).user / 1e6;
    if (spent >= seconds / 2) return count / spent;
    count = Math.floor(count * Math.min(16, (1.2 * seconds) / Math.max(spent, 1e-6))) + 1;
  }
}

const at = inside.put(initial);
inside.words[inside.rng] = 7n;
const together = rate((count) => inside.functions.playouts(at, inside.rng * 8, inside.realsOut * 8, 100_000n, BigInt(count)));
const alone = rate((count) => { for (let play = 0; play < count; play++) game.playout(initial, rng); });
process.stdout.write(JSON.stringify([together, alone]));
