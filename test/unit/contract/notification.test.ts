import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readNotification } from "../../../src/contract/notification.ts";
import type { OrderRecord, OrderView } from "../../../src/contract/order-view.ts";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { known } from "../../../src/kernel/fact.ts";
import { aMinorDelay, anOrderView, aPoint, aSegment, bytesOf, type Json } from "../../builders/order-view.ts";

const samples = new URL("../../../samples/", import.meta.url);

function read(body: unknown): OrderView {
  const result = readNotification(bytesOf(body));
  if (!result.ok) throw new Error(`${result.problem.code} ${result.problem.path}`);
  return result.view;
}

function readOrder(order: Json): OrderRecord {
  return read(anOrderView({ order })).orders[0]!;
}

function problem(body: unknown) {
  const result = readNotification(body instanceof Uint8Array ? body : bytesOf(body));
  return result.ok ? null : result.problem;
}

describe("a usable notification", () => {
  test.each(readdirSync(samples))("%s is one", (file) => {
    const body = readFileSync(new URL(file, samples));

    expect(readNotification(body).ok).toBe(true);
    expect(orderViewResponseSchema.safeParse(JSON.parse(body.toString())).error).toBeUndefined();
  });

  test("is what the builders make by the interface document", () => {
    expect(orderViewResponseSchema.safeParse(aMinorDelay()).error).toBeUndefined();
  });

  test("needs no more than an order with an id", () => {
    expect(read({ OrderViewRS: { Order: [{ OrderID: "A1" }] } })).toMatchObject({
      orders: [
        {
          orderId: "A1",
          gdsBookingReferences: [],
          pnrStatus: { known: false, reason: "missing-pnr-status" },
          flags: { accept: { known: false, reason: "missing-flag" } },
        },
      ],
      flightSegments: [],
      passengers: [],
    });
  });

  test("may come without the OrderViewRS around it", () => {
    expect(read(anOrderView().OrderViewRS)).toEqual(read(anOrderView()));
  });

  test("may spell its keys in another letter case", () => {
    const lowerCase = (json: unknown): unknown => {
      if (Array.isArray(json)) return json.map(lowerCase);
      if (json === null || typeof json !== "object") return json;
      return Object.fromEntries(Object.entries(json).map(([key, value]) => [key.toLowerCase(), lowerCase(value)]));
    };

    expect(read(lowerCase(aMinorDelay()))).toEqual(read(aMinorDelay()));
  });

  test("may hold a single order as an object", () => {
    expect(read({ OrderViewRS: { Order: { OrderID: "A1" } } }).orders).toHaveLength(1);
  });

  test("may start with a byte order mark", () => {
    expect(read(`\u{feff}${JSON.stringify(anOrderView())}`).orders).toHaveLength(1);
  });

  test("keeps every digit of an order id that is a number", () => {
    expect(read('{"OrderViewRS":{"Order":[{"OrderID":1724067361311310318}]}}').orders[0]?.orderId).toBe(
      "1724067361311310318",
    );
  });

  test("keeps the orders that have an id when another one has none", () => {
    const view = read({ OrderViewRS: { Order: [{ OrderID: null }, { OrderID: "A2" }, "?"] } });

    expect(view.orders.map((order) => order.orderId)).toEqual(["A2"]);
  });

  test("is not harmed by keys named like a prototype", () => {
    const view = read(
      '{"__proto__":{"x":1},"OrderViewRS":{"__proto__":{"Order":[]},"Order":[{"OrderID":"A1","constructor":1}]}}',
    );

    expect(view.orders[0]?.orderId).toBe("A1");
    expect(({} as Json)["x"]).toBeUndefined();
  });
});

