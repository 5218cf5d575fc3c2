/** Places for the work that a process does at the same time. For one caller at a time. */
export interface Slots {
  /** Resolves with true once a slot is free; with false after so many milliseconds, or at once when closed. */
  untilFree(withinMs?: number): Promise<boolean>;
  /** Does the work in a slot that `untilFree` found free. The work does not reject. */
  start(work: () => Promise<void>): void;
  /** Ends waits, waits for the work in all slots, then resolves. */
  close(): Promise<void>;
}

export function createSlots(count: number): Slots {
  const running = new Set<Promise<void>>();
  let isClosed = false;
  let endWait: (() => void) | undefined;

  const isFree = (): boolean => !isClosed && running.size < count;

  async function waitForChange(withinMs: number | undefined): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      endWait = resolve;
      if (withinMs !== undefined) timer = setTimeout(resolve, withinMs);
    });
    clearTimeout(timer);
  }

  return {
    async untilFree(withinMs) {
      if (!isClosed && !isFree()) await waitForChange(withinMs);
      return isFree();
    },
    start(work) {
      const done = work().finally(() => {
        running.delete(done);
        endWait?.();
      });
      running.add(done);
    },
    async close() {
      isClosed = true;
      endWait?.();
      await Promise.all(running);
    },
  };
}
