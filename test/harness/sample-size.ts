/**
 * How many cases a test tries that could try very many: a sample in `npm test`, all of them in `npm run test:proof`. Files
 * that ask are named `*.exhaustive.test.ts`, and both commands run them.
 */
export function sampleSize({ quick, proof }: { readonly quick: number; readonly proof: number }): number {
  return process.env["TEST_PROOF"] === "1" ? proof : quick;
}
