import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import type { ItinerarySegment } from "../../../src/itinerary/itinerary.ts";
import { sameFlights } from "../../../src/itinerary/itinerary.ts";
import { type Proposal, readProposal } from "../../../src/itinerary/proposal.ts";
import { flights } from "../../builders/flights.ts";
import {
  aMinorDelay,
  anOrderView,
  aPoint,
  aSegment,
  details,
  type Json,
  type OrderViewOptions,
} from "../../builders/order-view.ts";

function propose(body: unknown, orderId = "QX7R2M1A"): Proposal {
  const reading = readOrderView(body);
  if (!reading.ok) throw new Error(reading.problem.message);
  const proposal = readProposal(reading.view, orderId);
  if (proposal === null) throw new Error("The view does not speak of the order.");
  return proposal;
}

/** The proposal for details of LH1167 LIS 07:10 – FRA 11:20 (3 h 10 min) on 14 March, or for what a line makes of it. */
function change(...becomes: readonly (Json | string)[]): Proposal {
  const [first] = becomes;
  if (typeof first !== "string") return propose(aMinorDelay({ changes: { Segment1: becomes } }));
  return propose(aMinorDelay(flights(`LIS 03-14 07:10 FRA 11:20 > ${first}`, "LH1172 FRA 03-21 17:30 LIS 19:45")));
}

/** The flights in the place of the first one, without the year. */
function proposedIn(proposal: Proposal): string[] {
  return proposal.proposed.segments.filter((segment) => segment.segmentKey === "Segment1").map(print);
}

function print({ marketingCarrier, marketingFlightNumber, departure, arrival }: ItinerarySegment): string {
  const point = (end: ItinerarySegment["departure"]) =>
    `${end.airport} ${end.date?.slice(5) ?? "?"} ${end.time ?? "?"}`;
  return `${marketingCarrier}${marketingFlightNumber} ${point(departure)} – ${point(arrival)}`;
}

const duration = (text: string) => ({ FlightDetail: { FlightDuration: { Value: text } } });

