import type { Response } from "express";
import { z } from "zod";

/** Misbehaviour to be shown for the next calls of an operation. */
export type Fault = z.output<typeof faultSchema>;

/**
 * What `POST /control/faults` understands.
 *
 * - `http-500`: an HTTP 500 with an error body.
 * - `timeout`: no answer, for as long as the caller waits.
 * - `reset`: the connection is reset.
 * - `malformed`: HTTP 200 and half of an answer.
 * - `delay`: the answer, so many milliseconds late.
 */
export const faultSchema = z.strictObject({
  operation: z.enum(["AirReservationStatus", "AirOrderInvoluntaryAccept", "AirOrderInvoluntaryCancel"]),
  mode: z.enum(["http-500", "timeout", "reset", "malformed", "delay"]),
  /** Only for calls that name this order. */
  orderId: z.string().min(1).max(64).optional(),
  /** Calls that it is shown to. */
  times: z.number().int().min(1).max(10_000).default(1),
  delayMs: z.number().int().min(0).max(600_000).default(1_000),
  /** Whether the operation is carried out, and committed, before it fails. */
  afterEffect: z.boolean().default(false),
});

/** The faults that are set, in memory: those of one process, gone when it ends. */
export interface Faults {
  set(fault: Fault): void;
  clear(): void;
  list(): readonly Fault[];
  /** Takes one call off the oldest fault that fits; null when none does. */
  take(operation: string, orderId: string | null): Fault | null;
}

/** More than any test sets; each one is looked at with every call. */
const faultsMax = 100;

export function createFaults(): Faults {
  let faults: readonly Fault[] = [];
  return {
    set(fault) {
      faults = [...faults, fault].slice(-faultsMax);
    },
    clear() {
      faults = [];
    },
    list: () => faults,
    take(operation, orderId) {
      const fault = faults.find(
        (candidate) => candidate.operation === operation && (candidate.orderId ?? orderId) === orderId,
      );
      if (fault === undefined) return null;
      faults = faults.flatMap((candidate) => {
        if (candidate !== fault) return [candidate];
        return fault.times > 1 ? [{ ...fault, times: fault.times - 1 }] : [];
      });
      return fault;
    },
  };
}

/** Waits, or ends early when the caller goes away. */
export function delay(response: Response, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    response.on("close", done);
  });
}