describe("a body that is no usable notification", () => {
  test.each([
    ["is not JSON", "order changed", "ocn.not_json", "", "The body is not JSON in UTF-8."],
    ["is a list", [], "ocn.not_an_order_view", "", "The body has no OrderViewRS object and no Order of its own."],
    ["is null", null, "ocn.not_an_order_view", "", "The body has no OrderViewRS object and no Order of its own."],
    [
      "has another root",
      { OrderChangeNotif: {} },
      "ocn.not_an_order_view",
      "",
      "The body has no OrderViewRS object and no Order of its own.",
    ],
    [
      "has text for a view",
      { OrderViewRS: "x" },
      "ocn.not_an_order_view",
      "/OrderViewRS",
      "The body has no OrderViewRS object and no Order of its own.",
    ],
    [
      "has no order",
      { OrderViewRS: { Success: {} } },
      "ocn.no_order",
      "/OrderViewRS/Order",
      "The order view has no Order.",
    ],
    ["has an empty list of orders", { Order: [] }, "ocn.no_order", "/Order", "The order view has no Order."],
    [
      "has an order without id",
      { OrderViewRS: { Order: [{}] } },
      "ocn.no_order_id",
      "/OrderViewRS/Order/0/OrderID",
      "No Order has an OrderID of 1 to 128 printable characters.",
    ],
    [
      "has an order with a blank id",
      { OrderViewRS: { Order: { OrderID: " " } } },
      "ocn.no_order_id",
      "/OrderViewRS/Order/OrderID",
      "No Order has an OrderID of 1 to 128 printable characters.",
    ],
  ])("%s", (_, body, code, path, message) => {
    expect(problem(body)).toEqual({ code, path, message });
  });

  test("has an order id too long to keep", () => {
    expect(problem({ Order: [{ OrderID: "A".repeat(128) }] })).toBeNull();
    expect(problem({ Order: [{ OrderID: "A".repeat(129) }] })?.code).toBe("ocn.no_order_id");
  });

  test("has a control character in its order id", () => {
    expect(problem({ Order: [{ OrderID: "A\n1" }] })?.code).toBe("ocn.invisible_characters");
  });

  test.each(["\u001b", "\u007f", "\u009b", "\u00ad", "\u200b", "\u202e", "\u2060", "\u3164", "\ufe0f", "\u{e0041}"])(
    "has an id or a reference with a character that nobody sees: %j",
    (character) => {
      const codePoint = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
      const message = `Nobody sees its character ${codePoint}, so two ids could look the same. Send it without.`;
      const code = "ocn.invisible_characters";

      expect(problem({ Order: [{ OrderID: "A1" }, { OrderID: `A${character}1` }] })).toEqual({
        code,
        path: "/Order/1/OrderID",
        message,
      });
      const references = ["ABC123", `DEF${character}456`];
      for (const GdsBookingReference of [references, references.join(" ")]) {
        expect(problem({ OrderViewRS: { Order: { OrderID: "A1", GdsBookingReference } } })).toEqual({
          code,
          path: "/OrderViewRS/Order/GdsBookingReference",
          message,
        });
      }
    },
  );

  test.each(["A 1", "ORD-1/a.b", "Ａ１", "А1", "注文1", " A1\n"])(
    "may have any id whose characters are seen, also with blanks around it: %j",
    (orderId) => {
      expect(problem({ Order: [{ OrderID: orderId, GdsBookingReference: "ABC123\nDEF456" }] })).toBeNull();
    },
  );
});

