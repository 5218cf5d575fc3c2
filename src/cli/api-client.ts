import type { ApiTypes } from "../dashboard/api/routes.ts";
import { type Call, requestOf } from "../http/call-route.ts";
import { AppError } from "../kernel/app-error.ts";
import { isRecord } from "../kernel/record.ts";
import { chooseToken } from "./own-settings.ts";
import { reach } from "./reach.ts";
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
      const url = joinUrl(options.url, `/api/v1${path}`);
      return await readResponse(await reach(terminal.fetch, url, jsonRequest(method, body), token), options.url);
    },
  };
}

export function jsonRequest(method: string, body: unknown) {
  const headers = { Accept: "application/json" };
  if (body === undefined) return { method, headers };
  return { method, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
}

export function joinUrl(base: string, path: string): string {
  return `${base.replace(/\/+$/, "")}${path}`;
}

async function readResponse<T>(response: Response, url: string): Promise<T> {
  if (response.status === 204) return undefined as T;
  const body = await readJson(response);
  if (response.ok && body !== null) return body as T;
  if (response.status === 401) {
    throw new AppError(
      "cli.token_refused",
      `The server at ${url} does not accept the token. Set API_TOKEN as the server has it, or give --token.`,
    );
  }
  const problem = describeProblem(body, "events ");
  if (problem !== null) throw new AppError(problem.code, problem.text);
  throw new AppError(
    "cli.not_the_api",
    `${url} responded with ${response.status} and not as Skedchange does. Is it the address of the agency side (port 3000)?`,
  );
}

/** Returns null if the body is no JSON. */
export async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return null;
  }
}

/**
 * In the words of the command line: what is wrong with which option, and which command lists what an id may name.
 * Returns null if the body is no problem document (RFC 9457).
 *
 * @param side before the names of commands: `events ` for recipients and deliveries of the agency.
 */
export function describeProblem(
  body: unknown,
  side: "" | "events " = "",
): { readonly code: string; readonly text: string } | null {
  if (!isRecord(body) || typeof body["detail"] !== "string") return null;
  const code = typeof body["code"] === "string" ? body["code"] : "cli.problem";
  const list = lists[code];
  if (list !== undefined) {
    const detail = body["detail"].replace(/ GET \S+ lists them\.$/, "");
    const command = code.startsWith("sender.") ? `${side}${list}` : list;
    return { code, text: `${detail} See what there is: npx skedchange ${command}` };
  }
  const problems = Array.isArray(body["problems"]) ? body["problems"].filter(isInBody) : [];
  if (problems.length > 0) {
    return { code, text: problems.map(({ path, message }) => `${path.slice(1)}: ${message}`).join("; ") };
  }
  const title = typeof body["title"] === "string" ? `${body["title"]}. ` : "";
  return { code, text: `${title}${body["detail"]}` };
}

/** The command that lists what an id may name, by the code of the problem. */
const lists: Readonly<Record<string, string>> = {
  "api.case_not_found": "cases",
  "api.decision_not_found": "cases",
  "api.notification_not_found": "quarantine list",
  "api.task_not_found": "tasks list --state all",
  "api.bulk_action_not_found": "bulk list",
  "sender.recipient_not_found": "recipients list",
  "sender.delivery_not_found": "deliveries list",
};

/** The members of a body have the names of the options and arguments that they come from. */
function isInBody(problem: unknown): problem is { readonly path: string; readonly message: string } {
  if (!isRecord(problem)) return false;
  const { path, message } = problem;
  return typeof path === "string" && path.startsWith("/") && typeof message === "string";
}
