// Values of the rules: from words, and to texts. Sets are their members in order, arrays are flat.
import type { BlockFacts, Facts, TypeFacts } from "./facts";

export type Value = null | number | string | Value[];
type Scalar = Extract<TypeFacts, { kind: "scalar" }>;

export class Values {
  constructor(readonly facts: Facts) {}

  type(number: number): TypeFacts { return this.facts.types[number]!; }

  scalar(number: number): Scalar {
    const type = this.type(number);
    return type.kind === "option" ? this.scalar(type.inner) : (type as Scalar);
  }

  words(number: number): number {
    const type = this.type(number);
    if (type.kind === "set") return Math.ceil(this.scalar(type.inner).size / 64);
    if (type.kind === "sequence") return type.most;
    return type.kind === "array" ? this.length(type.indices) * this.words(type.inner) : 1;
  }

  private length(indices: number[]): number {
    return indices.reduce((length, index) => length * this.scalar(index).size, 1);
  }

  /** The value that begins at a word; a real stands in `reals` at the same place. */
  decode(number: number, words: BigInt64Array, at: number, reals?: Float64Array): Value {
    const type = this.type(number);
    switch (type.kind) {
      case "scalar": return Number(words[at]!);
      case "option": return Number(words[at]!) === this.scalar(type.inner).low - 1 ? null : Number(words[at]!);
      case "set": {
        const { low, size } = this.scalar(type.inner);
        const members: number[] = [];
        for (let place = 0; place < size; place++) if ((words[at + (place >> 6)]! >> BigInt(place & 63)) & 1n) members.push(low + place);
        return members;
      }
      case "array": {
        const step = this.words(type.inner);
        return Array.from({ length: this.length(type.indices) }, (_, index) => this.decode(type.inner, words, at + step * index, reals));
      }
      case "sequence": return Array.from({ length: type.most }, (_, place) => this.decode(type.inner, words, at + place)).filter((item) => item !== null);
      case "real": return reals![at]!;
      case "text": return this.facts.texts[Number(words[at]!)]!;
      case "move": return words[at]! < 0n ? null : this.actionText(words[at]!);
    }
  }

  scalarText(number: number, code: number): string {
    const { texts, low } = this.scalar(number);
    return texts ? texts[code - low] ?? String(code) : String(code);
  }

  /** A scalar as what is on the screen is called: `TYPE:text`. */
  meaning(number: number, code: number): string { return `${this.scalar(number).name}:${this.scalarText(number, code)}`; }

  /** The codes of indices, in the order of an array's elements. */
  keys(indices: number[]): number[][] {
    return indices.reduce<number[][]>((keys, index) => {
      const { low, size } = this.scalar(index);
      return keys.flatMap((key) => Array.from({ length: size }, (_, place) => [...key, low + place]));
    }, [[]]);
  }

  keyText(indices: number[], key: number[], between: string): string {
    return key.map((code, place) => this.scalarText(indices[place]!, code)).join(between);
  }

  /** A value beside a board: `b3`, `none`, `{1, 4}`, `[red: 2, blue: none]`; of a set with all members, `all`. */
  text(number: number, value: Value): string {
    if (value === null) return "none";
    const type = this.type(number);
    if (type.kind === "set") {
      const members = value as number[];
      return members.length === this.scalar(type.inner).size && members.length > 1 ? "all" : `{${members.map((code) => this.scalarText(type.inner, code)).join(", ")}}`;
    }
    if (type.kind === "array") {
      const entries = value as Value[];
      return `[${this.keys(type.indices).map((key, place) => `${this.keyText(type.indices, key, ",")}: ${this.text(type.inner, entries[place]!)}`).join(", ")}]`;
    }
    if (type.kind === "sequence") return `[${(value as Value[]).map((item) => this.text(type.inner, item)).join(", ")}]`;
    if (type.kind === "real") return general(value as number);
    return typeof value === "string" ? value : this.scalarText(number, value as number);
  }

