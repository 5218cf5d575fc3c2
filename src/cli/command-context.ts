import type { CommandContext } from "../app/storage-beside.ts";
import { printLine, type Terminal } from "./terminal.ts";

/** For a command that works on the database itself. What it tells meanwhile goes to standard error. */
export function commandContext({ environment, stderr }: Terminal): CommandContext {
  return { environment: { ...environment }, print: (line) => printLine(stderr, line) };
}
