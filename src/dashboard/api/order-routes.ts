import { z } from "zod";
import { isVisible } from "../../cases/visible-sources.ts";
import { textParameter } from "../../http/mount-routes.ts";
import { routes, success } from "../../http/route.ts";
import { type Orders, orderDetail, orderImportResult } from "../order-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { invalidBody, noSuch, route } from "./api-surface.ts";
import { orderImportBody, orderQuery } from "./order-requests.ts";

export const orderTag = { name: "Orders", description: "What was sold, as the agency states it." };

type Needs = {
  readonly orders: Orders;
};

export const orderImportResponse = z
  .strictObject({ dryRun: z.boolean(), results: z.array(orderImportResult) })
  .meta({ id: "OrderImport", description: "What came of each order, in the order of the request." });

export const orderRoutes = routes(orderTag.name, {
  importOrders: route("POST /orders", requiredRoles.importOrders, {
    summary: "Imports booked flights, with which changes are compared",
    body: orderImportBody,
    responses: {
      200: success("The outcome for each order.", orderImportResponse),
      422: invalidBody("api.unknown_source"),
    },
    async handle({ body, caller }, { orders }: Needs) {
      const results = isVisible(body.source, caller.sources)
        ? await orders.importOrders({ ...body, actor: caller.actor, tokenId: caller.tokenId })
        : null;
      if (results !== null) return { body: { dryRun: body.dryRun, results } };
      return {
        status: 422,
        code: "api.unknown_source",
        title: "No such source",
        detail: `There is no source '${body.source}'. Use one from SOURCES_FILE, or omit it for the default one.`,
      };
    },
  }),
  readOrder: route("GET /orders/{orderId}", requiredRoles.readCases, {
    summary: "One order: what was booked and accepted, and its cases",
    params: { orderId: textParameter },
    query: orderQuery,
    responses: { 200: success("The order.", orderDetail), 404: noSuch("order") },
    async handle({ params, query, caller }, { orders }: Needs) {
      if (!isVisible(query.source, caller.sources)) return null;
      const found = await orders.readOrder(query.source, params.orderId);
      return found === null ? null : { body: found };
    },
  }),
});
