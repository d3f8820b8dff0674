// Every action can be typed: the beginning of its text is enough where it is unique.
import { useState } from "preact/hooks";
import { typed } from "./clicks";
import type { Action } from "./scene";

export function TypedAction({ legal, onPlay }: { legal: Action[]; onPlay: (action: Action) => void }) {
  const [text, setText] = useState("");
  const found = typed(legal, text);
  const many = text.trim() !== "" && found.length !== 1;
  return (
    <form class="typed" onSubmit={(event) => { event.preventDefault(); if (found.length === 1) { onPlay(found[0]!); setText(""); } }}>
      <label>or type it <input value={text} onInput={(event) => setText(event.currentTarget.value)} autocomplete="off" autocapitalize="off" spellcheck={false} placeholder={legal[0]?.text ?? ""} aria-invalid={many && found.length === 0} /></label>
      <span class="soft" role="status">{many ? (found.length ? `${found.length}: ${found.slice(0, 3).map((action) => action.text).join(", ")}${found.length > 3 ? ", …" : ""}` : "not legal here") : text.trim() ? found[0]!.text : ""}</span>
    </form>
  );
}
