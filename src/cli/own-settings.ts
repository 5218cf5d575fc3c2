import { readFileSync } from "node:fs";
import { AppError, codeOf } from "../kernel/app-error.ts";
import type { Credential } from "./reach.ts";
import type { Terminal } from "./terminal.ts";

/** Has the names of the server's settings. */
type OwnSetting =
  | "PORT"
  | "API_TOKEN"
  | "OCN_BASIC_USERNAME"
  | "OCN_BASIC_PASSWORD"
  | "OCN_BEARER_TOKENS"
  | "GATEWAY_PORT"
  | "GATEWAY_CONTROL_TOKEN";

/**
 * Reads one setting from the environment or from the file of `<NAME>_FILE`. The other settings are not read, because
 * the command line must work without the server's settings.
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

/** The token of the option, else of the setting, else that of the demo. */
export function chooseToken(
  terminal: Pick<Terminal, "environment">,
  option: string | undefined,
  setting: OwnSetting,
  demo: string,
): Credential {
  if (option !== undefined) return { authorization: `Bearer ${option}`, from: "--token" };
  return { authorization: `Bearer ${readOwnSetting(terminal, setting) ?? demo}`, from: originOf(terminal, setting) };
}

/** The name of the variable that a setting is read from. */
export function originOf({ environment }: Pick<Terminal, "environment">, name: OwnSetting): string {
  return (environment[name] ?? "") === "" ? `${name}_FILE` : name;
}

export function defaultServerUrl(terminal: Pick<Terminal, "environment">): string {
  return localUrl(readOwnSetting(terminal, "PORT"), "3000");
}

export function defaultGatewayUrl(terminal: Pick<Terminal, "environment">): string {
  return localUrl(readOwnSetting(terminal, "GATEWAY_PORT"), "4000");
}

/** Port 0 means any free port, which only the server knows. */
function localUrl(port: string | null, usual: string): string {
  return `http://127.0.0.1:${port === null || port === "0" ? usual : port}`;
}
