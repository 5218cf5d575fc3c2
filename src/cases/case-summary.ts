import { z } from "zod";
import { describeChange, describeOtherFlights } from "../itinerary/describe.ts";
import { differenceBetween } from "../itinerary/difference.ts";
import type { Itinerary, ItinerarySegment } from "../itinerary/itinerary.ts";
import type { Proposal } from "../itinerary/proposal.ts";
import { instant, type Stored } from "../kernel/stored.ts";
import type { Assessment } from "./assess.ts";
import { instantAfter } from "./clocks.ts";
import type { Reason } from "./decision.ts";
import type { OrderContext } from "./order-context.ts";
import { acceptedOtherCode } from "./outcome-words.ts";

/**
 * What a case says of its change, for lists, which read no decisions. Each member is a column of the case, of the same name
 * in snake case: statements, types and the API follow from this.
 */
export const caseSummary = z.strictObject({
  gdsBookingReferences: z.array(z.string()),
  headline: z.string().nullable().meta({ description: "What changed, in one sentence." }),
  departureAt: instant.nullable(),
  flightDates: z.array(z.string()).meta({
    description: "Flights that the change touches, as `LH1167/2027-03-14`. Orders that share one are a cohort.",
  }),
});

export type CaseSummary = Stored<typeof caseSummary>;

/** @param because the first reason of the decision that is made of the change */
export function summariseCase(context: OrderContext, assessment: Assessment, because: Reason | undefined): CaseSummary {
  const { booked, facts, evaluatedAt, proposal } = assessment;
  const { gdsBookingReferences: references, proposed, withdrawnSegmentKeys, current } = proposal;
  return {
    gdsBookingReferences: references.length > 0 ? references : context.case.gdsBookingReferences,
    headline:
      headlineOfOther(context, assessment, because) ??
      describeChange({ booked, proposed, facts, withdrawnSegmentKeys, current }),
    departureAt: instantAfter(evaluatedAt, facts.minutesToDeparture),
    flightDates: flightDatesOf(booked, proposal, evaluatedAt),
  };
}

/** Returns what is booked now and what was proposed, if a person is asked about other flights that an accept booked. */
export function headlineOfOther(
  { lastSuccess }: OrderContext,
  { proposal: { current: bookedNow } }: Assessment,
  because: Reason | undefined,
): string | null {
  const decided = lastSuccess?.proposed ?? null;
  return because?.code === acceptedOtherCode && decided !== null ? describeOtherFlights(decided, bookedNow) : null;
}

/**
 * Returns the booked flights that a change touches, as `LH1167/2027-03-14`: marketing carrier and number, and the
 * scheduled local departure date. Sorted and unique. Orders that share one are a cohort. Omits added flights and those
 * whose carrier, number or date is unknown.
 */
export function flightDatesOf(
  booked: Itinerary,
  { current, proposed }: Pick<Proposal, "current" | "proposed">,
  now: Date,
): readonly string[] {
  const { journeys } = differenceBetween(booked, proposed, { current, now });
  const changed = journeys.flatMap(({ flights }) => flights).filter(({ action }) => action !== "unchanged");
  const names = changed.flatMap(({ before }) => before.flatMap(({ flight }) => flightDateOf(flight)));
  return [...new Set(names)].sort();
}

function flightDateOf({ marketingCarrier, marketingFlightNumber, departure }: ItinerarySegment): readonly string[] {
  if (marketingCarrier === null || marketingFlightNumber === null || departure.date === null) return [];
  return [`${marketingCarrier}${marketingFlightNumber}/${departure.date}`];
}
