import { Worker } from "node:worker_threads";
import type { Dialect } from "../contract/dialect.ts";
import type { ReadNotifiedOrders } from "../contract/notified-orders.ts";

/** Reads which orders bodies name: long ones in a thread of its own, so that they do not delay other requests. */
export interface OrderReader {
  read(body: Uint8Array): Promise<ReadNotifiedOrders>;
  close(): Promise<void>;
}

export interface ReadRequest {
  readonly id: number;
  readonly body: Uint8Array;
  readonly ordersMax: number;
}

export interface ReadReply {
  readonly id: number;
  readonly reading: ReadNotifiedOrders;
}

/** Shorter ones are parsed within about two milliseconds. */
const longFromBytes = 256 * 1024;

/** Null if the program runs from TypeScript, which threads can't load. */
const threadFile = import.meta.url.endsWith(".ts") ? null : new URL("./order-reader-thread.js", import.meta.url);

export function createOrderReader(dialect: Dialect, ordersMax: number): OrderReader {
  const waiting = new Map<number, (reading: ReadNotifiedOrders | null) => void>();
  let nextId = 0;
  let thread: Worker | null = null;

  function start(file: URL): Worker {
    const started = new Worker(file, { workerData: dialect.module });
    started.unref();
    started.on("message", ({ id, reading }: ReadReply) => settle(id, reading));
    started.on("error", () => {});
    started.on("exit", () => {
      if (thread === started) thread = null;
      for (const id of [...waiting.keys()]) settle(id, null);
    });
    return started;
  }

  function settle(id: number, reading: ReadNotifiedOrders | null): void {
    const resolve = waiting.get(id);
    waiting.delete(id);
    resolve?.(reading);
  }

  return {
    async read(body) {
      if (threadFile === null || body.length < longFromBytes) return dialect.findOrders(body, ordersMax);
      thread ??= start(threadFile);
      const request: ReadRequest = { id: nextId, body: new Uint8Array(body), ordersMax };
      nextId += 1;
      const reply = new Promise<ReadNotifiedOrders | null>((resolve) => waiting.set(request.id, resolve));
      thread.postMessage(request);
      // A thread that ended, as without memory, leaves the body to this one.
      return (await reply) ?? dialect.findOrders(body, ordersMax);
    },
    close: async () => {
      await thread?.terminate();
    },
  };
}
