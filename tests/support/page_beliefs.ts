// What each role considers possible after each transition of a play: input and output are JSON.
import { readFileSync } from "node:fs";
import { Belief } from "../../web/src/alone/belief";
import type { Facts } from "../../web/src/alone/facts";
import { Game, generator } from "../../web/src/alone/game";

interface Given { facts: Facts; code: string; play: string[][]; role: number; compared?: number[] }

// Time passes by what is done, so that a busy machine draws as many samples as a free one.
let now = 0;
performance.now = () => (now += 0.001);

const { facts, code, play, role, compared } = JSON.parse(readFileSync(0, "utf8")) as Given;
const game = new Game(facts, new WebAssembly.Module(Buffer.from(code, "base64")));
const belief = new Belief(game, role, generator(1, role));
let state = game.initial();
const found = play.map((given, at) => {
  const before = state, joint = BigInt64Array.from(given.map(BigInt));
  state = game.step(before, joint);
  const words = game.observe(before, state, joint, role), acted = game.acting(before).includes(role);
  if (acted || words.length) belief.tell({ action: acted ? joint[role]! : null, words });
  if (compared?.includes(at)) belief.renew();
  const legal = game.acting(state).includes(role) ? game.legal(state, role) : null;
  return { certain: belief.isCertain, states: belief.states(legal).map(({ state }) => [...state].map(String)) };
});
process.stdout.write(JSON.stringify(found));
