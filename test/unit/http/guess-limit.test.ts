import { describe, expect, test } from "@jest/globals";
import { createGuessLimit } from "../../../src/http/guess-limit.ts";

function aLimit(wrongPerMinute: number) {
  let now = new Date("2026-11-21T09:00:00Z");
  const limit = createGuessLimit(wrongPerMinute, { now: () => now });
  return {
    ...limit,
    waitSecondsLater: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1_000);
    },
  };
}

const [network, other] = ["192.0.2.7", "192.0.2.8"];

describe("the limit of wrong credentials", () => {
  test("refuses a network after as many as it may send in a minute, and lets it try again afterwards", () => {
    const limit = aLimit(2);
    limit.record(network, "wrong 1", false);
    expect(limit.waitSeconds(network, "another")).toBeNull();
    limit.record(network, "wrong 2", false);

    expect(limit.waitSeconds(network, "another")).toBe(60);
    expect(limit.waitSeconds(other, "another")).toBeNull();
    limit.waitSecondsLater(59);
    expect(limit.waitSeconds(network, "another")).toBe(1);
    limit.waitSecondsLater(1);
    expect(limit.waitSeconds(network, "another")).toBeNull();
  });

  test("never refuses a credential that was right, whatever its network sends beside it", () => {
    const limit = aLimit(1);
    limit.record(network, "right", true);
    limit.record(network, "wrong", false);

    expect(limit.waitSeconds(network, "right")).toBeNull();
    expect(limit.waitSeconds(network, "unknown")).toBe(60);
  });

  test("does not count a session that has ended as a guess", () => {
    const limit = aLimit(1);
    limit.record(network, "session", true);
    limit.record(network, "session", false);

    expect(limit.waitSeconds(network, "unknown")).toBeNull();
  });
});
