import type { NotificationTypes } from "../../../sender/delivery-types.ts";
import { createCall } from "../api/create-call.ts";
import { type SendToSide, safeToRepeat, sendRequest } from "../api/send-request.ts";

export type AttemptFigures = NotificationTypes["GET /traffic/attempts"]["response"];

// The server accepts the cookie only with this header, which pages of other sites cannot send.
const headers = { "Skedchange-Page": "1" };

export const sendToGateway: SendToSide = (method, path, body, options) =>
  sendRequest({ method, url: `/control${path}`, body, headers, ...options });

export const callGateway = createCall<NotificationTypes>(sendToGateway);

/** The body of a delivery, as it is sent. */
export async function readDeliveryBody(id: string): Promise<string> {
  return await (await sendToGateway("GET", `/deliveries/${id}/body`)).text();
}

/** The session of a page is no route. Every method rejects with an `ApiProblem`. */
export const gatewaySession = {
  read: () => sendToGateway("GET", "/session"),
  signIn: (token: string) => sendToGateway("POST", "/session", { token }, safeToRepeat),
  signOut: () => sendToGateway("DELETE", "/session", undefined, safeToRepeat),
};
