import type { IncomingMessage } from "node:http";
import type { RequestHandler } from "express";
import type { Clock } from "../kernel/clock.ts";
import type { Logger } from "../telemetry/logger.ts";
import { createRefusalLines, isRefused } from "../telemetry/refusal-lines.ts";
import type { ClientAddressOf } from "./client-address.ts";
import { problemCodeOf } from "./problem-document.ts";

/** A longer path is none of ours. */
const pathLengthMax = 200;

/**
 * Logs who was refused, so that attacks can be seen and attributed. Only the path of the URL: queries hold ids of orders.
 * @param userIdOf the signed-in user; null if nobody is
 */
export function logRefusals({ logger, clock, addressOf, userIdOf = () => null }: RefusalLog): RequestHandler {
  const write = createRefusalLines(logger, clock);
  return (request, response, next) => {
    const { method } = request;
    const path = request.originalUrl.split("?", 1)[0]!.slice(0, pathLengthMax);
    response.once("finish", () => {
      const { statusCode: status } = response;
      if (!isRefused(status)) return;
      const who = { address: addressOf(request), userId: userIdOf(request) };
      write({ ...who, method, path, status, code: problemCodeOf(response) }, "request.refused");
    });
    next();
  };
}

interface RefusalLog {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly addressOf: ClientAddressOf;
  readonly userIdOf?: (request: IncomingMessage) => string | null;
}
