import { Socket } from "node:net";
import { beforeEach, describe, expect, test } from "vitest";
import { createRefusalDelay, type RefusalDelay } from "../../../src/http/refusal-delay.ts";

let refusalDelayMs: RefusalDelay;
beforeEach(() => {
  refusalDelayMs = createRefusalDelay();
});

/** Refuses so many requests of one connection; returns the delay of the last. */
function refuse(socket: Socket, times: number, now: number): number {
  let delayMs = 0;
  for (let time = 0; time < times; time += 1) delayMs = refusalDelayMs(socket, 401, now);
  return delayMs;
}

describe("the delay of refusals", () => {
  test("begins with the sixth within ten seconds on one connection", () => {
    const socket = new Socket();
    expect(refuse(socket, 5, 0)).toBe(0);
    expect(refusalDelayMs(socket, 429, 10_000)).toBe(1_000);
  });

  test("begins with the fifty-first within a second on all connections", () => {
    for (let connection = 0; connection < 25; connection += 1) expect(refuse(new Socket(), 2, 0)).toBe(0);

    expect(refuse(new Socket(), 1, 1_000)).toBe(1_000);
    expect(refuse(new Socket(), 1, 1_001)).toBe(0);
  });

  test("counts every connection for itself", () => {
    refuse(new Socket(), 6, 0);
    expect(refuse(new Socket(), 5, 0)).toBe(0);
  });

  test("ends when ten seconds have passed", () => {
    const socket = new Socket();
    refuse(socket, 6, 0);
    expect(refusalDelayMs(socket, 401, 10_001)).toBe(0);
  });

  test("spares responses that refuse no credentials and no excess", () => {
    const socket = new Socket();
    refuse(socket, 6, 0);
    expect(refusalDelayMs(socket, 404, 0)).toBe(0);
    expect(refusalDelayMs(null, 401, 0)).toBe(0);
  });
});
