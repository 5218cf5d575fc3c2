import { randomBytes } from "node:crypto";

const poolBytes = 4_096;

let pool = Buffer.alloc(0);
let used = 0;

/**
 * Random bytes of the same source as `randomBytes`, for ids and nonces, of which each notification needs several. Asking for
 * a few at a time costs the same each time, so they are fetched many at once. None is given out twice.
 *
 * Keys and tokens come from `randomBytes`: what is going to be a secret does not lie about before it is used.
 *
 * @param length at most 64
 */
export function takeRandomBytes(length: number): Buffer {
  if (used + length > pool.length) {
    // A new buffer each time, because what was given out before still points into the old one.
    pool = randomBytes(poolBytes);
    used = 0;
  }
  used += length;
  return pool.subarray(used - length, used);
}
