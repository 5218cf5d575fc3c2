import { type ChangeFacts, type FactName, factCatalogue } from "./fact-catalogue.ts";
import type { FactsInput } from "./facts-input.ts";
import { factsOnDemand } from "./facts-on-demand.ts";

/** Computes every fact of the catalogue for one proposal. Never throws: what cannot be told is unknown, with its reason. */
export function computeFacts(input: FactsInput): ChangeFacts {
  const facts = factsOnDemand(input);
  return Object.fromEntries(factNames.map((name) => [name, facts[name]])) as unknown as ChangeFacts;
}

const factNames = Object.keys(factCatalogue) as FactName[];
