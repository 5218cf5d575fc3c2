import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../kernel/clock.ts";
import type { Secret } from "../kernel/secret.ts";
import { readWebhookKey, signWebhook } from "../kernel/webhook-signature.ts";

/** What a request says about its own signature; nothing of it is proven yet. */
export interface SignatureClaim {
  readonly id: string;
  /** Seconds since 1970, as they were sent. */
  readonly timestamp: string;
  readonly signatures: readonly Buffer[];
}

/** The signatures of one source by Standard Webhooks. */
export interface SignatureCheck {
  /**
   * What the headers claim; null when there is no claim, a malformed one, or one that is not of now. Decides whether the
   * body of somebody who has proved nothing is worth reading.
   */
  readClaim(headers: IncomingHttpHeaders): SignatureClaim | null;
  /** @param wireBody the bytes as they came, before inflating. */
  isSigned(claim: SignatureClaim, wireBody: Uint8Array): boolean;
}

/** How far the time of a signature may be off, both ways, in seconds: what Standard Webhooks advises. */
const toleranceSeconds = 5 * 60;

/** Signatures of one request that are compared; a sender that rotates its secret sends two. */
const signaturesMax = 8;

/** The length of an HMAC with SHA-256. */
const signatureBytes = 32;

const idLengthMax = 256;

/**
 * Checks `webhook-signature` (version `v1`, HMAC with SHA-256) over `<webhook-id>.<webhook-timestamp>.<body>`.
 *
 * The body is taken as it came over the wire, compressed if it was: nothing that a stranger sent is inflated.
 *
 * @throws AppError `secret.unusable` for a secret that is not `whsec_` and the base64 of 24 to 64 bytes.
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export function createSignatureCheck(secrets: readonly Secret[], clock: Clock): SignatureCheck {
  const keys = secrets.map(readWebhookKey);
  return {
    readClaim(headers) {
      const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signature } = headers;
      if (typeof id !== "string" || typeof timestamp !== "string" || typeof signature !== "string") return null;
      if (id === "" || id.length > idLengthMax || id.includes(".") || !/^\d{1,12}$/.test(timestamp)) return null;
      const ageSeconds = clock.now().getTime() / 1_000 - Number(timestamp);
      if (Math.abs(ageSeconds) > toleranceSeconds) return null;
      const signatures = readSignatures(signature);
      return signatures.length === 0 ? null : { id, timestamp, signatures };
    },

    isSigned({ id, timestamp, signatures }, wireBody) {
      // Every key and every signature, always: the time tells nothing of which one matched.
      let matches = false;
      for (const key of keys) {
        const expected = signWebhook(key, id, timestamp, wireBody);
        for (const signature of signatures) matches = timingSafeEqual(signature, expected) || matches;
      }
      return matches;
    },
  };
}

/** The `v1` signatures of a list separated by spaces; others, such as `v1a`, are for other receivers. */
function readSignatures(header: string): readonly Buffer[] {
  return header
    .split(" ")
    .map((part) => /^v1,([A-Za-z0-9+/]{43}=)$/.exec(part)?.[1])
    .filter((encoded) => encoded !== undefined)
    .map((encoded) => Buffer.from(encoded, "base64"))
    .filter((signature) => signature.length === signatureBytes)
    .slice(0, signaturesMax);
}
