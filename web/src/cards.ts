// Playing cards by the texts of their values: `seven_of_clubs`, `heart_of_ten`, `qd`.
export const SUITS: Record<string, string> = { clubs: "♣", diamonds: "♦", hearts: "♥", spades: "♠", c: "♣", d: "♦", h: "♥", s: "♠" };
const RANKS: Record<string, string> = {
  t: "10", j: "J", q: "Q", k: "K", a: "A", jack: "J", queen: "Q", king: "K", ace: "A", knave: "J",
  two: "2", three: "3", four: "4", five: "5", six: "6", seven: "7", eight: "8", nine: "9", ten: "10", "11": "J", "12": "Q", "13": "K", "14": "A",
};

const suitOf = (word: string) => SUITS[word] ?? (word.length > 1 ? SUITS[`${word}s`] : undefined) ?? "";

/** The rank of a card, and the sign of its suit; empty where it is no playing card. */
export function playingCard(text: string): [rank: string, suit: string] {
  const parts = text.split(/_of_|(?<=^(?:[2-9tjqka]|10))(?=[cdhs]$)/);
  if (parts.length !== 2) return [text, ""];
  const [rank, suit] = suitOf(parts[0]!) ? parts.reverse() : parts;
  return [RANKS[rank!] ?? rank!, suitOf(suit!)];
}
