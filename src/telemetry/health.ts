import type { IncomingMessage, ServerResponse } from "node:http";
import { codeOf, messageOf } from "../kernel/app-error.ts";
import { redactText } from "./redact.ts";

export interface HealthCheck {
  readonly name: string;
  readonly check: () => Promise<void>;
  /** Whether the process can do none of its work while this fails, so that it is taken out of service. */
  readonly isNeeded: boolean;
}

export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  readonly isNeeded: boolean;
  /** Contains no credentials; null if all is well. */
  readonly problem: { readonly code: string; readonly message: string } | null;
}

/** Orchestrators give up soon, so a check that hangs has failed. */
export const checkTimeoutMs = 2_000;

/** Runs all checks concurrently. Never rejects; a timeout is a failure. */
export async function runChecks(
  checks: readonly HealthCheck[],
  timeoutMs = checkTimeoutMs,
): Promise<readonly CheckResult[]> {
  return Promise.all(checks.map((check) => runCheck(check, timeoutMs)));
}

async function runCheck({ name, check, isNeeded }: HealthCheck, timeoutMs: number): Promise<CheckResult> {
  const failed = (code: string, message: string): CheckResult => {
    return { name, ok: false, isNeeded, problem: { code, message: redactText(message) } };
  };
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(
      () => resolve(failed("timeout", `No response within ${(timeoutMs / 1000).toString()} s.`)),
      timeoutMs,
    );
  });
  const completed = (async () => {
    try {
      await check();
      return { name, ok: true, isNeeded, problem: null };
    } catch (error) {
      return failed(codeOf(error), messageOf(error));
    }
  })();
  const result = await Promise.race([completed, tooLate]);
  clearTimeout(timer);
  return result;
}

/** Checks nothing, so that a database outage restarts no process. */
export function serveHealthz(_request: IncomingMessage, response: ServerResponse): void {
  writeJson(response, 200, { status: "ok" });
}

/** How long one result serves everyone who asks, so that the checks cost little, whoever asks. */
const resultServesMs = 1_000;

/**
 * 200 if every check that is needed passes, else 503. What comes within a second is given the same result.
 * @param showsParts whether the state of each part is shown, with its problem
 */
export function createReadyzHandler(
  checks: readonly HealthCheck[],
  { showsParts = true, timeoutMs = checkTimeoutMs } = {},
): (request: IncomingMessage, response: ServerResponse) => Promise<void> {
  let last: { readonly at: number; readonly results: Promise<readonly CheckResult[]> } | null = null;
  return async (_request, response) => {
    const now = performance.now();
    if (last === null || now - last.at >= resultServesMs) last = { at: now, results: runChecks(checks, timeoutMs) };
    const results = await last.results;
    const ready = results.every(({ ok, isNeeded }) => ok || !isNeeded);
    const parts = results.map(({ name, ok, problem }) => (problem === null ? { name, ok } : { name, ok, problem }));
    writeJson(response, ready ? 200 : 503, { status: ready ? "ready" : "not-ready", ...(showsParts && { parts }) });
  };
}

function writeJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" });
  response.end(JSON.stringify(body));
}
