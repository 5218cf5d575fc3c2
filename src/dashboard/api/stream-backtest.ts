import type { ServerResponse } from "node:http";
import { AppError } from "../../kernel/app-error.ts";
import type { BacktestLine, BacktestRequest, PolicyBacktest } from "../backtest-ports.ts";

/** Also keeps proxies from closing a stream in which a backtest waits for its turn. */
const lineIntervalMs = 1_000;

/** Writes JSON lines until the backtest has ended. Returns false, and writes nothing, if it does not start. */
export function streamBacktest(
  response: ServerResponse,
  start: (stream: Pick<BacktestRequest, "signal" | "onProgress">) => Promise<PolicyBacktest> | null,
): boolean {
  const closed = new AbortController();
  let newest: BacktestLine = { state: "waiting" };
  const running = start({
    signal: closed.signal,
    onProgress: (done, total) => {
      newest = { state: "running", done, total };
    },
  });
  if (running === null) return false;

  response.on("error", () => {});
  response.on("close", () => closed.abort(new Error("Nobody waits for the backtest any more.")));
  // The connection is not reused, so that a process that stops need not wait for it.
  response.writeHead(200, {
    "Content-Type": "application/jsonl; charset=utf-8",
    "X-Accel-Buffering": "no",
    Connection: "close",
  });
  const write = (line: BacktestLine): void => void response.write(`${JSON.stringify(line)}\n`);
  write(newest);
  const timer = setInterval(() => write(newest), lineIntervalMs).unref();
  void running
    .then(
      (backtest) => write({ state: "done", backtest }),
      (error: unknown) => {
        if (!closed.signal.aborted) write(failureOf(error));
      },
    )
    .finally(() => {
      clearInterval(timer);
      response.end();
    });
  return true;
}

function failureOf(error: unknown): BacktestLine {
  if (error instanceof AppError) return { state: "failed", code: error.code, detail: error.message };
  const detail = "The backtest failed. The log of the server has a line 'policy.backtest_failed' with the details.";
  return { state: "failed", code: "policy.backtest_failed", detail };
}
