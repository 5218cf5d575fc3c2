import type { ClientAddressOf } from "../http/client-address.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { createRefusalLines, isRefused } from "../telemetry/refusal-lines.ts";
import { type Span, type Tracer, traceFields, traceparentIn } from "../telemetry/tracing.ts";
import type { Push, PushResponse } from "./push.ts";

/**
 * Strangers get no span, so that they cannot fill the collector. A sender's own trace is linked and not continued: it
 * must decide neither which traces are exported nor which notifications share one.
 */
export function startTrace(push: Push, source: string, tracer: Tracer): Span {
  const theirs = traceparentIn(push.request.headers);
  const { startedAt } = push;
  const span = tracer.start("POST /ocn", {
    kind: "server",
    startedAt,
    links: theirs === null ? [] : [theirs],
    attributes: { "http.request.method": "POST", "http.route": "/ocn", "skedchange.source": source },
  });
  push.span = span;
  tracer.start("authenticate", { parent: span.traceparent, startedAt }).end();
  return span;
}

export type ReportPush = (push: Push, source: string | null, decided: PushResponse) => void;

/** One line of the log for each push, its counts, and the end of its trace. */
export function createPushReport(context: {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Pick<Metrics, "notifications" | "ackSeconds">;
  readonly addressOf: ClientAddressOf;
}): ReportPush {
  const { clock, logger, metrics, addressOf } = context;
  const writeRefusal = createRefusalLines(logger, clock);

  return ({ request, startedAt, span }, source, { outcome, problem, fields, error }) => {
    const durationMs = clock.now().getTime() - startedAt.getTime();
    metrics.notifications.inc({ source: source ?? "unknown", outcome });
    metrics.ackSeconds.observe({ outcome }, durationMs / 1000);
    const status = problem?.status ?? 200;
    const address = addressOf(request);
    span?.set({
      "http.response.status_code": status,
      "skedchange.outcome": outcome,
      "skedchange.notification.id": fields?.notificationId,
      "skedchange.orders": fields?.orderIds?.length,
      "skedchange.body.bytes": fields?.bodyBytes,
    });
    span?.end(problem?.code);
    const trace = traceFields(span?.traceparent ?? null);
    const line = {
      ...{ source, address, status, outcome, ...fields, durationMs, ...trace },
      ...(error !== undefined && { error }),
    };
    // Stored notifications get their own event name, so that they can be found.
    if (outcome === "new" || outcome === "repeated") logger.info(line, "notification.received");
    else if (outcome === "quarantined") logger.warn(line, "notification.received");
    else if (status === 500) logger.error(line, "notification.refused");
    else if (isRefused(status)) writeRefusal(line, "notification.refused");
    else logger.warn(line, "notification.refused");
  };
}
