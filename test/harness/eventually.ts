import { setTimeout as sleep } from "node:timers/promises";

/**
 * Runs an assertion again and again until it passes, and returns what it returns. Rejects with its last error when the
 * time is over, which is late enough for a machine that is busy with something else.
 */
export async function eventually<T>(
  assertion: () => T | Promise<T>,
  options: { readonly timeoutMs?: number; readonly everyMs?: number } = {},
): Promise<T> {
  const { timeoutMs = 20_000, everyMs = 20 } = options;
  const giveUpAt = performance.now() + timeoutMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() >= giveUpAt) throw error;
    }
    await sleep(everyMs);
  }
}
