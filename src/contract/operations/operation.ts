import type { z } from "zod";
import type { ContractProblem } from "../contract-problem.ts";
import type { Envelope } from "../envelope.ts";

/** Names of the operations that the gateway offers, exactly as in the path. */
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
 * One operation of the gateway: everything that client, gateway and documentation need to know of it.
 *
 * `Query` is what a caller asks with and `Result` what he gets, both plain and normalised; `Request` and `Response` are the
 * bodies as they go over the wire.
 *
 * @see interface document, "Endpoints"
 */
export interface Operation<Query = unknown, Result = unknown, Request = unknown, Response = unknown> {
  readonly name: OperationName;
  readonly path: `/${OperationName}`;
  /** One sentence: what it is for. */
  readonly summary: string;
  /** Root key of the request, exact spelling. */
  readonly requestRoot: string;
  /** Root key of the response, exact spelling. */
  readonly responseRoot: string;
  /** Whether it changes nothing at the gateway. */
  readonly readOnly: boolean;
  /** Whether it may be sent again when the outcome of an earlier sending is not known. */
  readonly resendable: boolean;
  /** Whether a gateway may be without it: 'Optional service' in the interface document. */
  readonly optionalService: boolean;
  /** The void operation is documented under a host of its own. */
  readonly host: "base" | "void";
  /** What we send, and what a request is documented to be. Strict. */
  readonly requestSchema: z.ZodType<Request>;
  /** What we serve on success. Strict. */
  readonly responseSchema: z.ZodType<Response>;
  /** The request body for a query; it satisfies `requestSchema`. */
  request(query: Query, envelope: Envelope): Request;
  /** Reads a request as a gateway must: in any accepted spelling, held to the limits of the contract. Never throws. */
  readRequest(json: unknown): ReadRequest<Query>;
  /** Reads a response in any accepted spelling. Never throws. */
  interpret(json: unknown): Interpretation<Result>;
  /** A query, the request it makes, and a response to it; both bodies satisfy the schemas. */
  readonly examples: { readonly query: Query; readonly request: Request; readonly response: Response };
}

/** What every query may carry beside its own content. */
export interface QueryOptions {
  /** `MetaData.TraceId`, for operations whose request has it. */
  readonly traceId?: string;
}

/** What a request asks, or why it cannot be served. */
export type ReadRequest<Query> =
  | { readonly ok: true; readonly query: Query }
  | { readonly ok: false; readonly problem: RequestProblem };

/** Why a request is refused. `businessCode` is the number of the gateway's own table (`src/contract/business-codes.ts`). */
export interface RequestProblem extends ContractProblem {
  readonly businessCode: number;
}

/** What a response says. */
export type Interpretation<Result> =
  | { readonly ok: true; readonly result: Result }
  | { readonly ok: false; readonly problem: ResponseProblem };

/** Why a response holds no result. */
export interface ResponseProblem {
  /**
   * `gateway.rejected`: the gateway responded with errors, so it did not do what was asked.
   * `gateway.unusable_answer`: the response cannot be read, so it says nothing about what was done.
   */
  readonly code: "gateway.rejected" | "gateway.unusable_answer";
  /** JSON Pointer (RFC 6901) into the response. */
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

/** What the operations on an order ask with. */
export interface OrderQuery extends QueryOptions {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}
