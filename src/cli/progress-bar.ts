import { SingleBar } from "cli-progress";
import type { Terminal, TextOutput } from "./terminal.ts";

export interface ProgressBar {
  /** Begins the bar, moves it, or removes it if everything is done. After that it can begin again. */
  readonly update: (done: number, total: number) => void;
  readonly stop: () => void;
}

/** Shows nothing unless standard error is a terminal. */
export function createProgressBar({ stderr }: Pick<Terminal, "stderr">, format: string): ProgressBar {
  if (stderr.isTTY !== true) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar({
    format,
    stream: asStream(stderr),
    clearOnComplete: true,
    hideCursor: true,
    etaBuffer: 50,
  });
  return {
    update(done, total) {
      if (done >= total) return bar.stop();
      if (bar.isActive) bar.update(done);
      else bar.start(total, done);
    },
    stop: () => bar.stop(),
  };
}

/** The bar only writes to its stream, and reads whether it is a terminal and how wide. */
function asStream(output: TextOutput): NodeJS.WritableStream {
  return output as NodeJS.WritableStream;
}
