/**
 * Bodies in the wire format of the interface document: notifications and responses of AirReservationStatus. Everything has
 * a usable default; a test states the one thing that matters to it.
 */

/** JSON as it goes over the wire. */
export type Json = { [key: string]: unknown };

export interface OrderViewOptions {
  readonly orderId?: string;
  /** As sent: a text, a list, or undefined to leave it out. */
  readonly gdsBookingReference?: unknown;
  readonly pnrStatus?: unknown;
  readonly scheduleChangeIndicator?: unknown;
  readonly scheduleChangeStatus?: unknown;
  /** Null leaves the AmendmentsActions element out. */
  readonly flags?: { readonly Accept?: unknown; readonly Cancel?: unknown; readonly ReSchedule?: unknown } | null;
  /** Default: LH1167 LIS–FRA and, a week later, LH1172 FRA–LIS. */
  readonly segments?: readonly Json[];
  /** Segment keys of each journey. Default: each segment is a journey of its own. */
  readonly journeys?: readonly (readonly string[])[];
  /** `SegmentDetails` by segment key. Default: none. */
  readonly changes?: Readonly<Record<string, readonly unknown[]>>;
  /** Elements of ScheduleChange that name flights. Default: the flight of each key of `changes`. */
  readonly changedFlights?: readonly Json[];
  /** Passenger types. Default: one ADT. */
  readonly passengers?: readonly (string | Json)[];
  /** Whether ticket documents are listed. Default: true. */
  readonly ticketed?: boolean;
  /** Members of the Order element that replace the built ones; undefined leaves one out. */
  readonly order?: Json;
  /** Whole Order elements beside the built one. */
  readonly otherOrders?: readonly unknown[];
  /** Members of DataLists that replace the built ones. */
  readonly dataLists?: Json;
  /** Members of OrderViewRS that replace the built ones. */
  readonly view?: Json;
}

/** A whole order view under its root. */
export function anOrderView(options: OrderViewOptions = {}): { OrderViewRS: Json } {
  const segments = options.segments ?? [
    aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20"),
    aSegment("Segment2", "LH1172", "FRA 2027-03-21 17:30", "LIS 2027-03-21 19:45"),
  ];
  const journeys = options.journeys ?? segments.map((segment) => [String(segment["SegmentKey"])]);
  return {
    OrderViewRS: withOverrides(
      {
        ...anEnvelope("1.2"),
        ShoppingResponseId: "1724067361311310318",
        Success: {},
        Order: [anOrder(options, journeys), ...(options.otherOrders ?? [])],
        DataLists: withOverrides(aDataLists(options, segments, journeys), options.dataLists),
        TicketDocInfos: { TicketDocInfo: ticketDocuments(options) },
        MetaData: {},
        threeDsResponse: "",
      },
      options.view,
    ),
  };
}

/** The usual notification: LH1167 LIS–FRA leaves 20 minutes later, all but ReSchedule allowed. */
export function aMinorDelay(options: OrderViewOptions = {}): { OrderViewRS: Json } {
  return anOrderView({
    pnrStatus: "SCHEDULE CHANGED",
    scheduleChangeIndicator: true,
    scheduleChangeStatus: "Initiated",
    flags: { Accept: "Y", Cancel: "Y", ReSchedule: "N" },
    changes: {
      Segment1: [details("LIS 2027-03-14 07:30", null, { FlightDetail: { FlightDuration: { Value: "3 H 10 M" } } })],
    },
    ...options,
  });
}

/** `aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20")`; a terminal may follow the time. */
export function aSegment(
  segmentKey: string,
  flight: string,
  departure: string,
  arrival: string,
  overrides: Json = {},
): Json {
  return withOverrides({ SegmentKey: segmentKey, ...flightValues(flight, departure, arrival) }, overrides);
}

/** All values of a flight, as `SegmentDetails` holds them when it is not partial. */
export function flightValues(flight: string, departure: string, arrival: string, overrides: Json = {}): Json {
  const carrier = { AirlineID: flight.slice(0, 2), Name: "Example Air", FlightNumber: flight.slice(2) };
  return withOverrides(
    {
      Departure: { AirportName: "Example", ...aPoint(departure) },
      Arrival: { AirportName: "Example", ...aPoint(arrival) },
      MarketingCarrier: carrier,
      OperatingCarrier: carrier,
      Equipment: { AircraftCode: "32B", Name: "" },
      Code: { MarriageGroup: "" },
      FlightDetail: {
        FlightDuration: { Value: "" },
        Stops: { Value: 0 },
        InterMediate: [],
        AirMilesFlown: 0,
      },
      BrandId: "",
    },
    overrides,
  );
}

/** Partial details: the points that are given, and nothing else but the overrides. */
export function details(departure: string | null, arrival: string | null, overrides: Json = {}): Json {
  return withOverrides(
    {
      Departure: departure === null ? undefined : aPoint(departure),
      Arrival: arrival === null ? undefined : aPoint(arrival),
    },
    overrides,
  );
}

/**
 * `LIS 2027-03-14 07:10 1` as a point: airport, date, time, terminal (none: blank). `LIS 03-14 07:10` is in 2027, and
 * `LIS 07:10` on 14 June of that year.
 */
export function aPoint(text: string): Json {
  const [airport, ...rest] = text.split(" ");
  const [date = "", time, terminal = ""] = rest[0]?.includes(":") ? ["06-14", ...rest] : rest;
  return {
    AirportCode: airport,
    Date: date.length === "06-14".length ? `2027-${date}` : date,
    Time: `${time}:00`,
    Terminal: { Name: terminal },
  };
}

