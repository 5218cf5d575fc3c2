import { type CallOf, requestOf } from "../../../http/call-route.ts";
import type { RouteTypes } from "../../../http/route.ts";
import type { notificationRoutes } from "../../../sender/notification-routes.ts";
import { safeToRepeat, sendRequest } from "../api/api-client.ts";
import { createDeliveryApi, type SendToSide } from "../deliveries/delivery-api.ts";

/** Described in docs/sender.md. */
type Types = RouteTypes<typeof notificationRoutes>;

export type AttemptFigures = Types["GET /traffic/attempts"]["response"];

// The server accepts the cookie only with this header, which pages of other sites cannot send.
const headers = { "Skedchange-Page": "1" };

const send: SendToSide = (method, path, body, options) =>
  sendRequest({ method, url: `/control${path}`, body, headers, ...options });

/** Every method rejects with an `ApiProblem`. */
export const gatewayApi = {
  ...createDeliveryApi(send),

  readSession: () => send("GET", "/session"),
  signIn: (token: string) => send("POST", "/session", { token }, safeToRepeat),
  signOut: () => send("DELETE", "/session", undefined, safeToRepeat),

  readMissed: () => call("GET /missed", {}),
  sendMissed: (id: string, since: string) => call("POST /recipients/{id}/missed", { params: { id }, body: { since } }),
  readDeliveryBody: async (id: string) => await (await send("GET", `/deliveries/${id}/body`)).text(),
  readTraffic: (since: Date) => call("GET /traffic", { query: { since: since.toISOString() } }),
  readAttemptFigures: (since: Date) => call("GET /traffic/attempts", { query: { since: since.toISOString() } }),
};

async function call<Name extends keyof Types>(
  name: Name,
  input: CallOf<Types[Name]>,
): Promise<Types[Name]["response"]> {
  const { method, path, body } = requestOf(name, input as Parameters<typeof requestOf>[1]);
  return (await (await send(method, path, body)).json()) as Types[Name]["response"];
}
