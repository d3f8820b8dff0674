// Replays plays with a game's WebAssembly and says what each position is like, and of some what chance may draw there and
// how they look: input and output are JSON.
import { readFileSync } from "node:fs";
import { Drawing } from "../../web/src/alone/drawing";
import type { Facts } from "../../web/src/alone/facts";
import { Game } from "../../web/src/alone/game";

interface Given { facts: Facts; code: string; plays: string[][][]; whole: number[][] }

const { facts, code, plays, whole } = JSON.parse(readFileSync(0, "utf8")) as Given;
const game = new Game(facts, new WebAssembly.Module(Buffer.from(code, "base64")));
const drawing = new Drawing(game);
const everybody = facts.players.map((_, player) => player);

function position(state: BigInt64Array, isWhole: boolean) {
  const acting = game.acting(state), isChance = game.actors(state) === 0;
  const drawn = isWhole && isChance && facts.phases[game.phase(state)]!.draws !== null ? game.chance(state) : null;
  return {
    words: [...state], acting,
    legal: acting.map((player) => [...game.legal(state, player)].map((action) => [action, game.values.actionText(action), game.values.parts(action, game.phase(state))])),
    chance: drawn && [...drawn.outcomes].map((outcome, at) => [outcome, game.values.outcomeText(outcome, game.phase(state)), drawn.probabilities[at]]),
    utilities: game.actors(state) < 0 ? game.utility(state) : null,
    scenes: isWhole ? [null, ...everybody].map((player) => drawing.scene(state, player)) : null,
  };
}

const found = plays.map((joints, number) => {
  const wanted = new Set(whole[number]);
  let state = game.initial();
  return [
    { ...position(state, wanted.has(0)), told: [] },
    ...joints.map((given, made) => {
      const before = state, joint = BigInt64Array.from(given.map(BigInt));
      state = game.step(before, joint);
      const told = everybody.map((player) => game.observe(before, state, joint, player));
      return { ...position(state, wanted.has(made + 1)), told: told.map((words) => ({ words: [...words], text: game.values.observation(words) })) };
    }),
  ];
});
process.stdout.write(JSON.stringify(found, (_, value) => (typeof value === "bigint" ? value.toString() : value as unknown)));
