import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { styleFor } from "../../../src/cli/style.ts";
import { formatTable } from "../../../src/cli/table.ts";
import { printCells, printJson, printLine, printLines, printProgress } from "../../../src/cli/terminal.ts";

/** Collects what is written. */
function output(isTTY: boolean) {
  let text = "";
  return { isTTY, write: (more: string) => void (text += more), text: () => text };
}

const clipboard = "\u001b]52;c;eA==\u0007";
const hostile = `FRA${clipboard}\u009b2J\r\nFAKE LINE\u007f\u202eAFR\u200b\u{e0041}\u2028x\u001b[32mgreen`;

describe("a line on a terminal", () => {
  test("is one line without any control, and without characters that nobody sees", () => {
    const stdout = output(true);

    printLine(stdout, `Order ${hostile}`);

    expect(stdout.text()).toBe("Order FRA ]52;c;eA==  2J  FAKE LINE AFR x [32mgreen\n");
  });

  test("has the codes of our own styles, around foreign text that is cleaned", () => {
    const stdout = output(true);
    const style = styleFor({ stdout, environment: {} });

    printLine(stdout, style.bold(`a ${style.bad("\u001b[2Jb")} c`));

    expect(stdout.text()).toBe("\u001b[1ma \u001b[31m [2Jb\u001b[39m c\u001b[22m\n");
  });

  test("has no code for foreign text that is written as a style is", () => {
    const stdout = output(true);
    const style = styleFor({ stdout, environment: {} });
    const marked = style.bad("text");
    const forged = marked.replaceAll(/[\w-]{16}/g, "A".repeat(16));

    printLine(stdout, forged);

    expect(forged).not.toBe(marked);
    expect(stdout.text()).not.toContain("\u001b");
  });

  test("keeps its columns and indents", () => {
    const stdout = output(false);

    printLines(stdout, ["  a   b", ""]);
    printCells(stdout, ["a\tb", "c"]);

    expect(stdout.text()).toBe("  a   b\n\na b\tc\n");
  });
});

test("a table is as wide as its cells look, whatever characters they hold", () => {
  const rows = [[`a${clipboard}\u200b\u202e\r\nb`, "1"]];

  expect(formatTable([{ title: "A" }, { title: "B" }], rows, { width: null })[1]).toBe("a ]52;c;eA== b  1");
});

test("JSON has the same value, with every character escaped that a terminal obeys or nobody sees", () => {
  const stdout = output(false);

  printJson({ stdout }, { hostile, name: "Zoë 東京" });

  expect(JSON.parse(stdout.text())).toEqual({ hostile, name: "Zoë 東京" });
  expect(stdout.text()).toContain("\\u009b2J\\r\\nFAKE LINE\\u007f\\u202eAFR\\u200b\\udb40\\udc41\\u2028x");
  expect(stdout.text()).toContain("Zoë 東京");
  expect(stdout.text()).toMatch(/^[^\p{C}]*(?:\n[^\p{C}]*)*\n$/u);
});

test("progress is shown on a terminal only", () => {
  const [screen, pipe] = [output(true), output(false)];

  printProgress({ stderr: screen }, "5 links\r\n checked");
  printProgress({ stderr: pipe }, "5 links checked");

  expect(screen.text()).toBe("\r5 links   checked\u001b[K");
  expect(pipe.text()).toBe("");
});

/** Whatever a command prints goes through the functions that clean it. */
test("only one file of the command line writes", () => {
  const folder = new URL("../../../src/cli/", import.meta.url);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  const writers = files.filter((name) => /\.write\(|\bconsole\./.test(readFileSync(new URL(name, folder), "utf8")));

  expect(files.length).toBeGreaterThan(50);
  expect(writers).toEqual(["terminal.ts"]);
});
