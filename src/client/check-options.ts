import { AppError } from "../kernel/app-error.ts";
import type { Secret } from "../kernel/secret.ts";
import type { GatewayClientOptions } from "./client-options.ts";
import { fitsHeader } from "./fits-header.ts";

/** @throws AppError `client.invalid_option`, which names the option and never its value */
export function checkOptions(options: GatewayClientOptions): void {
  checkUrl("baseUrl", options.baseUrl);
  if (options.voidBaseUrl !== undefined) checkUrl("voidBaseUrl", options.voidBaseUrl);
  if (typeof options.accessToken !== "function" && !isSecret(options.accessToken)) {
    throw invalidOption("accessToken", "must be a Secret, or a function that returns one: new Secret(token)");
  }
  const { apiKey = null } = options;
  if (apiKey !== null && !isSecret(apiKey)) throw invalidOption("apiKey", "must be a Secret or null: new Secret(key)");
  if (apiKey !== null && !fitsHeader(apiKey)) {
    throw invalidOption("apiKey", "has characters that no HTTP header can carry, such as a line end");
  }
  const { contactEmails = [] } = options.envelope ?? {};
  if (!Array.isArray(contactEmails))
    throw invalidOption("envelope.contactEmails", "must be a list of e-mail addresses");
  checkAboveZero("timeoutMs", options.timeoutMs);
  for (const [name, timeoutMs] of Object.entries(options.operationTimeoutsMs ?? {})) {
    checkAboveZero(`operationTimeoutsMs.${name}`, timeoutMs);
  }
  checkAboveZero("retries.attemptsMax", options.retries?.attemptsMax);
  checkAboveZero("circuit.failuresMax", options.circuit?.failuresMax);
  checkAboveZero("concurrency.callsMax", options.concurrency?.callsMax);
}

function checkUrl(option: string, value: string): void {
  if (/^https?:/i.test(value) && URL.canParse(value)) return;
  throw invalidOption(option, "must be an http or https URL, such as https://gateway.example/air");
}

function checkAboveZero(option: string, value: number | undefined): void {
  if (value !== undefined && !(value > 0)) throw invalidOption(option, "must be a number above 0");
}

/** Not `instanceof`: the Secret may be that of another copy of the package. */
function isSecret(value: Secret | null | undefined): value is Secret {
  return typeof value?.reveal === "function";
}

function invalidOption(option: string, rule: string): AppError {
  return new AppError("client.invalid_option", `The option ${option} ${rule}.`);
}