describe("an order", () => {
  test.each([
    ["a text", "LHSKD1", ["LHSKD1"]],
    ["a list", ["LHSKD1", "LHSKD2"], ["LHSKD1", "LHSKD2"]],
    ["a text with commas", "LHSKD1, LHSKD2", ["LHSKD1", "LHSKD2"]],
    ["a list with repeats and blanks", ["LHSKD1", "", null, "LHSKD1"], ["LHSKD1"]],
    ["null", null, []],
    ["nothing", undefined, []],
  ])("may give its booking references as %s", (_, sent, expected) => {
    expect(readOrder({ GdsBookingReference: sent }).gdsBookingReferences).toEqual(expected);
  });

  test.each([
    ["SCHEDULE CHANGED", "SCHEDULE CHANGED"],
    ["schedule_changed", "SCHEDULE CHANGED"],
    ["CANCELED", "CANCELLED"],
    ["Cancelled ", "CANCELLED"],
    ["SOMETHING NEW", "SOMETHING NEW"],
  ])("with PnrStatus %j has the status %j", (sent, expected) => {
    expect(readOrder({ PnrStatus: sent }).pnrStatus).toEqual({ known: true, value: expected });
  });

  test.each([[""], [null], [undefined], [{}]])("with PnrStatus %j has an unknown status", (sent) => {
    expect(readOrder({ PnrStatus: sent }).pnrStatus).toEqual({ known: false, reason: "missing-pnr-status" });
  });

  test.each([
    [true, true],
    ["true", true],
    ["Y", true],
    [1, true],
    ["false", false],
    [false, false],
  ])("with ScheduleChangeIndicator %j is read as %j", (sent, expected) => {
    expect(readOrder({ ScheduleChangeIndicator: sent }).scheduleChangeIndicator).toEqual({
      known: true,
      value: expected,
    });
  });

  test.each([
    ["Partially-Accepted", "Partially-Accepted"],
    ["PARTIALLY ACCEPTED", "Partially-Accepted"],
    ["initiated", "Initiated"],
    ["Withdrawn", "Withdrawn"],
  ])("with ScheduleChangeStatus %j is read as %j", (sent, expected) => {
    expect(readOrder({ ScheduleChangeStatus: sent }).scheduleChangeStatus).toEqual({ known: true, value: expected });
  });

  test("names its changed flights in either spelling", () => {
    const { changedFlights } = readOrder({
      ScheduleChange: [
        { FlightKey: "Flight1", SegmentRefs: "Segment1 Segment2" },
        { FlightKey: "Flight2", SegmentReferences: "Segment3" },
        { FlightKey: "Flight3" },
        null,
      ],
    });

    expect(changedFlights).toEqual([
      { flightKey: "Flight1", segmentKeys: ["Segment1", "Segment2"] },
      { flightKey: "Flight2", segmentKeys: ["Segment3"] },
      { flightKey: "Flight3", segmentKeys: [] },
    ]);
  });

  test("refers to segments by its fares and by the flights of its services", () => {
    const order = readOrder({
      OfferItem: {
        FareComponent: { SegmentRefs: "Segment1", FareBasis: { RBD: "Q", CabinType: "Y" } },
        Service: { FlightRefs: "Flight2" },
      },
    });

    expect(order.segmentKeys).toEqual(["Segment1", "Segment2"]);
    expect(order.fareComponents).toEqual([
      { offerItem: 0, segmentKeys: ["Segment1"], rbds: ["Q"], cabinTypes: ["Y"], priceClassRef: null },
    ]);
  });

  test("leaves out what PostgreSQL cannot store", () => {
    expect(readOrder({ Owner: "L\0H\ud800" }).owner).toBe("LH\ufffd");
  });
});

describe("flags", () => {
  test.each([
    ["Y", { known: true, value: "Y" }],
    ["n", { known: true, value: "N" }],
    [true, { known: true, value: "Y" }],
    ["", { known: false, reason: "missing-flag" }],
    [null, { known: false, reason: "missing-flag" }],
    ["perhaps", { known: false, reason: "unreadable-flag" }],
  ])("%j is read as %j", (sent, expected) => {
    const [order] = read(anOrderView({ flags: { Accept: sent } })).orders;

    expect(order?.flags.accept).toEqual(expected);
  });

  test("are unknown, not N, when they are missing", () => {
    const [order] = read(anOrderView({ flags: null })).orders;

    expect(order?.flags.cancel).toEqual({ known: false, reason: "missing-flag" });
  });

  test("are unknown when two elements contradict each other", () => {
    const order = readOrder({
      ScheduleChange: [{ AmendmentsActions: { Accept: "Y" } }, { AmendmentsActions: { Accept: "N", Cancel: "Y" } }],
    });

    expect(order.flags.accept).toEqual({ known: false, reason: "contradictory-flags" });
    expect(order.flags.cancel).toEqual({ known: true, value: "Y" });
  });

  test("may stand in the order itself", () => {
    expect(readOrder({ ScheduleChange: [], AmendmentsActions: { Accept: "Y" } }).flags.accept).toEqual({
      known: true,
      value: "Y",
    });
  });
});