describe("one partial detail", () => {
  const leaving = (departure: string, takes: string) => details(departure, null, duration(takes));
  const unknownArrival = ["unknown-arrival:Segment1"];

  test.each<[string, Json | string, string, readonly string[]]>([
    ["keeps what it leaves out", "- FRA 11:25 1", "LIS 03-14 07:10 – FRA 03-14 11:25", []],
    ["arrives as the duration says", leaving("LIS 03-14 07:30", "3 H 20 M"), "LIS 03-14 07:30 – FRA 03-14 11:50", []],
    ["arrives on the next local day", leaving("LIS 03-14 21:00", "3 H 10 M"), "LIS 03-14 21:00 – FRA 03-15 01:10", []],
    ["has no arrival without duration", "LIS 07:30 -", "LIS 03-14 07:30 – FRA ? ?", unknownArrival],
    [
      "keeps its arrival unless it moves",
      leaving("LIS 03-14 07:10", "9 H 0 M"),
      "LIS 03-14 07:10 – FRA 03-14 11:20",
      [],
    ],
    [
      "ignores the duration if the arrival is stated",
      details("LIS 03-14 07:30", "FRA 03-14 11:45", duration("3 H 10 M")),
      "LIS 03-14 07:30 – FRA 03-14 11:45",
      [],
    ],
    [
      "keeps the time beside a date",
      { Departure: { Date: "2027-03-15" }, Arrival: { Date: "2027-03-15" } },
      "LIS 03-15 07:10 – FRA 03-15 11:20",
      [],
    ],
    [
      "keeps the date beside a time",
      { Departure: { Time: "07:15:00" }, Arrival: { Time: "11:30:00" } },
      "LIS 03-14 07:15 – FRA 03-14 11:30",
      [],
    ],
    [
      "takes null for unknown, not for unchanged",
      { Arrival: { Time: null } },
      "LIS 03-14 07:10 – FRA 03-14 ?",
      unknownArrival,
    ],
    [
      "has no arrival after an unknown departure",
      { Departure: { Time: null } },
      "LIS 03-14 ? – FRA ? ?",
      ["unknown-departure:Segment1", ...unknownArrival],
    ],
  ])("%s", (_, detail, expected, suspicions) => {
    const proposal = change(detail);

    expect(proposedIn(proposal)).toEqual([`LH1167 ${expected}`]);
    expect(proposal.suspicions).toEqual(suspicions);
  });

  test("leaves known what it leaves out", () => {
    const unchanged = { aircraftCode: "32B", stops: 0, cabinType: "Y", rbd: "Q" };

    expect(change("- FRA 11:25 1").proposed.segments[0]).toMatchObject(unchanged);
  });

  test("with another airport of the city at the same time keeps its arrival and loses the terminal", () => {
    const changes = { Segment1: [{ Departure: { AirportCode: "LGW" } }] };
    const proposal = propose(aMinorDelay({ ...flights("BA1167 LHR 03-14 07:10 5 FRA 09:50 1"), changes }));

    expect(proposedIn(proposal)).toEqual(["BA1167 LGW 03-14 07:10 – FRA 03-14 09:50"]);
    expect(proposal.proposed.segments[0]?.departure.terminal).toBeNull();
    expect(proposal.proposed.segments[0]?.arrival.terminal).toBe("1");
  });

  test.each([
    ["null values", { AirlineID: null, Name: null, FlightNumber: null }, "LH"],
    ["null", null, "LH"],
    ["another carrier", { AirlineID: "EN" }, "EN"],
  ])(
    "with %s for the operating carrier is operated by it, or by the marketing carrier",
    (_, OperatingCarrier, expected) => {
      expect(change({ OperatingCarrier }).proposed.segments[0]?.operatingCarrier).toBe(expected);
    },
  );

  test("with another marketing carrier is operated by it when none operated before", () => {
    const OperatingCarrier = { AirlineID: null, Name: null, FlightNumber: null };
    const segments = [aSegment("Segment1", "LH1167", "LIS 03-14 07:10", "FRA 03-14 11:20", { OperatingCarrier })];
    const changes = { Segment1: [{ MarketingCarrier: { AirlineID: "EN" } }] };
    const [segment] = propose(aMinorDelay({ segments, changes })).proposed.segments;

    expect(segment).toMatchObject({ marketingCarrier: "EN", operatingCarrier: "EN" });
  });

  test("that crosses the date line arrives on the day before", () => {
    const changes = { Segment1: [leaving("AKL 06-01 11:00", "8 H 30 M")] };
    const proposal = propose(aMinorDelay({ ...flights("NZ10 AKL 06-01 10:00 HNL 05-31 20:30"), changes }));

    expect(proposedIn(proposal)).toEqual(["NZ10 AKL 06-01 11:00 – HNL 05-31 21:30"]);
    expect(proposal.suspicions).toEqual([]);
  });

  test("at an ambiguous departure has no arrival from the duration", () => {
    const changes = { Segment1: [leaving("LHR 2026-10-25 01:30", "2 H 40 M")] };
    const proposal = propose(aMinorDelay({ ...flights("BA1 LHR 2026-10-25 06:00 LIS 08:40"), changes }));

    expect(proposal.suspicions).toEqual(unknownArrival);
  });
});

describe("several details", () => {
  test("inherit the first departure and the last arrival, and nothing else", () => {
    const proposal = change(
      { Arrival: aPoint("MUC 03-14 10:20"), MarketingCarrier: { AirlineID: "LH", FlightNumber: "1793" } },
      { Departure: aPoint("MUC 03-14 10:25"), MarketingCarrier: { AirlineID: "LH", FlightNumber: "101" } },
    );

    expect(proposedIn(proposal)).toEqual([
      "LH1793 LIS 03-14 07:10 – MUC 03-14 10:20",
      "LH101 MUC 03-14 10:25 – FRA 03-14 11:20",
    ]);
    const nothing = { aircraftCode: null, stops: null, cabinType: null, rbd: null };
    expect(proposal.proposed.segments[0]).toMatchObject(nothing);
    expect(proposal.suspicions).toEqual([]);
  });

  test("are suspect when their airports do not chain", () => {
    const proposal = change("LH1793 LIS 07:10 MUC 11:20 + LH101 STR 13:00 FRA 13:55");

    expect(proposal.suspicions).toEqual(["does-not-chain:Segment1"]);
  });

  test("are suspect when a point between them is not stated", () => {
    const proposal = change(
      { MarketingCarrier: { AirlineID: "LH", FlightNumber: "1" } },
      details("MUC 03-14 10:25", null),
    );

    // A point that is not stated may be the right one: it is not known to break the chain.
    expect(proposal.suspicions).toEqual(["unknown-arrival:Segment1"]);
  });
});

