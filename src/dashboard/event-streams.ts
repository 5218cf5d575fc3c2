import type { ServerResponse } from "node:http";

export interface EventStreamsOptions {
  /** Streams open at once in this process. */
  readonly streamsMax?: number;
  /** Of one user: one for each open page. */
  readonly streamsPerUserMax?: number;
  /** Shortest time between two events: a screen that flickers faster helps nobody. */
  readonly eventIntervalMs?: number;
  /** Time between comments that keep proxies from closing a quiet stream. */
  readonly pingIntervalMs?: number;
}

/** Streams of server-sent events that tell which cases changed. All of them share one source. */
export interface EventStreams {
  /** These cases changed; none named means that any may have. */
  publish(caseIds: readonly string[]): void;
  /**
   * Turns a response into a stream, which lasts until the client goes or `close` is called.
   *
   * @param username whose stream it is
   * @returns false when there are too many already, or the process is stopping; then nothing was written.
   */
  open(response: ServerResponse, username: string): boolean;
  /** Ends every stream at once and opens no more. */
  close(): void;
  /** Streams that are open. */
  count(): number;
}

/** More ids than this in one event, and clients do better to read their list again. */
const idsMax = 100;

/** What a browser waits before it connects again. */
const retryMs = 2_000;

/**
 * Makes the streams. Events hold ids only: whoever listens asks for what it may see. A client that does not read is told
 * nothing until it does, and then that anything may have changed, so that memory stays bounded; one that still does
 * not read at the next ping is cut off.
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
    // Whatever comes within the interval waits for its end.
    if (streams.size > 0) flushTimer = setTimeout(flush, eventIntervalMs).unref();
  }

  function ping(): void {
    for (const { response } of streams.values()) {
      if (response.writableNeedDrain) response.destroy();
      else response.write(": ping\n\n");
    }
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

    open(response, username) {
      const ofUser = [...streams.values()].filter((stream) => stream.username === username).length;
      if (isClosed || streams.size >= streamsMax || ofUser >= streamsPerUserMax) return false;
      // The connection serves nothing else afterwards, so a process that stops need not wait for it.
      response.writeHead(200, {
        "Content-Type": "text/event-stream; charset=utf-8",
        "Cache-Control": "no-store",
        "X-Accel-Buffering": "no",
        Connection: "close",
      });
      response.write(`retry: ${retryMs}\n\n`);
      const stream: Stream = { response, username, missedSome: false };
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
  readonly username: string;
  /** Events were left out because the client did not read. */
  missedSome: boolean;
}

function send(stream: Stream, caseIds: readonly string[]): void {
  if (stream.response.writableNeedDrain) {
    stream.missedSome = true;
    return;
  }
  const sentIds = stream.missedSome ? [] : caseIds;
  stream.missedSome = false;
  stream.response.write(`event: cases\ndata: ${JSON.stringify({ caseIds: sentIds })}\n\n`);
}
