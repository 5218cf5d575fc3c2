import type { ChangeFacts } from "../../itinerary/fact-catalogue.ts";
import type { JourneyChange } from "../../itinerary/journey-changes.ts";
import { type CarrierTable, shippedCarriers } from "./carriers.ts";

/** What the law is asked about. Plain values only: the same input always gives the same assessment. */
export interface LegalInput {
  /** Of the whole order: what is read of travellers and ticket. */
  readonly facts: Pick<ChangeFacts, "assistanceRequested" | "held">;
  /** Of each journey; see `journeyChanges`. */
  readonly journeys: readonly JourneyChange[];
  readonly context: LegalContext;
  readonly now: Date;
}

/** What the agency knows beside the order. {@link defaultLegalContext} is what it knows when nobody has said anything. */
export interface LegalContext {
  /** Preset id → on or off; those left out are as they are shipped. An id that does not exist is warned about. */
  readonly presets: Readonly<Record<string, boolean>>;
  /** Who charged the traveller, and so owes the refund; null when it is not known. */
  readonly merchantOfRecord: "agency" | "carrier" | null;
  /** How the traveller paid; null when it is not known. */
  readonly payment: "card" | "other" | null;
  /** When the traveller, not the agency, was told of the change; null when they were not, or nobody knows. */
  readonly travellerInformedAt: Date | null;
  /** What the traveller said; null when they were not asked, or did not answer. */
  readonly travellerAnswer: TravellerAnswer | null;
  /** Whether the customer has agreed beforehand that changes like this may be accepted. */
  readonly customerAgreement: boolean;
  /**
   * When the refund fell due: the traveller's request, or, where the agency charged them, the carrier's word that a refund
   * is due. Null when neither has happened.
   */
  readonly refundDueFrom: Date | null;
  /** IANA zone in which refund days are counted. */
  readonly timeZone: string;
  /** Where carriers are licensed; {@link shippedCarriers} unless the agency keeps its own. */
  readonly carriers: CarrierTable;
}

export interface TravellerAnswer {
  readonly choice: "accept" | "refuse" | "refund" | "reroute";
  readonly at: Date;
}

/** What is known when nobody has said anything: the presets as shipped, the carriers as shipped, days by UTC. */
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
