import { expect, test } from "vitest";
import { Secret } from "../../../src/kernel/secret.ts";
import { hashSecret } from "../../../src/kernel/secret-verifier.ts";
import { createClientAuthentication } from "../../../src/receiver/token-endpoint/client-authentication.ts";

test("a client that has no secret is refused as slowly as one that does not exist, so that the time does not reveal which ids exist", async () => {
  const authenticate = createClientAuthentication({
    sources: [
      {
        name: "acme",
        acknowledgeUnusable: false,
        authentication: [
          {
            kind: "oauth",
            accessTokens: null,
            clients: {
              clients: [
                { id: "signer", secrets: [], publicKeys: [{ kty: "EC", crv: "P-256", x: "x", y: "y" }] },
                { id: "hashed", secrets: [new Secret(await hashSecret("secret"))], publicKeys: [] },
              ],
              scopes: ["ocn.push"],
              clockSkewSeconds: 0,
            },
          },
        ],
      },
    ],
    assertions: { useAssertion: async () => true },
    clock: { now: () => new Date("2026-11-21T09:00:00Z") },
    audiences: () => ["https://agency.example"],
  });
  const refusedInMs = async (clientId: string): Promise<number> => {
    const startedAt = performance.now();
    const proof = { method: "client_secret_post", clientId, secret: "guess" } as const;
    await expect(authenticate(proof, "192.0.2.7")).rejects.toMatchObject({ oauthCode: "invalid_client" });
    return performance.now() - startedAt;
  };

  const unknownMs = Math.min(await refusedInMs("nobody"), await refusedInMs("somebody"), await refusedInMs("anybody"));

  // One scrypt computation or none, which is a hundred times less.
  expect(await refusedInMs("signer")).toBeGreaterThan(unknownMs / 10);
});
