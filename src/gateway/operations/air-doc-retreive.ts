import { airDocRetreive as contract } from "../../contract/operations/air-doc-retreive.ts";
import type { OrderQuery } from "../../contract/operations/operation.ts";
import type { GatewayOperation } from "../operation.ts";
import { statusBody } from "../order-view-body.ts";
import { readOrderFor } from "./find-order.ts";

/** Returns the whole order with its ticket documents, whichever references are named. A held order has none. */
export const airDocRetreive: GatewayOperation<OrderQuery> = {
  contract,

  async carryOut(context, { query, party }) {
    const order = await readOrderFor(context, contract.name, query);
    const { OrderViewRS } = statusBody(order, party);
    return { OrderViewRS: { TicketDocInfos: { TicketDocInfo: [] }, ...OrderViewRS } };
  },
};
