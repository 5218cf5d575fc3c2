import { setTimeout as sleep } from "node:timers/promises";

/** Tells other processes what has changed, together for all that changes within a short time. */
export interface Announcer {
  /** After the change was committed. Without ids, whoever listens takes it that anything may have changed. */
  announce(channel: string, ids?: readonly string[]): void;
  /** Sends at once what waits, then resolves. */
  close(): Promise<void>;
}

/** The ids by channel; none: anything. */
export type Announcements = ReadonlyMap<string, ReadonlySet<string>>;

/** With more ids, anything may have changed. A message of PostgreSQL has at most 8,000 bytes. */
const idsMax = 200;

/** While nothing can be sent. */
const retryMs = 1_000;

/**
 * Sends at once, then gathers for `pauseMs` what is announced meanwhile. A process that dies takes along what waits, so whoever
 * listens must also look by itself.
 */
export function createAnnouncer(send: (waiting: Announcements) => Promise<unknown>, pauseMs: number): Announcer {
  let waiting = new Map<string, ReadonlySet<string>>();
  let sending = Promise.resolve();
  let isSending = false;
  const closing = new AbortController();

  function add(channel: string, ids: readonly string[]): void {
    const before = waiting.get(channel);
    const isAnything = ids.length === 0 || before?.size === 0;
    const all = new Set(isAnything ? [] : [...(before ?? []), ...ids]);
    waiting.set(channel, all.size > idsMax ? new Set() : all);
  }

  async function sendAll(): Promise<void> {
    isSending = true;
    while (waiting.size > 0) {
      const announced = waiting;
      waiting = new Map();
      let isSent = true;
      try {
        await send(announced);
      } catch {
        isSent = false;
        if (closing.signal.aborted) break;
        for (const channel of announced.keys()) add(channel, []);
      }
      await sleep(isSent ? pauseMs : retryMs, undefined, { ref: false, signal: closing.signal }).catch(() => {});
    }
    isSending = false;
  }

  return {
    announce(channel, ids = []) {
      add(channel, ids);
      if (!isSending) sending = sendAll();
    },
    async close() {
      closing.abort();
      await sending;
    },
  };
}
