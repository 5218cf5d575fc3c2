import type { Fact } from "../../../kernel/fact.ts";
import { describeCheck, type ReadCheck } from "../../../policy/check-words.ts";
import { describeUnknown, factLabels, labelOfFact } from "../../../policy/fact-labels.ts";
import { formatMoney } from "../../../travel/money.ts";
import { type FactWords, factWords } from "./fact-formats.ts";

export interface ShownFact {
  readonly name: string;
  readonly label: string;
  /** The value in words, or `unknown`. */
  readonly value: string;
  /** Null if it is known. */
  readonly unknownBecause: string | null;
  readonly isQuiet: boolean;
}

/** By subject, in reading order. Facts without words of their own come last. */
export function groupFacts(
  facts: Readonly<Record<string, Fact<unknown>>>,
): readonly { readonly title: string; readonly facts: readonly ShownFact[] }[] {
  const named = Object.entries(factLabels).map(([title, labels]) => ({ title, names: Object.keys(labels) }));
  const placed = new Set(named.flatMap(({ names }) => names));
  const others = Object.keys(facts).filter((name) => !placed.has(name));
  return [...named, { title: "More", names: others }]
    .map(({ title, names }) => ({
      title,
      facts: names.flatMap((name) => {
        const fact = facts[name];
        if (fact === undefined) return [];
        return [moneyNames.has(name) ? showMoney(name, fact, facts) : showFact(name, fact)];
      }),
    }))
    .filter((group) => group.facts.length > 0);
}

/**
 * What made the change as severe as it is. Most of what is unknown follows from what is known, such as the new times from a
 * flight that is withdrawn, so it is only named where nothing else is.
 */
export function describeSeverityFacts({
  severityFacts,
  facts,
}: {
  readonly severityFacts: readonly string[];
  readonly facts: Readonly<Record<string, Fact<unknown>>> | null;
}): string {
  const known = severityFacts.filter((name) => facts?.[name]?.known !== false).map(labelOfFact);
  if (known.length > 0 || severityFacts.length === 0) return known.join(", ");
  return `not known: ${severityFacts.map(labelOfFact).join(", ")}`;
}

function showFact(name: string, fact: Fact<unknown>): ShownFact {
  const words: FactWords = factWords[name] ?? {};
  const label = labelOfFact(name);
  if (!fact.known) {
    const isQuiet = expectedReasons.has(fact.reason);
    return { name, label, value: "unknown", unknownBecause: describeUnknown(fact.reason), isQuiet };
  }
  const value = fact.value as never;
  return {
    name,
    label,
    value: words.format === undefined ? formatPlainly(fact.value) : words.format(value),
    unknownBecause: null,
    isQuiet: words.isQuiet === undefined ? isNothing(fact.value) : words.isQuiet(value),
  };
}

const moneyNames: ReadonlySet<string> = new Set(["orderValue", "expectedRefund", "cancellationFee"]);

function showMoney(name: string, fact: Fact<unknown>, facts: Readonly<Record<string, Fact<unknown>>>) {
  const shown = showFact(name, fact);
  const currency = facts["currency"];
  return fact.known
    ? { ...shown, value: formatMoney(String(fact.value), currency?.known === true ? String(currency.value) : null) }
    : shown;
}

/** What a check of a rule found, in the words and units of the facts. */
export function describeReadCheck(check: ReadCheck): string {
  return describeCheck(check, { label: labelOfFact, value: formatValue });
}

function formatValue(name: string, value: unknown): string {
  const words = factWords[name];
  // A limit of 0 is no "no".
  if (words?.format === undefined || (value === 0 && typeof value === "number")) return formatPlainly(value);
  return words.format(value as never);
}

function formatPlainly(value: unknown): string {
  if (value === true) return "yes";
  if (value === false) return "no";
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return String(value);
}

function isNothing(value: unknown): boolean {
  return value === false || value === 0 || value === null || (Array.isArray(value) && value.length === 0);
}

/** Reasons that are normal, so such facts are folded away. */
const expectedReasons: ReadonlySet<string> = new Set([
  "no-history",
  // In decisions of version 0.2.
  "not-counted",
  "not-held",
  "not-stated",
  "traveller-not-informed",
  "unknown-miles",
  "unavailable-cancellation-fee",
  "missing-cancellation-fee",
]);
