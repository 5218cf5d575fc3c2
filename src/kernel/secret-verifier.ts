import { createHmac, randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from "node:crypto";
import { AppError } from "./app-error.ts";
import type { Secret } from "./secret.ts";

/** Checks candidates without storing the secrets. */
export interface SecretVerifier {
  /**
   * Compares bytes of UTF-8 without normalising.
   * @throws AppError `secret.too_many_candidates`, retryable, if too many unknown candidates wait; never for a secret
   * given in clear or one that matched before
   */
  verify(candidate: string): Promise<boolean>;
}

export const tooManyCandidates = "secret.too_many_candidates";

export const unusableSecret = "secret.unusable";

const emptySecret = "A secret is empty. Set a value, or leave the setting out.";

export interface ScryptGate {
  run<T>(work: () => Promise<T>): Promise<T>;
}

/** A cached wrong candidate costs only an HMAC when it is sent again. */
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
 * those in clear at once, hashed ones after their first use. Others cost scrypt per secret, a few at a time, so a flood
 * of wrong ones delays nobody and guessing is slow.
 * @throws AppError `secret.unusable` for an empty secret or a malformed hash
 */
export function createSecretVerifier(secrets: readonly Secret[], gate: ScryptGate = processGate): SecretVerifier {
  const key = randomBytes(32);
  const fingerprintOf = (text: string): Buffer => createHmac("sha256", key).update(text, "utf8").digest();
  const texts = secrets.map((secret) => secret.reveal());
  if (texts.includes("")) throw new AppError(unusableSecret, emptySecret);
  const hashes = texts.map((text) => (isHash(text) ? parseHash(text) : hashOfNothing()));
  const right = texts.filter((text) => !isHash(text)).map(fingerprintOf);
  const wrong = createRecentSet(rememberedWrongMax);
  const beingChecked = new Map<string, Promise<boolean>>();

  const check = async (candidate: string, fingerprint: Buffer): Promise<boolean> => {
    const matches = await gate.run(() => matchesAnyHash(candidate, hashes));
    if (matches) right.push(fingerprint);
    else wrong.add(fingerprint.toString("base64"));
    return matches;
  };

  return {
    async verify(candidate) {
      if (candidate === "") return false;
      const fingerprint = fingerprintOf(candidate);
      if (includesFingerprint(right, fingerprint)) return true;
      const name = fingerprint.toString("base64");
      if (wrong.has(name)) return false;
      let checking = beingChecked.get(name);
      if (checking === undefined) {
        checking = check(candidate, fingerprint).finally(() => beingChecked.delete(name));
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
  return `scrypt$N=${cost.N},r=${cost.r},p=${cost.p}$${salt.toString("base64")}$${hash.toString("base64")}`;
}

export function createScryptGate(limits: { readonly running: number; readonly waiting: number }): ScryptGate {
  let running = 0;
  const waiting: (() => void)[] = [];
  return {
    async run(work) {
      if (running >= limits.running) {
        if (waiting.length >= limits.waiting) {
          throw new AppError(tooManyCandidates, "Too many credentials are waiting to be checked. Try again shortly.", {
            retryable: true,
          });
        }
        // A finished computation passes its place on, so `running` stays unchanged.
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else {
        running += 1;
      }
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}

/** All verifiers share one pool of four threads by default; two stay free for compression and the file system. */
const processGate = createScryptGate({ running: 2, waiting: 64 });

function isHash(text: string): boolean {
  return text.startsWith("scrypt$");
}

/** The stand-in for a secret in clear: a wrong candidate costs as much as with a hash. */
function hashOfNothing(): SecretHash {
  return { cost, salt: randomBytes(saltBytes), hash: randomBytes(hashBytes) };
}

function parseHash(text: string): SecretHash {
  const [, N, r, p, salt, hash] = hashPattern.exec(text) ?? [];
  if (N === undefined || r === undefined || p === undefined || salt === undefined || hash === undefined) {
    throw new AppError(
      unusableSecret,
      "A secret begins with 'scrypt$' but is no hash of ours. Make one with `skedchange hash-secret`.",
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

/** Compares every hash, even after a match, so that timing reveals nothing. */
async function matchesAnyHash(candidate: string, hashes: readonly SecretHash[]): Promise<boolean> {
  let matches = false;
  for (const expected of hashes) {
    const actual = await deriveHash(candidate, expected);
    if (timingSafeEqual(actual, expected.hash)) matches = true;
  }
  return matches;
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

function createRecentSet(sizeMax: number): { has(member: string): boolean; add(member: string): void } {
  // A Set iterates in insertion order, so the first member is the oldest.
  const members = new Set<string>();
  const add = (member: string): void => {
    members.delete(member);
    members.add(member);
    if (members.size > sizeMax) {
      for (const oldest of members) {
        members.delete(oldest);
        break;
      }
    }
  };
  return {
    has(member) {
      if (!members.has(member)) return false;
      add(member);
      return true;
    },
    add,
  };
}
