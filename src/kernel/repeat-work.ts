/** Work that is done again and again until it is closed. */
export interface RepeatedWork {
  /** Ends the pause, but not one after a failure. Any number of kicks during the work cause one more round. */
  kick(): void;
  /** Finishes the running round, then resolves. */
  close(): Promise<void>;
}

/** One round after the other, without a pause while there may be more. */
export function repeatWork(options: {
  /** Does one portion. Resolves to true if more may be left; any other value, such as a count, means nothing. */
  readonly work: () => Promise<unknown>;
  readonly everyMs: number;
  /** Before the first round. Default: none. */
  readonly firstAfterMs?: number;
  /** @returns the pause in milliseconds after so many failures in a row */
  readonly onFailure: (error: unknown, failures: number) => number;
}): RepeatedWork {
  const { work, everyMs, firstAfterMs = 0, onFailure } = options;
  let kicked = false;
  let closing = false;
  let endPause: (() => void) | undefined;

  async function repeatUntilClosed(): Promise<void> {
    let failures = 0;
    if (firstAfterMs > 0) await pause(firstAfterMs, { untilKicked: true });
    while (!closing) {
      kicked = false;
      try {
        while ((await work()) === true && !closing);
        failures = 0;
        if (!kicked) await pause(everyMs, { untilKicked: true });
      } catch (error) {
        failures += 1;
        await pause(onFailure(error, failures), { untilKicked: false });
      }
    }
  }

  function pause(ms: number, { untilKicked }: { untilKicked: boolean }): Promise<void> {
    if (closing) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      function done(): void {
        clearTimeout(timer);
        endPause = undefined;
        resolve();
      }
      endPause = () => {
        if (untilKicked || closing) done();
      };
    });
  }

  const repeated = repeatUntilClosed();
  return {
    kick() {
      kicked = true;
      endPause?.();
    },
    async close() {
      closing = true;
      endPause?.();
      await repeated;
    },
  };
}
