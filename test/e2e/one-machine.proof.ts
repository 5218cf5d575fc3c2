import { describe, expect, test, vi } from "vitest";
import { hasCommit, lastRelease } from "../harness/pack-package.ts";
import { findPostgresPrograms, requiresPostgresPrograms } from "../harness/postgres-programs.ts";
import { followOneMachine } from "./one-machine.ts";

// It packs and installs two versions, and starts six processes one after the other.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const withPrograms = findPostgresPrograms() !== null || requiresPostgresPrograms() ? describe : describe.skip;

withPrograms("docs/one-machine.md, followed word for word (needs pg_dump, and packages from the registry)", () => {
  test("leads from nothing to a decided push, an upgrade with the data, and a restored backup", async () => {
    // An archive of the sources has no older version.
    const from = hasCommit(lastRelease) ? lastRelease : ".";
    const lines: string[] = [];

    const { secondsToDecision } = await followOneMachine(from, ".", (line) => lines.push(line)).catch(
      (error: unknown) => {
        throw new Error(lines.join("\n"), { cause: error });
      },
    );

    expect(secondsToDecision).toBeLessThan(600);
  });
});
