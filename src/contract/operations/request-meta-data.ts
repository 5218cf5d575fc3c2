import { memberAt, textOf } from "../lenient-value.ts";
import type { QueryOptions } from "./operation.ts";

export function metaDataOf(query: QueryOptions): { MetaData?: { TraceId: string } } {
  return query.traceId === undefined ? {} : { MetaData: { TraceId: query.traceId } };
}

export function traceIdOf(content: unknown): QueryOptions {
  const traceId = textOf(memberAt(content, "MetaData", "TraceId"));
  return traceId === null ? {} : { traceId };
}
