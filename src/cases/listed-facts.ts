import type { ChangeFacts } from "../itinerary/fact-catalogue.ts";
import { type SeverityFacts, severityFactNames } from "../itinerary/severity.ts";

/** What a list of cases needs of the facts of each: how severe the change is, and how many travel. */
export type ListedFacts = SeverityFacts & Partial<Pick<ChangeFacts, "passengerCount">>;

export const listedFactNames: readonly (keyof ChangeFacts)[] = [...severityFactNames, "passengerCount"];
