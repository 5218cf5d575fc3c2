import { describe, expect, test } from "vitest";
import type { CheckQueue } from "../../../src/kernel/check-queue.ts";
import { Secret } from "../../../src/kernel/secret.ts";
import { createSecretVerifier, hashSecret } from "../../../src/kernel/secret-verifier.ts";

/** Counts the checks, and lets them begin only when told to. */
function aCountingQueue(begins = true) {
  let count = 0;
  const held: (() => void)[] = [];
  const queue: CheckQueue = {
    async run(_network, check) {
      count += 1;
      if (!begins) await new Promise<void>((resolve) => held.push(resolve));
      return await check();
    },
    isProven: () => false,
  };
  return { queue, count: () => count, begin: () => held.splice(0).forEach((resolve) => resolve()) };
}

const network = "192.0.2.7";

describe("createSecretVerifier", () => {
  test("knows each of several secrets, so that they can be rotated", async () => {
    const verifier = createSecretVerifier([new Secret("old"), new Secret("new")]);

    expect(await verifier.verify("old", network)).toBe(true);
    expect(await verifier.verify("new", network)).toBe(true);
    expect(await verifier.verify("ne", network)).toBe(false);
    expect(await verifier.verify("", network)).toBe(false);
  });

  test("compares every byte: colons, blanks and Unicode count, and nothing is normalised", async () => {
    const composed = " päss:wört:🛫 ".normalize("NFC");
    const verifier = createSecretVerifier([new Secret(composed)]);

    expect(await verifier.verify(composed, network)).toBe(true);
    expect(await verifier.verify(composed.normalize("NFD"), network)).toBe(false);
    expect(await verifier.verify(composed.trim(), network)).toBe(false);
  });

  test("takes a secret as its hash", async () => {
    const hash = await hashSecret("correct horse");
    const verifier = createSecretVerifier([new Secret(hash)]);

    expect(hash).toMatch(/^scrypt\$N=16384,r=8,p=5\$[A-Za-z0-9+/]{22}==\$[A-Za-z0-9+/]{43}=$/);
    expect(await verifier.verify("correct horse", network)).toBe(true);
    expect(await verifier.verify(hash, network)).toBe(false);
  });

  test("pays scrypt once for a right candidate whose secret was given as a hash, also when many come at once", async () => {
    const { queue, count } = aCountingQueue();
    const verifier = createSecretVerifier([new Secret(await hashSecret("right"))], { queue });

    const first = await Promise.all(Array.from({ length: 200 }, () => verifier.verify("right", network)));
    const later = await verifier.verify("right", network);

    expect(first.every(Boolean)).toBe(true);
    expect(later).toBe(true);
    expect(count()).toBe(1);
  });

  test("never pays scrypt for a right candidate whose secret was given in clear", async () => {
    const { queue, count } = aCountingQueue();
    const verifier = createSecretVerifier([new Secret("right")], { queue });

    expect(await verifier.verify("right", network)).toBe(true);
    expect(count()).toBe(0);
  });

  test("never pays scrypt for a wrong candidate when no secret was given as a hash", async () => {
    const { queue, count } = aCountingQueue();
    const verifier = createSecretVerifier([new Secret("right")], { queue });

    expect(await verifier.verify("wrong", network)).toBe(false);
    expect(count()).toBe(0);
  });

  test("refuses a secret with NUL behind it, which is the same secret for scrypt", async () => {
    const hash = createSecretVerifier([new Secret(await hashSecret("right"))]);
    const clear = createSecretVerifier([new Secret("right")]);

    expect(await hash.verify("right\0", network)).toBe(false);
    expect(await clear.verify("right\0", network)).toBe(false);
  });

  test("pays scrypt once for a wrong candidate that is sent again and again", async () => {
    const { queue, count } = aCountingQueue();
    const verifier = createSecretVerifier([new Secret(await hashSecret("right"))], { queue });

    expect(await verifier.verify("wrong", network)).toBe(false);
    expect(await verifier.verify("wrong", network)).toBe(false);
    expect(count()).toBe(1);
  });

  test("lets right candidates through while wrong ones wait for their check", async () => {
    const { queue, begin } = aCountingQueue(false);
    const hash = await hashSecret("other");
    const verifier = createSecretVerifier([new Secret("right"), new Secret(hash)], { queue });
    const wrong = [1, 2, 3].map((index) => verifier.verify(`wrong ${index}`, network));

    expect(await verifier.verify("right", network)).toBe(true);

    await new Promise(setImmediate);
    begin();
    expect((await Promise.all(wrong)).some(Boolean)).toBe(false);
  });

  test.each([
    ["an empty secret", "", "A secret is empty. Set a value, or leave the setting out."],
    ["a damaged hash", "scrypt$N=16384,r=8,p=5$abc", "A secret begins like a hash but is none of ours."],
    ["a hash without its $", "scrypt=16384,r=8,p=5+abc==", "A secret begins like a hash but is none of ours."],
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
