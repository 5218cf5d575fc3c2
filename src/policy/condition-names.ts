import { type FactName, factCatalogue } from "../itinerary/fact-catalogue.ts";
import type { FactDefinition, FactType } from "../itinerary/fact-definition.ts";
import { legalFactCatalogue } from "./legal/legal-facts.ts";

/** A `timestamp` is an instant; conditions compare it with `timestamp("2026-12-24T00:00:00Z")`. */
export type NameType = FactType | "timestamp";

export interface NameDefinition extends Omit<FactDefinition, "type"> {
  readonly type: NameType;
}

const standings = ["entitled", "cannot-tell", "not-entitled"] as const;
const standing = "entitled, not-entitled, or cannot-tell when a fact is missing that decides it";

/** What a condition can read besides the facts: source, order, time and law. */
export const contextCatalogue = {
  source: { type: "string", description: "The gateway account that the change came from. Always known." },
  orderId: { type: "string", description: "The order that the change is about. Always known." },
  now: { type: "timestamp", description: "The moment of the decision. Always known." },
  "order.travellerAnswer": {
    type: "string",
    description:
      "What the traveller answered about this change: none, accept, refuse, refund or reroute. Always known.",
    values: ["none", "accept", "refuse", "refund", "reroute"],
  },
  "order.customerAgreement": {
    type: "bool",
    description: "Whether the customer has agreed beforehand that changes like this may be accepted. Always known.",
  },
  "order.bookingReferenceCount": {
    type: "int",
    description: "Number of booking references of the order. Always known.",
    atLeast: 0,
  },
  "order.minutesSinceChange": {
    type: "int",
    unit: "min",
    description: "Minutes since this change was first seen. Unknown when nobody keeps it.",
    atLeast: 0,
  },
  "order.ticketIssuedOn": {
    type: "string",
    description:
      "Local date on which the tickets were issued, yyyy-mm-dd; compare it as text. The gateway does not state it: unknown unless the agency does.",
  },
  "legal.held": {
    type: "bool",
    description:
      "Whether accepting could give up a right to a refund or another flight. Nothing is accepted automatically then, whatever a rule says.",
  },
  "legal.refundOrRerouting": {
    type: "string",
    description: `The right to a refund or another flight under the strongest of all presets: ${standing}.`,
    values: standings,
  },
  "legal.compensation": {
    type: "string",
    description: `The right to compensation, likewise: ${standing}.`,
    values: standings,
  },
  "legal.partialRefund": {
    type: "string",
    description: `The right to a part of the fare, likewise: ${standing}.`,
    values: standings,
  },
  ...legalFactCatalogue,
} as const satisfies Readonly<Record<string, NameDefinition>>;

export type ContextName = keyof typeof contextCatalogue;

export type VariableName = FactName | ContextName;

const definitions: Readonly<Record<string, NameDefinition | undefined>> = { ...factCatalogue, ...contextCatalogue };

export const variableNames = Object.keys(definitions) as readonly VariableName[];

/** Names before a dot: `order`, `legal`, and `within`, which the policy's thresholds follow. */
export const namespaces: readonly string[] = ["order", "legal", "within"];

/** Matches `{factName}` in the texts that explain a rule; the name is the first group. */
export const placeholderPattern = /\{([A-Za-z][A-Za-z0-9]*(?:\.[A-Za-z][A-Za-z0-9_]*)?)\}/g;

export function isVariableName(name: string): name is VariableName {
  return Object.hasOwn(definitions, name);
}

export function typeOfName(name: VariableName): NameType {
  return definitionOf(name).type;
}

export function definitionOf(name: VariableName): NameDefinition {
  return definitions[name]!;
}
