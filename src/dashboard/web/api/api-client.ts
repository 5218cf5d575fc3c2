import type { WorkCounts } from "../../count-ports.ts";
import type {
  ActionAnswer,
  ActionRequest,
  ActivationRequest,
  AutomationState,
  BlockedOrder,
  BulkActionView,
  BulkPreview,
  BulkRequest,
  CaseRow,
  CaseView,
  GatewayCall,
  List,
  ListedBulkAction,
  NotificationRow,
  PolicyOverview,
  ReplayAnswer,
  Session,
  ShadowDifferenceRow,
  TaskRow,
} from "./answers.ts";

/** A problem document of the API, or what stands for one when no answer came. @see RFC 9457 */
export class ApiProblem extends Error {
  /** 0 when there was no answer. */
  readonly status: number;
  readonly code: string;
  /** Seconds after which a new try makes sense; null when the server does not say. */
  readonly retryAfterSeconds: number | null;
  /** The members that the problem has beside the standard ones. */
  readonly members: Readonly<Record<string, unknown>>;

  constructor(status: number, members: Readonly<Record<string, unknown>>, retryAfterSeconds: number | null) {
    super(textOf(members["detail"]) ?? textOf(members["title"]) ?? `The server answered ${status}.`);
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
  readSession: () => request<Session>("GET", "/session"),
  signIn: (username: string, password: string) =>
    request<Pick<Session, "user">>("POST", "/session", { username, password }),
  signOut: () => request<void>("DELETE", "/session"),

  listCases: (query: CaseListQuery, cursor: string | null, limit = 50) => {
    const { q, states, queue, source, assignee, overdueOnly, flight, flightDate, order } = query;
    const state = states.join(",");
    const overdue = overdueOnly ? "true" : "";
    const filters = { q, state, queue, source, assignee, overdue, flight, flightDate, order };
    return request<List<CaseRow>>("GET", `/cases${toQuery({ ...filters, cursor, limit: String(limit) })}`);
  },
  readCase: (id: string) => request<CaseView>("GET", `/cases/${encodeURIComponent(id)}`),
  act: (id: string, action: ActionRequest) =>
    request<ActionAnswer>("POST", `/cases/${encodeURIComponent(id)}/actions`, action),
  /** Whatever the case has become meanwhile: looking again is never wrong. */
  recheck: (id: string) =>
    request<ActionAnswer>("POST", `/cases/${encodeURIComponent(id)}/actions`, { action: "recheck" }),
  listCalls: (id: string) =>
    request<{ readonly items: readonly GatewayCall[] }>("GET", `/cases/${encodeURIComponent(id)}/calls`),
  readCallBody: (id: string, callId: string) =>
    requestText(`/cases/${encodeURIComponent(id)}/calls/${encodeURIComponent(callId)}/body`),

  readCounts: () => request<WorkCounts>("GET", "/counts"),
  listTasks: (state: string, kind: string, cursor: string | null) =>
    request<List<TaskRow>>("GET", `/tasks${toQuery({ state, kind, cursor })}`),
  closeTask: (id: string, note: string) =>
    request<unknown>("POST", `/tasks/${encodeURIComponent(id)}/close`, note === "" ? {} : { note }),
  listBlockedOrders: (cursor: string | null) =>
    request<List<BlockedOrder>>("GET", `/lanes${toQuery({ state: "blocked", cursor })}`),

  previewBulk: (bulk: BulkRequest) => request<BulkPreview>("POST", "/bulk-actions", { ...bulk, dryRun: true }),
  /** @param versions of each case, as the preview named them. */
  startBulk: (bulk: BulkRequest, versions: Readonly<Record<string, number>>) =>
    request<Pick<BulkActionView, "id">>("POST", "/bulk-actions", { ...bulk, versions, dryRun: false }),
  listBulkActions: (state: string, cursor: string | null) =>
    request<List<ListedBulkAction>>("GET", `/bulk-actions${toQuery({ state, cursor })}`),
  readBulk: (id: string) => request<BulkActionView>("GET", `/bulk-actions/${encodeURIComponent(id)}`),
  stopBulk: (id: string) => request<unknown>("POST", `/bulk-actions/${encodeURIComponent(id)}/stop`),

  listNotifications: (state: string, cursor: string | null) =>
    request<List<NotificationRow>>("GET", `/notifications${toQuery({ state, cursor, limit: "50" })}`),
  readNotificationBody: (id: string) => requestText(`/notifications/${encodeURIComponent(id)}/body`),
  replay: (id: string) => request<ReplayAnswer>("POST", `/notifications/${encodeURIComponent(id)}/replay`),

  readAutomation: () => request<AutomationState>("GET", "/automation"),
  stopAutomation: (note: string) => request<AutomationState>("POST", "/automation/stop", { note }),
  resumeAutomation: (stopId: string) => request<AutomationState>("POST", "/automation/resume", { stopId }),

  readPolicies: () => request<PolicyOverview>("GET", "/policies"),
  activatePolicy: (activation: ActivationRequest) => request<void>("POST", "/policies/activations", activation),
  /** The newest of them. */
  listShadowDifferences: (source: string) =>
    request<List<ShadowDifferenceRow>>("GET", `/policies/shadow-differences${toQuery({ source, limit: "50" })}`),
};

/** Where the server announces which cases have changed. */
export const eventsUrl = "/api/v1/events";

/** Above the slowest answer that is still useful to somebody who waits for it. */
const timeoutMs = 30_000;

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await send(method, path, body);
  if (response.status === 204) return undefined as Answer;
  return (await response.json()) as Answer;
}

async function requestText(path: string): Promise<string> {
  return await (await send("GET", path)).text();
}

async function send(method: string, path: string, body?: unknown): Promise<Response> {
  return await exchange(method, `/api/v1${path}`, body);
}

/** One request to our own server. @throws ApiProblem for every answer that is no success, and when none came */
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
        detail: "The server cannot be reached. Check your connection; this page tries again.",
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

/** What is null or empty is left out. */
export function toQuery(parameters: Readonly<Record<string, string | null>>): string {
  const given = Object.entries(parameters).filter(
    (entry): entry is [string, string] => entry[1] !== null && entry[1] !== "",
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
