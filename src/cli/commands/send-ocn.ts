import type { Command } from "commander";
import { readAcknowledgement } from "../../contract/acknowledgement.ts";
import { AppError } from "../../kernel/app-error.ts";
import { isRecord } from "../../kernel/record.ts";
import { describeProblem, joinUrl, readJson, startOfServer } from "../api-client.ts";
import { defaultServerUrl, originOf, readOwnSetting } from "../own-settings.ts";
import { type Credential, reach } from "../reach.ts";
import { readInput } from "../read-input.ts";
import { styleFor } from "../style.ts";
import { type Finish, printJson, printLine, type Terminal, toJson } from "../terminal.ts";

interface SendOcnOptions {
  readonly url: string;
  readonly basic?: string;
  readonly bearer?: string;
  readonly json?: boolean;
}

/** Exit code 1 if the notification is not acknowledged. */
export function addSendOcnCommand(program: Command, terminal: Terminal, finish: Finish): void {
  program
    .command("send-ocn")
    .description("push a notification like a gateway, with the exact bytes of the file")
    .argument("<file>", "a JSON file, or - for standard input")
    .option("--url <url>", "the push target", joinUrl(defaultServerUrl(terminal), "/ocn"))
    .option(
      "--basic <user:password>",
      "Basic credentials (default: OCN_BASIC_*, OCN_BEARER_TOKENS, else those of the demo)",
    )
    .option("--bearer <token>", "Bearer token")
    .option("--json", "print the response as JSON")
    .action(async (file: string, options: SendOcnOptions) => finish(await sendOcn(file, options, terminal)));
}

async function sendOcn(file: string, options: SendOcnOptions, terminal: Terminal): Promise<number> {
  const credential = chooseCredential(options, terminal);
  const notification = new Uint8Array(await readInput(file, terminal));
  const headers = { "Content-Type": "application/json", Accept: "application/json" };
  const request = { method: "POST", headers, body: notification };
  const reply = await reach(terminal.fetch, options.url, request, {
    option: "--url",
    start: startOfServer,
    credential,
    commandToCheck: "cases",
  });
  const body = readJson(reply);
  const style = styleFor(terminal);
  const isAcknowledged = reply.ok && readAcknowledgement(body);
  if (options.json === true) {
    printJson(terminal, { acknowledged: isAcknowledged, status: reply.status, body });
    return isAcknowledged ? 0 : 1;
  }
  if (isAcknowledged) {
    printLine(terminal.stdout, `${style.good("Acknowledged")} (${reply.status}): ${toJson(body)}`);
    return 0;
  }
  const reason = reply.status === 401 ? credentialsRefused : (describeProblem(body)?.text ?? describeBody(body));
  printLine(terminal.stderr, `${style.bad("Not acknowledged")} (${reply.status}): ${reason}`);
  const path = isRecord(body) ? body["path"] : undefined;
  if (typeof path === "string" && path !== "") printLine(terminal.stderr, `  at ${path} of the body`);
  return 1;
}

const credentialsRefused =
  "the credentials are not accepted there. Give those of the gateway with --basic or --bearer.";

function describeBody(body: unknown): string {
  return body === null
    ? "the response is not JSON. Is this the address of a push target?"
    : "the response is JSON but no acknowledgement.";
}

function chooseCredential(options: SendOcnOptions, terminal: Terminal): Credential {
  if (options.basic !== undefined && options.bearer !== undefined) {
    throw new AppError("cli.two_credentials", "Give either --basic or --bearer.");
  }
  if (options.bearer !== undefined) return { authorization: `Bearer ${options.bearer}`, from: "--bearer" };
  if (options.basic !== undefined) {
    if (!options.basic.includes(":")) throw new AppError("cli.bad_basic", "--basic must be user:password.");
    return { authorization: toBasic(options.basic), from: "--basic" };
  }
  const username = readOwnSetting(terminal, "OCN_BASIC_USERNAME");
  const password = readOwnSetting(terminal, "OCN_BASIC_PASSWORD");
  if (username !== null && password !== null && !isHash(password)) {
    return { authorization: toBasic(`${username}:${password}`), from: originOf(terminal, "OCN_BASIC_PASSWORD") };
  }
  const token = (readOwnSetting(terminal, "OCN_BEARER_TOKENS") ?? "")
    .split(/\s+/)
    .find((candidate) => candidate !== "" && !isHash(candidate));
  if (token !== undefined) {
    return { authorization: `Bearer ${token}`, from: originOf(terminal, "OCN_BEARER_TOKENS") };
  }
  if (password !== null) {
    throw new AppError(
      "cli.only_hashes",
      "The settings hold only hashes of the credentials. Give --basic or --bearer.",
    );
  }
  const { basicUsername, basicPassword } = terminal.demoCredentials;
  return { authorization: toBasic(`${basicUsername}:${basicPassword}`), from: "--basic" };
}

function isHash(secret: string): boolean {
  return secret.startsWith("scrypt$");
}

function toBasic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword, "utf8").toString("base64")}`;
}
