import type { IncomingHttpHeaders } from "node:http";
import { codeOf } from "../kernel/app-error.ts";
import type { Logger } from "./logger.ts";

/**
 * What is known about where a piece of work came from, as one text (W3C `traceparent`). It travels in headers and in
 * rows, because a job may outlive the process that began it.
 * @see https://www.w3.org/TR/trace-context/#traceparent-header
 */
export type TraceParent = string;

/** Ids, codes and counts. Never a name, a text of a person, a body or a credential. */
export type SpanAttributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

export interface SpanOptions {
  /** `server` and `client` are the two sides of a request. Default: `internal`. */
  readonly kind?: "internal" | "server" | "client";
  /** Null begins a trace. */
  readonly parent?: TraceParent | null | undefined;
  /** Other work that this one also stems from. */
  readonly links?: readonly TraceParent[];
  /** Default: now. */
  readonly startedAt?: Date;
  readonly attributes?: SpanAttributes;
}

export interface Span {
  /** To pass on as the parent of further work; null without tracing. */
  readonly traceparent: TraceParent | null;
  set(attributes: SpanAttributes): void;
  /** Only the first end counts. @param errorCode of a failure */
  end(errorCode?: string): void;
}

/** Never throws and never waits. There is no current span: whoever begins one names its parent. */
export interface Tracer {
  start(name: string, options?: SpanOptions): Span;
}

const noSpan: Span = { traceparent: null, set() {}, end() {} };

export const noTracer: Tracer = { start: () => noSpan };

/** Ends the span with the work; a failure by its code. */
export async function during<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(codeOf(error));
    throw error;
  }
}

const traceparentPattern = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/;

export interface TraceContext {
  readonly traceId: string;
  readonly spanId: string;
  readonly isSampled: boolean;
}

/** Returns null for anything that is no `traceparent` of version 00. */
export function readTraceparent(text: unknown): TraceContext | null {
  const [, traceId, spanId, flags] = traceparentPattern.exec(typeof text === "string" ? text : "") ?? [];
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

/** The one that a request states; null if it states none that can be read. */
export function traceparentIn({ traceparent }: IncomingHttpHeaders): TraceParent | null {
  return typeof traceparent === "string" && readTraceparent(traceparent) !== null ? traceparent : null;
}

export function writeTraceparent({ traceId, spanId, isSampled }: TraceContext): TraceParent {
  return `00-${traceId}-${spanId}-${isSampled ? "01" : "00"}`;
}

/** For log lines, by the name that OpenTelemetry gives it. Empty without tracing. */
export function traceFields(traceparent: TraceParent | null): { readonly trace_id?: string } {
  const context = readTraceparent(traceparent);
  return context === null ? {} : { trace_id: context.traceId };
}

/** Writes the trace into each line. */
export function withTrace(logger: Logger, traceparent: TraceParent | null): Logger {
  const fields = traceFields(traceparent);
  if (fields.trace_id === undefined) return logger;
  return {
    debug: (more, message) => logger.debug({ ...more, ...fields }, message),
    info: (more, message) => logger.info({ ...more, ...fields }, message),
    warn: (more, message) => logger.warn({ ...more, ...fields }, message),
    error: (more, message) => logger.error({ ...more, ...fields }, message),
  };
}
