// Links that hold a whole game: its rules, compressed, in the fragment, which browsers send to nobody.
async function piped(bytes: Uint8Array<ArrayBuffer>, through: GenericTransformStream): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(through as ReadableWritablePair<Uint8Array, BufferSource>)).arrayBuffer());
}

export async function packed(text: string): Promise<string> {
  const bytes = await piped(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join("")).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/** Return what base 64 holds, compressed. */
export function bytesOf(text: string, format: CompressionFormat): Promise<Uint8Array<ArrayBuffer>> {
  return piped(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)), new DecompressionStream(format));
}

/** Return the rules that a fragment holds; rejects where it holds none. */
export async function unpacked(fragment: string): Promise<string> {
  const bytes = await bytesOf(fragment.replace(/-/g, "+").replace(/_/g, "/"), "deflate-raw");
  return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
}

/** Return the name that a game's rules give it, empty if they give none. */
export function nameIn(text: string): string {
  return /^game\s+(\w+)/m.exec(text)?.[1] ?? "";
}
