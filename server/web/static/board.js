// Draws a state as the rules' `display` says: a board as SVG, and lines of text.
import { element, svg } from "./elements.js";

const SIZE = 40;
const COLOURS = ["red", "blue", "green", "yellow", "white", "gray", "black"];

export function drawing(drawn) {
  const parts = [];
  if (drawn.rows.length > 0) parts.push(board(drawn.rows));
  if (drawn.lines.length > 0) {
    parts.push(element("ul", { class: "facts" }, ...drawn.lines.map(([label, value]) =>
      element("li", {}, element("strong", {}, `${label}: `), value))));
  }
  return element("div", { class: "board" }, ...parts);
}

function board(rows) {
  const height = rows.length, width = rows[0].length, edge = SIZE / 2;
  const shapes = [];
  rows.forEach((row, y) => {
    row.forEach((cell, x) => {
      const left = edge + x * SIZE, top = y * SIZE;
      const dark = (x + height - 1 - y) % 2 === 0;
      shapes.push(svg("rect", { x: left, y: top, width: SIZE, height: SIZE, class: dark ? "square dark" : "square" }));
      if (cell.text) {
        const colour = COLOURS.includes(cell.color) ? cell.color : "black";
        shapes.push(svg("text", { x: left + SIZE / 2, y: top + SIZE / 2, class: `piece ${colour}` }, cell.text));
      }
    });
    shapes.push(svg("text", { x: edge / 2, y: y * SIZE + SIZE / 2, class: "axis" }, String(height - y)));
  });
  for (let x = 0; x < width; x += 1) {
    shapes.push(svg("text", { x: edge + x * SIZE + SIZE / 2, y: height * SIZE + edge * 0.7, class: "axis" }, column(x)));
  }
  const said = rows.map((row) => row.map((cell) => cell.text || ".").join(" ")).join("\n");
  return svg("svg", { viewBox: `0 0 ${edge + width * SIZE} ${height * SIZE + edge}`, role: "img", "aria-label": said },
    ...shapes);
}

function column(x) {
  return x < 26 ? String.fromCharCode(97 + x) : column(Math.floor(x / 26) - 1) + column(x % 26);
}
