import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "./app-error.ts";
import { type CheckQueue, createCheckQueue } from "./check-queue.ts";
import { createFingerprint } from "./fingerprint.ts";
import { createRecentSet } from "./recent-set.ts";
import { nothingRecognised, type RecognisedCredentials } from "./recognised-credentials.ts";
import { Secret } from "./secret.ts";

/** Checks candidates without storing the secrets. */
export interface SecretVerifier {
  /**
   * Compares bytes of UTF-8 without normalising.
   * @param network of the caller, for fairness
   * @throws AppError `secret.too_many_candidates`, retryable, if too many unknown candidates wait; never for a secret
   * given in clear or one that matched before, also before a restart
   */
  verify(candidate: string, network: string): Promise<boolean>;
}

export const unusableSecret = "secret.unusable";

const emptySecret = "A secret is empty. Set a value, or leave the setting out.";

/** A wrong candidate that is sent again costs only an HMAC. */
const rememberedWrongMax = 1_000;

/** OWASP's password setting with the least memory (16 MiB). */
const cost = { N: 16_384, r: 8, p: 5 } as const;
const saltBytes = 16;
const hashBytes = 32;

/** Limits the work that a foreign hash may demand of one request. */
const scryptMemoryMax = 256 * 1024 * 1024;

const hashPattern = /^scrypt\$N=(\d{1,8}),r=(\d{1,3}),p=(\d{1,3})\$([A-Za-z0-9+/]{16,}={0,2})\$([A-Za-z0-9+/]{43}=?)$/;

interface SecretHash {
  readonly cost: { readonly N: number; readonly r: number; readonly p: number };
  readonly salt: Buffer;
  readonly hash: Buffer;
}

/**
 * Verifies secrets in clear or hashes of `hashSecret`. Right candidates are recognised by an HMAC under a random key:
 * those in clear at once, hashed ones after their first use, or by `recognised`. With hashes, other candidates cost
 * scrypt, in turn.
 * @throws AppError `secret.unusable` for an empty secret or a malformed hash
 */
export function createSecretVerifier(
  secrets: readonly Secret[],
  options: { readonly queue?: CheckQueue; readonly recognised?: RecognisedCredentials } = {},
): SecretVerifier {
  const { queue = sharedQueue, recognised = nothingRecognised } = options;
  const fingerprintOf = createFingerprint();
  const texts = secrets.map((secret) => secret.reveal());
  if (texts.includes("")) throw new AppError(unusableSecret, emptySecret);
  const hashTexts = texts.filter(isHash);
  const hashes = hashTexts.map(parseHash);
  const right = texts.filter((text) => !isHash(text)).map(fingerprintOf);
  const wrong = createRecentSet(rememberedWrongMax);
  const beingChecked = new Map<string, Promise<boolean>>();

  const check = async (candidate: string, fingerprint: Buffer, network: string): Promise<boolean> => {
    const known = await Promise.all(hashTexts.map((hash) => recognised.includes(hash, candidate)));
    const matching = known.includes(true)
      ? null
      : await queue.run(
          network,
          () => findMatchingHash(candidate, hashes),
          (found) => found !== -1,
        );
    if (matching === -1) wrong.add(fingerprint.toString("base64"));
    else right.push(fingerprint);
    if (matching !== null && matching !== -1) recognised.add(hashTexts[matching]!, candidate);
    return matching !== -1;
  };

  return {
    async verify(candidate, network) {
      // scrypt pads its key with NUL, so `secret` and `secret\0` would be the same.
      if (candidate === "" || candidate.includes("\0")) return false;
      const fingerprint = fingerprintOf(candidate);
      if (includesFingerprint(right, fingerprint)) return true;
      const name = fingerprint.toString("base64");
      if (hashes.length === 0 || wrong.has(name)) return false;
      let checking = beingChecked.get(name);
      if (checking === undefined) {
        checking = check(candidate, fingerprint, network).finally(() => beingChecked.delete(name));
        beingChecked.set(name, checking);
      }
      return await checking;
    },
  };
}

/**
 * `scrypt$N=16384,r=8,p=5$<salt>$<hash>` (base64), for settings.
 * @throws AppError `secret.unusable` if the text is empty
 */
export async function hashSecret(text: string): Promise<string> {
  if (text === "") throw new AppError(unusableSecret, emptySecret);
  const salt = randomBytes(saltBytes);
  const hash = await deriveHash(text, { cost, salt });
  return writeHash(salt, hash);
}

function writeHash(salt: Buffer, hash: Buffer): string {
  return `scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

/** Returns a secret that nobody knows, whose check takes as long as that of a hash or of a secret in clear. */
export function unknownSecret(kind: "hash" | "clear"): Secret {
  const text = randomBytes(hashBytes).toString("base64");
  return new Secret(kind === "clear" ? text : writeHash(randomBytes(saltBytes), randomBytes(hashBytes)));
}

/** One at a time: a flood of wrong candidates takes one core at most, and one of the four threads of the pool. */
const sharedQueue = createCheckQueue({ running: 1, waiting: 64 });

/** Whether a setting gives the secret as its hash. */
export function isHashed(secret: Secret): boolean {
  return isHash(secret.reveal());
}

/** Also one that has lost its `$`, as where a file of settings is read with variables replaced: no secret begins so. */
function isHash(text: string): boolean {
  return text.startsWith("scrypt");
}

function parseHash(text: string): SecretHash {
  const [, N, r, p, salt, hash] = hashPattern.exec(text) ?? [];
  if (N === undefined || r === undefined || p === undefined || salt === undefined || hash === undefined) {
    throw new AppError(
      unusableSecret,
      "A secret begins like a hash but is none of ours. Make one with `skedchange hash-secret`, and put it into single quotes where `$` has a meaning, as in .env.",
    );
  }
  const parsed = { N: Number(N), r: Number(r), p: Number(p) };
  const isPowerOfTwo = parsed.N > 1 && Number.isInteger(Math.log2(parsed.N));
  if (!isPowerOfTwo || parsed.r < 1 || parsed.p < 1 || parsed.p > 16 || memoryOf(parsed) > scryptMemoryMax) {
    throw new AppError(
      unusableSecret,
      `A scrypt hash asks for N=${N}, r=${r}, p=${p}: N must be a power of two, p at most 16, and the memory at most 256 MiB.`,
    );
  }
  return { cost: parsed, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") };
}

function memoryOf({ N, r }: { readonly N: number; readonly r: number }): number {
  return 128 * N * r;
}

/** Compares every hash, even after a match, so that timing reveals nothing. -1 if none matches. */
async function findMatchingHash(candidate: string, hashes: readonly SecretHash[]): Promise<number> {
  let matching = -1;
  for (const [index, expected] of hashes.entries()) {
    const actual = await deriveHash(candidate, expected);
    if (timingSafeEqual(actual, expected.hash)) matching = index;
  }
  return matching;
}

function deriveHash(text: string, { cost: { N, r, p }, salt }: Pick<SecretHash, "cost" | "salt">): Promise<Buffer> {
  const options: ScryptOptions = { N, r, p, maxmem: 2 * memoryOf({ N, r }) + 1024 * 1024 };
  return new Promise((resolve, reject) => {
    scrypt(Buffer.from(text, "utf8"), salt, hashBytes, options, (error, hash) => {
      if (error === null) resolve(hash);
      else reject(error);
    });
  });
}

function includesFingerprint(fingerprints: readonly Buffer[], candidate: Buffer): boolean {
  let found = false;
  for (const fingerprint of fingerprints) {
    if (timingSafeEqual(fingerprint, candidate)) found = true;
  }
  return found;
}
