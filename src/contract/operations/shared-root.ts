import { member, memberAt } from "../lenient-value.ts";
import type { OperationName, ReadRequest } from "./operation.ts";
import { refuseRequest } from "./refuse-request.ts";

/**
 * Service lists and seat maps have the same roots before and after booking: a request that names offers belongs to one
 * operation, and one that names an order to the other. Refuses a request of the other kind and names its operation.
 * @see interface document, "Endpoints"
 */
export function refuseOrder(root: string, json: unknown, other: OperationName): ReadRequest<never> | null {
  if (!names(root, json, "OrderID") || names(root, json, "Offer")) return null;
  const message = `The request names an order and no offer: send it to ${other}.`;
  return refuseRequest("request.names_order", `/${root}/Query/OrderID`, message);
}

/** Code: `request.names_offer`. */
export function refuseOffer(root: string, json: unknown, other: OperationName): ReadRequest<never> | null {
  if (!names(root, json, "Offer") || names(root, json, "OrderID")) return null;
  const message = `The request names offers and no order: send it to ${other}.`;
  return refuseRequest("request.names_offer", `/${root}/Query/Offer`, message);
}

function names(root: string, json: unknown, key: "OrderID" | "Offer"): boolean {
  return member(memberAt(json, root, "Query"), key) !== undefined;
}
