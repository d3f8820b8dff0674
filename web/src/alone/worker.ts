// The worker of a page that needs nothing: its first message is the game, the others are requests.
import { bytesOf } from "../links";
import type { Facts } from "./facts";
import { Game } from "./game";
import { Session, type Request } from "./session";

/** The game of a page: what is known of it, and its code, compressed, in base 64. */
export interface Given {
  facts: Facts;
  code: string;
}

let session: Promise<Session> | null = null;

async function opened({ facts, code }: Given): Promise<Session> {
  const module = await WebAssembly.compile(await bytesOf(code, "gzip"));
  return new Session(new Game(facts, module), (message) => self.postMessage(message));
}

self.onmessage = ({ data }: MessageEvent<Given | Request>) => {
  if ("facts" in data) session = opened(data);
  else void session!.then((one) => one.answer(data));
};
