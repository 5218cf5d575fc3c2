import type { JSONWebKeySet } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { createKeySets, type KeySetTimings } from "../../../src/receiver/key-sets.ts";
import { type IssuerKey, makeIssuerKey } from "../../harness/authorization-server.ts";

const timings: KeySetTimings = { freshMs: 600_000, usableMs: 86_400_000, cooldownMs: 30_000 };

let first: IssuerKey;
let second: IssuerKey;
beforeAll(async () => {
  [first, second] = await Promise.all([makeIssuerKey("first", "ES256"), makeIssuerKey("second", "ES256")]);
});

/** A key set behind a loader that a test turns off and on, at a time that a test moves. */
function aKeySet() {
  const state = { at: 0, loads: 0, isDown: false, keys: [first] };
  const load = async (): Promise<JSONWebKeySet> => {
    state.loads += 1;
    if (state.isDown) throw new Error("down");
    return { keys: state.keys.map(({ publicJwk }) => publicJwk) };
  };
  const keySets = createKeySets(load, { now: () => new Date(state.at) }, timings);
  return { state, find: async (kid: string) => (await keySets.find({ alg: "ES256", kid })).outcome };
}

describe("a key set", () => {
  test("is loaded once for many tokens at once, and then used", async () => {
    const { state, find } = aKeySet();

    expect(await Promise.all(Array.from({ length: 20 }, () => find("first")))).toEqual(Array(20).fill("found"));
    state.at = timings.freshMs - 1;
    expect(await find("first")).toBe("found");

    expect(state.loads).toBe(1);
  });

  test("is loaded again when it is no longer fresh, and forgets what was withdrawn", async () => {
    const { state, find } = aKeySet();
    await find("first");

    state.keys = [second];
    state.at = timings.freshMs;

    expect(await find("first")).toBe("none");
    expect(await find("second")).toBe("found");
  });

  test("is loaded again for a key id that it does not hold, once in a cooldown", async () => {
    const { state, find } = aKeySet();
    await find("first");
    state.keys = [first, second];

    state.at = timings.cooldownMs - 1;
    expect(await find("second")).toBe("none");
    state.at = timings.cooldownMs;
    expect(await find("second")).toBe("found");
    for (const kid of ["a", "b", "c"]) expect(await find(kid)).toBe("none");

    expect(state.loads).toBe(2);
  });

  test("goes on being used while it cannot be loaded, and reports an unknown key as undecided", async () => {
    const { state, find } = aKeySet();
    await find("first");

    state.isDown = true;
    state.at = timings.freshMs;
    expect(await find("first")).toBe("found");
    expect(await find("second")).toBe("unavailable");
    expect(state.loads).toBe(2);

    state.at = timings.usableMs - 1;
    expect(await find("first")).toBe("found");
    state.at = timings.usableMs;
    expect(await find("first")).toBe("unavailable");
  });

  test("that was never loaded is unavailable, and is asked for once in a cooldown", async () => {
    const { state, find } = aKeySet();
    state.isDown = true;

    for (const at of [0, 1, timings.cooldownMs - 1]) {
      state.at = at;
      expect(await find("first")).toBe("unavailable");
    }
    expect(state.loads).toBe(1);

    state.isDown = false;
    state.at = timings.cooldownMs;
    expect(await find("first")).toBe("found");
  });
});
