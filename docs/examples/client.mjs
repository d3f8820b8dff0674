// A whole client in JavaScript, without packages: plays a random legal action.
//
//   node client.mjs ws://localhost:8000/play my-name [competition [token-file]]      (node 22 or later)
//   node --experimental-websocket client.mjs ...                                     (node 20 and 21)
import { createHash, randomInt } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";

const [url = "ws://localhost:8000/play", name = "javascript", competition, tokenFile] = process.argv.slice(2);
const PATIENCE = 60_000; // how long to try to connect, since the connection was lost
if (typeof WebSocket === "undefined") {
  console.error("this node has no WebSocket: take node 22, or `node --experimental-websocket client.mjs ...`");
  process.exit(1);
}
const matches = new Map(); // what is known of each match: hash of its seed, next message number, last answer
let token = tokenFile && existsSync(tokenFile) ? readFileSync(tokenFile, "utf8").trim() : null;
let pause = 100;
let lost = Date.now(); // when the last connection that was welcome ended, at first when we began
let welcome = false;
let busy = false; // whether the manager refused, but will accept later

function connect() {
  const socket = new WebSocket(url);
  const send = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => send({ type: "hello", protocol: 1, name, token });
  socket.onmessage = ({ data }) => receive(JSON.parse(data), send);
  let over = false;
  const ended = ({ code = 1006, reason = "" }) => {
    if (over) return;
    over = true;
    if (welcome) lost = Date.now();
    welcome = false;
    if (code === 1000) {
      console.log(`${name}: ${reason || "good-bye"}`);
    } else if ((code !== 1008 || busy) && Date.now() - lost < PATIENCE) {
      setTimeout(connect, pause); // come back as the same player
      pause = Math.min(2 * pause, 5_000);
    } else {
      console.error(`${name}: the connection ended: ${code} ${reason}`);
      process.exitCode = 1;
    }
  };
  socket.onclose = ended;
  socket.onerror = () => ended({}); // all that node 20 tells of a connection that fails while it is made
}

function receive(message, send) {
  if (message.type === "welcome") {
    token = message.token;
    pause = 100;
    welcome = true;
    busy = false;
    if (tokenFile) writeFileSync(tokenFile, `${token}\n`, { mode: 0o600 });
    if (competition) send({ type: "enter", competition });
    for (const match of matches.keys()) if (!message.matches.includes(match)) matches.delete(match);
    return;
  }
  if (message.type === "refused" || message.type === "error") {
    console.error(`${name}: ${message.code}: ${message.message}`);
    busy = message.code === "busy";
    return;
  }
  if (message.type === "entry") console.log(`${name}: ${message.state} in ${message.name}`);
  if (message.number === undefined) return; // something of a later version
  if (message.type === "start" && !matches.has(message.match)) {
    matches.set(message.match, { hash: message.seed_hash, next: 0, asked: -1, answer: null });
  }
  const match = matches.get(message.match);
  if (match === undefined) return;
  if (message.number < match.next) {
    // Told again after a reconnection. What we answered may have got lost, so it is answered again.
    if (message.number === match.asked) send(match.answer);
    return;
  }
  match.next = message.number + 1;
  const answer = reply(message, match);
  if (answer !== null) {
    match.asked = message.number;
    match.answer = answer;
    send(answer);
  }
}

function reply(message, match) {
  switch (message.type) {
    case "start": // study message.rules here
      return { type: "ready", match: message.match };
    case "act":
      return { type: "move", match: message.match, step: message.step, action: choose(message.legal) };
    case "end":
      console.log(`${message.match}: ${message.result} ${JSON.stringify(message.utilities)}`);
      return null;
    case "reveal": {
      const hash = createHash("sha256").update(`${message.seed}:${message.nonce}`).digest("hex");
      console.log(`${message.match}: the seed is ${hash === match.hash ? "the one" : "NOT the one"} announced`);
      matches.delete(message.match);
      return null;
    }
    default: // observe: learn what happened here
      return null;
  }
}

function choose(legal) {
  return legal[randomInt(legal.length)];
}

connect();
