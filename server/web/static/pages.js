// The pages, made of the manager's API alone: competitions, one competition, one of its players, one match.
import { ask, askAll, element, link, number, part, svg, table, when } from "./elements.js";
import { drawing } from "./board.js";

const main = document.getElementById("main");

function show(title, ...parts) {
  document.title = title;
  main.replaceChildren(element("h1", {}, title), ...parts);
}

function facts(...pairs) {
  return element("ul", { class: "facts" }, ...pairs.filter(([, value]) => value !== null && value !== undefined)
    .map(([name, value]) => element("li", {}, element("span", { class: "muted" }, `${name}: `), value)));
}

async function competitions() {
  const found = await askAll("/competitions");
  show("Competitions", found.length === 0 ? element("p", {}, "There are none yet.") :
    table("Competitions", [{ name: "name", text: true }, { name: "state", text: true }, { name: "format", text: true },
      { name: "games", text: true }, { name: "begins", text: true }],
    found.reverse().map((one) => [link(`/view/competitions/${one.competition}`, one.name), one.state,
      one.format.replaceAll("_", " "), one.games.join(", "), when(one.started_at ?? one.starts_at)])));
}

async function competition(id) {
  const address = `/competitions/${part(id)}`;
  const [one, rows, meetings] = await Promise.all([
    ask(address), askAll(`${address}/standings`), askAll(`${address}/meetings?limit=1000`, 3)]);
  const player = (name) => link(`/view/competitions/${one.competition}/players/${part(name)}`, name);
  const clocks = one.settings;
  show(one.name,
    facts(["state", one.state], ["why", one.reason], ["format", one.format.replaceAll("_", " ")],
      ["games", one.games.join(", ")], ["entry", one.entry.replaceAll("_", " ")],
      ["start clock", `${clocks.start_clock_ms / 1000} s`], ["play clock", `${clocks.play_clock_ms / 1000} s`],
      ["round", one.progress && (one.progress.rounds ? `${one.progress.round} of ${one.progress.rounds}` : one.progress.round)],
      ["matches over", one.progress && String(one.progress.matches_over)],
      ["chance", one.secret_chance ? "secret" : "reproducible, not secret"]),
    element("h2", {}, "Standings"),
    rows.length === 0 ? element("p", {}, "Nobody has played yet.") :
      table("Standings", [{ name: "player", text: true }, { name: "rank" }, { name: "points" }, { name: "matches" },
        { name: "win rate", title: "share of points, with half the 95 % interval" }, { name: "rating" }, { name: "errors" },
        { name: "state", text: true }],
      rows.map((row) => [player(row.name), row.rank, row.points, row.matches,
        row.win_rate === null ? null : `${(100 * row.win_rate).toFixed(1)} ± ${(100 * row.ci95).toFixed(1)} %`,
        row.rating === null ? null : `${number(row.rating)} (${number(row.low)} to ${number(row.high)})`,
        row.errors, row.state || "plays"])),
    element("p", {}, link(`${address}/standings?format=csv`, "Standings as CSV")),
    element("h2", {}, "Pairings"),
    meetings.length === 0 ? element("p", {}, "None yet.") :
      table("Pairings", [{ name: "round" }, { name: "players", text: true }, { name: "part", text: true }],
        meetings.slice(-200).reverse().map((each) => [each.round + 1,
          each.players.join(" – ") + (each.bye ? " has a bye" : ""), each.stage ?? ""])),
    element("h2", {}, "Latest matches"), await matches(`/matches?competition=${part(one.competition)}&limit=50`));
}

async function matches(address) {
  const found = await ask(address);
  return table("Matches", [{ name: "match", text: true }, { name: "game", text: true }, { name: "players", text: true },
    { name: "result", text: true }, { name: "begun", text: true }],
  found.reverse().map((one) => [link(`/view/matches/${one.match}`, one.match), one.game,
    Object.entries(one.players).map(([role, name]) => `${role}: ${name}`).join(", "), result(one), when(one.created_at)]));
}

function result(one) {
  if (one.state === "finished") {
    return Object.entries(one.utilities).map(([role, value]) => `${role} ${value}`).join(", ");
  }
  return one.reason ? `${one.state}: ${one.reason}` : one.state;
}

