import { requestOf } from "../../../http/call-route.ts";
import type { ApiTypes } from "../../api/routes.ts";
import { createCall } from "./create-call.ts";
import type { ActionRequest, BulkPreview, BulkRequest } from "./responses.ts";
import { type SendToSide, safeToRepeat, sendRequest } from "./send-request.ts";

export const sendToApi: SendToSide = (method, path, body, options) =>
  sendRequest({ method, url: `/api/v1${path}`, body, ...options });

export const call = createCall<ApiTypes>(sendToApi, [
  "POST /session",
  "DELETE /session",
  "DELETE /tokens/{id}",
  "DELETE /sessions/{id}",
  "DELETE /sessions",
  "DELETE /users/{id}/second-factor",
  "PUT /second-factor-roles",
  "PATCH /users/{id}",
  "DELETE /users/{id}/sessions",
  "POST /tasks/close",
  "POST /tasks/assign",
  "POST /views",
  "DELETE /views/{id}",
  "PATCH /notice-rules/{id}",
  "DELETE /notice-rules/{id}",
  // The same policy again is the same version.
  "POST /policies",
]);

/** A body as it is stored. */
export async function readText(path: `/${string}`): Promise<string> {
  return await (await sendToApi("GET", path)).text();
}

export const eventsUrl = "/api/v1/events";

type Body<Name extends keyof ApiTypes> = ApiTypes[Name]["body"];

/** An action on a case, as its route takes it. */
export function actionOn(id: string, action: ActionRequest) {
  return { params: { id }, body: action as Body<"POST /cases/{id}/actions"> };
}

export function previewBulk(bulk: BulkRequest) {
  return call("POST /bulk-actions", { body: { ...bulk, dryRun: true } }, safeToRepeat) as Promise<BulkPreview>;
}

/** Empty ones do not count. */
export interface TaskFilters {
  readonly state: "open" | "closed";
  readonly kind: string;
  /** `me`, `none`, or a user name. */
  readonly assignee: string;
  readonly words: string;
}

/** Where the browser downloads a list. */
export function fileUrl(list: `/${string}.${"csv" | "jsonl"}`, query: Readonly<Record<string, string>>): string {
  return `/api/v1${requestOf(`GET ${list}`, { query }).path}`;
}

/** The filters of tasks as a search takes them. */
export function searchOf({ words, ...filters }: TaskFilters): Body<"POST /tasks/search"> {
  return Object.fromEntries(Object.entries({ ...filters, text: words.trim() }).filter(([, value]) => value !== ""));
}

/** A list of what a search finds, and the body of the search. */
export type CsvSearch =
  | { readonly list: "/cases/search.csv"; readonly body: Body<"POST /cases/search"> }
  | { readonly list: "/tasks/search.csv"; readonly body: Body<"POST /tasks/search"> };

/** A file of 100,000 rows takes longer than other responses. */
const csvTimeoutMs = 10 * 60_000;

export async function readCsv({ list, body }: CsvSearch): Promise<{ readonly name: string; readonly content: Blob }> {
  const signal = AbortSignal.timeout(csvTimeoutMs);
  const response = await sendToApi("POST", list, body, { ...safeToRepeat, signal });
  return { name: `skedchange-${list.split("/")[1]}.csv`, content: await response.blob() };
}
