import { hostname } from "node:os";
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } from "@opentelemetry/api";
import { JsonTraceSerializer } from "@opentelemetry/otlp-transformer";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  ParentBasedSampler,
  type ReadableSpan,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { createSpanQueue, type SpanQueueOptions } from "./span-queue.ts";
import {
  readTraceparent,
  type Span,
  type SpanOptions,
  type TraceParent,
  type Tracer,
  writeTraceparent,
} from "./tracing.ts";

export interface TraceExportOptions extends Omit<SpanQueueOptions<ReadableSpan>, "send"> {
  /** The base URL of an OTLP/HTTP collector. */
  readonly endpoint: string;
  /** Sent with every export, such as the credential of the collector. */
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly serviceVersion: string;
  /** The share of traces that are exported, from 0 to 1. */
  readonly sampledShare: number;
}

export interface TraceExport {
  readonly tracer: Tracer;
  /** Exports what is left, for a short time, and drops the rest. */
  close(): Promise<void>;
}

/** A process exports nothing else meanwhile, so a collector that hangs costs one connection. */
const exportTimeoutMs = 10_000;

/** Below the limit of the phase in which a process closes its connections. */
const closeTimeoutMs = 1_000;

/** Loaded only where traces are exported: the packages cost 0.1 s at the start. */
export function exportTraces(options: TraceExportOptions): TraceExport {
  const url = `${options.endpoint.replace(/\/+$/, "")}/v1/traces`;
  const stopping = new AbortController();
  const queue = createSpanQueue<ReadableSpan>({
    ...options,
    send: async (spans) => {
      const response = await fetch(url, {
        method: "POST",
        // The headers are for this collector and nobody else.
        redirect: "error",
        headers: { ...options.headers, "content-type": "application/json" },
        body: JsonTraceSerializer.serializeRequest([...spans])!,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(exportTimeoutMs)]),
      });
      await response.body?.cancel();
      return response.status;
    },
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": options.serviceName,
      "service.version": options.serviceVersion,
      "service.instance.id": `${hostname()}:${process.pid}`,
    }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.sampledShare) }),
    spanProcessors: [
      {
        onStart() {},
        onEnd: (span) => queue.add(span),
        forceFlush: async () => {},
        shutdown: async () => {},
      },
    ],
  });
  const tracer = provider.getTracer("skedchange", options.serviceVersion);

  return {
    tracer: { start: (name, spanOptions = {}) => startSpan(tracer, name, spanOptions) },
    close: async () => {
      const timer = setTimeout(() => stopping.abort(), closeTimeoutMs);
      await queue.close();
      clearTimeout(timer);
    },
  };
}

const kinds = { internal: SpanKind.INTERNAL, server: SpanKind.SERVER, client: SpanKind.CLIENT } as const;

function startSpan(
  tracer: ReturnType<TracerProvider["getTracer"]>,
  name: string,
  { kind = "internal", parent = null, links = [], startedAt, attributes = {} }: SpanOptions,
): Span {
  const parentContext = toSpanContext(parent);
  const span = tracer.startSpan(
    name,
    {
      kind: kinds[kind],
      links: links
        .map(toSpanContext)
        .filter((link) => link !== null)
        .map((context) => ({ context })),
      attributes: withoutEmpty(attributes),
      ...(startedAt !== undefined && { startTime: startedAt }),
    },
    parentContext === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parentContext),
  );
  const { traceId, spanId, traceFlags } = span.spanContext();
  return {
    traceparent: writeTraceparent({ traceId, spanId, isSampled: (traceFlags & TraceFlags.SAMPLED) !== 0 }),
    set: (more) => void span.setAttributes(withoutEmpty(more)),
    end: (errorCode) => {
      if (errorCode !== undefined) span.setAttribute("error.type", errorCode).setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

function toSpanContext(traceparent: TraceParent | null) {
  const context = readTraceparent(traceparent);
  if (context === null) return null;
  const { traceId, spanId, isSampled } = context;
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

function withoutEmpty(attributes: NonNullable<SpanOptions["attributes"]>) {
  const given = Object.entries(attributes).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given) as Record<string, string | number | boolean>;
}
