import { flightNames } from "./flight-names.ts";
import type { Itinerary, LocalPoint } from "./itinerary.ts";

/**
 * Describes what is impossible or missing in the flights as sent: `LH98 FRA-MUC arrives before it leaves`.
 * @param suspicions codes with their segment or reference: `arrives-before-departure:Segment1`.
 * @param current the flights that the view lists.
 * @param proposed the flights in their place.
 */
export function describeSuspicions(
  suspicions: readonly string[],
  current: Itinerary,
  proposed: Itinerary,
): readonly string[] {
  const problems = suspicions.map((suspicion) => {
    const colon = suspicion.indexOf(":");
    const code = colon < 0 ? suspicion : suspicion.slice(0, colon);
    const about = colon < 0 ? "" : suspicion.slice(colon + 1);
    const flights = current.segments.filter(({ segmentKey }) => segmentKey === about);
    const named = flightNames(flights) || "a flight";
    const stated = pointsOf(proposed, about);
    const contradictions = stated.flatMap(({ contradiction }) => contradiction ?? []);
    if (code === "offset-contradicted" && contradictions.length > 0)
      return `${named} states ${contradictions.join(", and ")}`;
    const unread = stated.flatMap(({ unreadTime }) => unreadTime ?? []);
    const places = code === "unknown-airport" ? unreadAirports(proposed, about) : [];
    if (places.length > 0) return `${named} has an airport that is not known: ${places.join(", and ")}`;
    if (code === "unreadable-time" && unread.length > 0)
      return `${named} states a time that cannot be read: ${unread.join(", and ")}`;
    const ofFlight = wordsOfFlights[code];
    if (ofFlight !== undefined) return `${named} ${ofFlight}`;
    return wordsOfViews[code]?.(about) ?? `${code.replaceAll("-", " ")} in ${flightNames(flights) || "the flights"}`;
  });
  return [...new Set(problems)];
}

/** Both ends of the flights in place of a segment. */
function pointsOf({ segments }: Itinerary, key: string): readonly LocalPoint[] {
  return segments
    .filter(({ segmentKey }) => segmentKey === key)
    .flatMap(({ departure, arrival }) => [departure, arrival]);
}

/** What is stated instead of a code, as far as it may be a name. */
function unreadAirports({ segments }: Itinerary, key: string): readonly string[] {
  const stated = segments
    .filter(({ segmentKey }) => segmentKey === key)
    .flatMap(({ unread }) => [unread?.departureAirport, unread?.arrivalAirport].filter((text) => text !== undefined));
  return stated.map((text) => (text.length > nameLengthMax ? "a text that is no name" : `“${text}”`));
}

const nameLengthMax = 60;

const wordsOfFlights: Readonly<Record<string, string | undefined>> = {
  "arrives-before-departure": "arrives before it leaves",
  "nonexistent-time": "has a local time that the clocks skip",
  "does-not-chain": "goes on from another airport than it arrives at",
  "implausible-duration": "takes much less or much more time than before",
  "implausible-speed": "is too fast or too slow for its distance",
  "unknown-departure": "has no complete departure",
  "unknown-arrival": "has no complete arrival",
  "offset-contradicted": "states a time that contradicts the clock of its airport",
  "unknown-airport": "has an airport that is not known",
  "unreadable-time": "states a time that cannot be read",
  "unreadable-values": "has new values that cannot be read",
  "contradictory-details": "has two sets of new values that differ",
  "repeated-key": "shares its key with another flight",
  "incomplete-journey": "is part of a journey with a flight that is not listed",
};

/** @param about the release of the table, then each airport with its offset by the table and by the durations. */
function describeZones(about: string): string {
  const [release = "", ...words] = about.split(" ");
  const airports = words.filter((_, i) => i % 3 === 0);
  const readings = airports.map((airport, i) => {
    const [byTable = "", byDurations = ""] = words.slice(i * 3 + 1, i * 3 + 3);
    return i === 0
      ? `${airport} is at ${byTable} by our time zone table ${release}, and the stated durations say ${byDurations}`
      : `${airport} is at ${byTable}, and they say ${byDurations}`;
  });
  return `the times at ${airports.join(" and ")} are not known: ${readings.join(", or ")}`;
}

const wordsOfViews: Readonly<Record<string, ((about: string) => string) | undefined>> = {
  "other-destination": (about) =>
    `the journey goes to ${about.split(" ")[0]}, and its flights end at ${about.split(" ")[1]}`,
  "zone-contradicted": describeZones,
  "unlisted-flight": () => "a changed flight is not listed",
  "unlisted-segment": (key) =>
    key === ""
      ? "new values are given that cannot be read, or without their flight"
      : "new values are given for a flight that is not listed",
  "unknown-cancelled-flights": (reference) => `the flights of the cancelled booking ${reference} cannot be told`,
};
