import { readFileSync } from "node:fs";
import { AppError, codeOf } from "../kernel/app-error.ts";
import type { Terminal } from "./terminal.ts";

/** The settings that the command line uses to reach a server that runs already, named as for the server. */
type OwnSetting =
  | "PORT"
  | "API_TOKEN"
  | "OCN_BASIC_USERNAME"
  | "OCN_BASIC_PASSWORD"
  | "OCN_BEARER_TOKENS"
  | "GATEWAY_PORT"
  | "GATEWAY_CONTROL_TOKEN";

/**
 * One setting from the environment, or from the file that `<NAME>_FILE` names; null when it is not set. The command line
 * does not read all settings: it must work beside a server whose settings it does not have.
 *
 * @throws AppError `cli.setting_unreadable`
 */
export function readOwnSetting({ environment }: Pick<Terminal, "environment">, name: OwnSetting): string | null {
  const value = environment[name];
  if (value !== undefined && value !== "") return value;
  const file = environment[`${name}_FILE`];
  if (file === undefined || file === "") return null;
  try {
    return readFileSync(file, "utf8").replace(/\r?\n$/, "");
  } catch (error) {
    throw new AppError(
      "cli.setting_unreadable",
      `${name}_FILE names ${file}, which cannot be read: ${codeOf(error)}.`,
      {
        cause: error,
      },
    );
  }
}

/** Where the agency side of this machine listens. */
export function defaultServerUrl(terminal: Pick<Terminal, "environment">): string {
  return localUrl(readOwnSetting(terminal, "PORT"), "3000");
}

/** Where the gateway side of this machine listens. */
export function defaultGatewayUrl(terminal: Pick<Terminal, "environment">): string {
  return localUrl(readOwnSetting(terminal, "GATEWAY_PORT"), "4000");
}

/** 0 stands for any free port, which nobody but the server knows. */
function localUrl(port: string | null, usual: string): string {
  return `http://127.0.0.1:${port === null || port === "0" ? usual : port}`;
}
