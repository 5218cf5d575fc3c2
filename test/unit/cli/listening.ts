import { expect } from "vitest";
import { eventually } from "../../harness/eventually.ts";
import { type CliOptions, type CliRun, runCaptured } from "./captured-terminal.ts";

export interface Listening {
  printed(): string;
  /** Waits until the pattern is printed. */
  until(pattern: string | RegExp): Promise<RegExpExecArray | null>;
  /** Waits until the address is printed. */
  address(): Promise<string>;
  /** Presses Ctrl-C. */
  interrupt(): Promise<CliRun>;
}

/** Starts `skedchange listen`. */
export function listen(args: readonly string[], options: CliOptions = {}): Listening {
  let printed = "";
  let interrupt = (): void => {};
  const ended = runCaptured(["listen", ...args], {
    ...options,
    onInterrupt: (listener) => {
      interrupt = listener;
      return () => {};
    },
    onOutput: (text) => {
      printed += text;
    },
  });
  const until = async (pattern: string | RegExp): Promise<RegExpExecArray | null> => {
    await eventually(async () => expect(printed).toMatch(pattern));
    return typeof pattern === "string" ? null : pattern.exec(printed);
  };
  return {
    printed: () => printed,
    until,
    address: async () => (await until(/http:\/\/127\.0\.0\.1:\d+\/ocn/))![0],
    interrupt: () => {
      interrupt();
      return ended;
    },
  };
}
