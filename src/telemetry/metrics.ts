import type { IncomingMessage, ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import { messageOf } from "../kernel/app-error.ts";
import { storedBodyErrors } from "../kernel/stored-body-errors.ts";
import type { Logger } from "./logger.ts";

/** Names begin with `skedchange_` and end in their unit; labels have few values: never an order, a case or a text. */
export interface Metrics {
  readonly registry: Registry;
  /** `outcome`: `new`, `repeated` (the bytes of an earlier one of its source), `quarantined`, or the problem's code. */
  readonly notifications: Counter<"source" | "outcome">;
  /** From the first byte of a notification to its response. */
  readonly ackSeconds: Histogram<"outcome">;
  /** `by` is `policy` or `person`. */
  readonly decisions: Counter<"source" | "action" | "by">;
  readonly effects: Counter<"source" | "action" | "state">;
  /** Per gateway operation. `outcome` is `ok` or the failure's code. */
  readonly gatewaySeconds: Histogram<"operation" | "outcome">;
  /** `outcome` is `delivered`, `retried`, `dead` or `recipient-disabled`. */
  readonly deliveries: Counter<"outcome">;
  /** Limited in recipients, because each is a label value. */
  readonly recipientAttempts: {
    count(recipientId: string, outcome: string): void;
  };
  /** By the rule of the clock. */
  readonly overdueCases: Counter<"source" | "rule">;
  readonly overdueTasks: Counter<"source" | "rule">;
  /** Orders that feeders put into the queue. */
  readonly dispatches: Counter<"queue">;
  /** Card numbers and security codes that a gateway sent in clear, by the member that had them. */
  readonly cardDataMasked: Counter<"member">;
  /** Stored bytes that were read and could not be opened, by why. */
  readonly unreadableBodies: Counter<"code">;
  /** Feeder runs that failed because the database or the queue was unavailable. */
  readonly feederFailures: Counter<"queue">;
  /** Messages to people. `channel` is `email`, `slack` or `teams`; `outcome` is `sent` or `failed`. */
  readonly notices: Counter<"channel" | "outcome">;
  /** Spans of traces that reached no collector: see `DropReason`. */
  readonly spansDropped: Counter<"reason">;
}

export interface WatchedValue {
  readonly name: string;
  readonly help: string;
  readonly read: () => number;
}

export function watchValue({ registry }: Pick<Metrics, "registry">, { name, help, read }: WatchedValue): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

export interface WatchedCounts {
  readonly name: string;
  readonly help: string;
  /** Must have few values. */
  readonly label: string;
  /** If it rejects, the gauge is omitted. */
  readonly read: () => Promise<ReadonlyMap<string, number>>;
}

export function watchCounts({ registry }: Pick<Metrics, "registry">, watched: WatchedCounts): void {
  const { name, help, label, read } = watched;
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const counts = await read().catch(() => new Map<string, number>());
      this.reset();
      for (const [value, count] of counts) this.set({ [label]: value }, count);
    },
  });
}

/** Begins at 0, so that the first one is an increase. */
function unreadableBodies(registry: Registry): Counter<"code"> {
  const counter = new Counter({
    name: "skedchange_unreadable_bodies_total",
    help: "Times that stored bytes could not be opened, by why.",
    labelNames: ["code"],
    registers: [registry],
  });
  for (const code of Object.values(storedBodyErrors)) counter.inc({ code }, 0);
  return counter;
}

export interface Backlog {
  readonly casesDue: number;
  /** 0 if no case is due. */
  readonly oldestDueSeconds: number;
  readonly casesByState: Readonly<Record<string, number>>;
  readonly quarantined: number;
  /** How long the oldest entry of the audit that is in no block yet has waited; 0 if all are. */
  readonly auditBehindSeconds: number;
  /** When automation was stopped, for all sources or for one; null if it runs for every source. */
  readonly automationStoppedAt: Date | null;
}

export interface MetricsOptions {
  /** If it rejects, those gauges are omitted. Default: no backlog. */
  readonly readBacklog?: () => Promise<Backlog>;
  readonly processMetrics?: boolean;
}

