import type { ApiTypes } from "../../api/routes.ts";
import { sendToApi } from "./api-client.ts";
import type { BacktestLine, PolicyBacktest } from "./responses.ts";
import { ApiProblem } from "./send-request.ts";

export type BacktestProgress = Exclude<BacktestLine, { readonly state: "done" | "failed" }>;

/** Aborting the signal cancels the backtest on the server, too. @throws ApiProblem */
export async function runBacktest(
  body: ApiTypes["POST /policies/backtests"]["body"],
  signal: AbortSignal,
  onProgress: (progress: BacktestProgress) => void,
): Promise<PolicyBacktest> {
  const response = await sendToApi("POST", "/policies/backtests", body, { isSafeToRepeat: true, signal });
  for await (const text of linesOf(response)) {
    const line = JSON.parse(text) as BacktestLine;
    if (line.state === "done") return line.backtest;
    if (line.state === "failed") throw new ApiProblem(500, { code: line.code, detail: line.detail });
    onProgress(line);
  }
  throw new ApiProblem(0, {
    code: "web.stream_ended",
    detail: "The connection ended before the backtest did. Nothing was changed; run it again.",
  });
}

async function* linesOf(response: Response): AsyncGenerator<string> {
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
