import type { AmountTable, LegalPreset } from "../preset.ts";
import { broughtForward, toldTooLate, unnamedChange, unnamedChanges, withdrawn } from "./conditions.ts";

const amounts: AmountTable = {
  currency: "GBP",
  by: "distance",
  rows: [
    { value: "220", upToKm: 1500 },
    { value: "350", upToKm: 3500 },
    { value: "520", reduced: { value: "260", comparison: "<", minutes: 240 } },
  ],
};

const persuasive =
  "Judgments of the EU court after 2020 (C-146/20) do not bind courts of the United Kingdom; they are persuasive.";

/** Regulation (EC) 261/2004 as retained in the law of the United Kingdom. */
export const uk261: LegalPreset = {
  id: "uk-261",
  title: "United Kingdom: air passenger rights",
  citation: "Regulation (EC) No 261/2004 as retained in UK law",
  sources: [
    "http://www.caa.co.uk/passengers/resolving-travel-problems/delays-and-cancellations/cancellations/",
    "https://www.abta.com/help-and-complaints/frequently-asked-questions/if-my-flight-cancelled-what-are-my-rights",
  ],
  asOf: "2026-11-20",
  reviewBy: "2027-06-30",
  onByDefault: true,
  scope: [
    { departs: "UK" },
    { arrives: "UK", licensedIn: ["UK", "EU"] },
    { arrives: "EU", licensedIn: ["UK"] },
    { unsettled: { connectsIn: "UK" } },
  ],
  triggers: [
    {
      id: "cancelled",
      title: "A flight is withdrawn",
      right: "refund-or-rerouting",
      paragraph: "Art 5(1)(a), 8(1)",
      when: withdrawn,
      clocks: ["traveller-told-14-days", "traveller-told-7-days", "eu-refund"],
    },
    {
      id: "brought-forward",
      title: "Leaves more than one hour earlier",
      right: "refund-or-rerouting",
      paragraph: "Art 5(1)(a), 8(1); C-146/20 (persuasive)",
      when: { all: [broughtForward, { unsettled: "courtReading" }] },
      note: persuasive,
      clocks: ["traveller-told-14-days", "traveller-told-7-days", "eu-refund"],
    },
    {
      id: "postponed-3-hours",
      title: "Leaves three hours later or more",
      right: "refund-or-rerouting",
      paragraph: "Art 5(1)(a), 8(1); C-395/20 (persuasive)",
      when: {
        all: [{ fact: "journeyDepartureLaterMinutes", comparison: ">=", limit: 180 }, { unsettled: "courtReading" }],
      },
      note: "Whether such a postponement is a cancellation was not found settled.",
      clocks: ["traveller-told-14-days", "traveller-told-7-days", "eu-refund"],
    },
    {
      id: "delayed-5-hours",
      title: "Leaves five hours later or more",
      right: "refund-or-rerouting",
      paragraph: "Art 6(1)(iii), 8(1)(a)",
      when: { fact: "journeyDepartureLaterMinutes", comparison: ">=", limit: 300 },
      note: "The right is to reimbursement.",
      clocks: ["eu-refund"],
    },
    ...unnamedChanges(
      "Art 5(1)(a), 8(1)",
      "ABTA: another flight number on the same route is generally a cancellation. For the other changes that is the usual reading; it was not verified.",
    ),
    {
      id: "downgraded",
      title: "A lower class",
      right: "partial-refund",
      paragraph: "Art 10(2)",
      when: { flag: "cabinDowngraded" },
      note: "30, 50 or 75 % of the price of the ticket, by distance. Accepting does not give it up.",
    },
    {
      id: "cancelled-compensation",
      title: "Cancelled, told late, and the re-routing too far from what was booked",
      right: "compensation",
      paragraph: "Art 5(1)(c), 7",
      when: {
        all: [
          { any: [withdrawn, { all: [broughtForward, { unsettled: "courtReading" }] }, unnamedChange] },
          toldTooLate,
        ],
      },
      note: "Not owed in extraordinary circumstances, which the carrier has to prove (Art 5(3), 5(4)).",
      amount: amounts,
      clocks: ["traveller-told-14-days", "traveller-told-7-days"],
    },
    {
      id: "delay-compensation",
      title: "Arrives three hours later or more",
      right: "compensation",
      paragraph: "Art 7; C-402/07",
      when: {
        all: [
          { fact: "journeyArrivalLaterMinutes", comparison: ">=", limit: 180 },
          { any: [{ toldLessThan: { days: 14 } }, { unsettled: "courtReading" }] },
        ],
      },
      note: "That the delay counts against the arrival agreed at first is persuasive only (C-558/24). Not owed in extraordinary circumstances.",
      amount: amounts,
    },
  ],
  notes: [
    "On a flight between the United Kingdom and the EU both regimes may apply; the traveller is paid once.",
    persuasive,
  ],
};