export function createMetrics(options: MetricsOptions = {}): Metrics {
  const registry = new Registry();
  const registers = [registry];
  if (options.processMetrics === true) collectDefaultMetrics({ register: registry });
  if (options.readBacklog !== undefined) registerBacklog(registry, options.readBacklog);
  return {
    registry,
    notifications: new Counter({
      name: "skedchange_notifications_total",
      help: "Notifications received, by source and outcome.",
      labelNames: ["source", "outcome"],
      registers,
    }),
    ackSeconds: new Histogram({
      name: "skedchange_ack_seconds",
      help: "Seconds from the first byte of a notification to its response.",
      labelNames: ["outcome"],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers,
    }),
    decisions: new Counter({
      name: "skedchange_decisions_total",
      help: "Decisions made, by source, action and who made them.",
      labelNames: ["source", "action", "by"],
      registers,
    }),
    effects: new Counter({
      name: "skedchange_effects_total",
      help: "Gateway calls that accept or cancel, by source, action and the state they reached.",
      labelNames: ["source", "action", "state"],
      registers,
    }),
    gatewaySeconds: new Histogram({
      name: "skedchange_gateway_seconds",
      help: "Seconds of one gateway operation, by operation and outcome.",
      labelNames: ["operation", "outcome"],
      // Some airlines behind a gateway need more than a minute.
      buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30, 60, 120],
      registers,
    }),
    deliveries: countDeliveries(registry),
    recipientAttempts: countPerRecipient(registry),
    overdueCases: new Counter({
      name: "skedchange_case_clocks_missed_total",
      help: "Cases whose time to be decided passed while they waited, by source and the rule that said when.",
      labelNames: ["source", "rule"],
      registers,
    }),
    overdueTasks: new Counter({
      name: "skedchange_task_clocks_missed_total",
      help: "Tasks whose time to be done passed while they were open, by source and the rule that said when.",
      labelNames: ["source", "rule"],
      registers,
    }),
    dispatches: new Counter({
      name: "skedchange_dispatches_total",
      help: "What feeders handed to the workers, by queue.",
      labelNames: ["queue"],
      registers,
    }),
    cardDataMasked: new Counter({
      name: "skedchange_card_data_masked_total",
      help: "Card numbers and security codes that a gateway sent in clear and that are stored masked, by member.",
      labelNames: ["member"],
      registers,
    }),
    unreadableBodies: unreadableBodies(registry),
    feederFailures: new Counter({
      name: "skedchange_feeder_failures_total",
      help: "Looks of feeders that failed because the database or the queue was away, by queue.",
      labelNames: ["queue"],
      registers,
    }),
    notices: new Counter({
      name: "skedchange_notices_total",
      help: "Attempts to tell people that cases wait, by channel and outcome.",
      labelNames: ["channel", "outcome"],
      registers,
    }),
    spansDropped: new Counter({
      name: "skedchange_spans_dropped_total",
      help: "Spans of traces that reached no collector, by reason.",
      labelNames: ["reason"],
      registers,
    }),
  };
}

/** Begins with 0, because Prometheus sees no increase in a series whose first value is 1. */
function countDeliveries(registry: Registry): Metrics["deliveries"] {
  const counter = new Counter({
    name: "skedchange_deliveries_total",
    help: "Tries to deliver a notification to a recipient, by outcome.",
    labelNames: ["outcome"],
    registers: [registry],
  });
  for (const outcome of ["delivered", "retried", "dead", "recipient-disabled"]) counter.inc({ outcome }, 0);
  return counter;
}

/** Further recipients count as `other`, because label values are never freed. */
const countedRecipientsMax = 500;

function countPerRecipient(registry: Registry): Metrics["recipientAttempts"] {
  const counter = new Counter({
    name: "skedchange_recipient_attempts_total",
    help: "Tries to deliver a notification, by recipient and outcome; recipients beyond 500 as `other`.",
    labelNames: ["recipient", "outcome"],
    registers: [registry],
  });
  const counted = new Set<string>();
  return {
    count(recipientId, outcome) {
      if (counted.size < countedRecipientsMax) counted.add(recipientId);
      counter.inc({ recipient: counted.has(recipientId) ? recipientId : "other", outcome });
    },
  };
}

function registerBacklog(registry: Registry, readBacklog: () => Promise<Backlog>): void {
  const registers = [registry];
  // prom-client reads all gauges at the same moment; they share one read.
  let reading: Promise<Backlog | null> | null = null;
  const readOnce = (): Promise<Backlog | null> => {
    reading ??= readBacklog()
      .catch(() => null)
      .finally(() => {
        reading = null;
      });
    return reading;
  };
  new Gauge({
    name: "skedchange_cases_due",
    help: "Cases that a worker should look at now.",
    registers,
    async collect() {
      const backlog = await readOnce();
      if (backlog === null) this.remove();
      else this.set(backlog.casesDue);
    },
  });
  new Gauge({
    name: "skedchange_oldest_due_seconds",
    help: "Age of the oldest due case in seconds; 0 when none is due.",
    registers,
    async collect() {
      const backlog = await readOnce();
      if (backlog === null) this.remove();
      else this.set(backlog.oldestDueSeconds);
    },
  });
  new Gauge({
    name: "skedchange_quarantined_notifications",
    help: "Notifications that could not be used and that nobody has released.",
    registers,
    async collect() {
      const backlog = await readOnce();
      if (backlog === null) this.remove();
      else this.set(backlog.quarantined);
    },
  });
  new Gauge({
    name: "skedchange_audit_behind_seconds",
    help: "How long the oldest entry of the audit that is in no block of the chain yet has waited, in seconds.",
    registers,
    async collect() {
      const backlog = await readOnce();
      if (backlog === null) this.remove();
      else this.set(backlog.auditBehindSeconds);
    },
  });
  new Gauge({
    name: "skedchange_automation_stopped",
    help: "1 while automatic effects of all sources, or of one, are stopped, else 0.",
    registers,
    async collect() {
      const backlog = await readOnce();
      if (backlog === null) this.remove();
      else this.set(backlog.automationStoppedAt === null ? 0 : 1);
    },
  });
  new Gauge({
    name: "skedchange_cases",
    help: "Unfinished cases by state.",
    labelNames: ["state"],
    registers,
    async collect() {
      const backlog = await readOnce();
      this.reset();
      for (const [state, count] of Object.entries(backlog?.casesByState ?? {})) this.set({ state }, count);
    },
  });
}

export function createMetricsHandler(
  registry: Registry,
  logger: Logger,
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  return async (_request, response) => {
    response.setHeader("Cache-Control", "no-store");
    try {
      const text = await registry.metrics();
      response.writeHead(200, { "Content-Type": registry.contentType }).end(text);
    } catch (error) {
      logger.error({ error }, "metrics.failed");
      response.writeHead(503, { "Content-Type": "text/plain; charset=utf-8" });
      response.end(`# The metrics could not be collected: ${messageOf(error)}\n`);
    }
  };
}
