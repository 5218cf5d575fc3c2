import { type ServerProcess, serverEntry, startServerProcess } from "../harness/server-process.ts";

export type ServerUnderAttack = ServerProcess;

/**
 * Starts this project's build, or the installation that `SECURITY_TARGET` names (its `bin/skedchange.js`), to see that a
 * test finds what an older version was open to.
 */
export function startServerUnderAttack(environment: Record<string, string>): Promise<ServerUnderAttack> {
  return startServerProcess(environment, undefined, { entry: process.env["SECURITY_TARGET"] ?? serverEntry });
}
