import type { z } from "zod";
import type { ContractProblem } from "../contract-problem.ts";
import type { Envelope } from "../envelope.ts";

/** As in the path. */
export type OperationName =
  | "AirOfferPrice"
  | "AirOrderReshop"
  | "AirGetBrandedOffers"
  | "AirOfferSplit"
  | "AirOfferServiceList"
  | "AirSeatMap"
  | "AirFareRules"
  | "AirDocRetreive"
  | "AirReservationStatus"
  | "AirPostBookingAncillary"
  | "AirPostBookingSeatMap"
  | "AirOrderCancel"
  | "AirTicketVoid"
  | "AirOrderInvoluntaryAccept"
  | "AirOrderInvoluntaryCancel";

/**
 * One operation of the gateway: all that client, gateway and documentation need.
 * `Query` and `Result` are plain and normalised; `Request` and `Response` are the bodies on the wire.
 * @see interface document, "Endpoints"
 */
export interface Operation<Query = unknown, Result = unknown, Request = unknown, Response = unknown> {
  readonly name: OperationName;
  readonly path: `/${OperationName}`;
  /** The purpose, in one sentence. */
  readonly summary: string;
  readonly requestRoot: string;
  readonly responseRoot: string;
  /** `Document.ReferenceVersion` of every response, also of an error. */
  readonly responseVersion: string;
  /** Whether it changes nothing at the gateway. */
  readonly readOnly: boolean;
  /** Whether it may be sent again while the outcome of an earlier attempt is unknown. */
  readonly resendable: boolean;
  /** 'Optional service' in the interface document. */
  readonly optionalService: boolean;
  /** The void operation is documented under another host. */
  readonly host: "base" | "void";
  /** The members of a query whose elements `request` goes through. */
  readonly queryLists: readonly string[];
  /** Strict. */
  readonly requestSchema: z.ZodType<Request>;
  /** Strict. */
  readonly responseSchema: z.ZodType<Response>;
  /** Satisfies `requestSchema`. */
  request(query: Query, envelope: Envelope): Request;
  /** Accepts other spellings, within the limits of the contract. Never throws. */
  readRequest(json: unknown): ReadRequest<Query>;
  /** Accepts other spellings. Never throws. */
  interpret(json: unknown): Interpretation<Result>;
}

/** Members of every query. */
export interface QueryOptions {
  /** `MetaData.TraceId`, if the request has one. */
  readonly traceId?: string;
}

export type ReadRequest<Query> =
  | { readonly ok: true; readonly query: Query }
  | { readonly ok: false; readonly problem: RequestProblem };

/** `businessCode` is a number of `src/contract/business-codes.ts`. */
export interface RequestProblem extends ContractProblem {
  readonly businessCode: number;
}

export type Interpretation<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly problem: ResponseProblem };

/** Why there is no result. */
export interface ResponseProblem {
  /**
   * `gateway.rejected`: the gateway responded with errors, so it did not do what was asked.
   * `gateway.unusable_answer`: the response is unreadable, so nobody knows what was done.
   */
  readonly code: "gateway.rejected" | "gateway.unusable_answer";
  /** JSON Pointer (RFC 6901) into the response. */
  readonly path: string;
  readonly message: string;
  /** As sent. */
  readonly errors: readonly GatewayErrorText[];
}

export interface GatewayErrorText {
  /** Null if none is stated. */
  readonly code: string | null;
  readonly text: string;
}

export interface OrderQuery extends QueryOptions {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}
