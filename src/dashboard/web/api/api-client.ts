import { type CallOf, requestOf } from "../../../http/call-route.ts";
import type { ApiTypes } from "../../api/routes.ts";
import type { ActionRequest, BulkPreview, BulkRequest } from "./responses.ts";

/** A problem document of the API, or what stands for one when no response came. @see RFC 9457 */
export class ApiProblem extends Error {
  /** 0 when there was no response. */
  readonly status: number;
  readonly code: string;
  /** Seconds after which a new try makes sense; null when the server does not say. */
  readonly retryAfterSeconds: number | null;
  /** The members that the problem has beside the standard ones. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, members: Readonly<Record<string, unknown>>, retryAfterSeconds: number | null) {
    super(textOf(members["detail"]) ?? textOf(members["title"]) ?? `The server responded with ${status}.`);
    this.name = "ApiProblem";
    this.status = status;
    this.code = textOf(members["code"]) ?? "unknown";
    this.retryAfterSeconds = retryAfterSeconds;
    this.members = members;
  }
}

export interface CaseListQuery {
  readonly q: string;
  readonly states: readonly string[];
  readonly queue: string;
  readonly source: string;
  /** `me`, `none`, a user name, or empty. */
  readonly assignee: string;
  readonly overdueOnly: boolean;
  /** `LH1167` with its date: the cases whose change touches this flight. Both or neither. */
  readonly flight: string;
  readonly flightDate: string;
  readonly order: "newest" | "due";
}

export const anyCase: CaseListQuery = {
  q: "",
  states: [],
  queue: "",
  source: "",
  assignee: "",
  overdueOnly: false,
  flight: "",
  flightDate: "",
  order: "newest",
};

/** The API as the pages use it. Every method rejects with an `ApiProblem`. */
export const api = {
  readSession: () => call("GET /session", {}),
  signIn: (username: string, password: string) => call("POST /session", { body: { username, password } }),
  signOut: () => call("DELETE /session", {}),
  listTokens: () => call("GET /tokens", {}),
  createToken: (token: Body<"POST /tokens">) => call("POST /tokens", { body: token }),
  revokeToken: (id: string) => call("DELETE /tokens/{id}", { params: { id } }),
  listSessions: () => call("GET /sessions", {}),
  endSession: (id: string) => call("DELETE /sessions/{id}", { params: { id } }),
  endOtherSessions: () => call("DELETE /sessions", {}),
  changePassword: (change: Body<"POST /session/password">) => call("POST /session/password", { body: change }),

  listCases: ({ states, overdueOnly, ...filters }: CaseListQuery, cursor: string | null, limit = 50) =>
    call("GET /cases", {
      query: { ...filters, state: states.join(","), overdue: overdueOnly ? true : null, cursor, limit },
    }),
  readCase: (id: string) => call("GET /cases/{id}", { params: { id } }),
  act: (id: string, action: ActionRequest) =>
    call("POST /cases/{id}/actions", { params: { id }, body: action as ActionBody }),
  /** Whatever the case has become meanwhile: looking again is never wrong. */
  recheck: (id: string) => call("POST /cases/{id}/actions", { params: { id }, body: { action: "recheck" } }),
  listCalls: (id: string) => call("GET /cases/{id}/calls", { params: { id } }),
  readCallBody: (id: string, callId: string) => readText("GET /cases/{id}/calls/{callId}/body", { id, callId }),

  readCounts: () => call("GET /counts", {}),
  listTasks: (state: string, kind: string, cursor: string | null) =>
    call("GET /tasks", { query: { state, kind, cursor } }),
  closeTask: (id: string, note: string) =>
    call("POST /tasks/{id}/close", { params: { id }, body: note === "" ? {} : { note } }),
  listBlockedOrders: (cursor: string | null) => call("GET /blocked-orders", { query: { state: "blocked", cursor } }),

  previewBulk: (bulk: BulkRequest) => callBulk({ ...bulk, dryRun: true }) as Promise<BulkPreview>,
  /** @param versions of each case, as the preview named them. */
  startBulk: (bulk: BulkRequest, versions: Readonly<Record<string, number>>) =>
    callBulk({ ...bulk, versions, dryRun: false }) as Promise<{ readonly id: string }>,
  listBulkActions: (state: string, cursor: string | null) => call("GET /bulk-actions", { query: { state, cursor } }),
  readBulk: (id: string) => call("GET /bulk-actions/{id}", { params: { id } }),
  stopBulk: (id: string) => call("POST /bulk-actions/{id}/stop", { params: { id } }),

  listNotifications: (state: string, cursor: string | null) =>
    call("GET /notifications", { query: { state, cursor, limit: 50 } }),
  readNotificationBody: (id: string) => readText("GET /notifications/{id}/body", { id }),
  reprocess: (id: string) => call("POST /notifications/{id}/replay", { params: { id } }),

  readAutomation: () => call("GET /automation", {}),
  stopAutomation: (note: string) => call("POST /automation/stop", { body: { note } }),
  resumeAutomation: (stopId: string) => call("POST /automation/resume", { body: { stopId } }),

  readPolicies: () => call("GET /policies", {}),
  activatePolicy: (activation: Body<"POST /policies/activations">) =>
    call("POST /policies/activations", { body: activation }),
  /** The newest of them. */
  listShadowDifferences: (source: string) => call("GET /policies/shadow-differences", { query: { source, limit: 50 } }),
};

type Body<Name extends keyof ApiTypes> = ApiTypes[Name]["body"];
type ActionBody = Body<"POST /cases/{id}/actions">;

function callBulk(body: BulkRequest & Pick<Body<"POST /bulk-actions">, "dryRun" | "versions">) {
  return call("POST /bulk-actions", { body });
}

/** Where the server announces which cases have changed. */
export const eventsUrl = "/api/v1/events";

/** Above the slowest response that is still useful to somebody who waits for it. */
const timeoutMs = 30_000;

type Input = Parameters<typeof requestOf>[1];

async function call<Name extends keyof ApiTypes>(
  name: Name,
  input: CallOf<ApiTypes[Name]>,
): Promise<ApiTypes[Name]["response"]> {
  const response = await send(name, input as Input);
  return (response.status === 204 ? undefined : await response.json()) as ApiTypes[Name]["response"];
}

async function readText(name: keyof ApiTypes, params: Readonly<Record<string, string>>): Promise<string> {
  return await (await send(name, { params })).text();
}

async function send(name: keyof ApiTypes, input: Input): Promise<Response> {
  const { method, path, body } = requestOf(name, input);
  return await exchange(method, `/api/v1${path}`, body);
}

/** One request to our own server. @throws ApiProblem for every response that is no success, and when none came */
export async function exchange(
  method: string,
  url: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    throw new ApiProblem(
      0,
      {
        code: "web.unreachable",
        detail: "The server cannot be reached. Check your connection; this page retries.",
      },
      null,
    );
  }
  if (!response.ok) throw await readProblem(response);
  return response;
}

async function readProblem(response: Response): Promise<ApiProblem> {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const members: unknown = await response.json().catch(() => null);
  return new ApiProblem(
    response.status,
    members !== null && typeof members === "object" ? (members as Record<string, unknown>) : {},
    Number.isFinite(seconds) ? seconds : null,
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
