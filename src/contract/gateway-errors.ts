import { isRecord } from "../kernel/record.ts";
import { type BusinessCode, findBusinessCode } from "./business-codes.ts";
import { listOf, member, memberAt, textOf } from "./lenient-value.ts";
import type { GatewayErrorText } from "./operations/operation.ts";

/**
 * Returns the errors of a response: `<Root>.Errors.Error`, or `Errors` without the root, one object or a list. The text
 * is `Value`, else `ShortText`.
 * The interface document shows no error body; this is what gateways of this kind send.
 */
export function readErrors(json: unknown, responseRoot: string): readonly GatewayErrorText[] {
  const errors = memberAt(json, responseRoot, "Errors") ?? member(json, "Errors");
  return listOf(isRecord(errors) ? entriesIn(errors) : errors)
    .filter(statesError)
    .map(readError);
}

/**
 * Returns what stands under `Error`, even if that is nothing. Without it, `Errors` that is not empty is the error
 * itself.
 */
function entriesIn(errors: object): unknown {
  const entries = member(errors, "Error");
  if (entries !== undefined) return entries;
  return Object.keys(errors).length > 0 ? errors : null;
}

/** Null, blank or false beside a success states no error. */
function statesError(entry: unknown): boolean {
  return entry !== null && entry !== "" && entry !== false;
}

function readError(entry: unknown): GatewayErrorText {
  if (!isRecord(entry)) return { code: null, text: textOf(entry) ?? unstated };
  return {
    code: textOf(member(entry, "Code")),
    text: textOf(member(entry, "Value")) ?? textOf(member(entry, "ShortText")) ?? unstated,
  };
}

const unstated = "The gateway responded with an error and no text.";

/**
 * Finds an error in the gateway's table by its code, else by its text, because some gateways send the name as the text.
 * Null if neither is in the table, such as an HTTP status sent as the code.
 */
export function businessCodeOf(error: GatewayErrorText): BusinessCode | null {
  return (error.code === null ? null : findBusinessCode(error.code)) ?? findBusinessCode(error.text);
}

/**
 * In the shape that `readErrors` reads first.
 * @param head the first members, such as `Document` and `Party`.
 */
export function errorResponse<Head extends object = object>(
  responseRoot: string,
  error: GatewayErrorText,
  head?: Head,
): Readonly<Record<string, Head & { Errors: { Error: { Code?: string; Value: string; ShortText: string } } }>> {
  const entry = { Value: error.text, ShortText: error.text };
  const Errors = { Error: error.code === null ? entry : { Code: error.code, ...entry } };
  return { [responseRoot]: { ...(head as Head), Errors } };
}
