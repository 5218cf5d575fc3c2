import { member, memberAt } from "../lenient-value.ts";
import type { OperationName, ReadRequest } from "./operation.ts";
import { refuseRequest } from "./refuse-request.ts";

/**
 * Service lists and seat maps have the same roots before and after booking. A request that names offers belongs to the
 * one operation, a request that names an order to the other; these refuse what came to the wrong one, and say which is
 * right. Null when the request is not of the other kind.
 *
 * @see interface document, "Endpoints"
 */
export function refuseOrder(root: string, json: unknown, other: OperationName): ReadRequest<never> | null {
  if (!names(root, json, "OrderID") || names(root, json, "Offer")) return null;
  const message = `The request names an order and no offer: send it to ${other}.`;
  return refuseRequest("request.names_order", `/${root}/Query/OrderID`, message);
}

/** The same for a request that names offers and comes where an order belongs. Code: `request.names_offer`. */
export function refuseOffer(root: string, json: unknown, other: OperationName): ReadRequest<never> | null {
  if (!names(root, json, "Offer") || names(root, json, "OrderID")) return null;
  const message = `The request names offers and no order: send it to ${other}.`;
  return refuseRequest("request.names_offer", `/${root}/Query/Offer`, message);
}

function names(root: string, json: unknown, key: "OrderID" | "Offer"): boolean {
  return member(memberAt(json, root, "Query"), key) !== undefined;
}
