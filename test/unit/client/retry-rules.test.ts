import { describe, expect, test } from "vitest";
import { retryWaitMs } from "../../../src/client/retry-rules.ts";
import { GatewayError, type GatewayErrorDetails, gatewayErrorCodes } from "../../../src/contract/failed-call.ts";

const options = { attemptsMax: 3, baseMs: 200, capMs: 1_000 };
const reads = { readOnly: true, resendable: true };
const moment = { attempt: 1, timeLeftMs: 10_000, random: 0.5 };

describe("a call that failed", () => {
  test.each([
    ["unreachable", "before-sending", null],
    ["connectionLost", "unknown", null],
    ["httpStatus", "unknown", 503],
    ["httpStatus", "responded", 429],
    ["refused", "unknown", 200],
  ] as const)("is made again when it only reads: %s, %s", (code, phase, httpStatus) => {
    expect(retryWaitMs(reads, failure(code, { phase, httpStatus }), options, moment)).toBe(100);
  });

  test.each([
    ["changes something", { readOnly: false, resendable: true }],
    ["may not be sent again", { readOnly: true, resendable: false }],
    ["is neither", { readOnly: false, resendable: false }],
  ])("is never made again when it %s, not even when nothing was sent", (_, operation) => {
    for (const code of Object.keys(gatewayErrorCodes) as (keyof typeof gatewayErrorCodes)[]) {
      for (const phase of ["before-sending", "unknown", "responded"] as const) {
        expect(retryWaitMs(operation, failure(code, { phase }), options, moment)).toBeNull();
      }
    }
  });

  test.each(["timeout", "busy", "circuitOpen", "aborted", "closed", "noToken", "malformedResponse"] as const)(
    "is not made again after %s",
    (code) => {
      expect(retryWaitMs(reads, failure(code, {}), options, moment)).toBeNull();
    },
  );

  test("is not made again when nothing would be different", () => {
    expect(retryWaitMs(reads, failure("refused", { retryable: false }), options, moment)).toBeNull();
  });

  test("is made as often as is allowed, and not once more", () => {
    expect(retryWaitMs(reads, failure("unreachable", {}), options, { ...moment, attempt: 2 })).not.toBeNull();
    expect(retryWaitMs(reads, failure("unreachable", {}), options, { ...moment, attempt: 3 })).toBeNull();
  });
});

describe("the wait before it is made again", () => {
  test.each([
    [1, 0, 0],
    [1, 0.999, 200],
    [2, 0.999, 400],
    [3, 0.999, 799],
    [4, 0.999, 999],
    [40, 0.999, 999],
  ])("after attempt %d lies between zero and its bound (random %d)", (attempt, random, waitMs) => {
    const patient = { ...options, attemptsMax: 100 };

    expect(retryWaitMs(reads, failure("unreachable", {}), patient, { ...moment, attempt, random })).toBe(waitMs);
  });

  test("is what the gateway asks for when that is longer", () => {
    expect(retryWaitMs(reads, failure("httpStatus", { retryAfterMs: 3_000 }), options, moment)).toBe(3_000);
    expect(retryWaitMs(reads, failure("httpStatus", { retryAfterMs: 10 }), options, moment)).toBe(100);
  });

  test("must leave the call some time", () => {
    const error = failure("httpStatus", { retryAfterMs: 3_000 });

    expect(retryWaitMs(reads, error, options, { ...moment, timeLeftMs: 3_001 })).toBe(3_000);
    expect(retryWaitMs(reads, error, options, { ...moment, timeLeftMs: 3_000 })).toBeNull();
  });
});

function failure(code: keyof typeof gatewayErrorCodes, details: Partial<GatewayErrorDetails>): GatewayError {
  return new GatewayError(gatewayErrorCodes[code], code, {
    operation: "AirReservationStatus",
    phase: "unknown",
    retryable: true,
    ...details,
  });
}
