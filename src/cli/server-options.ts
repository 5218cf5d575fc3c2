import type { Command } from "commander";
import { defaultGatewayUrl, defaultServerUrl } from "./own-settings.ts";
import type { Terminal } from "./terminal.ts";

/** Which server a command calls, and whether it prints the response as JSON. */
export interface ServerOptions {
  readonly url: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** Adds `--url`, `--token` and `--json`. */
export function addAgencyOptions(
  command: Command,
  terminal: Terminal,
  json = "print the response of the API",
): Command {
  return command
    .option("--url <url>", "URL of the agency side", defaultServerUrl(terminal))
    .option("--token <token>", "API token (default: API_TOKEN, else that of the demo)")
    .option("--json", json);
}

/** Adds `--url`, `--token` and `--json`. */
export function addGatewayOptions(
  command: Command,
  terminal: Terminal,
  json = "print the response of the control API",
): Command {
  return command
    .option("--url <url>", "URL of the gateway side", defaultGatewayUrl(terminal))
    .option("--token <token>", "control token (default: GATEWAY_CONTROL_TOKEN, else that of the demo)")
    .option("--json", json);
}
