import { AppError } from "../kernel/app-error.ts";

export const orderExistsCode = "gateway.order_exists";
export const orderNotFoundCode = "gateway.order_not_found";

/** For callers of the control side, which can create it. */
export function noOrderToChange(orderId: string): AppError {
  return new AppError(orderNotFoundCode, `There is no order ${orderId}. Create it first.`);
}
