import type { Clock } from "../../kernel/clock.ts";

/** Counts what each name does within a minute. */
export interface MinuteLimit {
  /** Counts one more; null while that is allowed, else the seconds until it is again. */
  count(name: string): number | null;
}

const windowMs = 60_000;

/** Names counted at once; beyond that the oldest window is forgotten, which only ever allows more. */
const namesMax = 10_000;

/** @param perMinute how often each name may do it in one minute, counted from its first time. */
export function createMinuteLimit(perMinute: number, clock: Clock): MinuteLimit {
  const windows = new Map<string, { readonly startedAt: number; count: number }>();
  return {
    count(name) {
      const now = clock.now().getTime();
      let window = windows.get(name);
      if (window === undefined || now - window.startedAt >= windowMs) {
        windows.delete(name);
        window = { startedAt: now, count: 0 };
        windows.set(name, window);
        const [oldest] = windows.keys();
        if (windows.size > namesMax && oldest !== undefined) windows.delete(oldest);
      }
      if (window.count >= perMinute) return Math.ceil((window.startedAt + windowMs - now) / 1_000);
      window.count += 1;
      return null;
    },
  };
}
