import { toLabel } from "./state-words.ts";

const rightWords: Readonly<Record<string, string>> = {
  "refund-or-rerouting": "Refund or another flight",
  compensation: "Compensation",
  "partial-refund": "Partial refund",
};

export function describeRight(right: string): string {
  return rightWords[right] ?? toLabel(right);
}

const verdictWords: Readonly<Record<string, string>> = {
  entitled: "Entitled",
  "not-entitled": "Not entitled",
  "cannot-tell": "Unclear",
};

export function describeVerdict(verdict: string): string {
  return verdictWords[verdict] ?? toLabel(verdict);
}
