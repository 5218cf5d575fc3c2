/**
 * What a kind of gateway promises. Who would take the silence of a view for an answer asks here first; so does who plans a
 * call that not every gateway has.
 */
export interface GatewayCapabilities {
  /** Its views state every need of assistance: where none is stated, none is needed. */
  readonly statesAssistance: boolean;
  /** Its tickets can be read, to compare them with the flights after an accept. */
  readonly showsTickets: boolean;
}

/** What gateways of the interface document promise. */
export const interfaceDocument: GatewayCapabilities = { statesAssistance: true, showsTickets: true };
