const ranks = ["economy", "premium economy", "business", "first"] as const;

/**
 * Spellings by cabin. The interface document does not show its vocabulary: these are the one-letter compartment codes
 * of the IATA reservations manual (AIRIMP) and the plain names. Booking classes and numeric codes are missing, because
 * systems disagree about them.
 */
const spellings: Readonly<Record<(typeof ranks)[number], readonly string[]>> = {
  economy: ["Y", "M", "ECONOMY", "COACH"],
  "premium economy": ["W", "PREMIUMECONOMY", "ECONOMYPREMIUM"],
  business: ["C", "J", "BUSINESS"],
  first: ["F", "P", "FIRST"],
};

const rankBySpelling: ReadonlyMap<string, number> = new Map(
  ranks.flatMap((cabin, rank) => spellings[cabin].map((spelling) => [spelling, rank] as const)),
);

/** Returns the cabins of a segment as ranks; null if one is unknown. A slash joins several, as of two passengers. */
export function cabinRanks(cabinType: string): { readonly lowest: number; readonly highest: number } | null {
  const found = cabinType.split("/").map((cabin) => {
    const name = cabin.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
    return rankBySpelling.get(name.replace(/(?<=.)(?:CLASS|CABIN)$/, ""));
  });
  const known = found.filter((rank) => rank !== undefined);
  return known.length < found.length ? null : { lowest: Math.min(...known), highest: Math.max(...known) };
}
