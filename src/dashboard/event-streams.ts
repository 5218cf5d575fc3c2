import type { ServerResponse } from "node:http";

export interface EventStreamsOptions {
  /** In this process. */
  readonly streamsMax?: number;
  /** How many streams one user may have: one for each open page. */
  readonly streamsPerUserMax?: number;
  /** Shortest time between two events. */
  readonly eventIntervalMs?: number;
  /** Time between comments that keep proxies from closing a quiet stream. */
  readonly pingIntervalMs?: number;
}

export interface Follower {
  readonly username: string;
  /** Whether they see the cases of all sources. If not, events name no case. */
  readonly seesAll: boolean;
  /** Asked at each ping: the stream ends with the session or token that opened it. */
  isSignedIn(): Promise<boolean>;
}

/** Server-sent events that name the cases that changed. */
export interface EventStreams {
  /** @param caseIds Empty if any case may have changed. */
  publish(caseIds: readonly string[]): void;
  /**
   * Returns false, and writes nothing, if there are too many streams, of all or of this user, or the process is stopping.
   */
  open(response: ServerResponse, follower: Follower): boolean;
  close(): void;
  count(): number;
}

/** If more cases change, the event names none, so that clients read their list again. */
const idsMax = 100;

/** The browser reconnects after this time. */
const retryMs = 2_000;

/**
 * Events hold ids only; clients then read what they may see. To bound memory, a client that does not read gets no events
 * until it does, and then one for "any case". If it still does not read at the next ping, it is disconnected.
 *
 * @see WHATWG HTML, "Server-sent events"
 */
export function createEventStreams(options: EventStreamsOptions = {}): EventStreams {
  const { streamsMax = 200, streamsPerUserMax = 20, eventIntervalMs = 500, pingIntervalMs = 15_000 } = options;
  const streams = new Map<ServerResponse, Stream>();
  const changed = new Set<string>();
  let isAnythingChanged = false;
  let isClosed = false;
  let flushTimer: NodeJS.Timeout | null = null;
  let pingTimer: NodeJS.Timeout | null = null;

  function flush(): void {
    flushTimer = null;
    if (!isAnythingChanged && changed.size === 0) return;
    const caseIds = isAnythingChanged ? [] : [...changed];
    changed.clear();
    isAnythingChanged = false;
    for (const stream of streams.values()) send(stream, caseIds);
    if (streams.size > 0) flushTimer = setTimeout(flush, eventIntervalMs).unref();
  }

  function ping(): void {
    for (const stream of streams.values()) {
      if (stream.response.writableNeedDrain) stream.response.destroy();
      else {
        stream.response.write(": ping\n\n");
        void endIfSignedOut(stream);
      }
    }
  }

  async function endIfSignedOut({ response, follower }: Stream): Promise<void> {
    // While the database cannot be asked, there is nothing to tell either.
    if (await follower.isSignedIn().catch(() => true)) return;
    response.end();
    forget(response);
  }

  function forget(response: ServerResponse): void {
    streams.delete(response);
    if (streams.size > 0 || pingTimer === null) return;
    clearInterval(pingTimer);
    pingTimer = null;
  }

  return {
    publish(caseIds) {
      if (streams.size === 0) return;
      if (caseIds.length === 0) isAnythingChanged = true;
      for (const id of caseIds) changed.add(id);
      if (changed.size > idsMax) {
        isAnythingChanged = true;
        changed.clear();
      }
      if (flushTimer === null) flush();
    },

    open(response, follower) {
      const ofUser = [...streams.values()].filter((stream) => stream.follower.username === follower.username).length;
      if (isClosed || streams.size >= streamsMax || ofUser >= streamsPerUserMax) return false;
      // The connection is not reused, so that a process that stops need not wait for it.
      response.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
        Connection: "close",
      });
      response.write(`retry: ${retryMs}\n\n`);
      const stream: Stream = { response, follower, missedSome: false };
      streams.set(response, stream);
      pingTimer ??= setInterval(ping, pingIntervalMs).unref();
      response.on("drain", () => {
        if (stream.missedSome) send(stream, []);
      });
      response.on("error", () => forget(response));
      response.on("close", () => forget(response));
      return true;
    },

    close() {
      isClosed = true;
      if (flushTimer !== null) clearTimeout(flushTimer);
      for (const response of streams.keys()) {
        response.end();
        forget(response);
      }
    },

    count: () => streams.size,
  };
}

interface Stream {
  readonly response: ServerResponse;
  readonly follower: Follower;
  /** Events were skipped because the client did not read. */
  missedSome: boolean;
}

function send(stream: Stream, caseIds: readonly string[]): void {
  if (stream.response.writableNeedDrain) {
    stream.missedSome = true;
    return;
  }
  const sentIds = stream.missedSome || !stream.follower.seesAll ? [] : caseIds;
  stream.missedSome = false;
  stream.response.write(`event: cases\ndata: ${JSON.stringify({ caseIds: sentIds })}\n\n`);
}
