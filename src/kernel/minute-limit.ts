import type { Clock } from "./clock.ts";

export interface MinuteLimit {
  /** Returns null if allowed, else the seconds until it is allowed again. */
  count(name: string): number | null;
  /** The same without counting. */
  waitSeconds(name: string): number | null;
}

const windowMs = 60_000;

/** Beyond this the oldest window is dropped, which can only allow more. */
const namesMax = 10_000;

/** @param perMinute per name, in windows that start with its first call */
export function createMinuteLimit(perMinute: number, clock: Clock): MinuteLimit {
  const windows = new Map<string, { readonly startedAt: number; count: number }>();

  function waitSeconds(name: string): number | null {
    const window = windows.get(name);
    const leftMs = window === undefined ? 0 : window.startedAt + windowMs - clock.now().getTime();
    return window === undefined || leftMs <= 0 || window.count < perMinute ? null : Math.ceil(leftMs / 1_000);
  }

  function openWindow(name: string): { readonly startedAt: number; count: number } {
    const now = clock.now().getTime();
    const window = windows.get(name);
    if (window !== undefined && now - window.startedAt < windowMs) return window;
    const opened = { startedAt: now, count: 0 };
    windows.delete(name);
    windows.set(name, opened);
    const [oldest] = windows.keys();
    if (windows.size > namesMax && oldest !== undefined) windows.delete(oldest);
    return opened;
  }

  return {
    waitSeconds,
    count(name) {
      const seconds = waitSeconds(name);
      if (seconds === null) openWindow(name).count += 1;
      return seconds;
    },
  };
}
