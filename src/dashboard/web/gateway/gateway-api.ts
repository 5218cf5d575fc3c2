import type { z } from "zod";
import { type CallOf, requestOf } from "../../../http/call-route.ts";
import type { RouteTypes } from "../../../http/route.ts";
import type { notificationRoutes } from "../../../sender/notification-routes.ts";
import type { recipientChangeSchema, resendSchema } from "../../../sender/recipient-requests.ts";
import { type CallOptions, safeToRepeat, sendRequest } from "../api/api-client.ts";

/** Described in docs/sender.md. */
type Types = RouteTypes<typeof notificationRoutes>;

export type Recipient = Types["GET /recipients/{id}"]["response"];
export type RecipientTraffic = Types["GET /traffic"]["response"]["items"][number];
export type AttemptFigures = Types["GET /traffic/attempts"]["response"];
export type Delivery = Types["GET /deliveries/{id}"]["response"];
export type DeliveryState = Delivery["state"];
export type Attempt = Types["GET /deliveries/{id}/attempts"]["response"]["items"][number];
export type AttemptResult = Omit<Attempt, "id" | "number" | "startedAt">;
export type ResendOfMany = Types["GET /replays/{id}"]["response"];

type Unset<Value> = { -readonly [Key in keyof Value]?: Exclude<Value[Key], undefined> };

/** Absent members stay as they are. */
export type RecipientInput = Unset<z.input<typeof recipientChangeSchema>>;
export type Authorization = NonNullable<RecipientInput["authorization"]>;
/** PEM. */
export type Certificate = NonNullable<RecipientInput["clientCertificate"]>;

export type ResendFilter = Unset<Pick<z.input<typeof resendSchema>, "orderId" | "recipientId" | "since">> &
  Pick<z.input<typeof resendSchema>, "state">;

export interface DeliveryFilters {
  readonly since: string;
  readonly state: string;
  readonly orderId: string;
  readonly recipientId: string;
}

/** Every method rejects with an `ApiProblem`. */
export const gatewayApi = {
  readSession: () => request<{ readonly expiresAt: string }>("GET", "/session"),
  signIn: (token: string) => request<{ readonly expiresAt: string }>("POST", "/session", { token }, safeToRepeat),
  signOut: () => request<void>("DELETE", "/session", undefined, safeToRepeat),

  listRecipients: (cursor: string | null) => call("GET /recipients", { query: { limit: 100, cursor } }),
  readRecipient: (id: string) => call("GET /recipients/{id}", { params: { id } }),
  addRecipient: (input: RecipientInput) => call("POST /recipients", { body: input }),
  changeRecipient: (id: string, input: RecipientInput) =>
    call("PATCH /recipients/{id}", { params: { id }, body: input }),
  removeRecipient: (id: string) => call("DELETE /recipients/{id}", { params: { id } }),
  readMissed: () => call("GET /missed", {}),
  sendMissed: (id: string, since: string) => call("POST /recipients/{id}/missed", { params: { id }, body: { since } }),

  sendTest: (id: string) => call("POST /recipients/{id}/test", { params: { id } }),

  listDeliveries: (filters: DeliveryFilters, cursor: string | null) =>
    call("GET /deliveries", { query: { ...filters, cursor, limit: 50 } }),
  readTraffic: (since: Date) => call("GET /traffic", { query: { since: since.toISOString() } }),
  readAttemptFigures: (since: Date) => call("GET /traffic/attempts", { query: { since: since.toISOString() } }),
  readDelivery: (id: string) => call("GET /deliveries/{id}", { params: { id } }),
  listAttempts: (id: string) => call("GET /deliveries/{id}/attempts", { params: { id }, query: { limit: 100 } }),
  resend: (id: string) => call("POST /deliveries/{id}/replay", { params: { id } }),

  previewResend: (filter: ResendFilter) => call("POST /replays", { body: { ...filter, preview: true } }, safeToRepeat),
  startResend: (filter: ResendFilter, force: boolean) =>
    call("POST /replays", { body: { ...filter, force } }) as Promise<ResendOfMany>,
  listResends: () => call("GET /replays", { query: { limit: 20 } }),
  cancelResend: (id: string) => call("DELETE /replays/{id}", { params: { id } }),
};

async function call<Name extends keyof Types>(
  name: Name,
  input: CallOf<Types[Name]>,
  options?: CallOptions,
): Promise<Types[Name]["response"]> {
  const { method, path, body } = requestOf(name, input as Parameters<typeof requestOf>[1]);
  return await request(method, path, body, options);
}

async function request<Body>(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Body> {
  // The server accepts the cookie only with this header, which pages of other sites cannot send.
  const headers = { "Skedchange-Page": "1" };
  const response = await sendRequest({ method, url: `/control${path}`, body, headers, ...options });
  return (response.status === 204 ? undefined : await response.json()) as Body;
}
