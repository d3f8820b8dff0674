// Through which of the three doors the pages are seen, and the head that they share.
import type { ComponentChildren } from "preact";

export type Door = "studio" | "manager" | "reading";
/** `manager` where visitors may play; `reading` where they may not. */
export const DOOR = (document.documentElement.dataset.door ?? "studio") as Door;
/** Where the gallery is. */
export const GALLERY = DOOR === "studio" ? "/" : "/games";

/** What all pages begin with. `here` is an address among the links, or the one of the page, which gets a link named `name`. */
export function Header({ here, name, children }: { here: string; name?: string; children?: ComponentChildren }) {
  const links: [string, string][] = [...(DOOR === "studio" ? [] : [["/view", "Watch"] as [string, string]]), [GALLERY, "Games"], ...(name ? [[here, name] as [string, string]] : []), ...(DOOR === "reading" ? [] : [["/write", "Write"] as [string, string]])];
  return (
    <>
      <a class="skip" href="#main">Skip to the page</a>
      <header>
        <a class="logo" href="/" aria-label="ggp, the first page">ggp</a>
        <nav aria-label="Pages">{links.map(([to, text]) => <a href={to} aria-current={to === here ? "page" : to === "/view" && here.startsWith("/view/") ? "true" : undefined}>{text}</a>)}</nav>
        {children}
      </header>
    </>
  );
}
