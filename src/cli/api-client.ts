import type { ApiTypes } from "../dashboard/api/routes.ts";
import { type Call, requestOf } from "../http/call-route.ts";
import { AppError } from "../kernel/app-error.ts";
import { isRecord } from "../kernel/record.ts";
import { toOneLine } from "../kernel/visible-text.ts";
import { chooseToken } from "./own-settings.ts";
import { type HttpReply, reach, type SentRequest } from "./reach.ts";
import type { ServerOptions } from "./server-options.ts";
import type { Terminal } from "./terminal.ts";

/** Calls a running server. Rejects with an AppError whose message is for the person at the terminal. */
export interface ApiClient {
  readonly call: Call<ApiTypes>;
}

export function createApiClient(terminal: Terminal, options: ServerOptions): ApiClient {
  const token = chooseToken(terminal, options.token, "API_TOKEN", terminal.demoCredentials.apiToken);
  return {
    call: async (name, input) => {
      const { method, path, body } = requestOf(name, input as Parameters<typeof requestOf>[1]);
      const reply = await reach(terminal.fetch, joinUrl(options.url, `/api/v1${path}`), jsonRequest(method, body), {
        option: "--url",
        start: startOfServer,
        credential: token,
        commandToCheck: commandThatShows(path, "events "),
      });
      return readReply(reply, options.url);
    },
  };
}

export const startOfServer =
  "Start the server with its settings (`npx skedchange serve`), or give its address with --url.";

export function jsonRequest(method: string, body: unknown): SentRequest {
  const headers = { Accept: "application/json" };
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

export function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}${path}`;
}

function readReply<T>(reply: HttpReply, url: string): T {
  if (reply.status === 204) return undefined as T;
  const body = readJson(reply);
  if (reply.ok && body !== null) return body as T;
  if (reply.status === 401) {
    throw new AppError(
      "cli.token_refused",
      `The server at ${url} does not accept the token. Set API_TOKEN as the server has it, or give --token.`,
    );
  }
  const problem = describeProblem(body, "events ");
  if (problem !== null) throw new AppError(problem.code, problem.text);
  throw new AppError(
    "cli.not_the_api",
    `${url} responded with ${reply.status} and not as Skedchange does. Is it the address of the agency side (port 3000)?`,
  );
}

/** Returns null if the body is no JSON. */
export function readJson({ text }: HttpReply): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The command that shows whether a request was carried out. Returns null if there is none.
 *
 * @param side before the names of commands, as for `describeProblem`
 */
export function commandThatShows(path: string, side: "" | "events " = ""): string | null {
  const [, topic = "", id] = path.split(/[/?]/);
  if (topic === "cases" && id !== undefined) return `case ${id}`;
  if (topic === "orders" && id !== undefined) return `deliveries list --order ${id}`;
  return listOf(topic.replace(/ies$/, "y").replace(/s$/, ""), side);
}

/**
 * Says on one line, in the words of the command line, what is wrong with which option, and which command lists what an id
 * may name. Returns null if the body is no problem document (RFC 9457).
 *
 * @param side before the names of commands: `events ` for recipients and deliveries of the agency.
 */
export function describeProblem(
  body: unknown,
  side: "" | "events " = "",
): { readonly code: string; readonly text: string } | null {
  if (!isRecord(body) || typeof body["detail"] !== "string") return null;
  const code = typeof body["code"] === "string" ? body["code"] : "cli.problem";
  const [, missing] = /^(?:api|sender)\.(\w+)_not_found$/.exec(code) ?? [];
  const list = missing === undefined ? null : listOf(missing.replaceAll("_", "-"), side);
  if (list !== null) {
    const detail = body["detail"].replace(/ GET \S+ lists them\.$/, "");
    return { code, text: toOneLine(`${detail} See what there is: npx skedchange ${list}`) };
  }
  const problems = Array.isArray(body["problems"]) ? body["problems"].filter(isInBody) : [];
  if (problems.length > 0) {
    return { code, text: toOneLine(problems.map(describeInBody).join("; ")) };
  }
  const title = typeof body["title"] === "string" ? `${body["title"]}. ` : "";
  return { code, text: toOneLine(`${title}${body["detail"]}`) };
}

/** The command that lists what an id may name. */
function listOf(what: string, side: "" | "events "): string | null {
  const list = lists[what];
  if (list === undefined) return null;
  return /^(?:recipients|deliveries) /.test(list) ? `${side}${list}` : list;
}

const lists: Readonly<Record<string, string>> = {
  automation: "automation status",
  "bulk-action": "bulk list",
  case: "cases",
  decision: "cases",
  delivery: "deliveries list",
  notification: "quarantine list",
  policy: "policy list",
  recipient: "recipients list",
  replay: "deliveries list",
  task: "tasks list --state all",
  user: "users list",
};

/** The members of a body have the names of the options and arguments that they come from. */
function isInBody(problem: unknown): problem is { readonly path: string; readonly message: string } {
  if (!isRecord(problem)) return false;
  const { path, message } = problem;
  return typeof path === "string" && /^(?:\/|$)/.test(path) && typeof message === "string";
}

function describeInBody({ path, message }: { readonly path: string; readonly message: string }): string {
  return path === "" ? message : `${path.slice(1)}: ${message}`;
}
