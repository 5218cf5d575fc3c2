import { randomInt } from "node:crypto";
import { Secret } from "../../kernel/secret.ts";
import { createScryptGate, createSecretVerifier, hashSecret } from "../../kernel/secret-verifier.ts";

const passwordLengthMin = 12;

/** Bounds the cost of hashing. */
const passwordLengthMax = 200;

/** The end of a sentence that begins with "The password"; null if it is good enough. */
export function describePasswordProblem(password: string, username: string): string | null {
  const length = [...password].length;
  if (length < passwordLengthMin) return `must have at least ${passwordLengthMin} characters`;
  if (length > passwordLengthMax) return `must have at most ${passwordLengthMax} characters`;
  if (new Set(password).size < 4) return "must not repeat the same few characters";
  const isOnlyTheName = password.toLowerCase().replaceAll(username.toLowerCase(), "").length < passwordLengthMin / 2;
  return isOnlyTheName ? "must not be made of the user name" : null;
}

/** Normalizes to Unicode NFC, because keyboards differ in how they enter the same letter. */
export function hashPassword(password: string): Promise<string> {
  return hashSecret(password.normalize("NFC"));
}

/**
 * Separate from the gate for credentials of gateways, so that a flood of wrong ones there does not keep people out. One at
 * a time, because the thread pool has four threads and the other gate takes two.
 */
const passwordGate = createScryptGate({ running: 1, waiting: 64 });

/** Takes as long for a wrong password as for the right one. @throws AppError `secret.too_many_candidates`, retryable */
export function isPasswordOf(hash: string, password: string): Promise<boolean> {
  // A new verifier has no cache, so a repeated password takes as long as a new one.
  const verifier = createSecretVerifier([new Secret(hash)], passwordGate);
  return verifier.verify(password.normalize("NFC"));
}

/** Without letters and digits that are easily confused. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** Four groups of five characters: 100 random bits. */
export function generatePassword(): string {
  const group = (): string => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}
