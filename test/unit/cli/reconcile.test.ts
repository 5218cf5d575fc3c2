import { describe, expect, test } from "vitest";
import { exitCodeOf } from "../../../src/cli/commands/reconcile.ts";
import type { InconsistencyOutcome } from "../../../src/worker/reconciliation.ts";
import { runCaptured } from "./captured-terminal.ts";

const nothing: Record<InconsistencyOutcome, number> = { found: 0, repaired: 0, "needs-person": 0 };
const proved = { examined: 3, withoutCase: 0, withoutProgress: 0 };

describe("skedchange reconcile", () => {
  test.each([
    [0, nothing, proved],
    [1, { ...nothing, repaired: 1 }, proved],
    [1, { ...nothing, found: 1 }, { ...proved, withoutCase: 1 }],
    [2, { ...nothing, repaired: 1, "needs-person": 1 }, proved],
    [2, nothing, { ...proved, withoutProgress: 1 }],
  ] as const)("ends with %d for %j, %j", (code, counts, acknowledged) => {
    expect(exitCodeOf({ counts, acknowledged, inconsistencies: [] })).toBe(code);
  });

  test("takes either a dry run or a repair", async () => {
    const { exitCode, stderr } = await runCaptured(["reconcile", "--dry-run", "--repair"]);

    expect(exitCode).toBe(2);
    expect(stderr).toContain("cannot be used with");
  });
});
