import { type CallOf, requestOf } from "../../../http/call-route.ts";
import type { ApiTypes } from "../../api/routes.ts";
import { connection, statusesOfProxies } from "./connection.ts";
import type { ActionRequest, BulkPreview, BulkRequest } from "./responses.ts";

/** A request that failed: the server's problem document, or one made here if no response came. @see RFC 9457 */
export class ApiProblem extends Error {
  /** 0 if no response came. */
  readonly status: number;
  readonly code: string;
  readonly retryAfterSeconds: number | null;
  /** All members of the problem document. */
  readonly members: Readonly<Record<string, unknown>>;
  /** No response came to a request that is not safe to repeat. */
  readonly isOutcomeUnknown: boolean;

  constructor(
    status: number,
    members: Readonly<Record<string, unknown>>,
    {
      retryAfterSeconds = null,
      isOutcomeUnknown = false,
    }: { readonly retryAfterSeconds?: number | null; readonly isOutcomeUnknown?: boolean } = {},
  ) {
    super(textOf(members["detail"]) ?? textOf(members["title"]) ?? `The server responded with ${status}.`);
    this.name = "ApiProblem";
    this.status = status;
    this.code = textOf(members["code"]) ?? "unknown";
    this.retryAfterSeconds = retryAfterSeconds;
    this.members = members;
    this.isOutcomeUnknown = isOutcomeUnknown;
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
  /** The cases whose change touches this flight, such as `LH1167`. Needs `flightDate`. */
  readonly flight: string;
  readonly flightDate: string;
  readonly order: CaseSearch["order"] & string;
  /** What else a case is selected by, as `GET /cases` takes it. */
  readonly others?: OtherFilters;
}

/** Empty ones do not count. */
export interface OtherFilters {
  /** Separated by commas. */
  readonly severities?: string;
  readonly airline?: string;
  readonly airport?: string;
  readonly route?: string;
  readonly rule?: string;
  readonly reason?: string;
  /** The path of what nobody reads. */
  readonly member?: string;
  /** Instants, as all that follow until `currency`. */
  readonly openedFrom?: string;
  readonly openedBefore?: string;
  readonly departsFrom?: string;
  readonly departsBefore?: string;
  readonly currency?: string;
  readonly valueMin?: string;
  readonly valueMax?: string;
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

/** Empty ones do not count. Instants are ISO 8601. */
export interface AuditFilters {
  readonly actor: string;
  readonly kind: string;
  readonly orderId: string;
  readonly caseId: string;
  readonly since: string;
  readonly until: string;
}

/** Empty ones do not count. */
export interface TaskFilters {
  readonly state: "open" | "closed";
  readonly kind: string;
  /** `me`, `none`, or a user name. */
  readonly assignee: string;
  readonly words: string;
}

/** Every method rejects with an `ApiProblem`. */
export const api = {
  readSession: () => call("GET /session", {}),
  signIn: (credentials: Body<"POST /session">) => call("POST /session", { body: credentials }, safeToRepeat),
  signOut: () => call("DELETE /session", {}, safeToRepeat),
  listTokens: () => call("GET /tokens", {}),
  listTokensOfEverybody: () => call("GET /tokens", { query: { of: "everybody" } }),
  createToken: (token: Body<"POST /tokens">) => call("POST /tokens", { body: token }),
  revokeToken: (id: string) => call("DELETE /tokens/{id}", { params: { id } }, safeToRepeat),
  listSessions: () => call("GET /sessions", {}),
  endSession: (id: string) => call("DELETE /sessions/{id}", { params: { id } }, safeToRepeat),
  endOtherSessions: () => call("DELETE /sessions", {}, safeToRepeat),
  beginSecondFactor: (body: Body<"POST /session/second-factor">) => call("POST /session/second-factor", { body }),
  proveSecondFactor: (body: Body<"POST /session/second-factor/proof">) =>
    call("POST /session/second-factor/proof", { body }),
  renewRecoveryCodes: (body: Body<"POST /session/recovery-codes">) => call("POST /session/recovery-codes", { body }),
  removeSecondFactor: (body: Body<"DELETE /session/second-factor">) => call("DELETE /session/second-factor", { body }),
  resetSecondFactor: (id: string) => call("DELETE /users/{id}/second-factor", { params: { id } }, safeToRepeat),
  listSecondFactorRoles: () => call("GET /second-factor-roles", {}),
  setSecondFactorRoles: (body: Body<"PUT /second-factor-roles">) =>
    call("PUT /second-factor-roles", { body }, safeToRepeat),
  changePassword: (change: Body<"POST /session/password">) => call("POST /session/password", { body: change }),

  listCases: (query: CaseListQuery, cursor: string | null, limit = 50) =>
    call("GET /cases", { query: { ...filterOf(query), order: query.order, cursor, limit } }),
  /** What is searched for may be a name, so it goes in the body. */
  searchCases: (query: CaseListQuery, cursor: string | null, limit = 50) =>
    call(
      "POST /cases/search",
      { body: { ...selectionOf(query), order: query.order, limit, ...(cursor === null ? {} : { cursor }) } },
      safeToRepeat,
    ),
  readCase: (id: string) => call("GET /cases/{id}", { params: { id } }),
  act: (id: string, action: ActionRequest) =>
    call("POST /cases/{id}/actions", { params: { id }, body: action as ActionBody }),
  /** Without a version: a re-check is right whatever has happened to the case meanwhile. */
  recheck: (id: string) => call("POST /cases/{id}/actions", { params: { id }, body: { action: "recheck" } }),
  listCalls: (id: string) => call("GET /cases/{id}/calls", { params: { id } }),
  readCallBody: (id: string, callId: string) => readText("GET /cases/{id}/calls/{callId}/body", { id, callId }),

  readTravellers: (id: string) => call("GET /cases/{id}/travellers", { params: { id } }),
  listUsers: () => call("GET /users", {}),
  addUser: (user: Body<"POST /users">) => call("POST /users", { body: user }),
  changeUser: (id: string, change: Body<"PATCH /users/{id}">) =>
    call("PATCH /users/{id}", { params: { id }, body: change }, safeToRepeat),
  endSessionsOf: (id: string) => call("DELETE /users/{id}/sessions", { params: { id } }, safeToRepeat),
  listAudit: (filters: AuditFilters, cursor: string | null, limit = 50) =>
    call("GET /audit", { query: { ...filters, cursor, limit } }),
  readSettings: () => call("GET /settings", {}),
  readHealth: () => call("GET /health", {}),
  listProcesses: () => call("GET /processes", {}),
  verifyAudit: (from: number | null) => call("GET /audit/verification", { query: { from } }),

  readOverview: (query: {
    readonly from: string;
    readonly to: string;
    readonly source: string;
    readonly zone: string;
  }) => call("GET /overview", { query }),
  readCounts: () => call("GET /counts", {}),
  /** What is searched for may be a name, so it goes in the body. */
  listTasks: ({ words, ...filters }: TaskFilters, cursor: string | null, limit = 50) =>
    words === ""
      ? call("GET /tasks", { query: { ...filters, cursor, limit } })
      : call(
          "POST /tasks/search",
          { body: { ...searchOf({ words, ...filters }), ...notEmpty({ cursor }), limit } },
          safeToRepeat,
        ),
  closeTasks: (ids: string[], note: string) =>
    call("POST /tasks/close", { body: { ids, ...notEmpty({ note }) } }, safeToRepeat),
  assignTasks: (ids: string[], assignee: string | null) =>
    call("POST /tasks/assign", { body: { ids, assignee } }, safeToRepeat),
  listViews: () => call("GET /views", {}),
  saveView: (view: Body<"POST /views">) => call("POST /views", { body: view }, safeToRepeat),
  removeView: (id: string) => call("DELETE /views/{id}", { params: { id } }, safeToRepeat),
  listAssignees: (source: string | null) => call("GET /assignees", { query: { source } }),
  listBlockedOrders: (source: string, cursor: string | null) =>
    call("GET /blocked-orders", { query: { state: "blocked", source, cursor } }),

  previewBulk: (bulk: BulkRequest) => callBulk({ ...bulk, dryRun: true }, safeToRepeat) as Promise<BulkPreview>,
  /** @param versions The version of each case in the preview. */
  startBulk: (bulk: BulkRequest, versions: Readonly<Record<string, number>>) =>
    callBulk({ ...bulk, versions, dryRun: false }) as Promise<{ readonly id: string }>,
  listBulkActions: (state: string, cursor: string | null) => call("GET /bulk-actions", { query: { state, cursor } }),
  readBulk: (id: string) => call("GET /bulk-actions/{id}", { params: { id } }),
  stopBulk: (id: string) => call("POST /bulk-actions/{id}/stop", { params: { id } }),

  listNotifications: (state: string, code: string, cursor: string | null, limit = 50) =>
    call("GET /notifications", { query: { state, code, cursor, limit } }),
  countQuarantine: () => call("GET /quarantine", {}),
  discardNotifications: (ids: string[], note: string) => call("POST /quarantine/discard", { body: { ids, note } }),
  readNotificationBody: (id: string) => readText("GET /notifications/{id}/body", { id }),
  reprocess: (id: string) => call("POST /notifications/{id}/replay", { params: { id } }),

  listNoticeRules: () => call("GET /notice-rules", {}),
  addNoticeRule: (rule: Body<"POST /notice-rules">) => call("POST /notice-rules", { body: rule }),
  changeNoticeRule: (id: string, change: Body<"PATCH /notice-rules/{id}">) =>
    call("PATCH /notice-rules/{id}", { params: { id }, body: change }, safeToRepeat),
  removeNoticeRule: (id: string) => call("DELETE /notice-rules/{id}", { params: { id } }, safeToRepeat),
  testNoticeRule: (id: string) => call("POST /notice-rules/{id}/test", { params: { id } }),
  readDemoInbox: () => call("GET /demo-inbox", {}),

  readAutomation: () => call("GET /automation", {}),
  stopAutomation: (source: string | null, note: string) =>
    call("POST /automation/stop", { body: { note, ...ofSource(source) } }),
  resumeAutomation: (source: string | null, stopId: string) =>
    call("POST /automation/resume", { body: { stopId, ...ofSource(source) } }),

  listMemberSources: () => call("GET /members", {}),
  listMembers: (source: string, query: { readonly state?: "open" | "marked"; readonly path?: string }) =>
    call("GET /members/{source}", { params: { source }, query }),
  readMarks: (source: string) => call("GET /members/{source}/marks", { params: { source } }),
  previewMark: (source: string, mark: Omit<Body<"POST /members/{source}/marks">, "dryRun">) =>
    call("POST /members/{source}/marks", { params: { source }, body: { ...mark, dryRun: true } }, safeToRepeat),
  markMember: (source: string, mark: Omit<Body<"POST /members/{source}/marks">, "dryRun">) =>
    call("POST /members/{source}/marks", { params: { source }, body: mark }),
  withdrawMark: (source: string, mark: Body<"POST /members/{source}/marks/withdraw">) =>
    call("POST /members/{source}/marks/withdraw", { params: { source }, body: mark }),

  readPolicies: () => call("GET /policies", {}),
  readPolicy: (version: string) => call("GET /policies/versions/{version}", { params: { version } }),
  checkPolicy: (text: string) => call("POST /policies/check", { body: { text } }, safeToRepeat),
  /** The same policy again is the same version. */
  addPolicy: (policy: Body<"POST /policies">) => call("POST /policies", { body: policy }, safeToRepeat),
  activatePolicy: (activation: Body<"POST /policies/activations">) =>
    call("POST /policies/activations", { body: activation }),
  listShadowDifferences: (source: string) => call("GET /policies/shadow-differences", { query: { source, limit: 50 } }),
};

/** The filters as a search or a bulk action takes them. */
export function selectionOf({
  q,
  states,
  overdueOnly,
  order: _,
  others = {},
  ...filters
}: CaseListQuery): CaseSelection {
  const words = q.trim();
  const { severities = "", currency = "", valueMin, valueMax, ...described } = others;
  return {
    ...notEmpty({ ...filters, ...described }),
    states: [...states] as CaseSearch["states"],
    ...(severities === "" ? {} : { severities: severities.split(",") as CaseSearch["severities"] }),
    ...(currency === "" ? {} : { value: { currency, ...notEmpty({ min: valueMin, max: valueMax }) } }),
    ...(words === "" ? {} : { text: words }),
    ...(overdueOnly ? { overdue: true } : {}),
  };
}

function notEmpty(members: Readonly<Record<string, string | null | undefined>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(members).filter((member): member is [string, string] => member[1] != null && member[1] !== ""),
  );
}

/** Where the browser downloads a list. */
export function csvUrl(list: `/${string}.csv`, query: Readonly<Record<string, string>>): string {
  return `/api/v1${requestOf(`GET ${list}`, { query }).path}`;
}

/** The filters of tasks as a search takes them. */
export function searchOf({ words, ...filters }: TaskFilters): Body<"POST /tasks/search"> {
  return { ...notEmpty({ ...filters }), text: words.trim() };
}

/** A list of what a search finds, and the body of the search. */
export type CsvSearch =
  | { readonly list: "/cases/search.csv"; readonly body: CaseSelection & Pick<CaseSearch, "order"> }
  | { readonly list: "/tasks/search.csv"; readonly body: Body<"POST /tasks/search"> };

/** A file of 100,000 rows takes longer than other responses. */
const csvTimeoutMs = 10 * 60_000;

export async function readCsv({ list, body }: CsvSearch): Promise<{ readonly name: string; readonly content: Blob }> {
  const signal = AbortSignal.timeout(csvTimeoutMs);
  const response = await send(`POST ${list}`, { body }, { ...safeToRepeat, signal });
  return { name: `skedchange-${list.split("/")[1]}.csv`, content: await response.blob() };
}

/** The filters as the API takes them; those without a value are left out. */
export function filterOf({ states, overdueOnly, order: _, others, ...filters }: CaseListQuery) {
  return notEmpty({ ...filters, ...others, state: states.join(","), overdue: overdueOnly ? "true" : "" });
}

type Body<Name extends keyof ApiTypes> = ApiTypes[Name]["body"];
type CaseSearch = Body<"POST /cases/search">;
export type CaseSelection = Omit<CaseSearch, "order" | "cursor" | "limit">;
type ActionBody = Body<"POST /cases/{id}/actions">;

function callBulk(body: BulkRequest & Pick<Body<"POST /bulk-actions">, "dryRun" | "versions">, options?: CallOptions) {
  return call("POST /bulk-actions", { body }, options);
}

export const eventsUrl = "/api/v1/events";

const timeoutMs = 30_000;

type Input = Parameters<typeof requestOf>[1];

async function call<Name extends keyof ApiTypes>(
  name: Name,
  input: CallOf<ApiTypes[Name]>,
  options?: CallOptions,
): Promise<ApiTypes[Name]["response"]> {
  const response = await send(name, input as Input, options);
  return (response.status === 204 ? undefined : await response.json()) as ApiTypes[Name]["response"];
}

/** For a response that comes in parts, as long as the signal is not aborted. */
export async function openStream(name: keyof ApiTypes, input: Input, signal: AbortSignal): Promise<Response> {
  return await send(name, input, { isSafeToRepeat: true, signal });
}

async function readText(name: keyof ApiTypes, params: Readonly<Record<string, string>>): Promise<string> {
  return await (await send(name, { params })).text();
}

async function send(name: keyof ApiTypes, input: Input, options?: CallOptions): Promise<Response> {
  const { method, path, body } = requestOf(name, input);
  return await sendRequest({ method, url: `/api/v1${path}`, body, ...options });
}

export interface CallOptions {
  /** Doing it twice does no harm. By default only a GET is safe. */
  readonly isSafeToRepeat?: boolean;
  /** Default: gives up after 30 seconds. */
  readonly signal?: AbortSignal;
}

export const safeToRepeat: CallOptions = { isSafeToRepeat: true };

interface PageRequest extends CallOptions {
  readonly method: string;
  readonly url: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One request to our own server. @throws ApiProblem unless it succeeds */
export async function sendRequest(request: PageRequest): Promise<Response> {
  const { method, url, body, headers = {}, isSafeToRepeat = method === "GET" } = request;
  if (method !== "GET" && connection.outage() !== null) throw notSent();
  const { signal = AbortSignal.timeout(timeoutMs) } = request;
  let response: Response;
  try {
    response = await fetch(url, {
      method,
      signal,
      headers: body === undefined ? headers : { ...headers, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch {
    connection.doubt();
    throw noResponse(isSafeToRepeat);
  }
  if (statusesOfProxies.has(response.status)) connection.doubt();
  else connection.noteResponse();
  if (!response.ok) throw await readProblem(response);
  return response;
}

/** Null: of all sources together. */
function ofSource(source: string | null): { readonly source?: string } {
  return source === null ? {} : { source };
}

function notSent(): ApiProblem {
  const detail = "The server cannot be reached, so nothing was sent. Try again when the connection is back.";
  return new ApiProblem(0, { code: "web.offline", detail });
}

function noResponse(isSafeToRepeat: boolean): ApiProblem {
  const detail = isSafeToRepeat
    ? "The server cannot be reached. Check your connection and try again."
    : "No response came, so it may or may not have been done. Check your connection and look again before you repeat it.";
  return new ApiProblem(0, { code: "web.unreachable", detail }, { isOutcomeUnknown: !isSafeToRepeat });
}

async function readProblem(response: Response): Promise<ApiProblem> {
  const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);
  const members: unknown = await response.json().catch(() => null);
  return new ApiProblem(
    response.status,
    members !== null && typeof members === "object" ? (members as Record<string, unknown>) : {},
    { retryAfterSeconds: Number.isFinite(seconds) ? seconds : null },
  );
}

function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
