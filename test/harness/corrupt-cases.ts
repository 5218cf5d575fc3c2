import { corruptBody } from "../builders/corrupt-body.ts";
import { randomNumbers } from "../builders/random-numbers.ts";
import { sampleSize } from "./sample-size.ts";
import { withinTime } from "./within-time.ts";

/**
 * How many damaged bodies the tests of the contract read in all, and the seed of the first: a failure names the seed of
 * its body, and `MUTATIONS=1 MUTATION_SEED=<seed>` makes that body alone again.
 */
const mutations = process.env["MUTATIONS"];
const count = Number(mutations ?? sampleSize({ quick: 3_000, proof: 100_000 }));
const firstSeed = Number(process.env["MUTATION_SEED"] ?? 20_261_121);

/**
 * `npm run test:proof` reads one of these parts of the bodies, another one each day: reading all of them takes most of
 * the time of these tests. `npm run test:long` reads all.
 */
const parts = mutations === undefined ? sampleSize({ quick: 1, proof: 8 }) : 1;
const part = Math.floor(Date.now() / 86_400_000) % parts;

/** A single body takes milliseconds; on a busy machine a pause of the process may be counted in. */
const caseMs = 20_000;

const casesPerRun = 100;

/**
 * Damages bodies by seed and gives each to `check`. Fails with the seed of the body when `check` throws or takes too
 * long.
 *
 * @param share the part of all damaged bodies that are for this test.
 */
export function forCorruptBodies<Body extends { readonly text: string }>(
  bodies: readonly Body[],
  share: number,
  check: (bytes: Uint8Array, body: Body) => void,
): void {
  const size = Math.max(1, Math.round((count * share) / parts));
  let seed = firstSeed + part * size;
  const end = seed + size;
  const checkSome = (): void => {
    for (const runEnd = Math.min(end, seed + casesPerRun); seed < runEnd; seed += 1) {
      const random = randomNumbers(seed);
      const body = random.pick(bodies);
      check(corruptBody(body.text, random), body);
    }
  };
  while (seed < end) {
    try {
      withinTime(caseMs, checkSome);
    } catch (cause) {
      throw new Error(`Make this body again with MUTATIONS=1 MUTATION_SEED=${seed}: ${String(cause)}`, { cause });
    }
  }
}
