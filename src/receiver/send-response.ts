import type { ServerResponse } from "node:http";
import { acknowledgeResponse } from "../contract/acknowledgement.ts";
import { type Problem, writeProblem } from "../http/problem-document.ts";
import type { Connections } from "./connections.ts";
import type { Push, PushResponse } from "./push.ts";
import { receiverErrors } from "./receiver-problems.ts";

/** How long a refused caller may go on sending, so that it can read the response. */
const lingerMs = 2_000;

/** Acknowledges, or says what the problem is. */
export function sendResponse(push: Push, { outcome, problem, headers }: PushResponse, connections: Connections): void {
  const { request, response } = push;
  if (outcome === receiverErrors.bodyAborted) {
    response.destroy();
    return;
  }
  // A caller waiting for 100-continue may send its next request instead of the body; a new connection separates them.
  if (connections.stopAwaitingBody(push)) response.setHeader("Connection", "close");
  if (!request.complete) cutOffAfterResponse(push);
  if (problem === null) writeAcknowledgement(response);
  else writeReceiverProblem(response, problem, headers);
}

export function writeReceiverProblem(
  response: ServerResponse,
  problem: Problem,
  headers: PushResponse["headers"] = {},
): void {
  writeProblem(response, problem, { ...headers, ...contentSniffingOff });
}

const contentSniffingOff = { "X-Content-Type-Options": "nosniff" };

const acknowledgement = JSON.stringify(acknowledgeResponse());
const acknowledgementHeaders = {
  ...contentSniffingOff,
  "Content-Type": "application/json; charset=utf-8",
  "Content-Length": Buffer.byteLength(acknowledgement),
  "Cache-Control": "no-store",
};

function writeAcknowledgement(response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  response.writeHead(200, acknowledgementHeaders);
  // Node.js sends a text together with the headers, a buffer separately.
  response.end(acknowledgement);
}

/** Closing at once would reset the connection before a sending caller reads the response. */
function cutOffAfterResponse({ request, response }: Push): void {
  response.once("finish", () => {
    setTimeout(() => {
      if (!request.complete) request.socket.destroy();
    }, lingerMs).unref();
  });
}
