import { expect, test } from "vitest";
import { createProgressBar } from "../../../src/cli/progress-bar.ts";

test("a progress bar shows what is done on the standard error of its terminal, and removes itself at the end", () => {
  const { stderr, printed } = errorOutput(true);
  const bar = createProgressBar({ stderr }, "{value} of {total} orders");

  bar.update(1, 3);
  expect(printed()).toContain("1 of 3 orders");
  bar.update(3, 3);
  expect(printed().endsWith("\u001b[2K")).toBe(true);
});

test("a progress bar begins again after its end, as for a file that is read twice", () => {
  const { stderr, printed } = errorOutput(true);
  const bar = createProgressBar({ stderr }, "{value} of {total} bytes");

  bar.update(7, 7);
  expect(printed()).toBe("");
  bar.update(2, 7);
  expect(printed()).toContain("2 of 7 bytes");
  bar.stop();
});

test("a progress bar writes nothing where standard error is no terminal", () => {
  const { stderr, printed } = errorOutput(false);
  const bar = createProgressBar({ stderr }, "{value} of {total}");

  bar.update(1, 3);
  bar.stop();

  expect(printed()).toBe("");
});

function errorOutput(isTTY: boolean) {
  let text = "";
  const write = (more: string) => {
    text += more;
  };
  return { stderr: { write, isTTY, columns: 80 }, printed: () => text };
}
