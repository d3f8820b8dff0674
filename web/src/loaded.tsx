// Parts of the script that are loaded when they are needed.
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";

/** A page that is open longer than this when a part of it is gone is older than the server: it is loaded anew. */
const YOUNG_MS = 10_000;

/** What needs another part of the script; a server that was renewed does not have those of pages that were opened before. */
export function Loaded<T extends object>({ load, children, waiting }: { load: () => Promise<T>; children: (found: T) => ComponentChildren; waiting?: ComponentChildren }) {
  const [found, setFound] = useState<T | null>(null), [isGone, setGone] = useState(false);
  useEffect(() => { load().then(setFound, () => (performance.now() > YOUNG_MS ? location.reload() : setGone(true))); }, []);
  if (isGone) return <main id="main" class="page" data-ready="yes"><p class="card problem" role="alert">A part of this page could not be loaded. <button onClick={() => location.reload()}>Load it anew</button></p></main>;
  return <>{found ? children(found) : waiting}</>;
}
