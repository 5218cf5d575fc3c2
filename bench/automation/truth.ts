/**
 * What is really so about a change of the mix, in plain values: what it was drawn from, not what was read from a body.
 * Nothing in here, and nothing that judges by it, comes from the program.
 */
export interface Truth {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** In the order of travel. */
  readonly booked: readonly TrueFlight[];
  /** What stands in the place of each booked flight: one flight, several, or none when it is withdrawn. */
  readonly proposed: readonly (readonly TrueFlight[])[];
  readonly passengers: readonly { readonly type: "ADT" | "CHD" | "INF"; readonly needsAssistance: boolean }[];
  readonly ticketed: boolean;
  readonly acceptOffered: boolean;
}

export interface TrueFlight {
  /** Position of the origin and destination that it is part of. */
  readonly journey: number;
  readonly carrier: string;
  readonly flightNumber: string;
  readonly operator: string;
  readonly from: TruePoint;
  readonly to: TruePoint;
  readonly stops: number;
  readonly cabin: "Y" | "W" | "C" | "F";
  readonly aircraft: string;
}

export interface TruePoint {
  readonly airport: string;
  /** ISO 3166-1 alpha-2. */
  readonly country: string;
  /** Empty when none is stated. */
  readonly terminal: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** On the calendar of the airport, yyyy-mm-dd. */
  readonly date: string;
}
