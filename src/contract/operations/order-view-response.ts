import type { z } from "zod";
import { readErrors } from "../gateway-errors.ts";
import type { OrderView } from "../order-view.ts";
import { orderViewResponseSchema } from "../order-view-schema.ts";
import { readOrderView } from "../read-order-view.ts";
import type { Interpretation } from "./operation.ts";
import { type OperationResponses, unusable } from "./operation-response.ts";

const responseRoot = "OrderViewRS";

/** The response members of `defineOperation` for an order view. */
export const orderViewResponses: OperationResponses<OrderView, z.infer<typeof orderViewResponseSchema>> = {
  responseRoot,
  responseSchema: orderViewResponseSchema,
  interpret: interpretOrderView,
};

/** Errors count even beside an order view, because the gateway did not do what was asked. */
function interpretOrderView(json: unknown): Interpretation<OrderView> {
  const errors = readErrors(json, responseRoot);
  const read = readOrderView(json);
  if (read.ok && errors.length === 0) return { ok: true, result: read.view };
  const path = read.ok ? "" : read.problem.path;
  return unusable(errors, responseRoot, path, read.ok ? "It states errors." : read.problem.message);
}
