import { Pool } from "undici";
import { orderIdOf } from "../notifications.ts";

/** Calls one operation about one order and returns the body, parsed. */
export type CallGateway = (operation: GatewayOperation, order: number) => Promise<GatewayResponse>;

export const gatewayOperations = {
  AirReservationStatus: "OrderStatusRQ",
  AirOrderInvoluntaryAccept: "OrderInvoluntaryAcceptRQ",
  AirDocRetreive: "AirDocRetreiveRQ",
} as const;
export type GatewayOperation = keyof typeof gatewayOperations;

interface GatewayResponse {
  readonly OrderInvoluntaryAcceptRS?: { readonly Result: readonly { readonly Status: string }[] };
}

export const credentials = { accessToken: "access-of-the-bench", apiKey: "key-of-the-bench" };

/** The calls that an automatic accept needs: what changed, accept, what stands now, the documents. */
export async function acceptChange(call: CallGateway, order: number): Promise<void> {
  await call("AirReservationStatus", order);
  const { OrderInvoluntaryAcceptRS: accepted } = await call("AirOrderInvoluntaryAccept", order);
  if (accepted?.Result[0]?.Status !== "SUCCESS") throw new Error(`${orderIdOf(order)} was not accepted.`);
  await call("AirReservationStatus", order);
  await call("AirDocRetreive", order);
}

const headers = {
  authorization: credentials.accessToken,
  "x-api-key": credentials.apiKey,
  "content-type": "application/json",
};

export function callByFetch(url: string): CallGateway {
  return async (operation, order) => {
    const response = await fetch(`${url}/${operation}`, { method: "POST", headers, body: bodyOf(operation, order) });
    if (!response.ok) throw new Error(`${operation} responded with ${response.status}.`);
    return (await response.json()) as GatewayResponse;
  };
}

export function callByUndici(url: string, connections: number): CallGateway {
  const pool = new Pool(url, { connections });
  return async (operation, order) => {
    const body = bodyOf(operation, order);
    const response = await pool.request({ method: "POST", path: `/${operation}`, headers, body });
    if (response.statusCode !== 200) throw new Error(`${operation} responded with ${response.statusCode}.`);
    return (await response.body.json()) as GatewayResponse;
  };
}

function bodyOf(operation: GatewayOperation, order: number): string {
  return JSON.stringify({
    [gatewayOperations[operation]]: {
      Document: { Name: "Bench", ReferenceVersion: "1.0" },
      Party: { Sender: { TravelAgencySender: { Name: "Bench", IATA_Number: "", AgencyID: "Bench" } } },
      Query: { OrderID: orderIdOf(order), GdsBookingReference: ["LHSKD1"] },
    },
  });
}
