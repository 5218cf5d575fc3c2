import type { ChangeRequest } from "./change-request.ts";
import type { OrderRequest } from "./order-request.ts";

export interface Scenario {
  readonly orders: readonly (OrderRequest & { readonly orderId: string })[];
  /** In this order. */
  readonly changes: readonly ScenarioChange[];
}

export interface ScenarioChange {
  readonly orderId: string;
  readonly title: string;
  readonly change: ChangeRequest;
}

/** One order for each kind of decision, all departing after `now`. Deterministic. */
export function demoScenario(now: Date): Scenario {
  const episodes = episodesOn((days) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10));
  return {
    orders: episodes.map((episode) => episode.order),
    changes: episodes.map(({ order, title, change }) => ({ orderId: order.orderId, title, change })),
  };
}

interface Episode {
  readonly title: string;
  readonly order: OrderRequest & { readonly orderId: string };
  readonly change: ChangeRequest;
}

/** @param day returns the local date in so many days */
function episodesOn(day: (days: number) => string): readonly Episode[] {
  return [
    {
      title: "leaves 20 minutes later; only departure and length are stated",
      order: {
        orderId: "DEMO20LH",
        owner: "LH",
        gdsBookingReferences: ["LHQ7R2"],
        passengers: [{ ptc: "ADT" }, { ptc: "ADT" }, { ptc: "CHD" }],
        flights: [
          flight("LIS", "FRA", "LH1167", `${day(24)}T07:10`, `${day(24)}T11:20`),
          flight("FRA", "LIS", "LH1172", `${day(31)}T17:30`, `${day(31)}T19:45`),
        ],
      },
      change: { kind: "retime", flightIndex: 0, departureMinutes: 20, partial: "departure-and-duration" },
    },
    {
      title: "leaves 30 minutes later: just within the limit",
      order: {
        orderId: "DEMO30KL",
        owner: "KL",
        gdsBookingReferences: ["KLM3X9"],
        flights: [flight("AMS", "CPH", "KL1269", `${day(12)}T09:35`, `${day(12)}T10:55`)],
      },
      change: { kind: "retime", departureMinutes: 30 },
    },
    {
      title: "leaves 31 minutes later: just beyond the limit",
      order: {
        orderId: "DEMO31AF",
        owner: "AF",
        gdsBookingReferences: ["AFT5W1"],
        flights: [flight("CDG", "FCO", "AF1204", `${day(15)}T13:10`, `${day(15)}T15:15`)],
      },
      change: { kind: "retime", departureMinutes: 31 },
    },
    {
      title: "arrives 95 minutes later and leaves 15 minutes to connect at JFK",
      order: {
        orderId: "DEMOHBAA",
        owner: "AA",
        gdsBookingReferences: ["AAK2D4"],
        flights: [
          flight("MIA", "JFK", "AA2290", `${day(40)}T13:00`, `${day(40)}T16:05`, { toTerminal: "8" }),
          flight("JFK", "CDG", "AA44", `${day(40)}T17:55`, `${day(41)}T07:20`, { fromTerminal: "8" }),
        ],
      },
      change: {
        kind: "retime",
        flightIndex: 0,
        departureMinutes: 95,
        flags: { accept: "Y", cancel: "Y", reSchedule: "Y" },
      },
    },
    {
      title: "a nonstop becomes two flights over Frankfurt",
      order: {
        orderId: "DEMO2XAC",
        owner: "AC",
        gdsBookingReferences: ["ACP6V8"],
        flights: [flight("BCN", "YYZ", "AC813", `${day(55)}T12:15`, `${day(55)}T15:00`, { aircraft: "333" })],
      },
      change: {
        kind: "replace",
        flightIndex: 0,
        with: [
          flight("BCN", "FRA", "LH1137", `${day(55)}T09:40`, `${day(55)}T11:50`),
          flight("FRA", "YYZ", "AC873", `${day(55)}T13:20`, `${day(55)}T16:05`, { aircraft: "77W" }),
        ],
      },
    },
    {
      title: "the flight is cancelled and nothing is offered",
      order: {
        orderId: "DEMOCXAI",
        owner: "AI",
        gdsBookingReferences: ["AIB4N7"],
        passengers: [{ ptc: "ADT" }, { ptc: "ADT" }],
        flights: [flight("DEL", "DXB", "AI995", `${day(9)}T20:25`, `${day(9)}T22:45`)],
      },
      change: { kind: "cancel" },
    },
    {
      title: "the flight number changes and nothing else",
      order: {
        orderId: "DEMOFNBA",
        owner: "BA",
        gdsBookingReferences: ["BAZ8C3"],
        flights: [flight("LHR", "JFK", "BA117", `${day(18)}T08:25`, `${day(18)}T11:30`, { fromTerminal: "5" })],
      },
      change: { kind: "renumber", flightNumber: "1117" },
    },
    {
      title: "leaves 25 minutes later, after midnight: on another date",
      order: {
        orderId: "DEMOMNIB",
        owner: "IB",
        gdsBookingReferences: ["IBL9H5"],
        flights: [flight("MAD", "GRU", "IB6827", `${day(28)}T23:50`, `${day(29)}T06:00`, { aircraft: "359" })],
      },
      change: { kind: "retime", departureMinutes: 25 },
    },
    {
      title: "leaves 10 minutes later, two days from now",
      order: {
        orderId: "DEMO48TP",
        owner: "TP",
        gdsBookingReferences: ["TPS1J6"],
        flights: [flight("LIS", "ZRH", "TP928", `${day(2)}T14:20`, `${day(2)}T18:00`)],
      },
      change: { kind: "retime", departureMinutes: 10 },
    },
    {
      title: "leaves 15 minutes later; a party of four in two booking references",
      order: {
        orderId: "DEMO2RLX",
        owner: "LX",
        gdsBookingReferences: ["LXF3M2", "LXF3M3"],
        passengers: [{ ptc: "ADT" }, { ptc: "ADT" }, { ptc: "ADT" }, { ptc: "ADT" }],
        flights: [flight("ZRH", "ATH", "LX1830", `${day(33)}T09:45`, `${day(33)}T13:25`)],
      },
      change: { kind: "retime", departureMinutes: 15 },
    },
    {
      title: "leaves 10 minutes later; the only traveller is a child",
      order: {
        orderId: "DEMOUMDL",
        owner: "DL",
        gdsBookingReferences: ["DLW7G9"],
        passengers: [{ ptc: "CHD", nameTitle: "Miss", gender: "Female" }],
        flights: [flight("BOS", "LAX", "DL303", `${day(21)}T10:15`, `${day(21)}T13:50`)],
      },
      change: { kind: "retime", departureMinutes: 10 },
    },
  ];
}

type FlightRequest = NonNullable<OrderRequest["flights"]>[number];

/** @param designator carrier and number: `LH1167` */
function flight(
  from: string,
  to: string,
  designator: string,
  departure: string,
  arrival: string,
  others: Partial<FlightRequest> = {},
): FlightRequest {
  return {
    from,
    to,
    departure,
    arrival,
    carrier: designator.slice(0, 2),
    flightNumber: designator.slice(2),
    ...others,
  };
}
