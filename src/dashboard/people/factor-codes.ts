import { createHash, randomBytes, randomInt } from "node:crypto";
import { Secret as OtpSecret, TOTP } from "otpauth";

/** What authenticator apps expect when nothing else is said: SHA-1, six digits, thirty seconds (RFC 6238). */
const periodSeconds = 30;
const codeDigits = 6;
const totpPattern = new RegExp(`^\\d{${codeDigits}}$`);
const secretBytes = 20;

/** A code works one step longer and one earlier than it is shown: clocks differ, and people type (RFC 6238 section 5.2). */
const stepsAround = 1;

const recoveryCodesCount = 10;

/** Without letters and digits that are easily confused. */
const alphabet = "abcdefghijkmnpqrstuvwxyz23456789";

/** What somebody types as their second factor. */
export type FactorCode =
  | { readonly kind: "totp"; readonly digits: string }
  | { readonly kind: "recovery"; readonly digest: Buffer };

/** In base32, as apps take it. */
export function newFactorSecret(): string {
  return new OtpSecret({ buffer: new Uint8Array(randomBytes(secretBytes)).buffer }).base32;
}

/** For the QR code. @param place names the installation in the app, so that two of them can be told apart */
export function factorUri(secret: string, { username, place }: { readonly username: string; readonly place: string }) {
  return totpOf(secret, { issuer: "Skedchange", label: `${username}@${place}` }).toString();
}

/** Returns null if it can be neither. Blanks and hyphens are typed as they are shown. */
export function readFactorCode(text: string): FactorCode | null {
  const plain = text.replaceAll(/[\s-]/g, "").toLowerCase();
  if (totpPattern.test(plain)) return { kind: "totp", digits: plain };
  return /^[a-z2-9]{16}$/.test(plain) ? { kind: "recovery", digest: digestOfRecoveryCode(plain) } : null;
}

/** The time step of a code; null if the code is wrong, or of a step that was used. */
export function stepOfCode(secret: string, code: string, at: Date, lastStep: number | null): number | null {
  const timestamp = at.getTime();
  const delta = totpOf(secret).validate({ token: code, timestamp, window: stepsAround });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1_000 / periodSeconds) + delta;
  return lastStep === null || step > lastStep ? step : null;
}

/** Each stands for the app once. Sixteen characters: 80 random bits. */
export function newRecoveryCodes(): { readonly codes: readonly string[]; readonly digests: readonly Buffer[] } {
  const plain = Array.from({ length: recoveryCodesCount }, () =>
    Array.from({ length: 16 }, () => alphabet[randomInt(alphabet.length)]).join(""),
  );
  return {
    codes: plain.map((code) => code.match(/.{4}/g)!.join("-")),
    digests: plain.map(digestOfRecoveryCode),
  };
}

/** SHA-256: a code of 80 random bits needs no slow hash. */
function digestOfRecoveryCode(plain: string): Buffer {
  return createHash("sha256").update(plain, "utf8").digest();
}

function totpOf(secret: string, label: { readonly issuer?: string; readonly label?: string } = {}): TOTP {
  return new TOTP({
    ...label,
    algorithm: "SHA1",
    digits: codeDigits,
    period: periodSeconds,
    secret: OtpSecret.fromBase32(secret),
  });
}
