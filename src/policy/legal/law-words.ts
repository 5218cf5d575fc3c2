import type { LegalRight } from "./preset.ts";

/* Names of laws and rights for people. Presets of later versions, and rights that are not listed, keep their id. */

const lawNames: Readonly<Record<string, string>> = {
  "us-dot-260": "US DOT",
  "eu-261": "EU261",
  "eu-261-2026": "EU261 as of 2026",
  "uk-261": "UK261",
  "ca-appr": "Canada APPR",
  "br-anac-400": "Brazil ANAC 400",
  "in-dgca": "India DGCA",
  "tr-shy-yolcu": "Türkiye SHY-Yolcu",
};

export function nameLaw(preset: string): string {
  return lawNames[preset] ?? preset;
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
