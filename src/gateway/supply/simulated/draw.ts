// Held here, since looking a global up for each character is slow in the contexts that tests run in.
const { imul } = Math;

/**
 * A pseudo-random number in [0, 1) that depends only on the keys, on any machine; similar keys give unrelated numbers.
 */
export function draw(...keys: readonly (string | number)[]): number {
  // FNV-1a over the text, then the finalizer of MurmurHash3, which spreads similar texts.
  let hash = 0x811c9dc5;
  const text = keys.join("|");
  for (let index = 0; index < text.length; index++) {
    hash = imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** Both bounds included. */
export function drawInteger(min: number, max: number, ...keys: readonly (string | number)[]): number {
  return min + Math.floor(draw(...keys) * (max - min + 1));
}

/** Equally likely. @throws RangeError if there is none */
export function drawOne<T>(choices: readonly T[], ...keys: readonly (string | number)[]): T {
  const [first] = choices;
  if (first === undefined) throw new RangeError("There is nothing to choose from.");
  return choices[Math.floor(draw(...keys) * choices.length)] ?? first;
}
