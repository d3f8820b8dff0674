// Draws pieces: shapes and colours come from the same file as those of `ggp show --svg`.
import art from "../../ggp/scene/shapes.json";
import type { Piece, Player } from "./scene";

type Shape = { kind: string; d: string }[];
const SHAPES = art.shapes as Record<string, Shape>;
const PALETTE = art.palette as unknown as Record<string, [fill: string, edge: string, ink: string]>;

/** Whether a word is a colour that can be drawn. */
export function isColour(word: string): boolean {
  return word in PALETTE && word !== "neutral";
}

export function colours(piece: { colour?: string | null; player?: number | null }, players: Player[]): [string, string, string] {
  const own = piece.player === undefined || piece.player === null ? undefined : players[piece.player]?.colour;
  return PALETTE[piece.colour ?? own ?? "neutral"] ?? PALETTE.neutral!;
}

/** The paths of a shape in a box from -50 to 50, and its text. */
export function Drawn({ piece, players, text }: { piece: Piece; players: Player[]; text?: string }) {
  const [fill, edge, ink] = colours(piece, players);
  const label = text ?? piece.text ?? "";
  const name = piece.shape || (/^-?\d*$/.test(label) ? "tile" : "disc");
  const shown = label.trim();
  return (
    <>
      {(SHAPES[name] ?? SHAPES.disc!).map(({ kind, d }) => {
        switch (kind) {
          case "body": return <path d={d} fill={fill} stroke={edge} stroke-width="3" stroke-linejoin="round" />;
          case "dot": return <path d={d} fill={piece.shape === "dot" ? "currentColor" : ink} />;
          case "outline": return <path d={d} fill="none" stroke={fill} stroke-width="11" />;
          case "stroke": return <path d={d} fill="none" stroke={fill} stroke-width="13" stroke-linecap="round" />;
          case "shine": return <path d={d} fill="#fff" opacity="0.35" />;
          case "text": return <text class="letter" y="12" fill="currentColor">{d}</text>;
          case "line": return <path d={d} fill="none" stroke={ink} stroke-width="3" stroke-linecap="round" />;
          default: return <path d={d} fill="none" stroke={ink} stroke-width="2.5" opacity="0.45" />;
        }
      })}
      {pattern(name, piece.player, shown, ink)}
      {rim(piece, players)}
      {shown && <text class={shown.length > 2 ? "letter long" : "letter"} y={shown.length > 2 ? 8 : 12} fill={ink} {...(!PLAIN.has(name) && !isOpen(name) && { stroke: fill, "stroke-width": 9, "stroke-linejoin": "round", "paint-order": "stroke" })} style={shown.length > 5 ? { fontSize: `${112 / shown.length}px` } : undefined}>{shown}</text>}
    </>
  );
}

const PLAIN = new Set(["disc", "counter", "ball", "soldier", "cube", "tile", "trail", "ship", "runner"]);

/** Whether a text on a shape stands on the board, within an outline. */
const isOpen = (name: string) => !SHAPES[name]?.some(({ kind }) => kind === "body");

/** A sign of the player that does not depend on colour. */
function pattern(shape: string, player: number | null | undefined, text: string, ink: string) {
  if (!player || text || !PLAIN.has(shape)) return null;
  const signs = ["", "M-11-11h22v22h-22z", "M0-14l13 24h-26z", "M0-15l15 15l-15 15l-15-15z", "M-13 0h26M0-13v26", "M-12-12l24 24M12-12l-24 24"];
  return <path d={signs[player % signs.length]} fill={player < 4 ? ink : "none"} stroke={ink} stroke-width="4" opacity="0.75" />;
}

/** A ring in the colour of the player whose a thing is that has a colour of its own. */
function rim({ colour, player }: Piece, players: Player[]) {
  if (!colour || player === undefined || player === null || players[player]?.colour === colour) return null;
  const [fill, edge] = colours({ player }, players);
  return <><circle r="43" fill="none" stroke={edge} stroke-width="13" /><circle r="43" fill="none" stroke={fill} stroke-width="9" /></>;
}

/** A player's sign, the same everywhere. */
export function Token({ players, player }: { players: Player[]; player: number }) {
  return (
    <svg class="token" viewBox="-40 -40 80 80" aria-hidden="true">
      <Drawn piece={{ shape: "disc", player }} players={players} />
    </svg>
  );
}
