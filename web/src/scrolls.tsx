// What may be wider than its place: it scrolls, by keys too, and says so where there is more to see.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

export function Scrolls({ name, kind = "", children }: { name: string; kind?: string; children: ComponentChildren }) {
  const box = useRef<HTMLDivElement>(null);
  const [more, setMore] = useState(false);
  const look = () => { const { scrollWidth = 0, clientWidth = 0, scrollLeft = 0 } = box.current ?? {}; setMore(scrollLeft + clientWidth < scrollWidth - 2); };
  useEffect(() => {
    const seen = new ResizeObserver(look);
    seen.observe(box.current!);
    return () => seen.disconnect();
  }, []);
  useEffect(look);
  return (
    <>
      <div class={`scrolls ${kind}`} ref={box} tabIndex={0} role="group" aria-label={name} onScroll={look}>{children}</div>
      {more && <span class="goes-on" aria-hidden="true">it goes on →</span>}
    </>
  );
}
