import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../kernel/clock.ts";
import type { Secret } from "../kernel/secret.ts";
import { readWebhookKey, signWebhook } from "../kernel/webhook-signature.ts";

/**
 * Reads what headers claim about the signature of a body. Returns null if it is missing, malformed or outdated: then the
 * unauthenticated body is not worth reading.
 */
export type ReadSignature = (headers: IncomingHttpHeaders) => IsSigned | null;

/** @param wireBody the bytes as received, before inflating */
export type IsSigned = (wireBody: Uint8Array) => boolean;

/** Both ways, as Standard Webhooks advises. */
const toleranceSeconds = 5 * 60;

/** A sender that rotates its secret sends two. */
const signaturesMax = 8;

const signatureBytes = 32;

const idLengthMax = 256;

/**
 * Checks `v1` (HMAC-SHA-256) over `<webhook-id>.<webhook-timestamp>.<body>`, before inflating anything unauthenticated.
 * @throws AppError `secret.unusable` for a secret that is not `whsec_` and the base64 of 24 to 64 bytes
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createReadSignature(secrets: readonly Secret[], clock: Clock): ReadSignature {
  const keys = secrets.map(readWebhookKey);
  return (headers) => {
    const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
    if (typeof id !== "string" || typeof timestamp !== "string" || typeof signature !== "string") return null;
    if (id === "" || id.length > idLengthMax || id.includes(".") || !/^\d{1,12}$/.test(timestamp)) return null;
    const ageSeconds = clock.now().getTime() / 1_000 - Number(timestamp);
    if (Math.abs(ageSeconds) > toleranceSeconds) return null;
    const signatures = readSignatures(signature);
    if (signatures.length === 0) return null;
    return (wireBody) => {
      // Every key is compared with every signature, so that timing does not reveal the match.
      let matches = false;
      for (const key of keys) {
        const expected = signWebhook(key, id, timestamp, wireBody);
        for (const given of signatures) matches = timingSafeEqual(given, expected) || matches;
      }
      return matches;
    };
  };
}

/** Ignores other versions than `v1`. */
function readSignatures(header: string): readonly Buffer[] {
  return header
    .split(" ")
    .map((part) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part)?.[1])
    .filter((encoded) => encoded !== undefined)
    .map((encoded) => Buffer.from(encoded, "base64"))
    .filter((signature) => signature.length === signatureBytes)
    .slice(0, signaturesMax);
}
