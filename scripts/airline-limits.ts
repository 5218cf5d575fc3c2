/** The limit in minutes; `>=` includes it, `>` does not. */
export interface PublishedLimit {
  readonly minutes: number;
  readonly comparison: ">=" | ">";
}

export interface AirlineLimits {
  readonly airlines: readonly string[];
  readonly name: string;
  /** From where on the change is more than minor and other flights are offered; null if nothing is published. */
  readonly rebookFrom: PublishedLimit | null;
  /** From where on the airline refunds, by the first entry that applies; empty if nothing is published. */
  readonly refundFrom: readonly RefundLimit[];
  readonly note: string | null;
  readonly source: string;
  /** The age of the text, and whether it was read or is reported by others. */
  readonly age: string;
}

export interface RefundLimit extends PublishedLimit {
  readonly domestic?: boolean;
  /** Only for tickets issued on or after this date, yyyy-mm-dd. */
  readonly ticketIssuedFrom?: string;
}

const fromMinutes = (minutes: number): PublishedLimit => ({ minutes, comparison: ">=" });
const over = (minutes: number): PublishedLimit => ({ minutes, comparison: ">" });

/** Collected in November 2026. Airlines change them without notice: read the source before relying on one. */
export const airlineLimits: readonly AirlineLimits[] = [
  {
    airlines: ["DL"],
    name: "Delta",
    rebookFrom: null,
    refundFrom: [
      { ...fromMinutes(180), domestic: true, ticketIssuedFrom: "2024-10-28" },
      { ...fromMinutes(360), domestic: false, ticketIssuedFrom: "2024-10-28" },
      fromMinutes(120),
    ],
    note: "Any missed connection and any cancellation as well. For tickets on Delta's own stock.",
    source:
      "https://pro.delta.com/content/agency/lac/es/policy-library/schedule-change-and-irregular-operations/irregular-operations-rebooking-policy-for-travel-agency-partners.html",
    age: "read November 2026",
  },
  {
    airlines: ["UA"],
    name: "United",
    rebookFrom: fromMinutes(30),
    refundFrom: [
      { ...fromMinutes(180), domestic: true, ticketIssuedFrom: "2024-10-24" },
      { ...fromMinutes(360), domestic: false, ticketIssuedFrom: "2024-10-24" },
      fromMinutes(120),
    ],
    note: "Any missed connection as well.",
    source: "https://www.flyertalk.com/forum/36864837-post237.html",
    age: "second hand",
  },
  {
    airlines: ["AA"],
    name: "American",
    rebookFrom: over(60),
    refundFrom: [{ ...fromMinutes(180), domestic: true }, fromMinutes(240)],
    note: "Nonstop to connection as well. The refund limits are those of the contract of July 2026.",
    source: "https://saleslink.aa.com/en-US/resources/html/schedule-change.html",
    age: "read in part, refund limits second hand",
  },
  {
    airlines: ["AS", "HA"],
    name: "Alaska and Hawaiian",
    rebookFrom: fromMinutes(60),
    refundFrom: [fromMinutes(180)],
    note: "Airport, connection and downgrade as well.",
    source: "contract of carriage, May 2026",
    age: "second hand",
  },
  {
    airlines: ["WN"],
    name: "Southwest",
    rebookFrom: null,
    refundFrom: [{ ...fromMinutes(180), domestic: true }, fromMinutes(360)],
    note: "Airport, more connections and downgrade as well.",
    source: "contract of carriage, July 2026",
    age: "second hand",
  },
  {
    airlines: ["B6"],
    name: "JetBlue",
    rebookFrom: fromMinutes(60),
    refundFrom: [fromMinutes(120)],
    note: null,
    source: "https://smartcatches.blogspot.com/2021/10/how-traveller-avail-jetblue-schedule.html",
    age: "second hand, 2021",
  },
  {
    airlines: ["AC"],
    name: "Air Canada",
    rebookFrom: null,
    refundFrom: [fromMinutes(180)],
    note: "One free change for any schedule change more than 48 hours ahead.",
    source: "https://aircanada.com/ca/en/ado/drs/agents/flight-disruption-policy.html",
    age: "second hand",
  },
  {
    airlines: ["BA"],
    name: "British Airways",
    rebookFrom: null,
    refundFrom: [over(240)],
    note: "Any retiming may be moved by two days.",
    source: "https://www.headforpoints.com/2020/10/24/british-airways-schedule-change-refund-4-hours/",
    age: "read November 2026, text of 2020",
  },
  {
    airlines: ["LH", "LX", "OS", "SN"],
    name: "Lufthansa Group",
    rebookFrom: over(0),
    refundFrom: [over(0)],
    note: "Any change of time may be rebooked or refunded without a waiver.",
    source: "https://abouttravel.ch/reisebranche/lufthansa-group-vereinfacht-prozedere-bei-unregelmaessigkeiten",
    age: "read November 2026",
  },
  {
    airlines: ["ME"],
    name: "Middle East Airlines",
    rebookFrom: over(180),
    refundFrom: [],
    note: "Once only.",
    source: "https://ccs-global.net/mea-schedule-change-policy/",
    age: "read November 2026",
  },
  {
    airlines: ["XZ"],
    name: "Aeroitalia",
    rebookFrom: fromMinutes(180),
    refundFrom: [over(180)],
    note: null,
    source: "https://support.aeroitalia.com/hc/en-us/articles/18088034284433-Irregularities-Definitions-and-options",
    age: "read November 2026",
  },
];

