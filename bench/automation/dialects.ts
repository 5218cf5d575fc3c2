import type { ChangeRequest } from "../../src/gateway/change-request.ts";
import type { Json } from "../../test/builders/order-view.ts";
import { aircraftNames } from "./draw-change.ts";

/**
 * How a gateway writes what it tells, after what was seen of real ones:
 *
 * - `document`: as the interface document has it, with every value of a changed flight.
 * - `sparse`: as older gateways do. No envelope element, new values only where they differ, a later arrival only by the
 *   length of the flight; statuses left out or blank, an indicator that denies the change, names and codes of aircraft in
 *   each other's place, numbers as text, lengths as `3 Hrs 10 Min`. The agency's markup beside each passenger, and what
 *   came of optional services.
 * - `codes`: booking class and cabin beside each flight and each new flight, as lists of seats show them; other ids for
 *   passengers in each place, special service requests, references as a list, services without a number of bags, a
 *   document that is no ticket among the tickets. Payments by cheque, shares of payments, options of brands and cabins, and
 *   commissions on surcharges.
 */
export const dialects = ["document", "sparse", "codes"] as const;
export type Dialect = (typeof dialects)[number];

/** The change as the gateway is asked to show it. */
export function shownBy(dialect: Dialect, request: ChangeRequest, index: number): ChangeRequest {
  if (request.kind !== "combined") return request;
  return {
    ...request,
    parts: request.parts.map((part) => {
      if (!("partial" in part) && !partialKinds.has(part.kind)) return part;
      if (dialect !== "sparse") return { ...part, partial: "full" } as typeof part;
      const byLength = part.kind === "retime" && index % 3 === 0;
      return { ...part, partial: byLength ? "departure-and-duration" : "changed" } as typeof part;
    }),
  };
}

/** Changes of which a part of the values can be shown. */
const partialKinds: ReadonlySet<string> = new Set(["retime", "renumber", "terminal", "aircraft", "stops"]);

/** A body of the gateway in the dialect. */
export function spelledBy(dialect: Dialect, body: unknown): unknown {
  if (dialect === "document") return body;
  const view = objectIn(structuredClone(body), "OrderViewRS");
  return dialect === "sparse" ? sparse(view) : { OrderViewRS: withCodes(view) };
}

function sparse(view: Json): Json {
  const { Document, Party, Order, DataLists, ...others } = view;
  const lists = DataLists as Json;
  return {
    document: inLowerCase(Document),
    party: inLowerCase(Party),
    ...others,
    Order: listIn(Order).map((order) => {
      const { TicketStatus: _, PaymentStatus: __, OrderStatus: ___, ...stated } = order;
      return { ...stated, PnrStatus: "", ScheduleChangeIndicator: false, OptionalServiceStatus: "SUCCESS" };
    }),
    DataLists: {
      ...withSegments(lists, (segment) => sparseSegment(segment)),
      PassengerList: {
        Passengers: listIn(objectIn(lists, "PassengerList")["Passengers"]).map((passenger) => ({
          ...passenger,
          OnflyMarkup: "0.00",
          OnflyDiscount: "0.00",
        })),
      },
    },
    threeDsResponse: "",
  };
}

function sparseSegment(segment: Json): Json {
  const { Equipment, FlightDetail, ...others } = segment as { Equipment?: Json; FlightDetail?: Json };
  const code = String(Equipment?.["AircraftCode"] ?? "");
  return {
    ...others,
    ...(Equipment === undefined ? {} : { Equipment: { AircraftCode: aircraftNames[code] ?? code, Name: code } }),
    ...(FlightDetail === undefined ? {} : { FlightDetail: sparseDetail(FlightDetail) }),
  };
}

function sparseDetail(detail: Json): Json {
  const { FlightDuration, AirMilesFlown, ...others } = detail as { FlightDuration?: Json; AirMilesFlown?: unknown };
  const length = String(FlightDuration?.["Value"] ?? "").replace(/^(\d+) H (\d+) M$/, "$1 Hrs $2 Min");
  return {
    ...others,
    ...(FlightDuration === undefined ? {} : { FlightDuration: { Value: length } }),
    ...(AirMilesFlown === undefined ? {} : { AirMilesFlown: String(AirMilesFlown) }),
  };
}

function withCodes(view: Json): Json {
  const { Order, DataLists, TicketDocInfos, ...others } = view;
  const orders = listIn(Order);
  const fares = faresBySegment(orders);
  const lists = DataLists as Json;
  const passengers = listIn(objectIn(lists, "PassengerList")["Passengers"]);
  const otherIds = new Map(
    passengers.map((passenger, at) => [String(passenger["PassengerID"]), `${String(passenger["PTC"])}${at + 1}`]),
  );
  const renamed = (references: unknown): string =>
    String(references)
      .split(" ")
      .map((id) => otherIds.get(id) ?? id)
      .join(" ");
  const connecting = connectingSegments(lists);
  return {
    ...others,
    Payments: { Payment: [{ Type: "CHECK", PassengerID: "ALL", Amount: 134.953532, ChequeNumber: "2508115902" }] },
    Order: orders.map((order) => ({
      ...order,
      GdsBookingReference: [order["GdsBookingReference"]],
      OrderStatus: "BOOKED",
      OptionalServiceStatus: "SUCCESS",
      BrandedFareOptions: [],
      CabinOptions: [],
      IsAdditionalCabinType: "N",
      SplitPaymentInfo: [],
      BookingToEquivExRate: 1.0832,
      OfferItem: listIn(order["OfferItem"]).map((item) => ({
        ...item,
        ...("Refundable" in item ? { Refundable: item["Refundable"] === "true" } : {}),
        ...("FareDetail" in item ? { FareDetail: withSurcharges(item["FareDetail"]) } : {}),
        Service: Array.isArray(item["Service"])
          ? listIn(item["Service"]).map((service) => ({ ...service, PassengerRefs: renamed(service["PassengerRefs"]) }))
          : item["Service"],
      })),
      ScheduleChange: listIn(order["ScheduleChange"]).map(({ SegmentRefs, ...change }) => ({
        ...change,
        ...(SegmentRefs === undefined ? {} : { SegmentReferences: SegmentRefs }),
      })),
    })),
    DataLists: {
      ...withSegments(lists, (segment, key) => withCode(segment, fares.get(key), connecting.get(key) ?? "")),
      PassengerList: { Passengers: passengers.map((passenger) => withServiceRequest(passenger, otherIds)) },
      BaggageAllowanceList: {
        BaggageAllowance: listIn(objectIn(lists, "BaggageAllowanceList")["BaggageAllowance"]).map((allowance) => ({
          ...allowance,
          PieceAllowance: { ApplicableParty: "Traveler", TotalQuantity: "undefined" },
        })),
      },
    },
    ...(TicketDocInfos === undefined ? {} : { TicketDocInfos: withAnotherDocument(TicketDocInfos as Json) }),
  };
}

