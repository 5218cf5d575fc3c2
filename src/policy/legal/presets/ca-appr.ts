import type { LegalPreset } from "../preset.ts";
import { withdrawn } from "./conditions.ts";

/** Air Passenger Protection Regulations of Canada. */
export const caAppr: LegalPreset = {
  id: "ca-appr",
  title: "Canada: Air Passenger Protection Regulations",
  citation: "SOR/2019-150",
  sources: [
    "https://laws-lois.justice.gc.ca/eng/regulations/SOR-2019-150/section-19.html",
    "https://laws.justice.gc.ca/eng/regulations/SOR-2019-150/page-2.html",
    "https://otc-cta.gc.ca/eng/publication/flight-delays-and-cancellations-a-guide",
  ],
  asOf: "2026-03-17",
  reviewBy: "2027-03-31",
  onByDefault: true,
  scope: [{ touches: "CA" }],
  triggers: [
    {
      id: "cancelled",
      title: "A flight is cancelled",
      right: "refund-or-rerouting",
      paragraph: "s. 12(3)(c), 17, 18",
      when: withdrawn,
      clocks: ["ca-traveller-told-14-days", "ca-rerouting-own-9-hours", "ca-rerouting-any-48-hours"],
    },
    {
      id: "delayed-3-hours",
      title: "Leaves or arrives three hours later or more",
      right: "refund-or-rerouting",
      paragraph: "s. 12(2)(c), 17, 18",
      when: {
        any: [
          { fact: "journeyDepartureLaterMinutes", comparison: ">=", limit: 180 },
          { fact: "journeyArrivalLaterMinutes", comparison: ">=", limit: 180 },
        ],
      },
      clocks: ["ca-traveller-told-14-days", "ca-rerouting-own-9-hours", "ca-rerouting-any-48-hours"],
    },
    {
      id: "compensation",
      title: "Cancelled or three hours late at the destination, told 14 days before departure or later",
      right: "compensation",
      paragraph: "s. 12(2)(d), 12(3)(d), 19(1)",
      when: {
        all: [
          { any: [withdrawn, { fact: "journeyArrivalLaterMinutes", comparison: ">=", limit: 180 }] },
          { toldLessThan: { days: 14 }, inclusive: true },
          { unsettled: "carrierControl" },
        ],
      },
      note: "Owed only for a cause in the carrier's control that is no matter of safety; no order tells the cause. To a traveller who takes a refund instead it is CAD 400 from a large carrier and CAD 125 from a small one (s. 19(2)).",
      amount: {
        currency: "CAD",
        by: "carrier-and-delay",
        rows: [
          { value: "1000", carrier: "large", fromMinutes: 540 },
          { value: "700", carrier: "large", fromMinutes: 360 },
          { value: "400", carrier: "large", fromMinutes: 180 },
          { value: "500", carrier: "small", fromMinutes: 540 },
          { value: "250", carrier: "small", fromMinutes: 360 },
          { value: "125", carrier: "small", fromMinutes: 180 },
        ],
      },
      clocks: ["ca-traveller-told-14-days"],
    },
  ],
  notes: [
    "Flights to, from and within Canada, connections included; the operating carrier owes it. Changes before the day of travel count too.",
    "Large means two million passengers worldwide in each of the two years before.",
    "Amendments of 2024 are pending.",
  ],
};
