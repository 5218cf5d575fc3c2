import type { GatewayClientOptions } from "../../client/client-options.ts";
import { createGatewayClient } from "../../client/gateway-client.ts";
import { interpretResponse } from "../../client/interpret-response.ts";
import { airReservationStatus } from "../../contract/operations/air-reservation-status.ts";
import type { OrderView } from "../../contract/order-view.ts";
import type { Gateway } from "../../worker/gateway-ports.ts";

export interface OpenGateway extends Gateway {
  close(): Promise<void>;
}

/** A gateway with the operations of the interface document. Connects with the first call. */
export function openGateway(options: GatewayClientOptions): OpenGateway {
  const client = createGatewayClient(options);
  return {
    readStatus: client.airReservationStatus,
    readDocuments: client.airDocRetreive,
    accept: client.airOrderInvoluntaryAccept,
    cancel: client.airOrderInvoluntaryCancel,
    close: client.close,
  };
}

/**
 * Reads a stored status, as `readStatus` does when a gateway responds with it.
 * @throws GatewayError as that does: one that states errors is a refusal, even beside an order.
 */
export function readStoredStatus(body: Uint8Array): OrderView {
  const response = { status: 200, body: Buffer.from(body), retryAfter: null };
  return interpretResponse(airReservationStatus, response, new Date(0)).result;
}
