import type { LegalRight } from "./preset.ts";

/* Names of laws and rights for people. Presets of later versions, and rights that are not listed, keep their id. */

interface LawWords {
  readonly name: string;
  /** Whose law it is, as in `the law of the EU`. */
  readonly place: string;
  /** Whether sentences say `the` before the place. */
  readonly hasArticle: boolean;
}

const laws: Readonly<Record<string, LawWords>> = {
  "us-dot-260": { name: "US DOT", place: "US", hasArticle: true },
  "eu-261": { name: "EU261", place: "EU", hasArticle: true },
  "eu-261-2026": { name: "EU261 as of 2026", place: "EU as of 2026", hasArticle: true },
  "uk-261": { name: "UK261", place: "UK", hasArticle: true },
  "ca-appr": { name: "Canada APPR", place: "Canada", hasArticle: false },
  "br-anac-400": { name: "Brazil ANAC 400", place: "Brazil", hasArticle: false },
  "in-dgca": { name: "India DGCA", place: "India", hasArticle: false },
  "tr-shy-yolcu": { name: "Türkiye SHY-Yolcu", place: "Türkiye", hasArticle: false },
};

export function nameLaw(preset: string): string {
  return laws[preset]?.name ?? preset;
}

/**
 * Names whose law it is.
 * @param article for places that have one; null for none, as in a list
 */
export function namePlace(preset: string, article: "the" | "The" | null): string {
  const { place, hasArticle } = laws[preset] ?? { place: preset, hasArticle: false };
  return hasArticle && article !== null ? `${article} ${place}` : place;
}

const rightWords: Readonly<Record<LegalRight, string>> = {
  "refund-or-rerouting": "a refund or another flight",
  compensation: "compensation",
  "partial-refund": "a partial refund",
};

/** Returns a noun, such as `a refund or another flight`. */
export function nameRight(right: string): string {
  return Object.hasOwn(rightWords, right) ? rightWords[right as LegalRight] : right.replaceAll("-", " ");
}
