// Where the pages lie on their host: a proxy may serve a manager, or a studio, below a path. Addresses are written from
// the manager's own root everywhere; here they become those that the browser needs.
import { options } from "preact";

/** The path above the scripts, such as `/games`, mostly empty; also in a page that is a file. */
export const BASE = new URL(document.querySelector<HTMLScriptElement>("script[type=module]")?.src || "file:///static/").pathname.replace(/\/static\/[^/]*$/, "");
export const urlOf = (path: string) => BASE + path;
/** What the address of a page, or one for other programs and people, begins with. */
export const ROOT = location.origin + BASE;
export const socketAt = (path: string) => ROOT.replace(/^http/, "ws") + path;
/** Which page an address is. */
export const pageOf = (url: URL) => url.pathname.slice(BASE.length) || "/";

// the way from the first page to the icon is not that from the next one
for (const icon of document.querySelectorAll<HTMLLinkElement>("link[rel=icon]")) icon.href = new URL(icon.href).href;

/** All links and pictures. */
options.vnode = (vnode) => {
  if (typeof vnode.type !== "string") return;
  const props = vnode.props as Record<string, unknown>;
  for (const name of ["href", "src"]) if (String(props[name] ?? "").startsWith("/")) props[name] = urlOf(props[name] as string);
};
