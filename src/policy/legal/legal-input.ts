import type { ChangeFacts } from "../../itinerary/fact-catalogue.ts";
import type { JourneyChange } from "../../itinerary/journey-changes.ts";
import { type CarrierTable, shippedCarriers } from "./carriers.ts";

/** The inputs of the legal evaluation. Plain values only. */
export interface LegalInput {
  readonly facts: Pick<ChangeFacts, "assistanceRequested" | "held">;
  readonly journeys: readonly JourneyChange[];
  readonly context: LegalContext;
  readonly now: Date;
}

/** What the agency knows besides the order. See {@link defaultLegalContext}. */
export interface LegalContext {
  /** Preset id → on or off; missing ones keep their default. An unknown id causes a warning. */
  readonly presets: Readonly<Record<string, boolean>>;
  /** Who charged the traveller and so owes the refund; null if unknown. */
  readonly merchantOfRecord: "agency" | "carrier" | null;
  /** How the traveller paid; null if unknown. */
  readonly payment: "card" | "other" | null;
  /** When the traveller, not the agency, was informed; null if they were not, or it is unknown. */
  readonly travellerInformedAt: Date | null;
  /** Null if the traveller was not asked or did not answer. */
  readonly travellerAnswer: TravellerAnswer | null;
  /** Whether the customer has agreed in advance that such changes may be accepted. */
  readonly customerAgreement: boolean;
  /** The traveller's request or, if the agency charged them, the carrier's statement. Null before either. */
  readonly refundDueFrom: Date | null;
  /** IANA zone in which refund days are counted. */
  readonly timeZone: string;
  /** Where carriers are licensed; {@link shippedCarriers} unless the agency has its own table. */
  readonly carriers: CarrierTable;
}

export interface TravellerAnswer {
  readonly choice: "accept" | "refuse" | "refund" | "reroute";
  readonly at: Date;
}

/** The defaults: the presets and carriers as shipped, days in UTC. */
export const defaultLegalContext: LegalContext = {
  presets: {},
  merchantOfRecord: null,
  payment: null,
  travellerInformedAt: null,
  travellerAnswer: null,
  customerAgreement: false,
  refundDueFrom: null,
  timeZone: "UTC",
  carriers: shippedCarriers,
};
