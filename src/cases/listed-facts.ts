/** What a list of cases needs of the facts of each: how severe the change is. The store may read it here. */
export { type SeverityFacts as ListedFacts, severityFactNames as listedFactNames } from "../itinerary/severity.ts";
