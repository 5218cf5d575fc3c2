import { expect, test, vi } from "vitest";
import { hashPassword, isPasswordOf } from "../../../../src/dashboard/people/password.ts";
import { Secret } from "../../../../src/kernel/secret.ts";
import { createSecretVerifier, hashSecret } from "../../../../src/kernel/secret-verifier.ts";

// 66 of the guesses are computed, each a quarter of a second of a core, on a machine that may be busy.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

test("a password is checked while unauthenticated callers occupy everything that checks other credentials", async () => {
  const hash = await hashPassword("contraseña de María");
  const ofGateways = createSecretVerifier([new Secret(await hashSecret("s3cret"))]);
  const flood = Array.from({ length: 100 }, (_, index) => ofGateways.verify(`guess ${index}`, "192.0.2.7"));
  const flooded = Promise.allSettled(flood);

  expect(await isPasswordOf(hash, "contraseña de María", "192.0.2.8")).toBe(true);
  expect((await flooded).some(({ status }) => status === "rejected")).toBe(true);
});
