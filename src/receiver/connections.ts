import type { RequestListener } from "node:http";
import type { Push } from "./push.ts";

/** For bodies that still arrive when the process stops; the whole stop must fit into 10 s. */
const drainReadMs = 3_000;

/** Pushes that are under way, and which of their callers wait to be asked for the body. */
export interface Connections {
  /** See `Receiver`. */
  createCheckContinue(app: RequestListener): RequestListener;
  track(receiving: Promise<void>): Promise<void>;
  /** Sends `100 Continue` if the caller waits for it. */
  requestBody(push: Push): void;
  /** Whether the caller still waits, which it does no more from now on. */
  stopAwaitingBody(push: Push): boolean;
  readonly isStopping: () => boolean;
  /** Aborts shortly after the stop began. */
  readonly readingEnds: AbortSignal;
  /** Resolves when all pushes have their response. */
  drain(): Promise<void>;
}

export function createConnections(): Connections {
  const awaitingContinue = new WeakSet<object>();
  const underWay = new Set<Promise<void>>();
  const readingEnds = new AbortController();
  let isStopping = false;

  return {
    createCheckContinue: (app) => (request, response) => {
      if (/^\/ocn(?:[/?]|$)/i.test(request.url ?? "")) awaitingContinue.add(request);
      else response.writeContinue();
      app(request, response);
    },
    async track(receiving) {
      underWay.add(receiving);
      await receiving.finally(() => underWay.delete(receiving));
    },
    requestBody({ request, response }) {
      if (awaitingContinue.delete(request)) response.writeContinue();
    },
    stopAwaitingBody: ({ request }) => awaitingContinue.delete(request),
    isStopping: () => isStopping,
    readingEnds: readingEnds.signal,
    async drain() {
      isStopping = true;
      const timer = setTimeout(() => readingEnds.abort(), drainReadMs);
      while (underWay.size > 0) await Promise.all(underWay);
      clearTimeout(timer);
    },
  };
}
