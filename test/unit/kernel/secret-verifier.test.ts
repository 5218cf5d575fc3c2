import { describe, expect, test } from "@jest/globals";
import { Secret } from "../../../src/kernel/secret.ts";
import {
  createScryptGate,
  createSecretVerifier,
  hashSecret,
  type ScryptGate,
} from "../../../src/kernel/secret-verifier.ts";

/** Counts what passes, and lets it pass only when told to. */
function aCountingGate(passes = true) {
  let count = 0;
  const held: (() => void)[] = [];
  const gate: ScryptGate = {
    async run(work) {
      count += 1;
      if (!passes) await new Promise<void>((resolve) => held.push(resolve));
      return await work();
    },
  };
  return { gate, count: () => count, letPass: () => held.splice(0).forEach((resolve) => resolve()) };
}

describe("createSecretVerifier", () => {
  test("knows each of several secrets, so that they can be rotated", async () => {
    const verifier = createSecretVerifier([new Secret("old"), new Secret("new")]);

    expect(await verifier.verify("old")).toBe(true);
    expect(await verifier.verify("new")).toBe(true);
    expect(await verifier.verify("ne")).toBe(false);
    expect(await verifier.verify("")).toBe(false);
  });

  test("compares every byte: colons, blanks and Unicode count, and nothing is normalised", async () => {
    const composed = " päss:wört:🛫 ".normalize("NFC");
    const verifier = createSecretVerifier([new Secret(composed)]);

    expect(await verifier.verify(composed)).toBe(true);
    expect(await verifier.verify(composed.normalize("NFD"))).toBe(false);
    expect(await verifier.verify(composed.trim())).toBe(false);
  });

  test("takes a secret as its hash", async () => {
    const hash = await hashSecret("correct horse");
    const verifier = createSecretVerifier([new Secret(hash)]);

    expect(hash).toMatch(/^scrypt\$N=16384,r=8,p=5\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(await verifier.verify("correct horse")).toBe(true);
    expect(await verifier.verify(hash)).toBe(false);
  });

  test("pays scrypt once for a right candidate whose secret was given as a hash, also when many come at once", async () => {
    const { gate, count } = aCountingGate();
    const verifier = createSecretVerifier([new Secret(await hashSecret("right"))], gate);

    const first = await Promise.all(Array.from({ length: 200 }, () => verifier.verify("right")));
    const later = await verifier.verify("right");

    expect(first.every(Boolean)).toBe(true);
    expect(later).toBe(true);
    expect(count()).toBe(1);
  });

  test("never pays scrypt for a right candidate whose secret was given in clear", async () => {
    const { gate, count } = aCountingGate();
    const verifier = createSecretVerifier([new Secret("right")], gate);

    expect(await verifier.verify("right")).toBe(true);
    expect(count()).toBe(0);
  });

  test("pays scrypt once for a wrong candidate that is sent again and again", async () => {
    const { gate, count } = aCountingGate();
    const verifier = createSecretVerifier([new Secret("right")], gate);

    expect(await verifier.verify("wrong")).toBe(false);
    expect(await verifier.verify("wrong")).toBe(false);
    expect(count()).toBe(1);
  });

  test("lets right candidates through while wrong ones block everything else", async () => {
    const { gate, letPass } = aCountingGate(false);
    const verifier = createSecretVerifier([new Secret("right")], gate);
    const wrong = [1, 2, 3].map((index) => verifier.verify(`wrong ${index}`));

    expect(await verifier.verify("right")).toBe(true);

    letPass();
    expect((await Promise.all(wrong)).some(Boolean)).toBe(false);
  });

  test.each([
    ["an empty secret", "", "A secret is empty. Set a value, or leave the setting out."],
    ["a damaged hash", "scrypt$N=16384,r=8,p=5$abc", "A secret begins with 'scrypt$' but is no hash of ours."],
    [
      "a hash that would need more than 256 MiB",
      `scrypt$N=524288,r=8,p=1$${"A".repeat(22)}==$${"A".repeat(43)}=`,
      "A scrypt hash asks for N=524288, r=8, p=1",
    ],
  ])("refuses %s without showing it", (_, text, message) => {
    expect(() => createSecretVerifier([new Secret(text)])).toThrow(
      expect.objectContaining({ code: "secret.unusable", message: expect.stringContaining(message) }),
    );
  });
});

describe("createScryptGate", () => {
  test("runs and queues up to its limits and refuses the next one", async () => {
    const gate = createScryptGate({ running: 2, waiting: 1 });
    const finish: (() => void)[] = [];
    const started: number[] = [];
    const run = (id: number) =>
      gate.run(async () => {
        started.push(id);
        await new Promise<void>((resolve) => finish.push(resolve));
        return id;
      });
    const first = run(1);
    const second = run(2);
    const third = run(3);

    await expect(run(4)).rejects.toMatchObject({
      code: "secret.too_many_candidates",
      retryable: true,
      message: "Too many credentials are waiting to be checked. Try again shortly.",
    });
    expect(started).toEqual([1, 2]);

    finish.shift()?.();
    expect(await first).toBe(1);
    await new Promise(setImmediate);
    expect(started).toEqual([1, 2, 3]);
    for (const end of finish) end();
    expect(await Promise.all([second, third])).toEqual([2, 3]);
    const fifth = run(5);
    finish.at(-1)?.();
    expect(await fifth).toBe(5);
  });
});
