/**
 * A number from 0 up to 1 that depends on nothing but its keys: the same keys give the same number on every machine, and
 * keys that differ a little give numbers that have nothing to do with each other. It is what chance is in the simulated
 * world.
 */
export function draw(...keys: readonly (string | number)[]): number {
  // FNV-1a over the text, then the finishing steps of MurmurHash3, which spread neighbouring texts over all bits.
  let hash = 0x811c9dc5;
  const text = keys.join("|");
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

/** A whole number from `min` to `max`, both included. */
export function drawInteger(min: number, max: number, ...keys: readonly (string | number)[]): number {
  return min + Math.floor(draw(...keys) * (max - min + 1));
}

/** One of the choices, each as likely as the others. @throws RangeError when there is none */
export function drawOne<T>(choices: readonly T[], ...keys: readonly (string | number)[]): T {
  const [first] = choices;
  if (first === undefined) throw new RangeError("There is nothing to choose from.");
  return choices[Math.floor(draw(...keys) * choices.length)] ?? first;
}
