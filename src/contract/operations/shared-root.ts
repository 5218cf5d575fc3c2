import { memberAt } from "../lenient-value.ts";
import type { OperationName } from "./operation.ts";
import { refuseRequest } from "./request-reader.ts";

/**
 * Service lists and seat maps have the same roots before and after booking: a request that names offers belongs to one
 * operation, and one that names an order to the other. Refuses a request of the other kind and names its operation.
 * Code: `request.names_order`.
 * @see interface document, "Endpoints"
 */
export function refuseOrder(content: object, other: OperationName): void {
  if (!names(content, "OrderID") || names(content, "Offer")) return;
  const message = `The request names an order and no offer: send it to ${other}.`;
  refuseRequest("request.names_order", "/Query/OrderID", message);
}

/** Code: `request.names_offer`. */
export function refuseOffer(content: object, other: OperationName): void {
  if (!names(content, "Offer") || names(content, "OrderID")) return;
  const message = `The request names offers and no order: send it to ${other}.`;
  refuseRequest("request.names_offer", "/Query/Offer", message);
}

function names(content: object, key: "OrderID" | "Offer"): boolean {
  return memberAt(content, "Query", key) !== undefined;
}
