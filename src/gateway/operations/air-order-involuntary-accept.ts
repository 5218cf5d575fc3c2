import { airOrderInvoluntaryAccept as contract } from "../../contract/operations/air-order-involuntary-accept.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import type { GatewayOperation } from "../operation.ts";
import { involuntaryBody, resultElement, settlePendingChange } from "./settle-pending-change.ts";

export const airOrderInvoluntaryAccept: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut(context, call) {
    const { order, results } = await settlePendingChange(context, contract.name, "accepted", call);
    const elements = results.map((result) => resultElement(order.orderId, result));
    return involuntaryBody(contract, order, call.party, elements);
  },
};
