import { EncryptJWT, errors, jwtDecrypt } from "jose";
import type { Clock } from "../../kernel/clock.ts";
import { deriveKey, type EncryptionKey } from "../../kernel/encryption-keys.ts";
import type { PendingSignIn } from "./identity-provider.ts";

/** What the browser carries to the identity provider and back. */
export interface CarriedSignIn extends PendingSignIn {
  /** The page that was asked for. */
  readonly to: string;
}

export const pendingSignInSeconds = 600;

/**
 * Encrypts pending sign-ins for a cookie, so that nothing is stored and any process can go on with one.
 *
 * @param keys ENCRYPTION_KEYS; keys for this purpose alone are derived from them
 */
export function createPendingSignIns(keys: readonly EncryptionKey[], clock: Clock) {
  const derived = new Map(keys.map(({ id, key }) => [id, deriveKey(key, "skedchange pending sign-in")]));
  const [first] = derived;
  return {
    async encrypt(carried: CarriedSignIn): Promise<string> {
      const [kid, key] = first!;
      return await new EncryptJWT({ ...carried })
        .setProtectedHeader({ alg: "dir", enc: "A256GCM", kid })
        .setExpirationTime(Math.floor(clock.now().getTime() / 1_000) + pendingSignInSeconds)
        .encrypt(key);
    },

    /** Null if it was not encrypted here, or has expired. */
    async decrypt(text: string): Promise<CarriedSignIn | null> {
      const key = ({ kid }: { readonly kid?: string }): Uint8Array => {
        const found = derived.get(kid ?? "");
        if (found === undefined) throw new errors.JWKSNoMatchingKey();
        return found;
      };
      const options = {
        currentDate: clock.now(),
        keyManagementAlgorithms: ["dir"],
        contentEncryptionAlgorithms: ["A256GCM"],
        requiredClaims: ["exp"],
      };
      try {
        const { payload } = await jwtDecrypt<CarriedSignIn>(text, key, options);
        return payload;
      } catch (error) {
        if (error instanceof errors.JOSEError) return null;
        throw error;
      }
    },
  };
}
