// What cannot be clicked on the board: buttons, grouped by kind; where there are many, one component after the other.
import { useMemo, useState } from "preact/hooks";
import { kindOf, kindsOf, wordOf } from "./clicks";
import type { Action, Entry } from "./scene";
import type { Clicking, Toggling } from "./stage";
import { Card, spaced, Swatch, Value } from "./values";

const MOST_BUTTONS = 30;
const MOST_VALUES = 16;

/** Actions that tell nothing without the names of what is chosen. */
const BARE = /^((yes|no|-?\d+) ?)+$/;

interface Properties {
  clicking: Clicking;
  entries: Entry[];
}

export function ActionPanel({ clicking: { choice, clicks, toggling, play, back }, entries }: Properties) {
  const kinds = useMemo(() => kindsOf(choice.buttons), [choice]);
  return (
    <div class="actions">
      {choice.keys.size > 0 && <p class="soft">{choice.buttons.length ? "Click on the board, or choose:" : clicks.length ? "Now click what belongs to it." : `Click what is highlighted${askedFor(choice.left)}.`}</p>}
      {kinds.map((actions) => toggling?.actions[0] === actions[0] ? <Toggled toggling={toggling!} onPlay={play} /> : <Kind key={kindOf(actions[0]!)} actions={actions} entries={entries} onPlay={play} />)}
      {clicks.length > 0 && <button class="quiet" onClick={back}>Back <kbd>Esc</kbd></button>}
    </div>
  );
}

