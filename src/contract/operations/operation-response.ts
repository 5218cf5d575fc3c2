import type { z } from "zod";
import { isRecord } from "../../kernel/record.ts";
import { createDomainReader, type DomainShape } from "../domain-shape.ts";
import { readErrors } from "../gateway-errors.ts";
import { member } from "../lenient-value.ts";
import type { GatewayErrorText, Interpretation, Operation } from "./operation.ts";
import { rooted } from "./rooted.ts";

/**
 * The response members of an operation. Give both types names: of a type without one the compiler writes every member
 * into each declaration that has it.
 */
export type OperationResponses<Result, Response> = Pick<
  Operation<unknown, Result, unknown, Response>,
  "responseRoot" | "responseSchema" | "interpret"
>;

/** How to read a response, and what makes it usable. */
export interface ResponseRules<Body extends z.ZodType> {
  readonly responseRoot: string;
  /** Strict; of what stands under the root. */
  readonly body: Body;
  /** What the response lacks to be usable, or null. Called only for objects. */
  lacks(result: DomainShape<Body>): ResponseLack | null;
}

export interface ResponseLack {
  /** JSON Pointer from the root, such as `/Result`. */
  readonly path: string;
  /** A sentence that says why the response is unusable: `It holds no Result.` */
  readonly because: string;
}

/** The response members of `defineOperation` for one body under its root. */
export function responsesUnder<Root extends string, Body extends z.ZodType>(
  responseRoot: Root,
  body: Body,
  lacks: ResponseRules<Body>["lacks"],
) {
  return {
    responseRoot,
    responseSchema: rooted(responseRoot, body),
    interpret: createResponseReader({ responseRoot, body, lacks }),
  };
}

/** Requires an offer with its OfferID and its total price. */
export function lackOfPricedOffers(
  offers: readonly { readonly offerId?: unknown; readonly totalPrice?: unknown }[],
  path: string,
  name: string,
): ResponseLack | null {
  return offers.some(({ offerId, totalPrice }) => offerId !== undefined && totalPrice !== undefined)
    ? null
    : { path, because: `It holds no ${name} with an OfferID and a TotalPrice.` };
}

/**
 * Returns a function that reads responses in any accepted spelling, with or without their root, under plain names. A
 * missing `Success` is no failure. It never throws.
 * ```ts
 * const interpret = createResponseReader({
 *   responseRoot: "AirSeatMapRS",
 *   body: seatMapBody,
 *   lacks: (result) => (result.seatMap.length > 0 ? null : { path: "/SeatMap", because: "It holds no SeatMap." }),
 * });
 * ```
 */
export function createResponseReader<Body extends z.ZodType>(
  rules: ResponseRules<Body>,
): (json: unknown) => Interpretation<DomainShape<Body>> {
  const { responseRoot: root } = rules;
  const readBody = createDomainReader(rules.body);
  return (json) => {
    const errors = readErrors(json, root);
    const underRoot = member(json, root) ?? json;
    const result = isRecord(underRoot) ? readBody(underRoot) : undefined;
    if (result === undefined) return unusable(errors, root, "", "It is no JSON object.");
    const lack = rules.lacks(result);
    // Errors count even beside a result, because the gateway did not do what was asked.
    if (lack === null && errors.length === 0) return { ok: true, result };
    return unusable(errors, root, `/${root}${lack?.path ?? ""}`, lack?.because ?? "It states errors.");
  };
}

/**
 * Rejected if the gateway stated errors, else unusable.
 * @param path JSON Pointer to what is missing.
 * @param because a sentence.
 */
export function unusable(
  errors: readonly GatewayErrorText[],
  responseRoot: string,
  path: string,
  because: string,
): Interpretation<never> {
  if (errors.length > 0) {
    const text = errors.map((error) => error.text).join("; ");
    return {
      ok: false,
      problem: {
        code: "gateway.rejected",
        path: `/${responseRoot}/Errors`,
        message: `The gateway responded with errors: ${text}`,
        errors,
      },
    };
  }
  const message = `The ${responseRoot} response cannot be used. ${because}`;
  return { ok: false, problem: { code: "gateway.unusable_answer", path, message, errors } };
}