describe("the sanity check", () => {
  const [early, fast, long] = [
    "arrives-before-departure:Segment1",
    "implausible-speed:Segment1",
    "implausible-duration:Segment1",
  ];

  test.each<[string, string, string[]]>([
    ["arrives before it leaves", "LIS 12:00 FRA 12:30", [early]],
    ["arrives when it leaves", "LIS 12:00 FRA 13:00", [early]],
    ["is too fast", "LIS 12:00 FRA 14:36", [fast]],
    ["is just slow enough", "LIS 12:00 FRA 14:46", []],
    ["takes more than half as long again", "LIS 12:00 FRA 17:46", [long]],
    ["takes half as long again", "LIS 12:00 FRA 17:45", []],
    ["takes less than half as long", "LIS 12:00 FRA 14:34", [fast, long]],
    ["goes to an unknown airport", "- XXX 11:20", ["unknown-airport:Segment1"]],
    ["leaves in an hour that is skipped", "LIS 03-28 01:30 FRA 06:00", ["nonexistent-time:Segment1"]],
  ])("of a flight that %s", (_, becomes, expected) => {
    expect(change(becomes).suspicions).toEqual(expected);
  });

  test.each<[string, number, string[]]>([
    ["22:22", 0, []],
    ["22:23", 0, [fast]],
    ["22:23", 1, []],
  ])("of a flight of 1,873 km from 12:00 to %s with %i stops looks at its speed", (arrival, stops, expected) => {
    const stopping = { FlightDetail: { Stops: { Value: stops } } };
    const changes = { Segment1: [details("LIS 03-14 12:00", `FRA 03-14 ${arrival}`, stopping)] };

    expect(propose(aMinorDelay({ ...flights("LH1 LIS 03-14 07:10 FRA 17:30"), changes })).suspicions).toEqual(expected);
  });

  test.each<[string, string, string, string[]]>([
    // 01:30 is 00:30Z or 01:30Z.
    ["arrives before both", "MAD 01:30", "MAD 06:30", [early]],
    ["may arrive before it", "MAN 01:50", "MAN 01:30", []],
    ["is too fast after both", "JFK 01:32", "JFK 03:30", [fast]],
    ["is too fast after one", "JFK 01:33", "JFK 03:30", []],
    ["is too slow after both", "MAD 08:44", "MAD 06:30", [fast]],
    ["is too slow after one", "MAD 08:43", "MAD 06:30", []],
    ["takes less than half as long after both", "MAN 03:09", "MAN 05:50", [long]],
    ["takes less than half as long after one", "MAN 03:10", "MAN 05:50", []],
  ])("of a flight that leaves in an hour that occurs twice and %s", (_, arrival, booked, expected) => {
    const view = flights(`BA1 LHR 10-20 00:30 ${booked} > LHR 10-31 01:30 ${arrival}`);

    expect(propose(aMinorDelay(view)).suspicions).toEqual(expected);
  });

  test("leaves a flight alone that the notice leaves alone", () => {
    expect(propose(anOrderView(flights("LH1 LIS 03-14 07:10 FRA 08:20"))).suspicions).toEqual([]);
  });

  test.each([
    ["17:00", []],
    ["17:01", [long]],
  ])("of a flight of 50 minutes allows 40 minutes more: arriving at %s in place of 16:20", (time, expected) => {
    const view = flights(`LH144 FRA 03-14 15:30 NUE 16:20 > - NUE ${time}`);

    expect(propose(anOrderView(view)).suspicions).toEqual(expected);
  });
});

