// A button that copies a text, and says so.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** Copy a text; pages that came over http from another machine have no clipboard, and copy from a field instead. */
export async function copyText(text: string): Promise<void> {
  if (await (navigator.clipboard?.writeText(text).then(() => true, () => false) ?? false)) return;
  const field = document.createElement("textarea");
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("this browser copies nothing");
}

export function Copy({ text, label, children = "Copy" }: { text: string; label?: string; children?: ComponentChildren }) {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const timer = said ? setTimeout(() => setSaid(""), 2000) : undefined;
    return () => clearTimeout(timer);
  }, [said]);
  return <button aria-label={said ? undefined : label} aria-live="polite" onClick={() => void copyText(text).then(() => setSaid("Copied"), () => setSaid("Not copied"))}>{said || children}</button>;
}
