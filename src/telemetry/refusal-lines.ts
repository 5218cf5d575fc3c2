import type { Clock } from "../kernel/clock.ts";
import { networkOf } from "../kernel/networks.ts";
import type { Logger } from "./logger.ts";

/** Writes the line of a refusal, which a caller without credentials can cause. */
export type WriteRefusal = (
  fields: { readonly address: string; readonly [name: string]: unknown },
  message: string,
) => void;

/** Not signed in, not allowed, too many attempts. */
const refusedStatuses: readonly number[] = [401, 403, 429];

export function isRefused(status: number): boolean {
  return refusedStatuses.includes(status);
}

const linesPerMinute = 100;
const windowMs = 60_000;

/**
 * Writes 100 lines a minute for each network, so that nobody fills the log. Counts what it leaves out, and writes the
 * count in one line when the minute ends.
 */
export function createRefusalLines(logger: Pick<Logger, "warn">, clock: Clock): WriteRefusal {
  const windows = new Map<string, { readonly since: number; written: number; leftOut: number }>();

  function openWindow(network: string) {
    const now = clock.now().getTime();
    const known = windows.get(network);
    if (known !== undefined && now - known.since < windowMs) return known;
    if (known !== undefined) close(network);
    const window = { since: now, written: 0, leftOut: 0 };
    windows.set(network, window);
    setTimeout(() => windows.get(network) === window && close(network), windowMs).unref();
    return window;
  }

  function close(network: string): void {
    const leftOut = windows.get(network)?.leftOut ?? 0;
    windows.delete(network);
    if (leftOut > 0) logger.warn({ network, leftOut }, "refusals.left_out");
  }

  return (fields, message) => {
    const window = openWindow(networkOf(fields.address));
    if (window.written >= linesPerMinute) window.leftOut += 1;
    else {
      window.written += 1;
      logger.warn(fields, message);
    }
  };
}