describe("withdrawn flights", () => {
  const changedFlights = [{ FlightKey: "Flight1", SegmentRefs: "Segment1" }];

  test("are those that are named as changed without new values", () => {
    const proposal = propose(anOrderView({ changedFlights }));

    expect(proposal.withdrawnSegmentKeys).toEqual(["Segment1"]);
    expect(proposal.proposed.segments.map((segment) => segment.segmentKey)).toEqual(["Segment2"]);
    expect(proposal.proposed.journeys.map((journey) => journey.segments)).toEqual([[], [0]]);
  });

  const withdrawn = (...withdrawnSegmentKeys: string[]) => ({ withdrawnSegmentKeys });
  const named = (change: Json) => ({ changedFlights: [{ FlightKey: "Flight1", ...change }] });
  const unlisted = { suspicions: ["unlisted-flight:Flight1"] };

  test.each<[string, OrderViewOptions, Partial<Proposal>]>([
    ["are those with an empty list", { changedFlights, changes: { Segment1: [] } }, withdrawn("Segment1")],
    ["are those with an empty detail", { changedFlights, changes: { Segment1: [{}] } }, withdrawn("Segment1")],
    [
      "are those with a detail of empty objects",
      { changedFlights, changes: { Segment1: [{ Departure: {}, FlightDetail: {} }] } },
      withdrawn("Segment1"),
    ],
    ["are all of a flight that is named alone", named({ FlightKey: "Flight2" }), withdrawn("Segment2")],
    ["are all of a cancelled booking", { pnrStatus: "CANCELED" }, withdrawn("Segment1", "Segment2")],
    [
      "are none, and nothing is doubtful, when a cancelled booking lists no flights any more",
      { pnrStatus: "CANCELLED", segments: [] },
      { withdrawnSegmentKeys: [], suspicions: [] },
    ],
    [
      "are unknown when a flight is named that the view does not list",
      named({ FlightKey: "Flight9" }),
      { suspicions: ["unlisted-flight:Flight9"] },
    ],
    ["are unknown when a segment is named that is not listed", named({ SegmentRefs: "Segment9" }), unlisted],
    ["are unknown when it is named in the other spelling", named({ SegmentReferences: "Segment9" }), unlisted],
  ])("%s", (_, options, expected) => {
    expect(propose(anOrderView(options))).toMatchObject(expected);
  });

  test("are none when something is offered for a cancelled booking", () => {
    expect(propose(aMinorDelay({ pnrStatus: "CANCELLED" })).withdrawnSegmentKeys).toEqual([]);
  });

  describe("of a cancelled reference beside another one", () => {
    const anotherReference = (segmentKeys: string) => ({
      OrderID: "QX7R2M1A",
      GdsBookingReference: "LHSKD2",
      PnrStatus: "CANCELLED",
      OfferItem: [{ FareComponent: [{ SegmentRefs: segmentKeys }] }],
    });
    const proposeBeside = (segmentKeys: string) =>
      propose(
        anOrderView({
          changedFlights: [],
          order: { OfferItem: [{ FareComponent: [{ SegmentRefs: "Segment1" }] }] },
          otherOrders: [anotherReference(segmentKeys)],
        }),
      );

    test.each([
      ["Segment2", ["Segment2"], []],
      ["Segment1 Segment2", ["Segment2"], []],
      ["Segment1", [], ["unknown-cancelled-flights:LHSKD2"]],
    ])("with %s, where the other one holds Segment1, are %j", (segmentKeys, withdrawnSegmentKeys, suspicions) => {
      expect(proposeBeside(segmentKeys)).toMatchObject({ withdrawnSegmentKeys, suspicions });
    });
  });
});

describe("classes and cabins of a fare", () => {
  const sold = (SegmentRefs: string, RBD: string) =>
    propose(
      aMinorDelay({
        order: {
          OfferItem: [
            { OfferItemID: "O1", FareComponent: [{ SegmentRefs, FareBasis: { RBD, CabinType: "Y" } }] },
            { OfferItemID: "O2", FareComponent: [{ SegmentRefs, FareBasis: { RBD: "Q", CabinType: "Y" } }] },
          ],
        },
      }),
    ).proposed.segments.map(({ rbd }) => rbd);

  test("are those of each segment, or one of them of all", () => {
    expect(sold("Segment1 Segment2", "Q L")).toEqual(["Q", "L/Q"]);
    expect(sold("Segment1 Segment2", "Q")).toEqual(["Q", "Q"]);
  });

  test("are unknown where it is not clear which segment has which, whatever those of another passenger say", () => {
    expect(sold("Segment1 Segment2", "Q L M")).toEqual([null, null]);
  });
});

