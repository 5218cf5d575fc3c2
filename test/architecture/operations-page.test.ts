import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCaptured } from "../unit/cli/captured-terminal.ts";

const page = readFileSync(new URL("../../docs/operations.md", import.meta.url), "utf8");

/** Every command of the page: its words, and the options that stand behind it. */
const commands = [
  ...new Set([...page.matchAll(/npx skedchange ([a-z][^`#|]*)/g)].map(([, command]) => command!.trim())),
];

test("the page has commands", () => {
  expect(commands.length).toBeGreaterThan(20);
});

test.each(commands)("skedchange %s is a command with these options", async (command) => {
  const all = command.split(/\s+/);
  const words = all.slice(
    0,
    [...all.keys()].find((at) => !/^[a-z][a-z-]*$/.test(all[at]!)),
  );
  const { exitCode, stdout } = await runCaptured([...words, "--help"]);

  expect(exitCode).toBe(0);
  expect(stdout).toMatch(new RegExp(`^Usage: skedchange ${words.join(" ")}[ |]`));
  const options = [...command.matchAll(/--[a-z-]+/g)].map(([option]) => option);
  expect(options.filter((option) => !stdout.includes(`${option} `))).toEqual([]);
});
