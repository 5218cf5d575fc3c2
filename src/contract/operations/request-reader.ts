import type { ReadRequest } from "./operation.ts";

/** INVALID_BOOKING_INPUT in the gateway's table. */
export const invalidBookingInput = 29;

/**
 * @param code stable, begins with `request.`
 * @param path JSON Pointer (RFC 6901) to what is wrong.
 */
export function refuseRequest(
  code: string,
  path: string,
  message: string,
  businessCode: number = invalidBookingInput,
): ReadRequest<never> {
  return { ok: false, problem: { code, path, message, businessCode } };
}