describe("details that cannot be placed", () => {
  test("are named when their segment is not listed", () => {
    const changes = { Segment9: [details("LIS 03-14 07:30", null)] };

    expect(propose(anOrderView({ changes, changedFlights: [] })).suspicions).toEqual(["unlisted-segment:Segment9"]);
  });

  test("are named when they contradict each other", () => {
    const element = (time: string) => ({ SegmentKey: "Segment1", SegmentDetails: [{ Arrival: { Time: time } }] });
    const ScheduleChangeSegmentList = { ScheduleChangeSegment: [element("11:25:00"), element("11:30:00")] };

    expect(propose(anOrderView({ dataLists: { ScheduleChangeSegmentList } })).suspicions).toEqual([
      "contradictory-details:Segment1",
    ]);
  });
});

describe("flights that an order names and does not list", () => {
  const flown = aSegment("Segment1", "LH1167", "LIS 03-14 07:10", "FRA 03-14 11:20");
  const onward = aSegment("Segment2", "LH1242", "FRA 03-14 15:30", "VIE 03-14 16:50");
  const toLondon = aSegment("Segment1", "TP1356", "LIS 03-14 07:10", "LHR 03-14 09:50");
  const both = "Segment1 Segment2";

  /** Where they may have been flown, they are not missed: that is in front of a listed one, and not behind it. */
  test.each<[string, readonly Json[], string, string, readonly string[]]>([
    ["make the journey incomplete behind a listed one", [flown], both, "FRA", ["incomplete-journey:Segment1"]],
    ["do not do so before a listed one", [onward], both, "VIE", []],
    ["are none where all are listed", [flown, onward], both, "VIE", []],
    ["are missed where the journey ends elsewhere", [flown], "Segment1", "IST", ["other-destination:IST FRA"]],
    ["are not missed at another airport of the city", [toLondon], "Segment1", "LGW", []],
    ["are not missed where the city is named", [toLondon], "Segment1", "LON", []],
  ])("%s", (_, segments, SegmentReferences, ArrivalCode, suspicions) => {
    const dataLists = {
      FlightList: { Flight: [{ FlightKey: "Flight1", SegmentReferences }] },
      OriginDestinationList: {
        OriginDestination: [{ OriginDestinationKey: "OD1", ArrivalCode, FlightReferences: "Flight1" }],
      },
    };
    const proposal = propose(anOrderView({ segments, changes: {}, changedFlights: [], dataLists }));

    expect(proposal.suspicions).toEqual(suspicions);
  });
});

describe("journeys", () => {
  const { segments } = flights(
    "LH1 LIS 03-14 07:10 FRA 11:20",
    "LH2 FRA 13:00 JFK 15:30",
    "LH3 JFK 03-21 18:00 LIS 03-22 06:00",
  );
  const thereAndBack = [
    ["LIS", "JFK", 0, 1],
    ["JFK", "LIS", 2],
  ];

  test.each<[string, Json, unknown]>([
    ["are those of the origins and destinations", {}, thereAndBack],
    ["are the flights when no origins and destinations are listed", { OriginDestinationList: undefined }, thereAndBack],
    [
      "are chains of connections when nothing else is listed",
      { OriginDestinationList: undefined, FlightList: undefined },
      thereAndBack,
    ],
    [
      "keep every flight, listed or not",
      {
        OriginDestinationList: undefined,
        FlightList: { Flight: { FlightKey: "F", SegmentReferences: "Segment3" } },
      },
      [
        ["JFK", "LIS", 0],
        ["LIS", "JFK", 1, 2],
      ],
    ],
  ])("%s", (_, dataLists, expected) => {
    const journeys = [["Segment1", "Segment2"], ["Segment3"]];
    const { current } = propose(anOrderView({ segments: segments!, journeys, dataLists }));

    expect(
      current.journeys.map(({ origin, destination, segments: positions }) => [origin, destination, ...positions]),
    ).toEqual(expected);
  });
});

