/** What has been started, to be stopped in reverse order. */
export interface StopList {
  add(stop: () => Promise<void>): void;
  stop(): Promise<void>;
}

export function createStopList(): StopList {
  const started: (() => Promise<void>)[] = [];
  return {
    add: (stop) => void started.push(stop),
    async stop() {
      for (let last = started.pop(); last !== undefined; last = started.pop()) await last();
    },
  };
}
