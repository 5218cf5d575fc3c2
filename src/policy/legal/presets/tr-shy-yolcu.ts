import type { LegalPreset } from "../preset.ts";
import { withdrawn } from "./conditions.ts";

/** SHY-YOLCU, Türkiye. */
export const trShyYolcu: LegalPreset = {
  id: "tr-shy-yolcu",
  title: "Türkiye: rights of air passengers",
  citation: "SHY-YOLCU, as amended on 10 December 2024",
  sources: [],
  asOf: "2026-11-20",
  reviewBy: "2027-05-31",
  onByDefault: false,
  scope: [{ departs: "TR" }, { unsettled: { arrives: "TR" } }, { unsettled: { connectsIn: "TR" } }],
  domesticWithin: "TR",
  triggers: [
    {
      id: "cancelled",
      title: "A flight is withdrawn",
      right: "refund-or-rerouting",
      paragraph: "SHY-YOLCU (paragraph not verified)",
      when: withdrawn,
    },
    {
      id: "delayed-3-hours",
      title: "Leaves or arrives three hours later or more",
      right: "refund-or-rerouting",
      paragraph: "SHY-YOLCU (paragraph not verified)",
      when: {
        all: [
          {
            any: [
              { fact: "journeyDepartureLaterMinutes", comparison: ">=", limit: 180 },
              { fact: "journeyArrivalLaterMinutes", comparison: ">=", limit: 180 },
            ],
          },
          { unsettled: "courtReading" },
        ],
      },
      note: "Duties begin at three hours; whether a refund is among them was not found.",
    },
    {
      id: "compensation",
      title: "A flight is withdrawn",
      right: "compensation",
      paragraph: "SHY-YOLCU (paragraph not verified)",
      when: { all: [withdrawn, { unsettled: "courtReading" }] },
      note: "How late the traveller must have been told was not found. The distances are those of Regulation 261/2004, not verified.",
      amount: {
        currency: "EUR",
        by: "distance",
        rows: [
          { value: "100", domestic: true },
          { value: "250", upToKm: 1500 },
          { value: "400", upToKm: 3500 },
          { value: "600" },
        ],
      },
    },
  ],
  notes: ["Known at second hand only, without a source that could be read."],
};