describe("several orders in one view", () => {
  const other = (orderId: string, reference: string, order: Json = {}) => ({
    OrderID: orderId,
    GdsBookingReference: reference,
    TicketStatus: "TICKETED",
    PnrStatus: "CONFIRMED",
    ScheduleChange: [{ AmendmentsActions: { Accept: "N", Cancel: "Y", ReSchedule: "N" } }],
    ...order,
  });

  test("with other ids have only the flights that each refers to", () => {
    const OfferItem = [{ FareComponent: [{ SegmentRefs: "Segment2" }] }];
    const order = { OfferItem: [{ FareComponent: [{ SegmentRefs: "Segment1" }] }] };
    const body = aMinorDelay({ order, otherOrders: [other("B2", "REF2", { OfferItem })] });

    expect(propose(body).current.segments.map((segment) => segment.segmentKey)).toEqual(["Segment1"]);
    expect(propose(body, "B2").current.segments.map((segment) => segment.segmentKey)).toEqual(["Segment2"]);
    expect(propose(body, "B2").proposed).toEqual(propose(body, "B2").current);
  });

  test("with other ids have all flights when they refer to none", () => {
    expect(propose(aMinorDelay({ otherOrders: [other("B2", "REF2")] }), "B2").current.segments).toHaveLength(2);
  });

  test("with the same id are one order, whose flags may differ by reference", () => {
    const proposal = propose(aMinorDelay({ otherOrders: [other("QX7R2M1A", "AASKD9")] }));

    expect(proposal.gdsBookingReferences).toEqual(["AASKD9", "LHSKD1"]);
    expect(proposal.referencesAllowing).toEqual({ accept: ["LHSKD1"], cancel: ["AASKD9", "LHSKD1"] });
    expect(proposal.flags).toEqual({
      accept: { known: false, reason: "differs-by-reference" },
      cancel: { known: true, value: "Y" },
      reSchedule: { known: true, value: "N" },
    });
    expect(proposal.pnrStatus).toEqual({ known: false, reason: "differs-by-reference" });
  });

  test("are no proposal for an order that the view does not hold", () => {
    const reading = readOrderView(anOrderView());

    expect(reading.ok && readProposal(reading.view, "OTHER")).toBeNull();
  });
});

describe("ticketed", () => {
  test.each<[string, OrderViewOptions, unknown]>([
    ["TicketStatus says TICKETED", { order: { TicketStatus: "Ticketed" } }, true],
    ["TicketStatus says NOT TICKETED beside documents", { order: { TicketStatus: "NOT  TICKETED" } }, false],
    ["documents are listed and no status", { order: { TicketStatus: undefined } }, true],
    [
      "NeedToTicket is Y and there is nothing else",
      { ticketed: false, order: { TicketStatus: "", NeedToTicket: "Y" } },
      false,
    ],
    [
      "NeedToTicket is N and there is nothing else",
      { ticketed: false, order: { TicketStatus: "", NeedToTicket: "N" } },
      true,
    ],
  ])("is known when %s", (_, options, value) => {
    expect(propose(anOrderView(options)).ticketed).toEqual({ known: true, value });
  });

  test.each<[string, OrderViewOptions, string]>([
    ["nothing says so", { ticketed: false, order: { TicketStatus: "", NeedToTicket: "" } }, "missing-ticket-status"],
    ["TicketStatus is a word nobody knows", { order: { TicketStatus: "VOIDED" } }, "unknown-ticket-status"],
  ])("is unknown when %s", (_, options, reason) => {
    expect(propose(anOrderView(options)).ticketed).toEqual({ known: false, reason });
  });
});

