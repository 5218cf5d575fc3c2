const ranks = ["economy", "premium economy", "business", "first"] as const;

/**
 * Spellings by cabin. The interface document does not show its vocabulary: these are the one-letter compartment codes
 * of the IATA reservations manual (AIRIMP), S as reservation systems write premium economy, and the plain names in the
 * languages of airlines with their usual short forms. Booking classes and numeric codes are missing, because
 * systems disagree about them.
 */
const spellings: Readonly<Record<(typeof ranks)[number], readonly string[]>> = {
  economy: [
    ...["Y", "M", "ECO", "ECON", "ECONO", "ECONOMY", "COACH", "MAIN", "TOURIST", "STANDARD"],
    ...["ECONOMIA", "ECONOMICA", "ECONOMICO", "ECONOMIQUE", "ECONOMIE", "TURISTA", "TURISTICA", "EKONOMI"],
    ...["EKONOMY", "EKONOMISK", "ECONOMISK", "TURIST", "TOURISTE", "TOURISTIK"],
  ],
  "premium economy": [
    ...["W", "S", "PEY", "PRE", "PREMIUMECO", "PREMIUMECONOMY", "ECOPREMIUM", "ECONOMYPREMIUM", "PREMECO", "PREMIUMY"],
    ...[
      "PREMIUMECONOMIA",
      "ECONOMIAPREMIUM",
      "TURISTAPREMIUM",
      "PREMIUMTURISTA",
      "PREMIUMECONOMICA",
      "ECONOMIQUEPREMIUM",
    ],
    ...["PREMIUMECONOMIQUE", "ECONOMICAPREMIUM", "PREMIUMECONOMIE"],
  ],
  business: ["C", "J", "BUS", "BIZ", "BUSINESS", "AFFAIRES", "EJECUTIVA", "EXECUTIVA", "AFFARI", "NEGOCIOS"],
  first: ["F", "P", "FST", "FIRST", "PRIMERA", "PREMIERE", "PRIMEIRA", "PRIMA", "ERSTE"],
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
  const found = cabinType.split("/").map(rankOf);
  const known = found.filter((rank) => rank !== null);
  return known.length < found.length ? null : new Set(known);
}

/** A code may stand in brackets beside its name, as in `Economy (Y)`, if both are the same cabin. */
function rankOf(cabin: string): number | null {
  const parts = cabin.split(/[()[\]]|\s-\s/).filter((part) => /[\p{L}\p{N}]/u.test(part));
  const [first, ...others] = parts.map((part) => rankBySpelling.get(plainNameOf(part)));
  return first === undefined || others.some((rank) => rank !== first) ? null : first;
}

function plainNameOf(cabin: string): string {
  const name = cabin
    .normalize("NFKD")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");
  return name.replace(
    /^(?:CLASSE?|CABIN|CLASE|KLASSE)(?=.{3})|(?<=.)(?:CLASSE?|CABINE?|CABINA|CLASE|KLASSE|CLAS|KLASS)$/g,
    "",
  );
}
