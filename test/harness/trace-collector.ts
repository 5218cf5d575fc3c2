import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What tests look at of a span, as it came in OTLP/JSON. */
export interface CollectedSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly links?: readonly { readonly traceId: string; readonly spanId: string }[];
  readonly attributes: readonly { readonly key: string; readonly value: Readonly<Record<string, unknown>> }[];
}

/** A collector that takes OTLP over HTTP. */
export interface TraceCollector {
  readonly url: string;
  /** All that it was sent, as text. */
  text(): string;
  spans(): readonly CollectedSpan[];
  /** The headers of each request. */
  readonly requests: readonly Readonly<Record<string, unknown>>[];
  close(): Promise<void>;
}

/** @param respond default: takes everything. One that does nothing hangs. */
export async function startTraceCollector(
  respond: (response: ServerResponse) => void = (response) => void response.writeHead(200).end("{}"),
): Promise<TraceCollector> {
  const bodies: string[] = [];
  const requests: Readonly<Record<string, unknown>>[] = [];
  const server = createServer(async (request, response) => {
    requests.push({ url: request.url, ...request.headers });
    let body = "";
    for await (const chunk of request) body += String(chunk);
    bodies.push(body);
    respond(response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    text: () => bodies.join("\n"),
    spans: () => bodies.flatMap((body) => spansOf(JSON.parse(body) as OtlpBody)),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface OtlpBody {
  readonly resourceSpans: readonly { readonly scopeSpans: readonly { readonly spans: readonly CollectedSpan[] }[] }[];
}

function spansOf({ resourceSpans }: OtlpBody): readonly CollectedSpan[] {
  return resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));
}

export function attributeOf(span: CollectedSpan | undefined, key: string): unknown {
  const value = span?.attributes.find((attribute) => attribute.key === key)?.value;
  return value === undefined ? undefined : Object.values(value)[0];
}

/** The spans of a trace, indented below their parents, in the order in which they began. */
export function drawTree(spans: readonly CollectedSpan[], traceId: string): readonly string[] {
  const ofTrace = spans
    .filter((span) => span.traceId === traceId)
    .sort((a, b) => (BigInt(a.startTimeUnixNano) < BigInt(b.startTimeUnixNano) ? -1 : 1));
  const ids = new Set(ofTrace.map(({ spanId }) => spanId));
  const below = (parentId: string | null, indent: string): string[] =>
    ofTrace
      .filter(({ parentSpanId = "" }) => (parentId === null ? !ids.has(parentSpanId) : parentSpanId === parentId))
      .flatMap(({ name, spanId }) => [`${indent}${name}`, ...below(spanId, `${indent}  `)]);
  return below(null, "");
}
