// Makes elements. Texts of strangers get into the page as text nodes and attributes only, never as HTML.
const SVG = "http://www.w3.org/2000/svg";

export function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(made, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else made.setAttribute(key, value === true ? "" : String(value));
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

export function table(caption, headings, rows) {
  const text = (column) => (headings[column].text ? "text" : null);
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": caption },
    element("table", {},
      element("thead", {}, element("tr", {}, ...headings.map((heading, column) =>
        element("th", { scope: "col", class: text(column), title: heading.title }, heading.name)))),
      element("tbody", {}, ...rows.map((cells) =>
        element("tr", {}, ...cells.map((cell, column) => element("td", { class: text(column) }, cell ?? "–")))))));
}

export function link(address, text) {
  return element("a", { href: address }, text);
}

export async function ask(address) {
  const answer = await fetch(address, { headers: { accept: "application/json" } });
  const body = await answer.json();
  if (!answer.ok) throw new Error(body.error ?? answer.statusText);
  return body;
}

export async function askAll(address, pages = 20) {
  const found = [];
  for (let next = address; next !== null && pages > 0; pages -= 1) {
    const answer = await fetch(next, { headers: { accept: "application/json" } });
    const body = await answer.json();
    if (!answer.ok) throw new Error(body.error ?? answer.statusText);
    found.push(...body);
    next = /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1] ?? null;
  }
  return found;
}

export const number = (value, digits = 0) => (value === null || value === undefined ? null : value.toFixed(digits));
export const when = (text) => (text === null ? "–" : new Date(text).toLocaleString());
export const part = (text) => encodeURIComponent(text);
