import { z } from "zod";
import { readErrors } from "./gateway-errors.ts";
import { isRecord, listOf, member, memberAt, memberOf, referencesOf, textOf } from "./lenient-value.ts";
import type { Interpretation } from "./operations/operation.ts";
import { unusable } from "./operations/operation-answer.ts";

/**
 * What became of an accept or a cancel for one order, after normalisation.
 *
 * @see interface document, "Result objects of other operations"
 */
export interface InvoluntaryResult {
  readonly orderId: string | null;
  readonly gdsBookingReferences: readonly string[];
  /** SUCCESS or FAILED; another value stays as sent, upper case. Empty when none was sent. */
  readonly status: string;
  /** Empty on success. */
  readonly errorMessage: string;
  /** Decimal text with the digits as sent. Its currency is not stated. */
  readonly refundAmount: string | null;
  readonly refundText: string | null;
  readonly refundPaxWiseFare: readonly { readonly ticketNumber: string; readonly amount: string | null }[];
}

/** One element of `Result[]` of an accept. Strict. */
export const acceptResultSchema = z.strictObject({
  OrderID: z.string(),
  GdsBookingReference: z.array(z.string()),
  ErrorMsg: z.string(),
  Status: z.enum(["SUCCESS", "FAILED"]),
});

/** One element of `Result[]` of a cancel. Strict. */
export const cancelResultSchema = acceptResultSchema.extend({
  RefundAmount: z.number().optional(),
  RefundText: z.string().optional(),
  RefundPaxWiseFare: z
    .array(z.strictObject({ TicketNumber: z.string(), Amount: z.union([z.number(), z.string()]) }))
    .optional(),
});

/**
 * Reads the results of an accept or a cancel. `Result` counts even when `Success` is missing; errors count only when
 * there is no result.
 */
export function readInvoluntaryResults(json: unknown, root: string): Interpretation<readonly InvoluntaryResult[]> {
  const result = memberAt(json, root, "Result") ?? member(json, "Result");
  const results = listOf(result).filter(isRecord).map(readResult);
  if (results.length > 0) return { ok: true, answer: results };
  return unusable(readErrors(json, root), root, `/${root}/Result`, "It holds no Result.");
}

function readResult(result: unknown): InvoluntaryResult {
  return {
    orderId: textOf(member(result, "OrderID")),
    gdsBookingReferences: referencesOf(member(result, "GdsBookingReference")),
    status: textOf(member(result, "Status"))?.toUpperCase() ?? "",
    errorMessage: textOf(memberOf(result, "ErrorMsg", "ErrorMessage")) ?? "",
    refundAmount: textOf(member(result, "RefundAmount")),
    refundText: textOf(member(result, "RefundText")),
    refundPaxWiseFare: listOf(member(result, "RefundPaxWiseFare")).flatMap((fare) => {
      const ticketNumber = textOf(member(fare, "TicketNumber"));
      return ticketNumber === null ? [] : [{ ticketNumber, amount: textOf(member(fare, "Amount")) }];
    }),
  };
}
