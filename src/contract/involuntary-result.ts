import { readErrors } from "./gateway-errors.ts";
import { decimalOf, isRecord, listOf, member, memberAt, memberOf, referencesOf, textOf } from "./lenient-value.ts";
import type { Interpretation } from "./operations/operation.ts";
import { unusable } from "./operations/operation-response.ts";
import { resultStatusOf } from "./result-status.ts";

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

/**
 * Reads the results of an accept or a cancel. `Result` counts even when `Success` is missing; errors count only when
 * there is no result.
 */
export function readInvoluntaryResults(json: unknown, root: string): Interpretation<readonly InvoluntaryResult[]> {
  const result = memberAt(json, root, "Result") ?? member(json, "Result");
  const results = listOf(result).filter(isRecord).map(readResult);
  if (results.length > 0) return { ok: true, result: results };
  return unusable(readErrors(json, root), root, `/${root}/Result`, "It holds no Result.");
}

function readResult(result: unknown): InvoluntaryResult {
  return {
    orderId: textOf(member(result, "OrderID")),
    gdsBookingReferences: referencesOf(member(result, "GdsBookingReference")),
    status: resultStatusOf(member(result, "Status")),
    errorMessage: textOf(memberOf(result, "ErrorMsg", "ErrorMessage")) ?? "",
    refundAmount: decimalOf(member(result, "RefundAmount")),
    refundText: textOf(member(result, "RefundText")),
    refundPaxWiseFare: listOf(member(result, "RefundPaxWiseFare")).flatMap((fare) => {
      const ticketNumber = textOf(member(fare, "TicketNumber"));
      return ticketNumber === null ? [] : [{ ticketNumber, amount: decimalOf(member(fare, "Amount")) }];
    }),
  };
}
