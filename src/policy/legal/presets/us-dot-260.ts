import type { LegalCondition, LegalPreset, LegalTrigger } from "../preset.ts";
import { withdrawn } from "./conditions.ts";

const significant = "14 CFR 260.2 (significantly delayed or changed flight)";

/** 14 CFR Part 260: refunds in the United States. */
export const usDot260: LegalPreset = {
  id: "us-dot-260",
  title: "United States: airline refunds",
  citation: "14 CFR Part 260; 49 U.S.C. 42305; 89 FR 32760; 89 FR 65534",
  sources: [
    "https://www.ecfr.gov/current/title-14/chapter-II/subchapter-A/part-260",
    "https://www.govinfo.gov/content/pkg/FR-2024-04-26/html/2024-07177.htm",
    "https://www.federalregister.gov/documents/2026/07/07/2026-13675/airline-refunds-and-other-consumer-protections",
  ],
  asOf: "2026-09-18",
  reviewBy: "2027-07-07",
  onByDefault: true,
  scope: [{ touches: "US" }],
  domesticWithin: "US",
  triggers: [
    refund("cancelled", "A flight is cancelled", "14 CFR 260.2 (cancelled flight), 260.6(a)(1)", withdrawn),
    refund("departs-earlier", "Leaves the origin earlier", `${significant} (1)`, {
      fact: "journeyDepartureEarlierMinutes",
      comparison: ">=",
      limit: { domestic: 180, international: 360 },
    }),
    refund("arrives-later", "Arrives at the destination later", `${significant} (2); 49 U.S.C. 42305(d)`, {
      fact: "journeyArrivalLaterMinutes",
      comparison: ">=",
      limit: { domestic: 180, international: 360 },
    }),
    refund("airport-changed", "Another airport of origin or destination", `${significant} (3)`, {
      any: [{ flag: "originChanged" }, { flag: "destinationChanged" }],
    }),
    refund("connections-added", "More connection points", `${significant} (4)`, { flag: "connectionsAdded" }),
    refund("downgraded", "A lower class of service", `${significant} (5)`, { flag: "cabinDowngraded" }),
    refund(
      "connecting-airport-changed",
      "Another connecting airport for a passenger with a disability",
      `${significant} (6)`,
      { all: [{ flag: "assistanceRequested" }, { flag: "connectingAirportsChanged" }] },
    ),
    refund(
      "aircraft-inaccessible",
      "The new aircraft lacks a feature that a passenger with a disability needs",
      `${significant} (7)`,
      {
        all: [{ flag: "assistanceRequested" }, { flag: "aircraftChanged" }, { unsettled: "aircraftAccessibility" }],
      },
    ),
    {
      ...refund("renumbered", "Another flight number", "14 CFR 260.2 (cancelled flight); 90 FR 55999; 91 FR 41556", {
        flag: "flightNumberChanged",
      }),
      note: "By the text a renumbered flight is cancelled. The department does not enforce refunds for that alone, for a traveller who is rebooked on it without a significant change.",
      notEnforcedUntil: "2027-07-07",
    },
  ],
  notes: [
    "The right ends when the traveller flies the changed flight, or accepts it, another flight or a voucher (260.6(a)(1), 260.7). No answer is no acceptance: when the flight leaves without them the refund is owed (260.6(a)(2)).",
    "The text is about non-refundable tickets; a refundable one is refunded by its own fare rules.",
    "A later departure alone, an earlier arrival alone, another aircraft or terminal gives no right.",
    "Where the agency charged the traveller it owes the refund on request, less a service fee that was disclosed (14 CFR 399.80(l)).",
    "Domestic is read as Delta publishes it: within and between the United States and its territories. There is no compensation beside the refund.",
  ],
};

function refund(id: string, title: string, paragraph: string, when: LegalCondition): LegalTrigger {
  return {
    id,
    title,
    right: "refund-or-rerouting",
    paragraph,
    when,
    clocks: ["us-refund-card", "us-refund-other", "us-agency-refund-card", "us-agency-refund-other"],
  };
}
