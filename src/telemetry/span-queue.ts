import { AppError } from "../kernel/app-error.ts";

/** `queue-full`: the collector is away or slow. `refused`: it does not take them. `stopped`: the process ended first. */
export type DropReason = "queue-full" | "refused" | "stopped";

export interface SpanQueueOptions<Item> {
  readonly everyMs: number;
  /** Returns the HTTP status. */
  readonly send: (items: readonly Item[]) => Promise<number>;
  readonly onDropped: (reason: DropReason, count: number) => void;
  /** Called once when sending begins to fail. */
  readonly onFailing: (error: unknown) => void;
}

export interface SpanQueue<Item> {
  /** Never waits: what does not fit is dropped. */
  add(item: Item): void;
  /** Sends what is left, and drops it at the first failure. */
  close(): Promise<void>;
}

/** What OpenTelemetry advises for exports in batches. */
const itemsMax = 2_048;
const batchMax = 512;

/** Statuses after which OTLP lets a client send the same again. */
const passing = new Set([429, 502, 503, 504]);

/** Sends batches, one at a time and in order. What fails for now is sent again with the next batch. */
export function createSpanQueue<Item>(options: SpanQueueOptions<Item>): SpanQueue<Item> {
  let items: Item[] = [];
  let underWay = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | null = null;
  let isFailing = false;
  let isClosed = false;

  /** @returns whether the next batch may follow at once */
  async function sendBatch(): Promise<boolean> {
    const batch = items.slice(0, batchMax);
    items = items.slice(batchMax);
    underWay = batch.length;
    const outcome = await trySend(batch);
    underWay = 0;
    if (outcome === "passing") items = [...batch, ...items];
    if (outcome === "refused") options.onDropped("refused", batch.length);
    return outcome !== "passing";
  }

  async function trySend(batch: readonly Item[]): Promise<"sent" | "refused" | "passing"> {
    try {
      const status = await options.send(batch);
      if (status >= 200 && status <= 299) {
        isFailing = false;
        return "sent";
      }
      reportFailure(new AppError("traces.not_taken", `The collector responded with ${status}.`));
      return passing.has(status) ? "passing" : "refused";
    } catch (error) {
      reportFailure(error);
      return "passing";
    }
  }

  function reportFailure(error: unknown): void {
    if (!isFailing) options.onFailing(error);
    isFailing = true;
  }

  async function sendAll(enough: number): Promise<void> {
    while (items.length >= enough && (await sendBatch())) {}
  }

  function start(enough: number): void {
    sending ??= sendAll(enough).finally(() => {
      sending = null;
      plan();
    });
  }

  function plan(): void {
    if (timer !== undefined || isClosed || items.length === 0) return;
    timer = setTimeout(() => {
      timer = undefined;
      start(1);
    }, options.everyMs).unref();
  }

  return {
    add(item) {
      if (isClosed || items.length + underWay >= itemsMax) {
        options.onDropped(isClosed ? "stopped" : "queue-full", 1);
        return;
      }
      items.push(item);
      if (items.length === batchMax && !isFailing) start(batchMax);
      else plan();
    },

    async close() {
      isClosed = true;
      clearTimeout(timer);
      await sending;
      await sendAll(1);
      if (items.length > 0) options.onDropped("stopped", items.length);
      items = [];
    },
  };
}
