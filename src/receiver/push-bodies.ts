import { assertNever } from "../kernel/app-error.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Connections } from "./connections.ts";
import type { NetworkOfCaller } from "./header-strategy.ts";
import type { ArrivedBody } from "./judge-body.ts";
import type { KnownSource } from "./known-sources.ts";
import type { ReceiverLimits } from "./ports.ts";
import { type Push, type Refused, refuse, refuseStopping } from "./push.ts";
import {
  type BodyEncoding,
  type BodyReading,
  inflateBody,
  readBody,
  readEncoding,
  wireBytesMaxOf,
} from "./read-body.ts";
import { receiverErrors } from "./receiver-problems.ts";
import { createUnprovenReads } from "./unproven-reads.ts";
import type { ReadSignature } from "./webhook-signature.ts";

type ReadPush = Refused | { readonly outcome: "arrived"; readonly body: ArrivedBody };

type ReadSignedPush =
  | Refused
  | { readonly outcome: "unsigned" }
  | { readonly outcome: "signed"; readonly wireBody: Buffer };

/** Reads the bodies of pushes, each within its limits of size, time and number. */
export interface PushBodies {
  /** Reads the body of a caller whose headers have authenticated it. */
  read(push: Push, source: KnownSource): Promise<ReadPush>;
  /**
   * The signature covers the body, so this reads unauthenticated bodies: some at a time, with plausible headers only.
   * Ends with the bytes as received.
   */
  readSigned(push: Push, signatures: readonly ReadSignature[]): Promise<ReadSignedPush>;
  /** What `readSigned` has read. */
  inflate(push: Push, wireBody: Buffer): Promise<ReadPush>;
}

export function createPushBodies(context: {
  readonly limits: ReceiverLimits;
  readonly connections: Connections;
  readonly networkOf: NetworkOfCaller;
  readonly clock: Clock;
}): PushBodies {
  const { limits, connections, networkOf } = context;
  const { bodyBytes: bytesMax, bodyTimeoutMs: timeoutMs } = limits;
  const unprovenReads = createUnprovenReads(context.clock);

  return {
    async read(push, source) {
      if (source.reads >= limits.readsPerSource) return refuse(receiverErrors.tooManyRequests);
      connections.requestBody(push);
      source.reads += 1;
      const reading = await readBody(push.request, {
        ...{ encoding: encodingOf(push), bytesMax, timeoutMs },
        stop: connections.readingEnds,
      });
      source.reads -= 1;
      return arrivedOf(reading);
    },

    async readSigned(push, signatures) {
      const checks = signatures.flatMap((readSignature) => readSignature(push.request.headers) ?? []);
      if (checks.length === 0) return { outcome: "unsigned" };
      if (connections.isStopping()) return refuseStopping();
      const read = unprovenReads.begin(networkOf(push.request));
      if (read === null) return refuse(receiverErrors.tooManyRequests);
      connections.requestBody(push);
      const reading = await readBody(push.request, {
        encoding: "identity",
        bytesMax: wireBytesMaxOf({ encoding: encodingOf(push), bytesMax }),
        timeoutMs,
        bytesPerSecondMin: read.bytesPerSecondMin,
        stop: AbortSignal.any([connections.readingEnds, read.displaced]),
      });
      const isSigned = reading.outcome === "read" && checks.some((check) => check(reading.body));
      read.end(isSigned);
      if (read.displaced.aborted && reading.outcome === "stopped") return refuse(receiverErrors.tooManyRequests);
      if (reading.outcome === "read" && isSigned) return { outcome: "signed", wireBody: reading.body };
      if (reading.outcome === "read" || reading.outcome === "not-inflatable") return { outcome: "unsigned" };
      return refuseUnread(reading);
    },

    async inflate(push, wireBody) {
      return arrivedOf(await inflateBody(wireBody, { encoding: encodingOf(push), bytesMax }));
    },
  };

  function arrivedOf(reading: BodyReading): ReadPush {
    const hasArrived = reading.outcome === "read" || reading.outcome === "not-inflatable";
    return hasArrived ? { outcome: "arrived", body: reading } : refuseUnread(reading);
  }

  function refuseUnread({ outcome, wireBytes }: Exclude<BodyReading, ArrivedBody>): Refused {
    const fields = { wireBytes };
    switch (outcome) {
      case "too-long":
        return refuse(receiverErrors.bodyTooLong, { fields, extensions: { limitBytes: bytesMax } });
      case "too-slow":
        return refuse(receiverErrors.bodyTimeout, { fields, headers: { Connection: "close" } });
      case "stopped":
        return refuseStopping(fields);
      case "aborted":
        return refuse(receiverErrors.bodyAborted, { fields });
      default:
        return assertNever(outcome);
    }
  }
}

/** A body in an encoding that nobody here undoes is taken as it is. */
function encodingOf({ request }: Push): BodyEncoding {
  return readEncoding(request.headers["content-encoding"]) ?? "identity";
}
