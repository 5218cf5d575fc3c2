import { randomInt } from "node:crypto";
import { createCheckQueue } from "../../kernel/check-queue.ts";
import { Secret } from "../../kernel/secret.ts";
import { createSecretVerifier, hashSecret } from "../../kernel/secret-verifier.ts";
import { isGuessablePassword, isRepetition } from "./guessable-password.ts";

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
  if (isOnlyTheName) return "must not be made of the user name";
  if (isRepetition(password)) return "must not be the same text again and again";
  return isGuessablePassword(password, username)
    ? "must not be made of common words, names, years, or sequences such as 1234 and qwerty"
    : null;
}

/** Whether they differ at most in case, blanks, signs that nobody sees, and how a letter is written. */
export function isSamePassword(one: string, other: string): boolean {
  return withoutSpelling(one) === withoutSpelling(other);
}

function withoutSpelling(password: string): string {
  return password
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[\s\p{Default_Ignorable_Code_Point}]/gu, "")
    .normalize("NFKC");
}

/** Normalizes to Unicode NFC, because keyboards differ in how they enter the same letter. */
export function hashPassword(password: string): Promise<string> {
  return hashSecret(password.normalize("NFC"));
}

/** Not the queue of gateways' credentials, so that a flood of those keeps nobody from signing in. */
const passwordQueue = createCheckQueue({ running: 1, waiting: 64 });

/**
 * Takes as long for a wrong password as for the right one.
 * @param network of the caller, for fairness
 * @throws AppError `secret.too_many_candidates`, retryable
 */
export function isPasswordOf(hash: string, password: string, network: string): Promise<boolean> {
  // A new verifier has no cache, so a repeated password takes as long as a new one.
  const verifier = createSecretVerifier([new Secret(hash)], { queue: passwordQueue });
  return verifier.verify(password.normalize("NFC"), network);
}

/** Without letters and digits that are easily confused. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** Four groups of five characters: 100 random bits. */
export function generatePassword(): string {
  const group = (): string => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join("");
  return [group(), group(), group(), group()].join("-");
}
