import type { LegalPreset } from "../preset.ts";
import { eu261 } from "./eu-261.ts";

/** The reform of Regulation 261/2004 agreed in 2026, as far as it is known to differ. */
export const eu2612026: LegalPreset = {
  ...eu261,
  id: "eu-261-2026",
  title: "European Union: air passenger rights, reform of 2026",
  citation: "Regulation (EC) No 261/2004 as amended (Council, 13 July 2026)",
  sources: [
    "https://cyprus-today.online/eu-air-passenger-rights-compromise-deal-reached-after-months-of-talks/",
    "https://airportindustry-news.com/new-rules-to-improve-passenger-rights-enforcement-across-eu/",
  ],
  reviewBy: "2027-03-31",
  onByDefault: false,
  notInForce:
    "It applies about one year after its publication in the Official Journal, which has not been seen. Switch eu-261 off when it does.",
  notes: [
    ...eu261.notes,
    "Reported to keep the limit of three hours and the amounts of 250, 400 and 600 euros, with 300 for three to four hours over 3,500 km.",
    "Reported to require an offer of re-routing within 3 hours, else the traveller may re-route themselves for up to 400 % of the fare; a link to a claim form; and payment within 30 days. When these terms start is not known, so they have no clock here.",
    "Companion rules: an intermediary that handles a refund has 7 days from receiving it.",
  ],
};
