import { calculateJwkThumbprint, exportJWK, generateKeyPair } from "jose";
import { Secret } from "../../kernel/secret.ts";
import type { NewSigningKey } from "../ports.ts";
import { clockSkewSecondsMax } from "../ways/oauth.ts";

export const tokenLifetimeSeconds = 10 * 60;

/** The last token's lifetime, the largest clock skew of the settings, and a minute for a process that is signing. */
export const retiredKeyPublishedMs = (tokenLifetimeSeconds + clockSkewSecondsMax + 60) * 1_000;

/** ECDSA on P-256 has the shortest signatures that every JWT library verifies. */
export async function makeSigningKey(createdAt: Date): Promise<NewSigningKey> {
  const { publicKey, privateKey } = await generateKeyPair("ES256", { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    kid,
    algorithm: "ES256",
    publicJwk: { ...publicJwk, kid, use: "sig", alg: "ES256" },
    privateJwk: new Secret(JSON.stringify(await exportJWK(privateKey))),
    createdAt,
  };
}