describe("the digest", () => {
  const digest = (options: OrderViewOptions) => propose(aMinorDelay(options)).digest;
  const usual = digest({});
  const segment = (overrides: Json) => [
    aSegment("Segment1", "LH1167", "LIS 03-14 07:10", "FRA 03-14 11:20", overrides),
    aSegment("Segment2", "LH1172", "FRA 03-21 17:30", "LIS 03-21 19:45"),
  ];

  const becoming = (detail: Json): OrderViewOptions => ({ changes: { Segment1: [detail] } });

  test("changes with the name of an operating carrier that has no code", () => {
    const operatedBy = (Name: string) => digest({ segments: segment({ OperatingCarrier: { AirlineID: null, Name } }) });

    expect(operatedBy("CITYLINE")).toBe(operatedBy("CITYLINE"));
    expect(operatedBy("CITYLINE")).not.toBe(operatedBy("CITYJET"));
  });

  test.each<[string, OrderViewOptions]>([
    [
      "names, aircraft and terminals",
      {
        segments: segment({
          Equipment: { AircraftCode: "321" },
          Arrival: aPoint("FRA 03-14 11:20 2"),
          MarketingCarrier: { AirlineID: "LH", Name: "Lufthansa German Airlines", FlightNumber: "1167" },
        }),
      },
    ],
    ["the operating carrier being spelled out", { segments: segment({ OperatingCarrier: { AirlineID: null } }) }],
    ["the arrival being stated instead of the duration", becoming(details("LIS 03-14 07:30", "FRA 03-14 11:40"))],
    ["passengers and prices", { passengers: ["ADT", "CHD"], order: { TotalPrice: { BookingCurrencyPrice: 1 } } }],
    ["the status", { pnrStatus: "MODIFIED", scheduleChangeStatus: "" }],
  ])("does not depend on %s", (_, options) => {
    expect(digest(options)).toBe(usual);
  });

  test("does not depend on keys", () => {
    const body = JSON.stringify(aMinorDelay());

    expect(propose(JSON.parse(body.replaceAll("Segment1", "S77").replaceAll("Flight1", "F5"))).digest).toBe(usual);
  });

  test.each<[string, OrderViewOptions]>([
    ["a time", becoming(details("LIS 03-14 07:31", null, duration("3 H 10 M")))],
    ["a flag", { flags: { Accept: "Y", Cancel: "N", ReSchedule: "N" } }],
    ["a missing flag", { flags: { Accept: "Y", Cancel: "Y" } }],
    ["a booking reference", { gdsBookingReference: "OTHER1" }],
    ["the flights as they are", { segments: segment({ MarketingCarrier: { AirlineID: "LH", FlightNumber: "9" } }) }],
    ["a withdrawn flight", { changedFlights: [{ FlightKey: "Flight2" }] }],
    ["the arrival becoming unknown", becoming(details("LIS 03-14 07:30", null))],
    ["a stop on the way", becoming({ FlightDetail: { Stops: { Value: 1 } } })],
  ])("depends on %s", (_, options) => {
    expect(digest(options)).not.toBe(usual);
  });

  describe("of an order whose proposals are stored under the first version", () => {
    const sample = JSON.parse(readFileSync("samples/ocn-minor-delay.json", "utf8"));
    const stored = "59607c71f01a88d0d0dbc650aad0136a7700fdb1bdb4dd75736a2975422a5ac4";
    const digestOf = (body: unknown, ...storedDigests: string[]) => {
      const reading = readOrderView(body);
      return reading.ok ? readProposal(reading.view, "QX7R2M1A", storedDigests)?.digest : null;
    };
    const withOtherFlag = JSON.parse(JSON.stringify(sample).replace('"Cancel":"Y"', '"Cancel":"N"'));

    test("is the stored one when that fits", () => {
      expect(digestOf(sample, "another", stored)).toBe(stored);
    });

    test("is a new one when none of those that are stored fits", () => {
      expect(digestOf(sample, "another")).toBe(digestOf(sample));
      expect(digestOf(withOtherFlag, stored)).toBe(digestOf(withOtherFlag));
      expect(digestOf(withOtherFlag)).not.toBe(digestOf(sample));
    });

    test("is the new one once something is stored under it", () => {
      expect(digestOf(sample, stored, digestOf(sample)!)).toBe(digestOf(sample));
    });
  });
});

describe("reading a proposal", () => {
  test("changes nothing when no change is proposed", () => {
    const proposal = propose(anOrderView());

    expect(proposal.proposed).toEqual(proposal.current);
    expect(sameFlights(proposal.proposed, proposal.current)).toBe(true);
    expect(proposal.suspicions).toEqual([]);
  });

  test("never throws, whatever the details hold", () => {
    const value = fc.oneof(
      fc.constantFrom(null, "", "07:30:00", "2027-03-14", "FRA", {}, []),
      fc.jsonValue({ maxDepth: 2 }),
    );
    const point = fc.record({ AirportCode: value, Date: value, Time: value, Terminal: value }, { requiredKeys: [] });
    const detail = fc.record(
      {
        Departure: fc.oneof(point, value),
        Arrival: fc.oneof(point, value),
        MarketingCarrier: fc.oneof(fc.record({ AirlineID: value, FlightNumber: value }, { requiredKeys: [] }), value),
        OperatingCarrier: value,
        FlightDetail: fc.oneof(fc.record({ FlightDuration: value, Stops: value }, { requiredKeys: [] }), value),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.array(detail, { maxLength: 4 }), (elements) => {
        const proposal = propose(aMinorDelay({ changes: { Segment1: elements } }));
        expect(proposal.digest).toMatch(/^2:[0-9a-f]{64}$/);
      }),
      { numRuns: 500 },
    );
  });
});