  /** A value in an observation, as people read it. */
  observed(number: number, value: Value): string {
    if (value === null) return "none";
    const type = this.type(number);
    if (type.kind === "set") return `{${(value as number[]).map((code) => this.scalarText(type.inner, code)).join(", ")}}`;
    if (type.kind === "array") {
      const texts = (value as Value[]).map((entry) => this.observed(type.inner, entry));
      const colon = type.indices.length > 1 ? ":" : "";
      return this.keys(type.indices).map((key, place) => `${this.keyText(type.indices, key, " ")}${colon} ${texts[place]}`).join(", ");
    }
    return typeof value === "string" ? value : this.scalarText(number, value as number);
  }

  /** The words of an observation in words. */
  observation(words: BigInt64Array): string {
    const told: { label: string; index: string; text: string }[] = [];
    for (let at = 0; at < words.length;) {
      const { label, index, type } = this.facts.headings[Number(words[at]!)]!;
      told.push({ label, index, text: this.observed(type, this.decode(type, words, at + 1)) });
      at += 1 + this.words(type);
    }
    const isShared = (label: string) => told.filter((other) => other.label === label).length > 1;
    const names = told.map(({ label, index }) => (label && index && isShared(label) ? `${label} ${index}` : label));
    const areLetters = names.every((name) => name.length === 1);  // such as of a card that was drawn: the values stand alone
    return told.map(({ text }, place) => (areLetters || !names[place] || names[place] === `"${text}"` ? text : `${names[place]}: ${text}`)).join(", ");
  }

  // --- actions and chance outcomes ------------------------------------------------------------------------------------

  /** The positions of the components in a block's own types. */
  positions(block: BlockFacts, action: bigint): number[] {
    let left = action - BigInt(block.base);
    const found: number[] = [];
    for (const type of [...block.types].reverse()) {
      const size = BigInt(this.scalar(type).size);
      found.unshift(Number(left % size) + this.scalar(type).low);
      left /= size;
    }
    return found;
  }

  /** The number of an action or outcome with these positions of its components. */
  numberOf(block: BlockFacts, positions: number[]): bigint {
    return positions.reduce((number, position, place) => {
      const { low, size } = this.scalar(block.types[place]!);
      return number * BigInt(size) + BigInt(position - low);
    }, 0n) + BigInt(block.base);
  }

  private has(block: BlockFacts, action: bigint): boolean {
    const first = BigInt(block.base);
    const count = block.types.reduce((product, type) => product * BigInt(this.scalar(type).size), 1n);
    return action >= first && action < first + count;
  }

  private blockText(block: BlockFacts, action: bigint): string {
    const values = this.positions(block, action).map((code, place) => this.scalarText(block.types[place]!, code));
    return [...(block.word ? [block.word] : []), ...values].join(" ");
  }

  actionText(action: bigint): string { return this.blockText(this.choices().find((block) => this.has(block, action))!, action); }

  private choices(): BlockFacts[] { return this.facts.phases.flatMap(({ choices }) => choices.map((number) => this.facts.blocks[number]!)); }

  outcomeText(outcome: bigint, phase: number): string { return this.blockText(this.facts.blocks[this.facts.phases[phase]!.draws!]!, outcome); }

  /** The components of an action of a phase: name, type and text of each. */
  parts(action: bigint, phase: number): [string, string, string][] {
    const block = this.facts.phases[phase]!.choices.map((number) => this.facts.blocks[number]!).find((one) => this.has(one, action))!;
    return this.positions(block, action).map((position, place) => {
      const [name, type, called] = block.components[place]!;
      const places = block.places[place];
      const code = places ? places.indexOf(position) + this.scalar(type).low : position;
      return [name, called, this.scalarText(type, code)];
    });
  }
}

/** A real with six digits, as Python's `%g` writes it. */
export function general(value: number): string {
  if (value === 0 || !Number.isFinite(value)) return value === 0 ? "0" : String(value).replace("Infinity", "inf").replace("NaN", "nan");
  const [digits, exponent] = value.toExponential(5).split("e") as [string, string];
  const power = Number(exponent);
  const plain = (text: string) => (text.includes(".") ? text.replace(/\.?0+$/, "") : text);
  if (power >= -4 && power < 6) return plain(value.toFixed(5 - power));
  return `${plain(digits)}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
}
