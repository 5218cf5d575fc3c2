import { beforeAll, describe, expect, test } from "vitest";
import { examples } from "../../../src/cli/examples.ts";
import { createProgram, leavesOf } from "../../../src/cli/run-cli.ts";
import { runCaptured } from "./captured-terminal.ts";

let leaves: ReturnType<typeof leavesOf>;

beforeAll(async () => {
  const output = { write: () => true };
  leaves = leavesOf(
    await createProgram(undefined, { environment: {}, stdout: output, stderr: output } as never, () => {}),
  );
});

const paths = () => leaves.map(({ path }) => path).toSorted();

describe("every command", () => {
  // That each one runs: test/e2e/command-line.
  test("has an example in its help, and nothing else has one", () => {
    expect(Object.keys(examples).toSorted()).toEqual(paths());
  });

  test("prints its example at the end of its help", async () => {
    expect((await runCaptured(["cases", "--help"])).stdout).toMatch(
      /\n\nExample:\n {2}npx skedchange cases --state awaiting-agent --limit 20\n$/,
    );
  });

  test("has --json, unless its output is for a program already", () => {
    const lacking = leaves.filter(({ command }) => !command.options.some(({ long }) => long === "--json"));

    // Their output is a secret, a script, a file or a stream, or they run a server.
    const withoutJson = ["serve", "sandbox", "hash-secret", "keys new", "completion", "audit export"];
    expect(lacking.map(({ path }) => path).toSorted()).toEqual(withoutJson.toSorted());
  });
});
