import type { Clock } from "../../kernel/clock.ts";

export interface MinuteLimit {
  /** Returns null if allowed, else the seconds until it is allowed again. */
  count(name: string): number | null;
}

const windowMs = 60_000;

/** Beyond this the oldest window is dropped, which can only allow more. */
const namesMax = 10_000;

/** @param perMinute per name, in windows that start with its first call */
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
