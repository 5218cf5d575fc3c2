import { isRecord } from "../kernel/record.ts";
import { readErrors } from "./gateway-errors.ts";
import { decimalOf, listOf, member, memberAt, memberOf, referencesOf, textOf } from "./lenient-value.ts";
import type { Interpretation } from "./operations/operation.ts";
import { unusable } from "./operations/operation-response.ts";
import { type ResultStatus, resultStatusOf } from "./result-status.ts";

/**
 * The normalised result of an accept or a cancel for one order.
 * @see interface document, "Result objects of other operations"
 */
export interface InvoluntaryResult {
  readonly orderId: string | null;
  readonly gdsBookingReferences: readonly string[];
  readonly status: ResultStatus;
  /** Empty on success. */
  readonly errorMessage: string;
  /** With the digits as sent. No currency is stated. */
  readonly refundAmount: string | null;
  readonly refundText: string | null;
  readonly refundPaxWiseFare: readonly { readonly ticketNumber: string; readonly amount: string | null }[];
}

/** `Result` counts even without `Success`; errors count only without a result. */
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
