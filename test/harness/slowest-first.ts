import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Of the proofs, those that take minutes, the slowest first. */
const slowest = [
  "upgrade/rolling-upgrade.proof.ts",
  "e2e/crash.proof.ts",
  "e2e/crash-points.proof.ts",
  "unit/contract/mutations.exhaustive.test.ts",
  "unit/app/members-of-other-trades.exhaustive.test.ts",
  "browser/desk-actions.proof.ts",
  "e2e/erased-everywhere.proof.ts",
  "e2e/runbooks.proof.ts",
  "unit/contract/operation-mutations.exhaustive.test.ts",
  "browser/dashboard.proof.ts",
  "unit/bench/automation-mix.proof.ts",
  "e2e/packed-package.proof.ts",
  "browser/keys.proof.ts",
  "e2e/restore.proof.ts",
  "e2e/one-machine.proof.ts",
];

/**
 * Begins with the slowest files, so that no worker is left with one of them when the others have ended. Vitest knows the
 * times of earlier runs, but in a clean clone there are none, and it goes by the sizes of the files.
 */
export class SlowestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const others = await super.sort(files);
    const rankOf = ({ moduleId }: TestSpecification) => {
      const rank = slowest.findIndex((file) => moduleId.endsWith(`/test/${file}`));
      return rank === -1 ? slowest.length : rank;
    };
    return others.toSorted((a, b) => rankOf(a) - rankOf(b));
  }
}
