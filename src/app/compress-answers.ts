import compression from "compression";
import type { RequestHandler } from "express";

/**
 * Compresses what is worth it for who accepts it: lists of cases shrink to a tenth. Not streams of events, which would wait in
 * the compressor. What is compressed already stays as it is.
 */
export const compressAnswers: RequestHandler = compression({
  threshold: 1024,
  filter: (request, response) =>
    !String(response.getHeader("Content-Type")).startsWith("text/event-stream") &&
    compression.filter(request, response),
});