/** `Document` and `Party`. */
export function anEnvelope(version: string): Json {
  return {
    Document: { Name: "API GATEWAY", ReferenceVersion: version },
    Party: {
      Sender: {
        TravelAgencySender: {
          Name: "Example Travel",
          IATA_Number: "",
          AgencyID: "Example Travel",
          Contacts: { Contact: [{ EmailContact: "desk@example.com" }] },
        },
      },
    },
  };
}

/** The bytes of a body. */
export function bytesOf(body: unknown): Uint8Array {
  return new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
}

function anOrder(options: OrderViewOptions, journeys: readonly (readonly string[])[]): Json {
  const flags = options.flags === undefined ? { Accept: "Y", Cancel: "Y", ReSchedule: "N" } : options.flags;
  const segmentKeys = journeys.flat();
  const changedFlights =
    options.changedFlights ??
    Object.keys(options.changes ?? {}).map((key) => ({ FlightKey: flightKeyOf(key, journeys), SegmentRefs: key }));
  return withOverrides(
    {
      OrderID: options.orderId ?? "QX7R2M1A",
      GdsBookingReference: "gdsBookingReference" in options ? options.gdsBookingReference : "LHSKD1",
      OrderStatus: "SUCCESS",
      PaymentStatus: "PAID",
      TicketStatus: options.ticketed === false ? "NOT TICKETED" : "TICKETED",
      PnrStatus: "pnrStatus" in options ? options.pnrStatus : "CONFIRMED",
      ScheduleChangeIndicator: "scheduleChangeIndicator" in options ? options.scheduleChangeIndicator : false,
      ScheduleChangeStatus: "scheduleChangeStatus" in options ? options.scheduleChangeStatus : "",
      NeedToTicket: options.ticketed === false ? "Y" : "N",
      Owner: "LH",
      OfferItem: [
        {
          OfferItemID: "OFFERITEMID1",
          Refundable: "false",
          PassengerType: "ADT",
          PassengerQuantity: 1,
          TotalPriceDetail: { TotalAmount: { BookingCurrencyPrice: 486.66, EquivCurrencyPrice: 486.66 } },
          Service: [
            { ServiceID: "SV1", PassengerRefs: "T1", FlightRefs: journeys.map((_, i) => `Flight${i + 1}`).join(" ") },
          ],
          FareComponent: [
            {
              PriceClassRef: "PCR_1",
              SegmentRefs: segmentKeys.join(" "),
              FareBasis: {
                FareBasisCode: { Refs: "FG_1", Code: segmentKeys.map(() => "QNR7AV").join(" ") },
                RBD: segmentKeys.map(() => "Q").join(" "),
                CabinType: segmentKeys.map(() => "Y").join(" "),
                SeatLeft: segmentKeys.map(() => "9").join(" "),
              },
            },
          ],
        },
      ],
      ScheduleChange: [...changedFlights, ...(flags === null ? [] : [{ AmendmentsActions: flags }])],
    },
    options.order,
  );
}

function flightKeyOf(segmentKey: string, journeys: readonly (readonly string[])[]): string {
  return `Flight${journeys.findIndex((keys) => keys.includes(segmentKey)) + 1}`;
}

function aDataLists(
  options: OrderViewOptions,
  segments: readonly Json[],
  journeys: readonly (readonly string[])[],
): Json {
  const airport = (key: string | undefined, end: "Departure" | "Arrival") =>
    (segments.find((segment) => segment["SegmentKey"] === key)?.[end] as Json | undefined)?.["AirportCode"] ?? "";
  const passengers = options.passengers ?? ["ADT"];
  return {
    PassengerList: {
      Passengers: passengers.map((passenger, i) => ({
        attributes: { PassengerID: `T${i + 1}` },
        PassengerID: `T${i + 1}`,
        ...(typeof passenger === "string" ? { PTC: passenger } : passenger),
      })),
    },
    FlightSegmentList: { FlightSegment: segments },
    FlightList: {
      Flight: journeys.map((keys, i) => ({
        FlightKey: `Flight${i + 1}`,
        Journey: { Time: "", Stops: keys.length - 1 },
        SegmentReferences: keys.join(" "),
      })),
    },
    OriginDestinationList: {
      OriginDestination: journeys.map((keys, i) => ({
        OriginDestinationKey: `OD${i + 1}`,
        DepartureCode: airport(keys[0], "Departure"),
        ArrivalCode: airport(keys.at(-1), "Arrival"),
        FlightReferences: `Flight${i + 1}`,
      })),
    },
    ScheduleChangeSegmentList: {
      ScheduleChangeSegment: Object.entries(options.changes ?? {}).map(([key, elements]) => ({
        SegmentKey: key,
        SegmentDetails: elements,
      })),
    },
  };
}

function ticketDocuments(options: OrderViewOptions): readonly Json[] {
  if (options.ticketed === false) return [];
  return (options.passengers ?? ["ADT"]).map((_, i) => ({
    TicketDocument: { TicketDocNbr: `125210000000${i + 1}`, Type: "TKT" },
    PassengerReference: `T${i + 1}`,
    GdsBookingReference: "LHSKD1",
  }));
}

/** Overrides win; a member that is overridden by undefined is left out. */
function withOverrides(json: Json, overrides: Json = {}): Json {
  return Object.fromEntries(Object.entries({ ...json, ...overrides }).filter(([, value]) => value !== undefined));
}