describe("segments", () => {
  function readSegment(overrides: Json) {
    const segment = aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", overrides);
    return read(anOrderView({ segments: [segment] })).flightSegments[0]!;
  }

  test("keep what is absent apart from what is null", () => {
    const change = { OperatingCarrier: { AirlineID: null }, Departure: { Time: "07:30:00" }, Arrival: null };
    const [read1] = read(anOrderView({ changes: { Segment1: [change] } })).scheduleChangeSegments;

    expect(read1?.details).toEqual([
      { operatingCarrier: { airlineId: null }, departure: { time: "07:30:00" }, arrival: null },
    ]);
  });

  test.each([
    ["7:30", "07:30:00"],
    ["0730", "07:30:00"],
    ["07:30:00.000", "07:30:00"],
    ["24:00:00", null],
    ["7:30 PM", "19:30:00"],
    ["13:30 PM", null],
    ["half past seven", null],
  ])("with the time %j leave at %j", (sent, expected) => {
    expect(readSegment({ Departure: { ...aPoint("LIS 2027-03-14 07:10"), Time: sent } }).departure?.time).toBe(
      expected,
    );
  });

  test.each([
    ["2027-03-14", "2027-03-14"],
    ["20270314", "2027-03-14"],
    [20270314, "2027-03-14"],
    ["2027-02-29", null],
    ["14MAR27", null],
  ])("with the date %j leave on %j", (sent, expected) => {
    expect(readSegment({ Departure: { AirportCode: "LIS", Date: sent, Time: "07:10" } }).departure?.date).toBe(
      expected,
    );
  });

  test("may write the time behind the date", () => {
    expect(readSegment({ Departure: { AirportCode: "lis", Date: "2027-03-14T07:10:00" } }).departure).toEqual({
      airportCode: "LIS",
      date: "2027-03-14",
      time: "07:10:00",
    });
  });

  test("may state measures as values, texts and numbers", () => {
    const { flightDuration, stops, airMilesFlown } = readSegment({
      FlightDetail: { FlightDuration: 190, Stops: "1", AirMilesFlown: "1090" },
    });

    expect({ flightDuration, stops, airMilesFlown }).toEqual({ flightDuration: "190", stops: 1, airMilesFlown: 1090 });
  });

  test("have flight numbers without padding", () => {
    expect(readSegment({ MarketingCarrier: { AirlineID: "lh", FlightNumber: "0117" } }).marketingCarrier).toEqual({
      airlineId: "LH",
      flightNumber: "117",
    });
  });

  test("without a key are kept under their position", () => {
    expect(readSegment({ SegmentKey: "" }).segmentKey).toBe("#1");
  });
});

describe("passengers and tickets", () => {
  test("are read from the request's spelling as well", () => {
    const dataLists = { PassengerList: { Passenger: [{ attributes: { PassengerID: "ADT1" }, PTC: "adt" }] } };

    expect(read(anOrderView({ dataLists })).passengers).toEqual([
      {
        passengerId: "ADT1",
        ptc: "ADT",
        birthDate: { known: false, reason: "missing-birth-date" },
        name: null,
        assistance: known([]),
      },
    ]);
  });

  test("state a need of assistance by any reason", () => {
    const needing = { PTC: "ADT", Preference: { WheelChairPreference: { Reason: "WCHR" } } };
    const view = read(anOrderView({ passengers: [needing, "ADT"] }));

    expect(view.passengers.map((passenger) => passenger.assistance)).toEqual([known(["wheelchair"]), known([])]);
  });

  test("are read from DataLists as the document has them", () => {
    const TicketDocInfos = {
      TicketDocInfo: { TicketDocument: { TicketDocNbr: "125", Type: "TKT" }, PassengerReference: "T1" },
    };
    const view = read(anOrderView({ dataLists: { TicketDocInfos }, view: { TicketDocInfos: undefined } }));

    expect(view.ticketDocuments).toEqual([{ passengerReference: "T1", gdsBookingReference: null, type: "TKT" }]);
  });
});

describe("reading never throws", () => {
  test("on arbitrary bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        readNotification(bytes);
      }),
    );
  });

  test("on arbitrary JSON in the place of any part", () => {
    const parts = ["Order", "DataLists", "TicketDocInfos"];
    const orderParts = Object.keys((aMinorDelay().OrderViewRS["Order"] as Json[])[0]!);
    const listParts = Object.keys(aMinorDelay().OrderViewRS["DataLists"] as Json);
    fc.assert(
      fc.property(
        fc.constantFrom(...parts),
        fc.constantFrom(...orderParts),
        fc.constantFrom(...listParts),
        fc.jsonValue({ maxDepth: 5 }),
        fc.nat(2),
        (part, orderPart, listPart, value, where) => {
          const change = [
            { view: { [part]: value } },
            { order: { [orderPart]: value } },
            { dataLists: { [listPart]: value, FlightList: { Flight: value } } },
          ][where]!;
          const result = readNotification(bytesOf(aMinorDelay(change)));
          expect(typeof result.ok).toBe("boolean");
        },
      ),
      { numRuns: 500 },
    );
  });

  test("on deep nesting and long lists", () => {
    const nested = `${'{"Order":'.repeat(200_000)}1${"}".repeat(200_000)}`;
    expect(problem(nested)?.code).toBe("ocn.no_order_id");

    const keys = Array.from({ length: 150_000 }, (_, i) => `S${i}`).join(" ");
    const view = read(anOrderView({ order: { ScheduleChange: [{ FlightKey: keys, SegmentRefs: keys }] } }));
    expect(view.orders[0]?.changedFlights).toHaveLength(150_000);
  });
});
