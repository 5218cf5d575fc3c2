import type { z } from "zod";
import type { Envelope } from "../envelope.ts";

/** Names of the operations that the gateway offers, exactly as in the path. */
export type OperationName = "AirReservationStatus" | "AirOrderInvoluntaryAccept" | "AirOrderInvoluntaryCancel";

/**
 * One operation of the gateway: everything that client, gateway and documentation need to know of it.
 *
 * @see interface document, "Endpoints"
 */
export interface Operation<Query, Answer> {
  readonly name: OperationName;
  readonly path: `/${OperationName}`;
  /** Root key of the request, exact spelling. */
  readonly requestRoot: string;
  /** Root key of the response, exact spelling. */
  readonly responseRoot: string;
  /** Whether it changes nothing at the gateway. */
  readonly readOnly: boolean;
  /** Whether it may be sent again when the outcome of an earlier sending is not known. */
  readonly resendable: boolean;
  /** What we send, and what a request is documented to be. Strict. */
  readonly requestSchema: z.ZodType;
  /** What we serve on success. Strict. */
  readonly responseSchema: z.ZodType;
  /** The request body for a query; it satisfies `requestSchema`. */
  request(query: Query, envelope: Envelope): Readonly<Record<string, unknown>>;
  /** Reads an answer in any accepted spelling. Never throws. */
  interpret(json: unknown): Interpretation<Answer>;
}

/** What an answer says. */
export type Interpretation<Answer> =
  | { readonly ok: true; readonly answer: Answer }
  | { readonly ok: false; readonly problem: AnswerProblem };

/** Why an answer holds no result. */
export interface AnswerProblem {
  /**
   * `gateway.rejected`: the gateway answered with errors, so it did not do what was asked.
   * `gateway.unusable_answer`: the answer cannot be read, so it says nothing about what was done.
   */
  readonly code: "gateway.rejected" | "gateway.unusable_answer";
  /** JSON Pointer (RFC 6901) into the answer. */
  readonly path: string;
  readonly message: string;
  /** The gateway's own errors, as sent. */
  readonly errors: readonly GatewayErrorText[];
}

/** One error as the gateway words it. */
export interface GatewayErrorText {
  /** The gateway's own code, when it states one. */
  readonly code: string | null;
  readonly text: string;
}

/** What all three operations on an order ask with. */
export interface OrderQuery {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}
