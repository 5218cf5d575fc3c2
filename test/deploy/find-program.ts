import { spawnSync } from "node:child_process";

/** Whether this machine has a program that can check a file better than a test can. */
export function hasProgram(command: string, ...versionArguments: readonly string[]): boolean {
  return spawnSync(command, versionArguments, { stdio: "ignore" }).status === 0;
}

/** Runs it and returns both of its outputs; throws them if it fails. */
export function runProgram(command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: "utf8", timeout: 20_000 });
  if (status !== 0) throw new Error(error?.message ?? `${command} ${args.join(" ")}\n${stdout}${stderr}`);
  return `${stdout}${stderr}`;
}