describe("sameFlights", () => {
  const base = propose(aMinorDelay()).proposed;
  const withFirst = (overrides: Partial<ItinerarySegment>) => ({
    ...base,
    segments: base.segments.map((segment, i) => (i === 0 ? { ...segment, ...overrides } : segment)),
  });
  const first = base.segments[0]!;

  test("does not look at terminals, aircraft and keys", () => {
    expect(
      sameFlights(
        base,
        withFirst({ segmentKey: "X", aircraftCode: "321", arrival: { ...first.arrival, terminal: "9" } }),
      ),
    ).toBe(true);
  });

  test.each<[string, Partial<ItinerarySegment>]>([
    ["flight number", { marketingFlightNumber: "1" }],
    ["airport", { arrival: { ...first.arrival, airport: "HHN" } }],
    ["date", { departure: { ...first.departure, date: "2027-03-15" } }],
    ["time", { departure: { ...first.departure, time: "07:31" } }],
  ])("sees another %s", (_, overrides) => {
    expect(sameFlights(base, withFirst(overrides))).toBe(false);
  });

  test("sees a missing flight and another order", () => {
    expect(sameFlights(base, { ...base, segments: base.segments.slice(1) })).toBe(false);
    expect(sameFlights(base, { ...base, segments: base.segments.toReversed() })).toBe(false);
  });
});

describe("a time that contradicts the clock of its airport", () => {
  /** A retiming on a day, with times as a gateway writes them. */
  function retimed(date: string, leaves: string, arrives: string): Proposal {
    return change({
      Departure: { AirportCode: "LIS", Date: date, Time: leaves, Terminal: "1" },
      Arrival: { AirportCode: "FRA", Date: date, Time: arrives, Terminal: "1" },
    });
  }

  test.each([
    ["UTC with milliseconds", "2027-03-14", "07:25", "11:35:00.000Z", "11:35 UTC, and FRA is at +1"],
    ["UTC in summer", "2027-07-14", "07:25Z", "11:35", "07:25 UTC, and LIS is at +1"],
    ["UTC in numbers", "2027-03-14", "07:25", "11:35+00:00", "11:35 UTC, and FRA is at +1"],
    ["an offset without a colon", "2027-03-14", "07:25", "11:35:00+0530", "11:35 at +5:30, and FRA is at +1"],
    ["an offset of hours", "2027-03-14", "07:25", "11:35-03", "11:35 at -3, and FRA is at +1"],
  ])("is no missing time (%s)", (_, date, leaves, arrives, contradiction) => {
    const proposal = retimed(date, leaves, arrives);
    const [{ departure, arrival }] = proposal.proposed.segments as [ItinerarySegment, ...ItinerarySegment[]];

    expect(proposal.suspicions).toEqual(["offset-contradicted:Segment1"]);
    expect([departure.contradiction, arrival.contradiction].filter(Boolean)).toEqual([contradiction]);
    expect([departure.time, arrival.time]).toContain(null);
  });

  test("is named at both ends when the offsets of the two airports are swapped", () => {
    const { proposed, suspicions } = retimed("2027-03-14", "07:25+01:00", "11:35+00:00");

    expect(suspicions).toEqual(["offset-contradicted:Segment1"]);
    expect(proposed.segments[0]!.departure.contradiction).toBe("07:25 at +1, and LIS is at +0");
    expect(proposed.segments[0]!.arrival.contradiction).toBe("11:35 UTC, and FRA is at +1");
  });

  test.each([
    ["2027-03-14", "07:25Z", "11:35+01:00"],
    ["2027-07-14", "07:25+01:00", "11:35:00.000+02:00"],
  ])("is none when the offset is the airport's, on %s", (date, leaves, arrives) => {
    const { proposed, suspicions } = retimed(date, leaves, arrives);

    expect(suspicions).toEqual([]);
    expect(proposed.segments[0]!.arrival).not.toHaveProperty("contradiction");
  });

  test("is read with a zone that is the airport's, and cannot be read with one that nobody knows", () => {
    expect(retimed("2027-03-14", "07:25", "11:35 CET").suspicions).toEqual([]);
    expect(retimed("2027-03-14", "07:25", "11:35 XYZ").suspicions).toEqual(["unreadable-time:Segment1"]);
  });
});
