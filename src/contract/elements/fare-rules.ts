import { z } from "zod";
import { element, field } from "../element.ts";

const section = "Fare rules";

export const fareRuleTopics = [
  "RULE APPLICATION",
  "MIN STAY",
  "MAX STAY",
  "SEASONS",
  "BLACKOUTS",
  "DAY/TIME",
  "SALES RESTRICT",
  "TVL RESTRICTION",
  "ADVANCE RES/TKT",
  "FLT APPLICATION",
  "CHILD DISCOUNTS",
  "TOUR CONDUCTOR",
  "AGTS DISCOUNTS",
  "OTHER DISCOUNTS",
  "STOPOVERS",
  "TRANSFERS/RTGS",
  "SURCHARGES",
  "ELIGIBILITY",
  "ACCOMPANY TVL",
  "TKT ENDORSEMENT",
  "PENALTIES",
  "COMBINABILITY",
  "HIGHER INTERMEDIATE POINT",
  "DEPOSITS",
  "GROUPS",
  "TOURS",
  "VISIT ANOTHER COUNTRY",
  "MISCELLANEOUS DATA",
  "VOLUNTARY CHANGES",
  "VOLUNTARY REFUNDS",
] as const;

export type FareRuleTopic = (typeof fareRuleTopics)[number];

/** A statement about the whole fare. */
const fareRuleFact = z.strictObject({
  Category: field(z.enum(["Status", "ItineraryId", "FareBasis", "Departure", "Arrival"]), "what the text states"),
  Text: field(z.string(), "the statement"),
});

/** By topic. An airline omits topics without rules. */
const fareRuleData = z.strictObject({
  Category: field(z.literal("Data"), "the rules themselves"),
  Text: field(
    z.partialRecord(z.enum(fareRuleTopics), z.array(z.string())),
    "paragraphs by rule topic; topics without a rule are left out",
  ),
});

/** One element of `Rule`. */
export const fareRule = element("FareRule", section, z.discriminatedUnion("Category", [fareRuleFact, fareRuleData]));

/** One element of `Rules`. */
export const fareRules = element(
  "FareRules",
  section,
  z.strictObject({
    FareBasisCode: field(
      z.array(z.strictObject({ Code: field(z.string().min(1), "fare basis code") })),
      "fare bases that the rules hold for",
    ),
    AirlineID: field(z.string(), "airline that files the fare"),
    FareCode: field(z.string(), "code of the fare").optional(),
    Rule: field(z.array(fareRule), "rules and what they are about"),
  }),
);
