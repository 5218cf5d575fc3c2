import { AppError } from "../kernel/app-error.ts";
import { describeProblem, joinUrl, reach, readJson } from "./api-client.ts";
import { readOwnSetting } from "./own-settings.ts";
import type { Terminal } from "./terminal.ts";

/** Options of every command that talks to the control routes of a gateway. */
export interface ControlOptions {
  readonly url: string;
  readonly token?: string;
}

/** The control routes of a running gateway. What it rejects with is a sentence for the person at the terminal. */
export interface ControlClient {
  readonly url: string;
  /** @param query parameters that are null are left out. @throws AppError with the code of the gateway's problem */
  get<T>(path: string, query?: Readonly<Record<string, string | null>>): Promise<T>;
  post<T>(path: string, body: object, query?: Readonly<Record<string, string | null>>): Promise<T>;
  patch<T>(path: string, body: object): Promise<T>;
  /** For routes that answer nothing. */
  remove(path: string): Promise<void>;
}

export function createControlClient(terminal: Terminal, options: ControlOptions): ControlClient {
  const token =
    options.token ?? readOwnSetting(terminal, "GATEWAY_CONTROL_TOKEN") ?? terminal.demoCredentials.gatewayControlToken;
  const request = async <T>(
    path: string,
    query: Readonly<Record<string, string | null>>,
    init: RequestInit,
  ): Promise<T> => {
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== null);
    const search = given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
    const response = await reach(terminal.fetch, joinUrl(options.url, `/control${path}${search}`), {
      ...init,
      headers: { ...init.headers, Accept: "application/json", Authorization: `Bearer ${token}` },
    });
    return await readAnswer<T>(response, options.url);
  };
  const send = <T>(method: string, path: string, body: object, query = {}): Promise<T> =>
    request(path, query, { method, headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return {
    url: options.url,
    get: (path, query = {}) => request(path, query, { method: "GET" }),
    post: (path, body, query = {}) => send("POST", path, body, query),
    patch: (path, body) => send("PATCH", path, body),
    remove: (path) => request(path, {}, { method: "DELETE" }),
  };
}

async function readAnswer<T>(response: Response, url: string): Promise<T> {
  if (response.status === 204) return undefined as T;
  const body = await readJson(response);
  if (response.ok && body !== null) return body as T;
  const problem = describeProblem(body);
  const isGateway = problem !== null && /^(gateway|sender)\./.test(problem.code);
  if (isGateway && response.status === 401) {
    throw new AppError(
      "cli.token_refused",
      `The gateway at ${url} does not accept the token. Set GATEWAY_CONTROL_TOKEN as the gateway has it, or give --token.`,
    );
  }
  if (isGateway || (problem !== null && response.status >= 500)) throw new AppError(problem.code, problem.text);
  throw notTheGateway(url, response.status);
}

/** Somebody else answers there. */
export function notTheGateway(url: string, httpStatus: number): AppError {
  return new AppError(
    "cli.not_the_gateway",
    `${url} answered ${httpStatus} and not as the control routes do. Is it the address of the gateway side (port 4000)?`,
  );
}
