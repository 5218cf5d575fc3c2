import { readErrors } from "../gateway-errors.ts";
import type { OrderView } from "../order-view.ts";
import { orderViewResponseSchema } from "../order-view-schema.ts";
import { readOrderView } from "../read-order-view.ts";
import type { Interpretation } from "./operation.ts";
import { unusable } from "./operation-answer.ts";

const responseRoot = "OrderViewRS";

/** An order view as an answer, as `defineOperation` takes it. */
export const orderViewAnswers = {
  responseRoot,
  responseSchema: orderViewResponseSchema,
  interpret: interpretOrderView,
};

/** Errors win over an order view: a gateway that states an error did not answer the question. */
function interpretOrderView(json: unknown): Interpretation<OrderView> {
  const errors = readErrors(json, responseRoot);
  const read = readOrderView(json);
  if (read.ok && errors.length === 0) return { ok: true, answer: read.view };
  const path = read.ok ? "" : read.problem.path;
  return unusable(errors, responseRoot, path, read.ok ? "It states errors." : read.problem.message);
}