/** What was toggled beside the boards, in words, and the button that plays it. */
function Toggled({ toggling: { actions, chosen, values, texts, kind, action }, onPlay }: { toggling: Toggling; onPlay: (action: Action) => void }) {
  const parts = actions[0]!.parts, isFlipped = (index: number) => chosen[index] !== values[index]![0];
  const flipped = texts.filter((_, index) => isFlipped(index)), other = chosen.find((_, index) => isFlipped(index));
  const areTrue = parts[0]![1] === "bool", word = wordOf(actions[0]!) || (areTrue ? parts[0]![0].replace(/\[.*/, "") : "");
  const said = [word, areTrue ? "" : other ?? values[0]![0]!, flipped.join(", ") || (areTrue ? "none" : "all")].filter(Boolean);
  return (
    <div class="kind-of-action">
      <p class="soft">Click the {kind} that you mean, then:</p>
      <button class="main" disabled={!action} data-action={action?.text} onClick={() => action && onPlay(action)}>{spaced(said.join(" "))}</button>
    </div>
  );
}

function Kind({ actions, entries, onPlay }: { actions: Action[]; entries: Entry[]; onPlay: (action: Action) => void }) {
  const parts = actions[0]!.parts;
  if (actions.length <= MOST_BUTTONS && parts.length < 2 || actions.length <= 8) {
    const names = [...new Set(parts.map(([name, type]) => telling(name, type).replace(/\[.*/, "")))];
    return <div class="buttons">{actions.every((action) => BARE.test(action.text)) && <span class="soft">{spaced(names.join(", "))}</span>}{actions.map((action) => <Play key={action.text} action={action} onPlay={onPlay} />)}</div>;
  }
  const word = wordOf(actions[0]!);
  return (
    <div class="kind-of-action">
      {word && parts.length > 0 && <b>{spaced(word)}</b>}
      {parts.length > 1 ? <Form key={actions[0]!.text + actions.length} actions={actions} entries={entries} onPlay={onPlay} /> : (
        <Values name={telling(parts[0]![0], parts[0]![1])} values={actions.map((action) => action.parts[0]![2])} onChoose={(value) => onPlay(actions.find((action) => action.parts[0]![2] === value)!)} />
      )}
    </div>
  );
}

/** What is chosen where it is one thing, such as a victim or a vote. */
function askedFor(actions: Action[]): string {
  const names = [...new Set(actions.map(({ parts }) => (parts.length === 1 ? parts[0]![0].replace(/\[.*/, "") : "")))];
  return names.length === 1 && names[0]!.length > 2 ? `: ${spaced(names[0]!)}` : "";
}

/** What a component is called: where the rules only have a letter for it, by its type, or, of a truth value, by its index. */
function telling(name: string, type: string): string {
  if (type === "bool") return name.replace(/^[a-z]\[(.*)\]$/, "$1");
  return /^[a-z]\b/.test(name) && /^[a-z]\w+$/.test(type) ? name.replace(/^[a-z]/, type) : name;
}

/** Several components, each set by itself: what a change makes illegal is set anew, as little as possible. */
function Form({ actions, entries, onPlay }: { actions: Action[]; entries: Entry[]; onPlay: (action: Action) => void }) {
  const [chosen, setChosen] = useState(actions[0]!);
  const components = useMemo(() => {
    const found = chosen.parts.map((_, index) => new Set(actions.map((action) => action.parts[index]![2])));
    const ordered = [...new Set(found.flatMap((values) => [...values]))];  // the same for all
    const names = chosen.parts.map(([name, type]) => telling(name, type));
    const named = names.map((name, index) => names.indexOf(name) === names.lastIndexOf(name) ? name : `${name} ${chosen.parts[index]![0]}`);
    return named.map((name, index) => ({ name, index, values: ordered.filter((value) => found[index]!.has(value)) })).filter(({ values }) => values.length > 1);
  }, [actions]);
  const set = (index: number, value: string) => {
    const likeness = (action: Action) => action.parts.reduce((sum, part, place) => sum + (part[2] === chosen.parts[place]![2] ? 1 : 0), 0);
    const fitting = actions.filter((action) => action.parts[index]![2] === value);
    setChosen(fitting.reduce((best, action) => (likeness(action) > likeness(best) ? action : best)));
  };
  return (
    <div class="form">
      <div class="components" style={{ "--name": `${Math.min(10, Math.max(...components.map(({ name }) => name.length)))}ch` }}>
        {components.map(({ name, index, values }) => (
          <div class="component" key={index}>
            <Belonging name={name} entries={entries} />
            <Values name={name} values={values} chosen={chosen.parts[index]![2]} onChoose={(value) => set(index, value)} />
          </div>
        ))}
      </div>
      <button class="main" data-action={chosen.text} onClick={() => onPlay(chosen)}>{spaced(chosen.text)}</button>
    </div>
  );
}

/** The die or the card that a component with an index, such as `keep[3]`, is about. */
function Belonging({ name, entries }: { name: string; entries: Entry[] }) {
  const index = /\[(.*)\]$/.exec(name)?.[1] ?? name;
  for (const entry of entries) {
    const item = (entry.kind === "dice" || entry.kind === "cards") && entry.rows.length === 1 ? entry.rows[0]!.items.find((each) => each.name === index) : undefined;
    if (item) return <Value entry={entry} item={{ ...item, name: "" }} players={[]} />;
  }
  return null;
}

function Values({ name, values, chosen, onChoose }: { name: string; values: string[]; chosen?: string; onChoose: (value: string) => void }) {
  const label = spaced(name.replace("[", " ").replace("]", "")), areNumbers = values.every((value) => /^-?\d+$/.test(value));
  if (values.length > MOST_VALUES && areNumbers) return <Numbers label={label} values={values} chosen={chosen} onChoose={onChoose} />;
  const ordered = areNumbers ? [...values].sort((a, b) => Number(a) - Number(b)) : values;
  return (
    <div class="values" role="group" aria-label={label}>
      <span class="soft">{label}</span>
      {ordered.map((value) => <button key={value} aria-pressed={value === chosen} data-component={value === chosen ? undefined : value} onClick={() => onChoose(value)}><Swatch text={value} />{spaced(value)}</button>)}
    </div>
  );
}

/** One of many numbers: typed, drawn along a slider, or one of a few in between. With a number chosen already, it changes at once. */
function Numbers({ label, values, chosen, onChoose }: { label: string; values: string[]; chosen?: string; onChoose: (value: string) => void }) {
  const sorted = useMemo(() => values.map(Number).sort((a, b) => a - b), [values.join()]);
  const [place, setPlace] = useState(0);
  const isLive = chosen !== undefined;
  const at = isLive ? sorted.indexOf(Number(chosen)) : place;
  const set = (next: number) => (isLive ? onChoose(String(sorted[next])) : setPlace(next));
  const number = sorted[Math.min(at, sorted.length - 1)]!;
  const last = sorted.length - 1;
  const quarters = [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => sorted[Math.round(share * last)]!))];
  const nearest = (wanted: number) => sorted.reduce((best, one, index) => (Math.abs(one - wanted) < Math.abs(sorted[best]! - wanted) ? index : best), 0);
  return (
    <div class="stepper">
      <label>{label} <input type="number" value={number} min={sorted[0]} max={sorted[last]} onChange={(event) => set(nearest(Number(event.currentTarget.value)))} /></label>
      <button aria-label={`less ${label}`} disabled={at === 0} onClick={() => set(at - 1)}>−</button>
      <button aria-label={`more ${label}`} disabled={at >= last} onClick={() => set(at + 1)}>+</button>
      {!isLive && <button class="main" data-component={number} onClick={() => onChoose(String(number))}>choose {number}</button>}
      <input type="range" aria-label={label} min={0} max={last} value={at} onInput={(event) => set(Number(event.currentTarget.value))} />
      <div class="values">{quarters.filter((value) => value !== number).map((value) => <button key={value} data-component={value} onClick={() => onChoose(String(value))}>{value}</button>)}</div>
    </div>
  );
}

function Play({ action, onPlay }: { action: Action; onPlay: (action: Action) => void }) {
  const isCard = action.parts.length === 1 && /_of_/.test(action.parts[0]![2]);
  return (
    <button class={isCard ? "action with-card" : "action"} data-action={action.text} onClick={() => onPlay(action)}>
      {isCard ? <>{spaced(wordOf(action))}<Card text={action.parts[0]![2]} /></> : <><Swatch text={action.text} />{spaced(action.text)}</>}
    </button>
  );
}
