/** What starts a clock. */
export type ClockStart = "booked-departure" | "refund-due";

/** How long a clock runs. Negative: it ends so long before its start. */
export type ClockTerm =
  | { readonly days: number }
  | { readonly hours: number }
  /** Monday to Friday, without the holidays of that calendar. */
  | { readonly businessDays: number; readonly holidays: "us-federal" | "none" };

export interface ClockDefinition {
  readonly start: ClockStart;
  readonly term: ClockTerm;
  /** In words, with the paragraph. */
  readonly rule: string;
  /** Only for this way of paying; one that is not known counts as both. */
  readonly payment?: "card" | "other";
  /** Only when this one charged the traveller; one that is not known counts as both. */
  readonly merchant?: "agency" | "carrier";
}

/**
 * Every clock. A day that ends a term counts to its end; a mark before departure is the same local time at the airport
 * of departure, so daylight saving does not move it. A mark is listed only until the traveller is told.
 */
export const clockCatalogue = {
  "us-refund-card": {
    start: "refund-due",
    term: { businessDays: 7, holidays: "us-federal" },
    payment: "card",
    merchant: "carrier",
    rule: "7 business days (Monday to Friday without US federal holidays) after the refund fell due, paid by card: 14 CFR 260.2 (prompt), 260.10",
  },
  "us-refund-other": {
    start: "refund-due",
    term: { days: 20 },
    payment: "other",
    merchant: "carrier",
    rule: "20 calendar days after the refund fell due, paid in another way: 14 CFR 260.2 (prompt), 260.10",
  },
  "us-agency-refund-card": {
    start: "refund-due",
    term: { businessDays: 7, holidays: "us-federal" },
    payment: "card",
    merchant: "agency",
    rule: "7 business days after the carrier's information reached the agency, which charged a card: 14 CFR 399.80(l)",
  },
  "us-agency-refund-other": {
    start: "refund-due",
    term: { days: 20 },
    payment: "other",
    merchant: "agency",
    rule: "20 calendar days after the carrier's information reached the agency, which was paid in another way: 14 CFR 399.80(l)",
  },
  "eu-refund": {
    start: "refund-due",
    term: { days: 7 },
    rule: "7 days after the traveller chose reimbursement: Art 8(1)(a)",
  },
  "traveller-told-14-days": {
    start: "booked-departure",
    term: { days: -14 },
    rule: "the traveller, not the agency, is told at least two weeks before the booked departure: then no compensation, Art 5(1)(c)(i), C-302/16",
  },
  "traveller-told-7-days": {
    start: "booked-departure",
    term: { days: -7 },
    rule: "the traveller, not the agency, is told at least seven days before the booked departure: then a re-routing may be wider apart, Art 5(1)(c)(ii)",
  },
  "ca-traveller-told-14-days": {
    start: "booked-departure",
    term: { days: -14 },
    rule: "the traveller is told more than 14 days before the booked departure: then no compensation, s. 12(2)(d), 12(3)(d)",
  },
  "ca-rerouting-own-9-hours": {
    start: "booked-departure",
    term: { hours: 9 },
    rule: "a large carrier offers an own or partner flight that leaves within 9 hours of the booked departure: s. 17(1)(a)(i)",
  },
  "ca-rerouting-any-48-hours": {
    start: "booked-departure",
    term: { hours: 48 },
    rule: "else a flight of any carrier that leaves within 48 hours of the booked departure; outside its control an own or partner flight: s. 17(1)(a)(ii), 18",
  },
  "br-traveller-told-72-hours": {
    start: "booked-departure",
    term: { hours: -72 },
    rule: "the airline tells the traveller at least 72 hours before the booked departure: Res. 400, Art. 12",
  },
  "in-traveller-told-14-days": {
    start: "booked-departure",
    term: { days: -14 },
    rule: "the traveller is told at least two weeks before the booked departure: CAR 3-M-IV 3.3.1",
  },
  "in-traveller-told-24-hours": {
    start: "booked-departure",
    term: { hours: -24 },
    rule: "the traveller is told at least 24 hours before the booked departure: then no compensation, CAR 3-M-IV 3.3.1",
  },
  "in-agent-refund": {
    start: "refund-due",
    term: { businessDays: 14, holidays: "none" },
    rule: "14 working days for a refund through an agent: CAR of 24 February 2026. Counted Monday to Friday: Indian holidays are not in the data",
  },
} as const satisfies Record<string, ClockDefinition>;

export type ClockName = keyof typeof clockCatalogue;

/** Whether it is a moment before departure by which the traveller is to be told. */
export function isMarkBeforeDeparture(name: ClockName): boolean {
  const { start, term }: ClockDefinition = clockCatalogue[name];
  return start === "booked-departure" && endsBeforeStart(term);
}

/** Whether it runs from when a refund fell due. */
export function isRefundClock(name: ClockName): boolean {
  return clockCatalogue[name].start === "refund-due";
}

/** Whether a clock is over before what it counts from happens. */
export function endsBeforeStart(term: ClockTerm): boolean {
  return ("days" in term && term.days < 0) || ("hours" in term && term.hours < 0);
}
