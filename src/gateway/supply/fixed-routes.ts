/** What always happens on a route. */
export type FixedOutcome = (typeof fixedRoutes)[number]["outcome"];

interface Journey {
  /** IATA codes. */
  readonly from: string;
  readonly to: string;
}

/** One way each. The first six show before booking, the others in the orders of the route. */
export const fixedRoutes = [
  { from: "HEL", to: "VNO", outcome: "no-flights", description: "A search finds nothing." },
  {
    from: "OSL",
    to: "KEF",
    outcome: "expired",
    description: "The offers of a search have expired: every operation and the booking refuse them with 25.",
  },
  {
    from: "OSL",
    to: "CPH",
    outcome: "price-changed",
    description: "In AirOfferPrice and the booking the fare is a tenth higher than in the search.",
  },
  { from: "OSL", to: "ARN", outcome: "sold-out", description: "AirOfferPrice and the booking refuse with 26." },
  { from: "OSL", to: "HEL", outcome: "no-response", description: "AirOfferPrice and the booking never respond." },
  {
    from: "OSL",
    to: "BGO",
    outcome: "declined",
    description:
      "The booking refuses with 36, because the payment is declined; AirOfferPrice does not, nor a held booking, which pays nothing.",
  },
  {
    from: "HEL",
    to: "ARN",
    outcome: "accept-without-response",
    description: "The first AirOrderInvoluntaryAccept that succeeds takes effect and never responds.",
  },
  {
    from: "HEL",
    to: "OSL",
    outcome: "partial",
    description:
      "The first accept or cancel that names several references, and succeeds for the first of them, fails for the others.",
  },
  {
    from: "HEL",
    to: "CPH",
    outcome: "stale-status",
    description:
      "After the first accept or cancel that succeeds AirReservationStatus shows the order as before, for 60 seconds.",
  },
] as const;

export function fixedOutcomeOf([journey, ...others]: readonly Journey[]): FixedOutcome | null {
  if (journey === undefined || others.length > 0) return null;
  return fixedRoutes.find(({ from, to }) => from === journey.from && to === journey.to)?.outcome ?? null;
}
