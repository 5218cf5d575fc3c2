import { runCommand } from "../harness/run-command.ts";
import { type ServerProcess, serverEntry, startServerProcess } from "../harness/server-process.ts";

export type ServerUnderAttack = ServerProcess;

/**
 * Starts this project's build, or the installation that `SECURITY_TARGET` names (its `bin/skedchange.js`), to see that a
 * test finds what an older version was open to.
 */
export function startServerUnderAttack(environment: Record<string, string>): Promise<ServerUnderAttack> {
  return startServerProcess(environment, undefined, { entry: entryUnderAttack() });
}

/** Runs one of its commands to the end; returns the exit code and everything that it has written. */
export async function runUnderAttack(
  parameters: readonly string[],
  environment: Record<string, string>,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const command = runCommand(parameters, environment, undefined, entryUnderAttack());
  const code = await command.ended;
  return { code, output: command.output() };
}

export function entryUnderAttack(): string {
  return process.env["SECURITY_TARGET"] ?? serverEntry;
}
