/**
 * How many cases a test tries that could try very many: a sample in `npm test`, all of them in `npm run test:proof`. Files
 * that ask are named `*.exhaustive.test.ts`, and both commands run them.
 */
export function sampleSize({ quick, proof }: { readonly quick: number; readonly proof: number }): number {
  return process.env["TEST_PROOF"] === "1" ? proof : quick;
}

/** One in so many of the cases in `npm test`, each of them in `npm run test:proof`. */
export function* sampleOf<T>(cases: Iterable<T>, oneIn: number): Iterable<T> {
  const every = sampleSize({ quick: oneIn, proof: 1 });
  let index = 0;
  for (const item of cases) {
    if (index % every === 0) yield item;
    index += 1;
  }
}
