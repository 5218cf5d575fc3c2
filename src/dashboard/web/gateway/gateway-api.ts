import { exchange, toQuery } from "../api/api-client.ts";

/** What `/control` answers, as docs/sender.md tells it. Instants are texts of ISO 8601. */
interface Reason {
  readonly code: string;
  readonly message: string;
}

export interface DeliveryRules {
  readonly ordering: "latest" | "every";
  readonly airlines: readonly string[] | null;
  readonly acknowledgement: "required" | "any-success";
  readonly deadlineMs: number | null;
  readonly lanesMax: number | null;
  readonly ratePerSecond: number | null;
  readonly agencyId: string | null;
}

export interface Recipient extends DeliveryRules {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly authorization: { readonly type: "basic" | "bearer" | "oauth" };
  readonly signingSecrets: number;
  readonly clientCertificate: { readonly expiresAt: string } | null;
  readonly state: "active" | "paused" | "disabled";
  readonly stateReason: Reason | null;
  readonly stateChangedAt: string;
  readonly trouble: (Reason & { readonly at: string }) | null;
  readonly failing: { readonly since: string; readonly failedInRow: number } | null;
  readonly hold: { readonly until: string; readonly because: "throttled" | "failing" } | null;
  readonly pendingDeliveries: number;
  readonly createdAt: string;
}

/** What waits for a recipient, and what has ended since the moment that was asked for. */
export interface RecipientTraffic {
  readonly recipientId: string;
  readonly pending: number;
  readonly oldestPendingAt: string | null;
  readonly delivered: number;
  readonly superseded: number;
  readonly dead: number;
}

export type DeliveryState = "pending" | "delivered" | "dead" | "superseded";

export interface Delivery {
  readonly id: string;
  readonly recipientId: string;
  readonly orderId: string;
  readonly airline: string;
  readonly state: DeliveryState;
  readonly dueAt: string | null;
  readonly waitsFor: string | null;
  readonly attempts: number;
  readonly deadReason: Reason | null;
  readonly replayOf: string | null;
  readonly supersededBy: string | null;
  readonly bodyBytes: number;
  readonly bodyDigest: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

/** What came of one try. */
export interface AttemptResult {
  readonly outcome: "delivered" | "refused" | "failed" | null;
  readonly httpStatus: number | null;
  readonly errorCode: string | null;
  readonly errorMessage: string | null;
  readonly answerExcerpt: string | null;
  readonly durationMs: number | null;
  readonly timings: {
    readonly lookupMs: number | null;
    readonly connectMs: number | null;
    readonly tlsMs: number | null;
    readonly firstByteMs: number | null;
  } | null;
}

export interface Attempt extends AttemptResult {
  readonly id: string;
  readonly number: number;
  readonly startedAt: string;
}

interface Page<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

export type Authorization =
  | { readonly type: "basic"; readonly username: string; readonly password: string }
  | { readonly type: "bearer"; readonly token: string }
  | {
      readonly type: "oauth";
      readonly tokenUrl: string;
      readonly clientId: string;
      readonly clientAuthentication: "basic" | "post" | "private-key-jwt";
      readonly clientSecret?: string;
      readonly privateKey?: string;
      readonly keyId?: string;
      readonly scope?: string;
      readonly audience?: string;
    };

/** What is absent stays as it is. */
export interface RecipientInput extends Partial<DeliveryRules> {
  readonly name?: string;
  readonly url?: string;
  readonly authorization?: Authorization;
  readonly signingSecrets?: readonly string[];
  readonly clientCertificate?: Certificate | null;
  readonly state?: "active" | "paused";
  readonly reason?: string;
}

/** What this side shows a recipient that asks for a certificate. In PEM. */
export interface Certificate {
  readonly certificate: string;
  readonly privateKey: string;
  readonly authorities?: string;
}

/** Which deliveries are sent again; what is absent does not matter. */
export interface ReplayFilter {
  readonly state: Exclude<DeliveryState, "pending">;
  readonly orderId?: string;
  readonly recipientId?: string;
  readonly since?: string;
}

export interface ReplayOfMany {
  readonly id: string;
  readonly state: "running" | "finished" | "cancelled";
  readonly total: number;
  readonly done: number;
  readonly skipped: number;
}

export interface DeliveryFilters {
  readonly since: string;
  readonly state: string;
  readonly orderId: string;
  readonly recipientId: string;
}

/** The control routes as the pages use them. Every method rejects with an `ApiProblem`. */
export const gatewayApi = {
  readSession: () => request<{ readonly expiresAt: string }>("GET", "/session"),
  signIn: (token: string) => request<{ readonly expiresAt: string }>("POST", "/session", { token }),
  signOut: () => request<void>("DELETE", "/session"),

  listRecipients: (cursor: string | null) =>
    request<Page<Recipient>>("GET", `/recipients${toQuery({ limit: "100", cursor })}`),
  readRecipient: (id: string) => request<Recipient>("GET", `/recipients/${encodeURIComponent(id)}`),
  addRecipient: (input: RecipientInput) => request<Recipient>("POST", "/recipients", input),
  changeRecipient: (id: string, input: RecipientInput) =>
    request<Recipient>("PATCH", `/recipients/${encodeURIComponent(id)}`, input),
  removeRecipient: (id: string) => request<void>("DELETE", `/recipients/${encodeURIComponent(id)}`),
  readMissed: () => request<{ readonly count: number; readonly oldestAt: string | null }>("GET", "/missed"),
  sendMissed: (id: string, since: string) =>
    request<{ readonly deliveries: number }>("POST", `/recipients/${encodeURIComponent(id)}/missed`, { since }),

  sendTest: (id: string) => request<AttemptResult>("POST", `/recipients/${encodeURIComponent(id)}/test`),

  listDeliveries: (filters: DeliveryFilters, cursor: string | null) =>
    request<Page<Delivery>>("GET", `/deliveries${toQuery({ ...filters, cursor, limit: "50" })}`),
  readTraffic: (since: Date) =>
    request<{ readonly items: readonly RecipientTraffic[] }>(
      "GET",
      `/traffic${toQuery({ since: since.toISOString() })}`,
    ),
  readDelivery: (id: string) => request<Delivery>("GET", `/deliveries/${encodeURIComponent(id)}`),
  listAttempts: (id: string) =>
    request<Pick<Page<Attempt>, "items">>("GET", `/deliveries/${encodeURIComponent(id)}/attempts?limit=100`),
  replay: (id: string) =>
    request<{ readonly delivery: Delivery; readonly newerNotifications: number }>(
      "POST",
      `/deliveries/${encodeURIComponent(id)}/replay`,
    ),

  previewReplay: (filter: ReplayFilter) =>
    request<{ readonly total: number; readonly afterNewer: number }>("POST", "/replays", { ...filter, preview: true }),
  startReplay: (filter: ReplayFilter, force: boolean) =>
    request<ReplayOfMany>("POST", "/replays", { ...filter, force }),
  listReplays: () => request<{ readonly items: readonly ReplayOfMany[] }>("GET", "/replays?limit=20"),
  cancelReplay: (id: string) => request<ReplayOfMany>("DELETE", `/replays/${encodeURIComponent(id)}`),
};

async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
  // The server takes the cookie only together with this header, which pages of other sites cannot send.
  const response = await exchange(method, `/control${path}`, body, { "Skedchange-Page": "1" });
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}
