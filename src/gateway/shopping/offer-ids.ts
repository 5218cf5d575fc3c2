/** How an offer is derived: `variant` n is its n-th dearer brand, `part` n its n-th journey. */
export interface OfferStep {
  readonly kind: "variant" | "part";
  readonly position: number;
}

export interface OfferIdParts {
  readonly shoppingResponseId: string;
  /** Among the offers of the search, from 0. */
  readonly position: number;
  readonly steps: readonly OfferStep[];
}

const digitOf = { variant: "1", part: "2" } as const;

/** The most derivations of one offer from another. */
const stepsMax = 3;

const offerIdPattern = new RegExp(`^(\\d{19})(\\d{3})((?:[12][1-9]){0,${stepsMax}})$`);

/**
 * 19 digits of the response and three of the position, from 001. Each derivation appends two digits, so no identifier
 * needs to be stored.
 */
export function offerIdOf(shoppingResponseId: string, position: number): string {
  return `${shoppingResponseId}${String(position + 1).padStart(3, "0")}`;
}

export function derivedOfferIds(offerId: string, kind: OfferStep["kind"], count: number): readonly string[] {
  return Array.from({ length: count }, (_, position) => `${offerId}${digitOf[kind]}${position + 1}`);
}

/** Returns null if it is not an identifier of this gateway. */
export function readOfferId(offerId: string): OfferIdParts | null {
  const [, shoppingResponseId, position, tail] = offerIdPattern.exec(offerId) ?? [];
  if (shoppingResponseId === undefined || position === undefined || tail === undefined) return null;
  const steps = (tail.match(/../g) ?? []).map((step) => ({
    kind: step.startsWith(digitOf.variant) ? ("variant" as const) : ("part" as const),
    position: Number(step.slice(1)) - 1,
  }));
  return { shoppingResponseId, position: Number(position) - 1, steps };
}
