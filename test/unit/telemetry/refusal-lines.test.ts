import { expect, test, vi } from "vitest";
import { createRefusalLines } from "../../../src/telemetry/refusal-lines.ts";

function someLines() {
  const lines: { message: string; fields: object }[] = [];
  let nowMs = Date.parse("2026-12-01T10:00:00Z");
  const logger = { warn: (fields: object, message: string) => void lines.push({ fields, message }) };
  const write = createRefusalLines(logger, { now: () => new Date(nowMs) });
  const refuse = (address: string, count: number): void => {
    for (let index = 0; index < count; index += 1) write({ address, path: "/ocn" }, "request.refused");
  };
  const wait = (seconds: number): void => {
    nowMs += seconds * 1_000;
  };
  return { lines, refuse, wait };
}

test("of each network a hundred refusals a minute are logged, and those of others as well", () => {
  const { lines, refuse, wait } = someLines();
  refuse("192.0.2.7", 101);
  refuse("2001:db8::1", 60);
  refuse("2001:db8::2", 60);
  expect(lines).toHaveLength(200);
  expect(lines[0]).toEqual({ fields: { address: "192.0.2.7", path: "/ocn" }, message: "request.refused" });

  wait(60);
  refuse("192.0.2.7", 1);

  expect(lines.slice(200)).toEqual([
    { fields: { network: "192.0.2.7", leftOut: 1 }, message: "refusals.left_out" },
    { fields: { address: "192.0.2.7", path: "/ocn" }, message: "request.refused" },
  ]);
});

test("what was left out is said when the minute ends, also if nobody is refused any more", () => {
  vi.useFakeTimers();
  try {
    const { lines, refuse } = someLines();
    refuse("192.0.2.7", 150);
    refuse("192.0.2.8", 1);
    vi.advanceTimersByTime(60_000);

    expect(lines.slice(101)).toEqual([{ fields: { network: "192.0.2.7", leftOut: 50 }, message: "refusals.left_out" }]);
  } finally {
    vi.useRealTimers();
  }
});
