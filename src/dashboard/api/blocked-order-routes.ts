import { z } from "zod";
import { routes, success } from "../../http/route.ts";
import { type BlockedOrders, blockedOrder } from "../blocked-order-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";
import { pageFrom, positionAfter } from "./cursor.ts";
import { notificationListQuery } from "./requests.ts";

const { source, cursor, limit } = notificationListQuery.shape;

export const blockedOrderQuery = z.strictObject({
  state: z
    .enum(["blocked"], { error: "must be one of blocked" })
    .default("blocked")
    .meta({ description: "Only the blocked ones are listed." }),
  source,
  cursor,
  limit,
});

export const blockedOrderList = z
  .strictObject({
    items: z.array(blockedOrder),
    nextCursor: z.string().nullable().meta({ description: "For `cursor`; null on the last page." }),
  })
  .meta({ id: "BlockedOrderList" });

export const blockedOrderRoutes = routes(casesTag.name, {
  listBlockedOrders: route("GET /blocked-orders", requiredRoles.readCases, {
    summary: "Blocked orders and the reasons, longest blocked first",
    query: blockedOrderQuery,
    responses: { 200: success("One page.", blockedOrderList) },
    async handle({ query, caller }, { blockedOrders }: { readonly blockedOrders: BlockedOrders }) {
      const { source = null, cursor, limit } = query;
      const page = await blockedOrders.listBlocked({
        visible: caller.sources,
        source,
        after: positionAfter("blocked-orders", cursor),
        limit,
      });
      return { body: pageFrom("blocked-orders", page) };
    },
  }),
});