/** Renders the thresholds `minor` and `belowRefund` as YAML, indented for `settings: thresholds:`. */
export function renderAirlineThresholds(): string {
  const minor = airlineLimits.flatMap(({ airlines, rebookFrom }) =>
    rebookFrom === null ? [] : [row({ airlines, ...bothWays(lastInside(rebookFrom)) })],
  );
  const refund = airlineLimits.flatMap(({ airlines, refundFrom }) =>
    refundFrom.map((limit) =>
      row({
        airlines,
        ...(limit.domestic === undefined ? {} : { domestic: limit.domestic }),
        ...(limit.ticketIssuedFrom === undefined ? {} : { ticketIssued: `{ from: ${limit.ticketIssuedFrom} }` }),
        measure: "journeys",
        departureEarlier: lastInside(limit),
        departureLater: "any",
        arrivalEarlier: "any",
        arrivalLater: lastInside(limit),
      }),
    ),
  );
  // Without a published limit, only the agency's limits and the law decide.
  const others = row({ ...bothWays("any") });
  return ["    minor:", ...minor, others, "    belowRefund:", ...refund, others].join("\n");
}

export function renderAirlineLimits(): string {
  return [
    "| Airline | More than minor | Refund | Note | Source | Age |",
    "|---|---|---|---|---|---|",
    ...airlineLimits.map(({ airlines, name, rebookFrom, refundFrom, note, source, age }) => {
      const refunds = refundFrom.map(describeRefund).join("; ");
      const cells = [
        `${name} (${airlines.join(", ")})`,
        rebookFrom === null ? "not published" : describeLimit(rebookFrom),
        refunds === "" ? "not published" : refunds,
        note ?? "",
        source.startsWith("http") ? `<${source}>` : source,
        age,
      ];
      return `| ${cells.join(" | ")} |`;
    }),
  ].join("\n");
}

function describeLimit({ minutes, comparison }: PublishedLimit): string {
  if (minutes === 0) return "any";
  return comparison === ">=" ? `from ${minutes} min` : `over ${minutes} min`;
}

function describeRefund(limit: RefundLimit): string {
  const where = limit.domestic === undefined ? "" : limit.domestic ? " domestic" : " international";
  const when = limit.ticketIssuedFrom === undefined ? "" : `, tickets from ${limit.ticketIssuedFrom}`;
  return `${describeLimit(limit)}${where}${when}`;
}

/** Returns the most minutes below the limit. */
function lastInside({ minutes, comparison }: PublishedLimit): number {
  return comparison === ">=" ? minutes - 1 : minutes;
}

function bothWays(minutes: number | string): Readonly<Record<string, number | string>> {
  return { departureEarlier: minutes, departureLater: minutes, arrivalEarlier: minutes, arrivalLater: minutes };
}

function row(members: Readonly<Record<string, string | number | boolean | readonly string[]>>): string {
  const written = Object.entries(members).map(([key, value]) =>
    typeof value === "object" ? `${key}: [${value.join(", ")}]` : `${key}: ${value}`,
  );
  return `      - { ${written.join(", ")} }`;
}
