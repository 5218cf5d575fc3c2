const ranks = ["economy", "premium economy", "business", "first"] as const;

/**
 * Spellings by cabin. The interface document does not show its vocabulary: these are the one-letter compartment codes
 * of the IATA reservations manual (AIRIMP), S as reservation systems write premium economy, and the plain names with
 * their usual short forms. Booking classes and numeric codes are missing, because
 * systems disagree about them.
 */
const spellings: Readonly<Record<(typeof ranks)[number], readonly string[]>> = {
  economy: ["Y", "M", "ECO", "ECON", "ECONOMY", "COACH", "MAIN"],
  "premium economy": ["W", "S", "PEY", "PREMIUMECO", "PREMIUMECONOMY", "ECOPREMIUM", "ECONOMYPREMIUM"],
  business: ["C", "J", "BUS", "BIZ", "BUSINESS"],
  first: ["F", "P", "FST", "FIRST"],
};

const rankBySpelling: ReadonlyMap<string, number> = new Map(
  ranks.flatMap((cabin, rank) => spellings[cabin].map((spelling) => [spelling, rank] as const)),
);

/** Returns the cabins of a segment as ranks; null if one is unknown. A slash joins several, as of two passengers. */
export function cabinRanks(cabinType: string): { readonly lowest: number; readonly highest: number } | null {
  const ranks = ranksOf(cabinType);
  return ranks === null ? null : { lowest: Math.min(...ranks), highest: Math.max(...ranks) };
}

/** Whether two texts name the same cabins, in whatever spelling. */
export function isSameCabin(a: string, b: string): boolean {
  if (a === b) return true;
  const [first, second] = [ranksOf(a), ranksOf(b)];
  if (first === null || second === null || first.size !== second.size) return false;
  return [...first].every((rank) => second.has(rank));
}

function ranksOf(cabinType: string): ReadonlySet<number> | null {
  const found = cabinType.split("/").map((cabin) => {
    const name = cabin.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");
    return rankBySpelling.get(name.replace(/(?<=.)(?:CLASS|CABIN)$/, ""));
  });
  const known = found.filter((rank) => rank !== undefined);
  return known.length < found.length ? null : new Set(known);
}
