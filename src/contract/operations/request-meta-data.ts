import { memberAt, textOf } from "../lenient-value.ts";
import type { QueryOptions } from "./operation.ts";

/** `MetaData` with the trace identifier, when the query has one. */
export function metaDataOf(query: QueryOptions): { MetaData?: { TraceId: string } } {
  return query.traceId === undefined ? {} : { MetaData: { TraceId: query.traceId } };
}

/** The trace identifier that a request states under its root. */
export function traceIdOf(content: unknown): QueryOptions {
  const traceId = textOf(memberAt(content, "MetaData", "TraceId"));
  return traceId === null ? {} : { traceId };
}
