import type { AmountTable, LegalPreset } from "../preset.ts";
import { broughtForward, toldTooLate, unnamedChange, unnamedChanges, withdrawn } from "./conditions.ts";

/** Art 7(1), and 7(2): halved when the re-routing arrives within two, three or four hours. */
const amounts: AmountTable = {
  currency: "EUR",
  by: "distance",
  rows: [
    { value: "250", upToKm: 1500, reduced: { value: "125", comparison: "<=", minutes: 120 } },
    { value: "400", within: "EU", reduced: { value: "200", comparison: "<=", minutes: 180 } },
    { value: "400", upToKm: 3500, reduced: { value: "200", comparison: "<=", minutes: 180 } },
    { value: "600", reduced: { value: "300", comparison: "<=", minutes: 240 } },
  ],
};

/** Regulation (EC) 261/2004. */
export const eu261: LegalPreset = {
  id: "eu-261",
  title: "European Union: air passenger rights",
  citation: "Regulation (EC) No 261/2004",
  sources: [
    "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=CELEX:32004R0261",
    "https://eur-lex.europa.eu/eli/C/2024/5687",
  ],
  asOf: "2026-11-20",
  reviewBy: "2027-06-30",
  onByDefault: true,
  scope: [{ departs: "EU" }, { arrives: "EU", licensedIn: ["EU"] }, { unsettled: { connectsIn: "EU" } }],
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
      title: "Leaves more than one hour earlier, which counts as cancelled",
      right: "refund-or-rerouting",
      paragraph: "Art 5(1)(a), 8(1); C-146/20",
      when: broughtForward,
      clocks: ["traveller-told-14-days", "traveller-told-7-days", "eu-refund"],
    },
    {
      id: "postponed-3-hours",
      title: "Leaves three hours later or more",
      right: "refund-or-rerouting",
      paragraph: "Art 5(1)(a), 8(1); C-395/20",
      when: {
        all: [{ fact: "journeyDepartureLaterMinutes", comparison: ">=", limit: 180 }, { unsettled: "courtReading" }],
      },
      note: "Less than three hours later is no cancellation (C-395/20); whether more is, was not found settled.",
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
      "The usual reading is a cancellation with an offer of re-routing; it was not verified.",
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
      title: "Cancelled or brought forward, told late, and the re-routing too far from what was booked",
      right: "compensation",
      paragraph: "Art 5(1)(c), 7; C-302/16",
      when: { all: [{ any: [withdrawn, broughtForward, unnamedChange] }, toldTooLate] },
      note: "Not owed in extraordinary circumstances, which the carrier has to prove (Art 5(3)), as it has to prove when the passenger was told (Art 5(4)).",
      amount: amounts,
      clocks: ["traveller-told-14-days", "traveller-told-7-days"],
    },
    {
      id: "delay-compensation",
      title: "Arrives three hours later or more",
      right: "compensation",
      paragraph: "Art 7; C-402/07, C-558/24",
      when: {
        all: [
          { fact: "journeyArrivalLaterMinutes", comparison: ">=", limit: 180 },
          { any: [{ toldLessThan: { days: 14 } }, { unsettled: "courtReading" }] },
        ],
      },
      note: "The delay counts against the arrival that was agreed at first (C-558/24). Whether it is owed when the traveller was told two weeks ahead was not found settled. Not owed in extraordinary circumstances.",
      amount: amounts,
    },
  ],
  notes: [
    "Telling the agency is not telling the traveller. An agency that passes the news on late may have to pay what the airline owes (C-302/16, Art 13).",
    "A journey counts as a whole when it was booked as one. One that only changes flights in the EU, on the way between other countries, is not settled.",
    "Community carrier means the operating carrier. Iceland, Norway, Liechtenstein and Switzerland are treated as the EU.",
    "To another airport of the same city the carrier pays the transfer (Art 8(3)). Persons with reduced mobility and children who travel alone come first (Art 11).",
    "The large online agencies have committed to pass a refund on within 7 days of receiving it.",
    "From the United Kingdom on a Community carrier, uk-261 applies as well; the traveller is paid once.",
  ],
};
