import type { CallResult } from "../../client/call-operation.ts";
import type { GatewayClientOptions } from "../../client/client-options.ts";
import { createGatewayClient } from "../../client/gateway-client.ts";
import { interpretResponse } from "../../client/interpret-response.ts";
import { findTravellerWords } from "../../contract/find-traveller-words.ts";
import { airReservationStatus } from "../../contract/operations/air-reservation-status.ts";
import type { OrderView } from "../../contract/order-view.ts";
import type { Gateway, GatewayView } from "../../worker/gateway-ports.ts";

export interface OpenGateway extends Gateway {
  close(): Promise<void>;
}

/** A gateway with the operations of the interface document. Connects with the first call. */
export function openGateway(options: GatewayClientOptions): OpenGateway {
  const client = createGatewayClient(options);
  return {
    readStatus: async (query, from) => viewIn(await client.airReservationStatus(query, from)),
    readDocuments: async (query, from) => viewIn(await client.airDocRetreive(query, from)),
    accept: client.airOrderInvoluntaryAccept,
    cancel: client.airOrderInvoluntaryCancel,
    close: client.close,
  };
}

function viewIn<Result>({ result, body, wire, readAt }: CallResult<Result>): GatewayView<Result> {
  return { result, body, travellers: findTravellerWords(wire), readAt };
}

/**
 * Reads a stored status, as `readStatus` does when a gateway responds with it.
 * @throws GatewayError as that does: one that states errors is a refusal, even beside an order.
 */
export function readStoredStatus(body: Uint8Array): OrderView {
  const response = { status: 200, body: Buffer.from(body), retryAfter: null };
  return interpretResponse(airReservationStatus, response, new Date(0)).result;
}
