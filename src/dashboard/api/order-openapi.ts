import { type ApiParts, pathParameter } from "../../contract/openapi/api-parts.ts";
import type { Json } from "../../contract/openapi/schema-collection.ts";
import { describeBodyProblems, describeReadProblems, apiSecurity as security } from "./api-answers.ts";
import { orderAnswer, orderImportAnswer } from "./order-answers.ts";
import { orderImportBody, orderQuery } from "./order-requests.ts";

/** The tag of orders. */
export const orderTag = "Orders";

/** The paths of orders as the agency states them. */
export function describeOrderPaths(parts: ApiParts): Json {
  const { answer, body, parametersOf, problem } = parts;
  const tags = [orderTag];
  return {
    "/api/v1/orders": {
      post: {
        operationId: "importOrders",
        tags,
        summary: "States what was sold: the flights that changes are compared with. Needs the role supervisor",
        security,
        requestBody: body(orderImportBody),
        responses: {
          200: answer("What came of each order.", orderImportAnswer),
          ...describeBodyProblems(parts, ["api.body_invalid", "api.unknown_source"]),
        },
      },
    },
    "/api/v1/orders/{orderId}": {
      get: {
        operationId: "readOrder",
        tags,
        summary: "One order: what was booked and accepted, and its cases",
        security,
        parameters: [pathParameter("orderId", { type: "string" }), ...parametersOf(orderQuery)],
        responses: {
          200: answer("The order.", orderAnswer),
          ...describeReadProblems(parts),
          404: problem("There is no such order.", ["api.order_not_found"]),
        },
      },
    },
  };
}
