import type { FactDefinition } from "../../itinerary/fact-definition.ts";
import type { Entitlement, LegalAssessment } from "./assessment.ts";
import type { LegalRight } from "./preset.ts";
import { legalPresets } from "./presets.ts";

const standing = "entitled, not-entitled, cannot-tell, or off";

/** What a condition can read of each preset, such as `legal.eu_261_refund == "entitled"`. */
export const legalFactCatalogue = {
  "legal.us_dot_260_refund": {
    type: "string",
    description: `The right to a refund or another flight under us-dot-260: ${standing}.`,
  },
  "legal.eu_261_refund": {
    type: "string",
    description: `The right to a refund or another flight under eu-261: ${standing}.`,
  },
  "legal.eu_261_compensation": { type: "string", description: `The right to compensation under eu-261: ${standing}.` },
  "legal.uk_261_refund": {
    type: "string",
    description: `The right to a refund or another flight under uk-261: ${standing}.`,
  },
  "legal.uk_261_compensation": { type: "string", description: `The right to compensation under uk-261: ${standing}.` },
  "legal.ca_appr_refund": {
    type: "string",
    description: `The right to a refund or another flight under ca-appr: ${standing}.`,
  },
  "legal.ca_appr_compensation": {
    type: "string",
    description: `The right to compensation under ca-appr: ${standing}.`,
  },
  "legal.br_anac_400_refund": {
    type: "string",
    description: `The right to a refund or another flight under br-anac-400: ${standing}.`,
  },
  "legal.in_dgca_refund": {
    type: "string",
    description: `The right to a refund or another flight under in-dgca: ${standing}.`,
  },
  "legal.in_dgca_compensation": {
    type: "string",
    description: `The right to compensation under in-dgca: ${standing}.`,
  },
  "legal.tr_shy_yolcu_refund": {
    type: "string",
    description: `The right to a refund or another flight under tr-shy-yolcu: ${standing}.`,
  },
  "legal.tr_shy_yolcu_compensation": {
    type: "string",
    description: `The right to compensation under tr-shy-yolcu: ${standing}.`,
  },
  "legal.eu_261_2026_refund": {
    type: "string",
    description: `The right to a refund or another flight under eu-261-2026: ${standing}.`,
  },
  "legal.eu_261_2026_compensation": {
    type: "string",
    description: `The right to compensation under eu-261-2026: ${standing}.`,
  },
} as const satisfies Readonly<Record<string, FactDefinition>>;

export type LegalFactName = keyof typeof legalFactCatalogue;

const rights: readonly (readonly [suffix: string, right: LegalRight])[] = [
  ["refund", "refund-or-rerouting"],
  ["compensation", "compensation"],
];

const subjects = new Map(
  legalPresets.flatMap(({ id }) =>
    rights.map(([suffix, right]) => [`legal.${id.replaceAll("-", "_")}_${suffix}`, { id, right }] as const),
  ),
);

/** Returns a value of {@link legalFactCatalogue}. Always known: `cannot-tell` is a value. */
export function legalFact(name: LegalFactName, { presets, verdicts }: LegalAssessment): Entitlement | "off" {
  const subject = subjects.get(name);
  if (subject === undefined || !presets.some(({ id }) => id === subject.id)) return "off";
  const own = verdicts.filter(({ preset, right }) => preset === subject.id && right === subject.right);
  const strongest = (["entitled", "cannot-tell"] as const).find((wanted) =>
    own.some(({ verdict }) => verdict === wanted),
  );
  return strongest ?? "not-entitled";
}