async function entrant(id, name) {
  const one = await ask(`/competitions/${part(id)}`);
  const [rows, course] = await Promise.all([
    askAll(`/competitions/${part(id)}/standings`), ask(`/competitions/${part(id)}/ratings?player=${part(name)}`)]);
  const row = rows.find((each) => each.name === name);
  show(name, element("p", {}, "in ", link(`/view/competitions/${one.competition}`, one.name)),
    row ? facts(["rank", row.rank], ["points", row.points], ["matches", row.matches], ["byes", row.byes],
      ["forfeits", row.forfeits], ["errors", row.errors], ["rating", number(row.rating)], ["state", row.state || "plays"]) : null,
    element("h2", {}, "Rating over time"),
    course.length > 1 ? curve(course) : element("p", {}, "Too few matches."),
    element("h2", {}, "Against each"),
    table("Against each", [{ name: "opponent", text: true }, { name: "matches" }, { name: "wins" }, { name: "draws" }],
      Object.entries(row?.against ?? {}).map(([other, met]) => [
        link(`/view/competitions/${one.competition}/players/${part(other)}`, other), met.meetings, met.wins, met.draws])),
    element("h2", {}, "Latest matches"),
    await matches(`/matches?competition=${part(one.competition)}&player=${part(name)}&limit=100`));
}

function curve(course) {
  const WIDTH = 600, HEIGHT = 200, EDGE = 40;
  const low = Math.min(...course.map((each) => each.low)), high = Math.max(...course.map((each) => each.high));
  const x = (each) => EDGE + (each.matches / course.at(-1).matches) * (WIDTH - EDGE);
  const y = (value) => HEIGHT - 10 - ((value - low) / Math.max(1, high - low)) * (HEIGHT - 20);
  const points = (key) => course.map((each) => `${x(each)},${y(each[key])}`);
  const label = (value) => svg("text", { x: EDGE / 2, y: y(value), class: "axis" }, number(value));
  return element("div", { class: "board" },
    svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": `rating from ${number(course[0].rating)} to ${number(course.at(-1).rating)}` },
    svg("polygon", { class: "band", points: [...points("low"), ...points("high").reverse()].join(" ") }),
    svg("polyline", { class: "curve", points: points("rating").join(" ") }), label(low), label(high)));
}

async function match(id) {
  const one = await ask(`/matches/${part(id)}`);
  const stage = element("div", {}), said = element("p", { role: "status" }), errors = element("div", {});
  const slider = element("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "transition" });
  const steps = [];
  let follows = true;
  const render = () => {
    const at = Number(slider.value), step = steps[at];
    if (step === undefined) return;
    const done = step.outcome !== null ? `chance: ${step.outcome}` :
      Object.entries(step.actions).map(([role, action]) => `${role}: ${action}`).join(", ");
    const time = step.at_ms === null ? "" : `, ${(step.at_ms / 1000).toFixed(1)} s`;
    said.textContent = at === 0 ? "the beginning" : `${at} of ${steps.length - 1}${time}. ${done}`;
    if (step.drawing !== null) stage.replaceChildren(drawing(step.drawing));
  };
  const go = (to) => {
    slider.value = Math.max(0, Math.min(steps.length - 1, to));
    follows = Number(slider.value) === steps.length - 1;
    render();
  };
  const add = (step) => {
    steps.push(step);
    slider.max = steps.length - 1;
    if (follows) slider.value = slider.max;
    render();
  };
  slider.addEventListener("input", () => go(Number(slider.value)));
  const button = (text, label, by) =>
    element("button", { type: "button", "aria-label": label, onclick: () => go(Number(slider.value) + by) }, text);
  const state = element("span", {}, result(one));
  show(`Match ${one.match}`,
    facts(["game", one.game], ...Object.entries(one.players),
      ["parameters", Object.entries(one.parameters).map(([key, value]) => `${key} = ${value}`).join(", ") || null],
      ["result", state], ["begun", when(one.created_at)], ["ended", when(one.ended_at)]),
    stage, element("div", { class: "controls" }, button("◀", "back", -1), slider, button("▶", "forward", 1)), said, errors);
  const feed = new EventSource(`/matches/${part(id)}/feed`);
  feed.addEventListener("step", (event) => add(JSON.parse(event.data)));
  feed.addEventListener("note", (event) => { if (steps.length === 0) said.textContent = JSON.parse(event.data); });
  feed.addEventListener("end", async () => {
    feed.close();
    const over = await ask(`/matches/${part(id)}`);
    state.textContent = result(over);
    if (over.error_list?.length) {
      errors.replaceChildren(element("h2", {}, "Errors"), table("Errors",
        [{ name: "player", text: true }, { name: "step" }, { name: "kind", text: true }, { name: "detail", text: true }],
        over.error_list.map((error) => [error.player, error.step, error.kind, error.detail])));
    }
    main.dataset.ready = "yes";
  });
}

async function open() {
  const [, kind, id, , ...rest] = location.pathname.split("/").slice(1).map(decodeURIComponent);
  try {
    if (kind === undefined) await competitions();
    else if (kind === "matches") { await match(id); return; }
    else if (rest.length > 0) await entrant(id, rest.join("/"));
    else await competition(id);
  } catch (error) {
    show("Not found", element("p", {}, error.message));
  }
  main.dataset.ready = "yes";
}

open();
