import { describe, expect, test } from "vitest";
import { createGuessLimit } from "../../../src/http/guess-limit.ts";

const found = { user: "ann" };

function aLimit(wrongPerMinute: number) {
  let now = new Date("2026-11-21T09:00:00Z");
  const limit = createGuessLimit(wrongPerMinute, { now: () => now });
  return {
    isWrong: (network: string, credential: string) => limit.lookUp(network, credential, async () => null),
    isRight: (network: string, credential: string) => limit.lookUp(network, credential, async () => found),
    wait: (seconds: number) => {
      now = new Date(now.getTime() + seconds * 1_000);
    },
  };
}

const [network, other] = ["192.0.2.7", "192.0.2.8"];

describe("the limit of wrong credentials", () => {
  test("refuses a network after as many as it may send in a minute, and lets it try again afterwards", async () => {
    const limit = aLimit(2);
    expect(await limit.isWrong(network, "wrong 1")).toBeNull();
    expect(await limit.isWrong(network, "wrong 2")).toBeNull();

    expect(await limit.isWrong(network, "wrong 3")).toEqual({ waitSeconds: 60 });
    expect(await limit.isWrong(other, "wrong 1")).toBeNull();
    limit.wait(59);
    expect(await limit.isWrong(network, "wrong 4")).toEqual({ waitSeconds: 1 });
    limit.wait(1);
    expect(await limit.isWrong(network, "wrong 5")).toBeNull();
  });

  test("takes a right credential, whatever its network sends beside it", async () => {
    const limit = aLimit(1);
    await limit.isWrong(network, "wrong");

    expect(await limit.isRight(network, "right")).toBe(found);
    expect(await limit.isWrong(network, "unknown")).toEqual({ waitSeconds: 60 });
  });

  test("does not count a session that has ended as a guess", async () => {
    const limit = aLimit(1);
    await limit.isRight(network, "session");
    expect(await limit.isWrong(network, "session")).toBeNull();

    expect(await limit.isWrong(network, "unknown")).toBeNull();
    expect(await limit.isWrong(network, "unknown")).toEqual({ waitSeconds: 60 });
  });

  test("of a network that has sent too many looks four up at a time, and the last one first", async () => {
    const limit = createGuessLimit(1, { now: () => new Date("2026-11-21T09:00:00Z") });
    await limit.lookUp(network, "wrong", async () => null);
    const started: string[] = [];
    const ends: (() => void)[] = [];
    const lookUps = ["1", "2", "3", "4", "5", "right"].map((name) =>
      limit.lookUp(network, name, () => {
        started.push(name);
        return new Promise<typeof found | null>((resolve) => ends.push(() => resolve(name === "right" ? found : null)));
      }),
    );
    await new Promise(setImmediate);
    expect(started).toEqual(["1", "2", "3", "4"]);

    ends[0]!();
    await new Promise(setImmediate);
    expect(started.at(-1)).toBe("right");
    for (const end of ends) end();
    await new Promise(setImmediate);
    for (const end of ends) end();
    expect((await Promise.all(lookUps)).at(-1)).toBe(found);
  });
});
