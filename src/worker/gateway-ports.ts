import type { EffectResult } from "../cases/effect.ts";
import type { OrderView } from "../contract/order-view.ts";
import type { TravellerWords } from "../contract/read-data-lists.ts";
import type { TicketDocuments } from "../contract/ticket-documents.ts";

/**
 * What the worker asks of the gateway of a source. A call that fails rejects with a `GatewayError`, whose phase says
 * whether the gateway can have acted.
 */
export interface Gateway {
  /** The order as it is now, with what the airline proposes. */
  readStatus(query: GatewayQuery, from?: CallOrigin): Promise<GatewayView<OrderView>>;
  /** Asked only of a gateway that shows tickets. */
  readDocuments(query: GatewayQuery, from?: CallOrigin): Promise<GatewayView<TicketDocuments>>;
  /** Accepts what is proposed at present, for these references. */
  accept(query: GatewayQuery, from?: CallOrigin): Promise<GatewayResponse<readonly GatewayResult[]>>;
  /** Cancels because of the change, for these references. */
  cancel(query: GatewayQuery, from?: CallOrigin): Promise<GatewayResponse<readonly GatewayResult[]>>;
}

/** The work that a call is part of. */
export interface CallOrigin {
  readonly traceparent: string | null;
}

export interface GatewayResponse<Result> {
  readonly result: Result;
  /** As it came: the evidence. */
  readonly body: Uint8Array;
  readonly readAt: Date;
}

export interface GatewayView<Result> extends GatewayResponse<Result> {
  /** By which people find the case. They are stored as tokens only. */
  readonly travellers: TravellerWords;
}

export interface GatewayQuery {
  readonly orderId: string;
  readonly gdsBookingReferences: readonly string[];
}

export interface GatewayResult extends EffectResult {
  readonly orderId: string | null;
}
