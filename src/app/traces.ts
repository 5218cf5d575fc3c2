import type { Settings } from "../config/settings.ts";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";
import { noTracer, type Tracer } from "../telemetry/tracing.ts";
import type { Shutdown } from "./shutdown.ts";
import { version } from "./version.ts";

/** Spans of a trace come together at the collector within a few seconds. */
const exportEveryMs = 2_000;

/** Without a collector in the settings nothing is loaded, and nothing is sent to anybody. */
export async function openTraces(
  settings: Settings,
  parts: {
    readonly logger: Logger;
    readonly shutdown: Shutdown;
    readonly metrics: () => Pick<Metrics, "spansDropped">;
  },
): Promise<Tracer> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers = {} } = settings;
  if (endpoint === undefined) return noTracer;
  const { exportTraces } = await import("../telemetry/export-traces.ts");
  const traces = exportTraces({
    endpoint,
    headers,
    serviceName: settings.OTEL_SERVICE_NAME,
    serviceVersion: version,
    sampledShare: settings.OTEL_TRACES_SAMPLER_ARG,
    everyMs: exportEveryMs,
    onDropped: (reason, count) => parts.metrics().spansDropped.inc({ reason }, count),
    onFailing: (error) => parts.logger.warn({ error }, "traces.export_failed"),
  });
  // Work ends before, so its spans are exported too.
  parts.shutdown.add("connections", "traces", () => traces.close());
  return traces.tracer;
}
