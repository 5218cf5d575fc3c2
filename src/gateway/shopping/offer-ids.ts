/**
 * How an offer comes from another: `variant` n is its n-th dearer brand, `part` n its n-th journey as an offer of its own.
 */
export interface OfferStep {
  readonly kind: "variant" | "part";
  readonly position: number;
}

/** What an OfferID says. */
export interface OfferIdParts {
  readonly shoppingResponseId: string;
  /** Among the offers of the search, from 0. */
  readonly position: number;
  readonly steps: readonly OfferStep[];
}

const digitOf = { variant: "1", part: "2" } as const;

/**
 * The OfferID of an offer of a search: the 19 digits of the response and three of the position, from 001. An offer that
 * is derived from it has two digits more, so no identifier needs to be stored to be found again.
 */
export function offerIdOf(shoppingResponseId: string, position: number): string {
  return `${shoppingResponseId}${String(position + 1).padStart(3, "0")}`;
}

/** The identifiers of so many offers that are derived from one. */
export function derivedOfferIds(offerId: string, kind: OfferStep["kind"], count: number): readonly string[] {
  return Array.from({ length: count }, (_, position) => `${offerId}${digitOf[kind]}${position + 1}`);
}

/** Reads an OfferID; null when it cannot be one of this gateway. */
export function readOfferId(offerId: string): OfferIdParts | null {
  const [, shoppingResponseId, position, tail] = /^(\d{19})(\d{3})((?:[12][1-9]){0,3})$/.exec(offerId) ?? [];
  if (shoppingResponseId === undefined || position === undefined || tail === undefined) return null;
  const steps = (tail.match(/../g) ?? []).map((step) => ({
    kind: step.startsWith(digitOf.variant) ? ("variant" as const) : ("part" as const),
    position: Number(step.slice(1)) - 1,
  }));
  return { shoppingResponseId, position: Number(position) - 1, steps };
}
