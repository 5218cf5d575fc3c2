import { randomBytes } from "node:crypto";

const poolBytes = 4_096;

const lengthMax = 64;

let pool = Buffer.alloc(0);
let used = 0;

/**
 * For ids and nonces, fetched many at once because each call costs the same; none is returned twice. Keys and tokens
 * use `randomBytes`, so that secrets do not wait in memory.
 * @throws {RangeError} for more than 64 bytes, because the pool would end before they do.
 */
export function takeRandomBytes(length: number): Buffer {
  if (length > lengthMax)
    throw new RangeError(`${length} random bytes were asked for, at most ${lengthMax} are taken.`);
  if (used + length > pool.length) {
    // A new buffer, because earlier results point into the old one.
    pool = randomBytes(poolBytes);
    used = 0;
  }
  used += length;
  return pool.subarray(used - length, used);
}
