/** Whatever is done again and again is done no more often than this. */
const shortestPeriodMs = 1_000;
const neverMs = 2 ** 31 - 1;

/**
 * Keeps timers of a second and more from ever firing, in all modules of this test file: sweeps, heartbeats, polls, time-outs
 * and periodic jobs. What runs then runs because something happened. Hold them before the first is set.
 *
 * @returns puts the timers back, for those that are set from then on.
 */
export function holdTimers(): () => void {
  const { setTimeout, setInterval } = globalThis;
  const held = (ms: number | undefined): number | undefined =>
    ms !== undefined && ms >= shortestPeriodMs ? neverMs : ms;
  globalThis.setTimeout = ((run: () => void, ms?: number, ...rest: []) =>
    setTimeout(run, held(ms), ...rest)) as typeof setTimeout;
  globalThis.setInterval = (run: () => void, ms?: number, ...rest: []) => setInterval(run, held(ms), ...rest);
  return () => {
    globalThis.setTimeout = setTimeout;
    globalThis.setInterval = setInterval;
  };
}
