// What cannot be clicked on the board: buttons, grouped by kind; where there are many, one component after the other.
import { useEffect, useMemo, useState } from "preact/hooks";
import { kindOf, type Choice } from "./clicks";
import type { Action } from "./scene";
import { Card, spaced } from "./values";

const MOST_BUTTONS = 30;
const MOST_VALUES = 16;

interface Properties {
  choice: Choice;
  legal: Action[];
  clicks: number;
  onPlay: (action: Action) => void;
  onBack: () => void;
}

export function ActionPanel({ choice, clicks, onPlay, onBack }: Properties) {
  const kinds = useMemo(() => {
    const found = new Map<string, Action[]>();
    for (const action of choice.buttons) found.set(kindOf(action), [...(found.get(kindOf(action)) ?? []), action]);
    return [...found.values()];
  }, [choice]);
  return (
    <div class="actions">
      {choice.keys.size > 0 && <p class="soft">{choice.buttons.length ? "Click on the board, or choose:" : clicks ? "Now click what belongs to it." : "Click what is highlighted."}</p>}
      {kinds.map((actions) => <Kind key={kindOf(actions[0]!)} actions={actions} onPlay={onPlay} />)}
      {clicks > 0 && <button class="quiet" onClick={onBack}>Back <kbd>Esc</kbd></button>}
    </div>
  );
}

function Kind({ actions, onPlay }: { actions: Action[]; onPlay: (action: Action) => void }) {
  const [decided, setDecided] = useState<string[]>([]);
  useEffect(() => setDecided([]), [actions]);
  if (actions.length <= MOST_BUTTONS && actions[0]!.parts.length < 2 || actions.length <= 8) {
    return <div class="buttons">{actions.map((action) => <Play key={action.text} action={action} onPlay={onPlay} />)}</div>;
  }
  // Components in order: those that are the same in all actions that are left are not asked for.
  let left = actions;
  const steps: { index: number; values: string[]; chosen?: string }[] = [];
  let at = 0;
  for (let index = 0; index < actions[0]!.parts.length; index += 1) {
    const values = [...new Set(left.map((action) => action.parts[index]![2]))];
    if (values.length === 1) continue;
    const chosen = decided[at];
    steps.push({ index, values, chosen });
    if (chosen === undefined) break;
    left = left.filter((action) => action.parts[index]![2] === chosen);
    at += 1;
  }
  const word = actions[0]!.text.split(" ").slice(0, -actions[0]!.parts.length || undefined).join(" ");
  return (
    <div class="kind-of-action">
      {word && actions[0]!.parts.length > 0 && <b>{spaced(word)}</b>}
      {steps.map(({ index, values, chosen }, place) => (
        <Values
          key={index} name={actions[0]!.parts[index]![0]} values={values} chosen={chosen}
          onChoose={(value) => {
            const rest = [...decided.slice(0, place), value];
            const fitting = left.length && chosen === undefined ? left.filter((action) => action.parts[index]![2] === value) : [];
            if (fitting.length === 1) onPlay(fitting[0]!);
            else setDecided(rest);
          }}
        />
      ))}
      {decided.length > 0 && left.length <= MOST_BUTTONS && <div class="buttons">{left.slice(0, MOST_BUTTONS).map((action) => <Play key={action.text} action={action} onPlay={onPlay} />)}</div>}
    </div>
  );
}

function Values({ name, values, chosen, onChoose }: { name: string; values: string[]; chosen: string | undefined; onChoose: (value: string) => void }) {
  const label = spaced(name.replace("[", " ").replace("]", ""));
  if (values.length > MOST_VALUES && values.every((value) => /^-?\d+$/.test(value))) return <Stepper label={label} values={values} onChoose={onChoose} />;
  return (
    <div class="values" role="group" aria-label={label}>
      <span class="soft">{label}</span>
      {values.map((value) => <button key={value} aria-pressed={value === chosen} data-component={chosen === undefined ? value : undefined} onClick={() => onChoose(value)}>{spaced(value)}</button>)}
    </div>
  );
}

/** One of many numbers: typed, drawn along a slider, or one of a few in between. */
function Stepper({ label, values, onChoose }: { label: string; values: string[]; onChoose: (value: string) => void }) {
  const sorted = useMemo(() => values.map(Number).sort((a, b) => a - b), [values.join()]);
  const [at, setAt] = useState(0);
  const number = sorted[Math.min(at, sorted.length - 1)]!;
  const last = sorted.length - 1;
  const quarters = [...new Set([0, 0.25, 0.5, 0.75, 1].map((share) => sorted[Math.round(share * last)]!))];
  const nearest = (wanted: number) => sorted.reduce((best, one, place) => (Math.abs(one - wanted) < Math.abs(sorted[best]! - wanted) ? place : best), 0);
  return (
    <div class="stepper">
      <label>{label} <input type="number" value={number} min={sorted[0]} max={sorted[last]} onChange={(event) => setAt(nearest(Number(event.currentTarget.value)))} /></label>
      <button aria-label={`less ${label}`} disabled={at === 0} onClick={() => setAt(at - 1)}>−</button>
      <button aria-label={`more ${label}`} disabled={at >= last} onClick={() => setAt(at + 1)}>+</button>
      <button class="main" data-component={number} onClick={() => onChoose(String(number))}>choose {number}</button>
      <input type="range" aria-label={label} min={0} max={last} value={at} onInput={(event) => setAt(Number(event.currentTarget.value))} />
      <div class="values">{quarters.filter((value) => value !== number).map((value) => <button key={value} data-component={value} onClick={() => onChoose(String(value))}>{value}</button>)}</div>
    </div>
  );
}

function Play({ action, onPlay }: { action: Action; onPlay: (action: Action) => void }) {
  const isCard = action.parts.length === 1 && /_of_/.test(action.parts[0]![2]);
  return (
    <button class={isCard ? "action with-card" : "action"} data-action={action.text} onClick={() => onPlay(action)}>
      {isCard ? <Card text={action.parts[0]![2]} /> : spaced(action.text)}
    </button>
  );
}
