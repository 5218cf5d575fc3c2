import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Response } from "express";
import { respell, type SpelledBody } from "../contract/other-spellings.ts";
import { assertNever } from "../kernel/app-error.ts";
import type { TransportFault } from "./faults.ts";

export interface FaultyResponse {
  /** The right response; undefined if the operation was not carried out. */
  readonly body: unknown;
  readonly contract: SpelledBody;
  /** The body of an HTTP 500. */
  readonly serverError: unknown;
}

export async function applyFault(response: Response, fault: TransportFault, faulty: FaultyResponse): Promise<void> {
  const half = `{"${faulty.contract.responseRoot}":{"Document":{"Name":`;
  switch (fault.mode) {
    case "delay":
      if (fault.afterEffect) await delay(response, fault.delayMs);
      if (!response.destroyed) response.json(faulty.body);
      return;
    case "respelled":
      response.json(respell(faulty.body, fault.spelling, faulty.contract));
      return;
    case "slow-drip":
      return drip(response, JSON.stringify(faulty.body), fault.delayMs);
    case "http-500":
      response.status(500).json(faulty.serverError);
      return;
    case "malformed":
      response.type("application/json").send(half);
      return;
    case "wrong-content-type":
      response.type("text/html").send("<!doctype html><title>Maintenance</title><p>We will be back soon.</p>");
      return;
    case "truncated-gzip": {
      const whole = await promisify(gzip)(faulty.body === undefined ? half : JSON.stringify(faulty.body));
      response.type("application/json").set("Content-Encoding", "gzip");
      response.end(whole.subarray(0, Math.floor(whole.length / 2)));
      return;
    }
    case "reset":
      response.socket?.resetAndDestroy();
      return;
    case "timeout":
      return;
    default:
      assertNever(fault);
  }
}

/** Whether the operation is carried out first: a late response, and one in another spelling, is a right one. */
export function isCarriedOut(fault: TransportFault | null): boolean {
  return fault === null || fault.afterEffect || ["delay", "slow-drip", "respelled"].includes(fault.mode);
}

/** In which a slow response is sent. */
const pieces = 20;

async function drip(response: Response, text: string, delayMs: number): Promise<void> {
  const bytes = Buffer.from(text);
  const size = Math.ceil(bytes.length / pieces);
  // A compressor would hold the pieces back until it has enough of them.
  response.type("application/json").set({ "Content-Length": String(bytes.length), "Cache-Control": "no-transform" });
  for (let start = 0; start < bytes.length && !response.destroyed; start += size) {
    if (start > 0) await delay(response, delayMs);
    response.write(bytes.subarray(start, start + size));
  }
  response.end();
}

/** Ends early if the caller disconnects. */
export function delay(response: Response, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      response.off("close", done);
      resolve();
    };
    const timer = setTimeout(done, delayMs);
    response.on("close", done);
  });
}