function withSurcharges(fare: unknown): unknown {
  if (Array.isArray(fare)) return fare.map(withSurcharges);
  const detail = fare as Json;
  return { ...detail, Commission: { ...objectIn(detail, "Commission"), AgencyYqCommission: 0 } };
}

function withCode(segment: Json, fare: Json | undefined, MarriageGroup: string): Json {
  if (fare === undefined || !("Departure" in segment)) return segment;
  const { FlightDetail } = segment as { FlightDetail?: Json };
  return {
    ...segment,
    Code: { MarriageGroup, ...fare },
    ...(FlightDetail === undefined ? {} : { FlightDetail: { ...FlightDetail, AirlinePnr: "" } }),
  };
}

function withServiceRequest(passenger: Json, otherIds: ReadonlyMap<string, string>): Json {
  const { Preference, ...others } = passenger as { Preference?: Json };
  const reason = objectIn(Preference, "WheelChairPreference")["Reason"];
  const otherId = otherIds.get(String(passenger["PassengerID"]));
  return {
    ...others,
    OnflyMarkup: "0.00",
    attributes: { PassengerID: otherId },
    PassengerRefID: otherId,
    SsrRequest: reason ? [{ SSRCode: reason, ServiceType: "SSR" }] : [],
  };
}

/** What was paid for a seat or a bag has a document as well, which is called a ticket too. */
function withAnotherDocument({ TicketDocInfo }: Json): Json {
  const tickets = listIn(TicketDocInfo);
  const [first] = tickets;
  const number = String(objectIn(first, "TicketDocument")["TicketDocNbr"]).replace(/^(\d{3})\d/, "$18");
  return { TicketDocInfo: [...tickets, { ...first, TicketDocument: { TicketDocNbr: number, Type: "TKT" } }] };
}

/** Booking class and cabin of each segment, from the fare components. */
function faresBySegment(orders: readonly Json[]): ReadonlyMap<string, Json> {
  const components = orders.flatMap((order) =>
    listIn(order["OfferItem"]).flatMap((item) => listIn(item["FareComponent"])),
  );
  return new Map(
    components.flatMap((component) => {
      const fare = objectIn(component, "FareBasis");
      const [keys = [], classes = [], cabins = []] = [component["SegmentRefs"], fare["RBD"], fare["CabinType"]].map(
        (text) => String(text).split(" "),
      );
      return keys.map((key, at) => [key, { ResBookDesigCode: classes[at], Cabin: cabins[at] }] as const);
    }),
  );
}

/** The flights of a connection are married: the first is `O`, the others `I`. */
function connectingSegments(lists: Json): ReadonlyMap<string, string> {
  return new Map(
    listIn(objectIn(lists, "FlightList")["Flight"]).flatMap((flight) => {
      const keys = String(flight["SegmentReferences"]).split(" ");
      return keys.length < 2 ? [] : keys.map((key, at) => [key, at === 0 ? "O" : "I"] as const);
    }),
  );
}

/** Every segment, booked or new, rewritten. */
function withSegments(lists: Json, rewrite: (segment: Json, segmentKey: string) => Json): Json {
  const booked = listIn(objectIn(lists, "FlightSegmentList")["FlightSegment"]);
  const changed = listIn(objectIn(lists, "ScheduleChangeSegmentList")["ScheduleChangeSegment"]);
  return {
    ...lists,
    FlightSegmentList: { FlightSegment: booked.map((segment) => rewrite(segment, String(segment["SegmentKey"]))) },
    ScheduleChangeSegmentList: {
      ScheduleChangeSegment: changed.map(({ SegmentKey, SegmentDetails }) => ({
        SegmentKey,
        SegmentDetails: listIn(SegmentDetails).map((segment) => rewrite(segment, String(SegmentKey))),
      })),
    },
  };
}

/** Member names in lower case, all the way down. */
function inLowerCase(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(inLowerCase);
  if (json === null || typeof json !== "object") return json;
  return Object.fromEntries(Object.entries(json).map(([name, value]) => [name.toLowerCase(), inLowerCase(value)]));
}

function listIn(json: unknown): readonly Json[] {
  return Array.isArray(json) ? (json as Json[]) : [];
}

function objectIn(json: unknown, name: string): Json {
  return ((json as Json | undefined)?.[name] ?? {}) as Json;
}
