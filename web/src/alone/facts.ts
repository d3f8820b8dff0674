// What `studio/one_page` writes of a game into a page, besides its code.
import type { Board, Entry, Piece, Place, Player } from "../scene";

export type TypeFacts =
  | { kind: "scalar"; name: string; low: number; size: number; of?: "truth" | "player" | "name"; texts?: string[] }
  | { kind: "option" | "set"; inner: number }
  | { kind: "array"; indices: number[]; inner: number }
  | { kind: "sequence"; inner: number; most: number }
  | { kind: "real" | "text" | "move" };

/** The numbers of actions of one kind, or of chance outcomes, see `ggp.encoding.numbering.Block`. */
export interface BlockFacts {
  word: string;
  base: string;
  types: number[];
  components: [name: string, type: number, called: string][];
  places: (number[] | null)[];
}

/** One rule of a board: its records hold the words of `fields`. */
export interface RuleFacts {
  number: number;
  cells: number;
  fields: [name: string, type: number, words: number][];
  shape: string | null;
  text: string;
  isPlain: boolean;
  colour: string | null;
  side: number | null;
}
/** What a variable draws where the rules have no `display`. */
export interface SourceFacts {
  variable: number;
  /** The names of all that tints the cells of its board, where it does. */
  tinting?: string[];
  cells: number;
  at: (number | null)[] | null;
  /** The variable that says where the things look, and the arrows of its values. */
  heading?: [variable: number, arrows: string[]];
  /** The cells over which each thing lies, by its own cell. */
  spans?: number[][][];
  looks: ((Piece | null)[] | Piece | null)[];
  /** Whether its pieces lie on one another. */
  is_stack?: boolean;
  /** Whether its pieces are players, to whom nothing else on their cells belongs. */
  is_walker?: boolean;
  is_thing?: boolean;
  /** Of walls: the piece of each element, and by code the cell and the direction of which a value tells. */
  sides?: { of_elements: [piece: Piece, sides: [cell: number, side: number][]][][]; is_inverse: boolean };
}
export interface OverlayFacts {
  cells: number;
  columns: number;
  always: boolean;
  places: [cell: number, place: Place][];
}
export interface BoardFacts extends Omit<Board, "places"> {
  cells: number;
  columns: number;
  rows: number;
  places: [cell: number, place: Place][];
  others: OverlayFacts[];
  /** Edges that actions name. */
  edges: Place[];
  /** To which side the columns of hexagons lean; 0: squares. */
  lean: number;
  rules?: RuleFacts[];
  steps?: { number: number; type: number };
  /** Variables that join cells. */
  links?: number[];
  /** Variables that say where ways lead from the middle of each cell. */
  arms?: number[];
  sources?: SourceFacts[];
  /** What tables say of the cells of a board, given by its number. */
  grounds?: [cells: number, cell: number, piece: Piece, side: number | null][];
}
export interface LineFacts {
  number: number;
  kind: string;
  label: string;
  is_sequence?: boolean;
  jumps?: [number, number][];
  marks?: [number, string, string][];
  /** Variables that say whose the places of a track are. */
  owners?: number[];
  notes?: string[];
  note?: string;
  type: number;
}
export interface DisplayFacts {
  players: Player[];
  /** The lines on cards that are numbers in the rules. */
  faces?: [string, string[]][];
  /** How everybody sees a state, and then each player, where the rules say it; no sizes: as the variables say. */
  displays: { sizes: number[] | null; boards: BoardFacts[]; lines: LineFacts[]; constants?: Entry[] }[];
  texts: Look[];
  looks: Record<number, Look[]>;
  tints: (string | null)[];
  variables: { mark: string; type: number; offset: number; sets: number | null }[];
}
export type Look = [shape: string, text: string, written: string, own: string];

export interface Facts {
  name: string;
  title: string;
  prose: string;
  text: string;
  tags: string[];
  rules: string;
  players: string[];
  /** Whether all players always get the same. */
  is_shared: boolean;
  parameters: Record<string, string>;
  simultaneous: boolean;
  open: boolean;
  bounds: [low: number, high: number][];
  sizes: { words: number; actions: number; outcomes: number; observation: number; picture: number };
  /** The first free byte of the memory. */
  dataEnd: number;
  phases: { name: string; choices: number[]; draws: number | null; weighted: boolean }[];
  blocks: BlockFacts[];
  headings: Record<number, { label: string; index: string; type: number }>;
  texts: string[];
  shapes: Record<string, "piece" | "ground" | "mark">;
  faults: string[];
  types: TypeFacts[];
  display: DisplayFacts;
}
