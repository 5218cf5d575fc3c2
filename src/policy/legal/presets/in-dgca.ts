import type { LegalPreset } from "../preset.ts";
import { withdrawn } from "./conditions.ts";

/** Civil Aviation Requirements of India, section 3, series M, part IV. */
export const inDgca: LegalPreset = {
  id: "in-dgca",
  title: "India: cancellations and refunds",
  citation: "DGCA CAR section 3, series M, part IV, 3.3.1",
  sources: [
    "https://www.livemint.com/news/india/will-go-first-flyers-get-refund-after-cancellation-of-flights-heres-all-you-need-to-know/amp-11683042397625.html",
    "https://www.devdiscourse.com/article/business/3818426-new-dgca-norms-make-airline-ticket-refunds-easier",
  ],
  asOf: "2026-11-20",
  reviewBy: "2027-05-31",
  onByDefault: false,
  scope: [{ departs: "IN" }, { unsettled: { arrives: "IN" } }, { unsettled: { connectsIn: "IN" } }],
  triggers: [
    {
      id: "cancelled",
      title: "Cancelled, told less than two weeks before departure",
      right: "refund-or-rerouting",
      paragraph: "3.3.1",
      when: { all: [withdrawn, { toldLessThan: { days: 14 } }] },
      clocks: ["in-traveller-told-14-days", "in-agent-refund"],
    },
    {
      id: "cancelled-early",
      title: "Cancelled, told at any time",
      right: "refund-or-rerouting",
      paragraph: "3.3.1",
      when: { all: [withdrawn, { unsettled: "courtReading" }] },
      note: "What the requirements say when the traveller is told two weeks ahead was not found.",
      clocks: ["in-traveller-told-14-days", "in-agent-refund"],
    },
    {
      id: "compensation",
      title: "Cancelled, told less than 24 hours before departure",
      right: "compensation",
      paragraph: "3.3.1",
      when: { all: [withdrawn, { toldLessThan: { hours: 24 } }] },
      note: "The amount was not found.",
      clocks: ["in-traveller-told-24-hours"],
    },
  ],
  notes: ["Known from press only. Refunds through an agent are the airline's duty, within 14 working days."],
};
