import { describe, expect, test } from "vitest";
import { evaluateNotification } from "../../../src/app/backtest/evaluate-notification.ts";
import { readPolicyFile, shippedPolicyNames } from "../../../src/app/policy-file.ts";
import type { FactName } from "../../../src/itinerary/fact-catalogue.ts";
import {
  anOrderView,
  aSegment,
  bytesOf,
  details,
  type Json,
  type OrderViewOptions,
} from "../../builders/order-view.ts";

/** Stated by its name only. */
const cityLine: Json = { OperatingCarrier: { AirlineID: null, Name: "CITYLINE" } };

/**
 * One flight ten minutes later in a notification, and a status that says the same and something else beside it. No shipped
 * policy may accept what the status says beside it.
 */
describe("a change of times that comes with something else", () => {
  test("is accepted when there is nothing else", () => {
    expect(judge()).toMatchObject({ actions: { cautious: "accept", balanced: "accept" } });
  });

  test.each<[string, OrderViewOptions]>([
    ["the details", changeOf({ Code: { ResBookDesigCode: "M", Cabin: "M" } })],
    ["the listed segment", listed({ Code: { ResBookDesigCode: "M", Cabin: "M" } })],
  ])("is not accepted in a lower cabin that %s name by its code", (_, status) => {
    const { facts } = judge({ order: businessClass }, { order: businessClass, ...status });

    expect(facts("cabinDowngraded", "rbdChanged", "retimedOnly")).toEqual([true, true, false]);
    expect(judge({ order: businessClass }, { order: businessClass, ...status })).toMatchObject(acceptedByNone);
  });

  test.each<[string, OrderViewOptions]>([
    ["the details", changeOf({ Code: { ResBookDesigCode: "L" } })],
    ["the listed segment", listed({ Code: { ResBookDesigCode: "L" } })],
  ])("is not accepted in another booking class that %s name by its code", (_, status) => {
    const judged = judge({}, status);

    expect(judged.facts("rbdChanged", "cabinDowngraded", "retimedOnly")).toEqual([true, false, false]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("is accepted when the code names the cabin and the booking class that were booked, or neither", () => {
    expect(judge({}, changeOf({ Code: { ResBookDesigCode: "Q", Cabin: "Y" } }))).toMatchObject(acceptedAsBefore);
    expect(judge({}, changeOf({ Code: { ResBookDesigCode: "", Cabin: "", MarriageGroup: "" } }))).toMatchObject(
      acceptedAsBefore,
    );
  });

  test.each(["Rejected", "rejected"])("is not accepted while the status says that somebody has %s it", (status) => {
    expect(judge({}, { scheduleChangeStatus: status })).toMatchObject(acceptedByNone);
  });

  test("is not accepted while the status says that the booking failed", () => {
    expect(judge({}, { pnrStatus: "FAILED" })).toMatchObject(acceptedByNone);
  });

  test.each<[string, OrderViewOptions]>([
    ["PnrStatus HX", { pnrStatus: "HX" }],
    ["PnrStatus CANCELLED BY AIRLINE", { pnrStatus: "CANCELLED BY AIRLINE" }],
    ["OrderStatus CANCELLED", { order: { OrderStatus: "CANCELLED" } }],
    ["OrderStatus FAILED", { order: { OrderStatus: "FAILED" } }],
    ["PaymentStatus REFUNDED", { order: { PaymentStatus: "REFUNDED" } }],
  ])("is not accepted while the status says %s", (_, status) => {
    const judged = judge({}, status);

    expect(judged.facts("bookingStands")).not.toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<OrderViewOptions>([
    { pnrStatus: "Schedule Changed" },
    { pnrStatus: "" },
    { order: { OrderStatus: "BOOKED", PaymentStatus: "paid" } },
    { order: { OrderStatus: "", PaymentStatus: null } },
    { pnrStatus: "HK", order: { PaymentStatus: "CAPTURED" } },
  ])("is accepted with the statuses of a booking that stands, %j", (status) => {
    expect(judge({}, status)).toMatchObject(acceptedAsBefore);
  });

  test("is not accepted when only the notification states something of the flight that is not read", () => {
    const judged = judge(changeOf({ CabinMoved: "Y" }), {});

    expect(judged.facts("unreadMember")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("is not accepted while the booking failed for one of two references", () => {
    const other = { OrderID: "QX7R2M1A", GdsBookingReference: "LHSKD2", PnrStatus: "FAILED" };

    expect(judge({ otherOrders: [other] })).toMatchObject(acceptedByNone);
    expect(judge({ otherOrders: [{ ...other, PnrStatus: "CONFIRMED" }] }).facts("pnrStatus")).not.toEqual(["FAILED"]);
  });

  test("is not accepted when one segment key stands for two flights", () => {
    const second = aSegment("Segment1", "LH2222", "MUC 2027-05-05 14:00", "VIE 2027-05-05 15:00");
    const judged = judge({}, { segments: [booked(), second], journeys: [["Segment1"]] });

    expect(judged.facts("dataSuspect")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("is accepted when a segment is listed twice alike", () => {
    expect(judge({}, { segments: [booked(), booked()], journeys: [["Segment1"]] })).toMatchObject(acceptedAsBefore);
  });

  test.each<[string, unknown]>([
    ["a list", [{ SSRCode: "WCHS", Text: "" }]],
    ["one object", { SSRCode: "wchs" }],
    ["a text", "WCHS"],
    ["a text with words around it", ["SSR WCHS LH HK1"]],
  ])("is not accepted for a passenger whose SsrRequest, as %s, asks for a wheelchair", (_, request) => {
    const judged = judge({}, { passengers: [{ PTC: "ADT", SsrRequest: request }] });

    expect(judged.facts("assistanceRequested")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, unknown, boolean | string]>([
    ["a second code", "VGML,WCHR", true],
    ["a code behind a blank", "VGML WCHR", true],
    ["a code behind documents", "DOCS/P/DEU/C01X00T47/SMITH/ANNA; SSR WCHC LH HK1", true],
    ["the remark of another request", { SSRCode: "OTHS", Text: "WCHR TO THE GATE" }, true],
    ["the word", "VGML, wheelchair to the gate", true],
    ["a second code that is not known", "VGML,ZZZZ", "unknown-request"],
    ["free text", "OTHS PAX CANNOT CLIMB STAIRS", "unknown-request"],
    ["free text beside its code", [{ SSRCode: "OTHS", Text: "PAX CANNOT CLIMB STAIRS" }], "unknown-request"],
    ["words behind a meal", "VGML LH HK1 CANNOT WALK", "unknown-request"],
    ["codes in a list", [{ SSRCode: ["VGML", "WCHR"] }], "unreadable-request"],
    ["an object of another kind", [{ Kind: 7 }], "unreadable-request"],
  ])("is not accepted for a passenger whose request is in %s", (_, request, fact) => {
    const judged = judge({}, { passengers: [{ PTC: "ADT", SsrRequest: request }] });

    expect(judged.facts("assistanceRequested")).toEqual([fact]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, unknown]>([
    ["an object with a code", { Code: "WCHR" }],
    ["a text", "WCHR"],
    ["a yes", true],
    ["a list", [{ Reason: "" }, { Reason: "WCHR" }]],
  ])("is not accepted for a passenger whose WheelChairPreference is %s", (_, WheelChairPreference) => {
    const judged = judge({}, { passengers: [{ PTC: "ADT", Preference: { WheelChairPreference } }] });

    expect(judged.facts("assistanceRequested")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, OrderViewOptions, boolean | string]>([
    ["a request", { passengers: [{ PTC: "ADT", SsrRequest: ["WCHS"] }] }, true],
    ["a request that cannot be read", { passengers: [{ PTC: "ADT", SsrRequest: ["ZZZZ"] }] }, "unknown-request"],
    ["a booked service", wheelchairService(), true],
  ])("is not accepted when only the notification states %s", (_, notified, fact) => {
    const judged = judge(notified, {});

    expect(judged.facts("assistanceRequested")).toEqual([fact]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, Json]>([
    ["in place of Passengers", { Passenger: [{ PTC: "ADT", SsrRequest: "WCHS" }] }],
    ["beside Passengers", { Passengers: [{ PTC: "ADT" }], Passenger: [{ PTC: "ADT", SsrRequest: "WCHS" }] }],
  ])("is not accepted for a wheelchair of a Passenger %s", (_, PassengerList) => {
    const judged = judge({}, { dataLists: { PassengerList } });

    expect(judged.facts("assistanceRequested")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("counts a passenger once that both Passengers and Passenger list", () => {
    const both = [{ PassengerID: "T1", PTC: "ADT" }];
    const judged = judge({}, { dataLists: { PassengerList: { Passengers: both, Passenger: both } } });

    expect(judged.facts("passengerCount")).toEqual([1]);
  });

  test.each<[string, unknown]>([
    ["nothing", []],
    ["nothing in an empty object", {}],
    ["a meal", [{ SSRCode: "VGML" }]],
    ["a meal and documents", "SSR VGML LH HK1 FRAMUC 0098Y05MAY, DOCS LH HK1/P/DEU/C01X00T47/SMITH/ANNA"],
    ["a meal by its name", [{ SSRCode: "VGML", ServiceType: "SSR", Text: "Vegan meal" }]],
  ])("is accepted for a passenger who asks for %s", (_, request) => {
    expect(judge({}, { passengers: [{ PTC: "ADT", SsrRequest: request }] })).toMatchObject(acceptedAsBefore);
  });

  test("is not accepted on another aircraft whose code stands in its name", () => {
    const before = { Equipment: { AircraftCode: "", Name: "320" } };
    const judged = judge(
      { segments: [booked(before)], changes: { Segment1: [later()] } },
      { segments: [booked(before)], changes: { Segment1: [later({ Equipment: { AircraftCode: "", Name: "DH4" } })] } },
    );

    expect(judged.facts("aircraftChanged", "aircraftClassLowered")).toEqual([true, true]);
    expect(judged.actions["cautious"]).not.toBe("accept");
  });

  test("takes an aircraft whose name and code have changed places for the same one", () => {
    const before = { Equipment: { AircraftCode: "32N", Name: "Airbus A320neo" } };
    const after = { Equipment: { AircraftCode: "Airbus A320neo", Name: "32N" } };
    const judged = judge(
      { segments: [booked(before)] },
      { segments: [booked(before)], changes: { Segment1: [later(after)] } },
    );

    expect(judged.facts("aircraftChanged")).toEqual([false]);
  });

  test.each<[string, unknown, readonly unknown[]]>([
    ["places on the way without a number of stops", { InterMediate: [{ AirportCode: "NUE" }] }, [true]],
    ["more places on the way than stops", { InterMediate: [{ AirportCode: "NUE" }], Stops: { Value: 0 } }, [true]],
  ])("is not accepted with %s", (_, detail, facts) => {
    const judged = judge({}, changeOf({ FlightDetail: detail }));

    expect(judged.facts("stopsAdded")).toEqual(facts);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("is not accepted when it stops elsewhere on the way", () => {
    const stops = (AirportCode: string) => ({ FlightDetail: { Stops: { Value: 1 }, InterMediate: [{ AirportCode }] } });
    const at = (before: string, after: string): OrderViewOptions => ({
      segments: [booked(stops(before))],
      changes: { Segment1: [later(stops(after))] },
    });

    expect(judge(at("NUE", "STR")).facts("retimedOnly", "stopsAdded")).toEqual([false, false]);
    expect(judge(at("NUE", "STR"))).toMatchObject(acceptedByNone);
    expect(judge(at("NUE", "nue"))).toMatchObject(acceptedAsBefore);
  });

  test.each<[string, unknown]>([
    ["words", { Value: "five hours" }],
    ["another form", { Value: { Hours: 0, Minutes: 55 } }],
  ])("is not accepted with a duration in %s", (_, FlightDuration) => {
    const judged = judge({}, changeOf({ FlightDetail: { FlightDuration } }));

    expect(judged.facts("durationContradicted")).toEqual(["unreadable-duration"]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each(["0h55", "00:55", "PT55M", "0 H 55 M", ""])("is accepted with the duration %j", (Value) => {
    expect(judge({}, changeOf({ FlightDetail: { FlightDuration: { Value } } }))).toMatchObject(acceptedAsBefore);
  });

  test.each(["08:10xyz", "08:10 or so", "08:10:00;"])("is not accepted when it leaves at %s", (Time) => {
    const departure = { AirportCode: "FRA", Date: "2027-05-05", Time };
    const judged = judge({}, { changes: { Segment1: [{ ...later(), Departure: departure }] } });

    expect(judged.facts("departureLaterMinutes")).toEqual(["unreadable-time"]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, Json, Json]>([
    ["names", { FirstName: "Tim" }, { FirstName: "Eva" }],
    ["dates of birth", { BirthDate: "2018-01-01" }, { BirthDate: "1980-01-01" }],
  ])("is not accepted when an adult and a child have swapped %s", (_, one, other) => {
    const family = (adult: Json, child: Json): OrderViewOptions => ({
      passengers: [
        { FirstName: "Eva", LastName: "Lind", BirthDate: "1980-01-01", PTC: "ADT", ...adult },
        { FirstName: "Tim", LastName: "Lind", BirthDate: "2018-01-01", PTC: "CHD", ...child },
      ],
    });
    const judged = judge(family({}, {}), family(one, other));

    expect(judged.facts("passengersDiffer")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("is not accepted when a date of birth in the notification cannot be read", () => {
    const born = (BirthDate: string): OrderViewOptions => ({ passengers: [{ PTC: "ADT", BirthDate }] });
    const judged = judge(born("05/03/1980"), born("1980-03-05"));

    expect(judged.facts("passengersDiffer")).toEqual(["unreadable-birth-date"]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("is not accepted under another price class", () => {
    const priceClasses = (name: string): Json => ({
      PriceClassList: { PriceClass: [{ PriceClassID: "PCR_1", Name: name, Code: "" }] },
    });
    const judged = judge({ dataLists: priceClasses("Economy Flex") }, { dataLists: priceClasses("Economy Basic") });

    expect(judged.facts("brandChanged")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, OrderViewOptions]>([
    ["another name in the listed segment", listed({ OperatingCarrier: { AirlineID: null, Name: "CITYJET" } })],
    ["a code in the listed segment", listed({ OperatingCarrier: { AirlineID: "CL", Name: "CITYLINE" } })],
    ["another name in the details", { ...listed(cityLine), ...changeOf({ OperatingCarrier: { Name: "CITYJET" } }) }],
  ])("is not accepted when an operating carrier that was stated by name only has %s", (_, status) => {
    const judged = judge(listed(cityLine), status);

    expect(judged.facts("operatingCarrierChanged", "retimedOnly")).toEqual(["unknown-carrier", "unknown-carrier"]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each(["CITYLINE", "CityLine"])("is accepted when an operating carrier keeps its name, as %s", (Name) => {
    expect(judge(listed(cityLine), listed({ OperatingCarrier: { AirlineID: null, Name } }))).toMatchObject(
      acceptedAsBefore,
    );
  });

  test.each<[string, unknown]>([
    ["a name without a code", { AirlineID: null, Name: "CITYLINE" }],
    ["a name only", { Name: "CITYLINE" }],
    ["a text", "CITYLINE"],
    ["a code that cannot be read", { AirlineID: { Code: "CL" } }],
    ["a name that cannot be read", { AirlineID: "", Name: ["City", "Line"] }],
  ])("is not accepted when the details name the operating carrier by %s", (_, carrier) => {
    const judged = judge({}, changeOf({ OperatingCarrier: carrier }));

    expect(judged.facts("operatingCarrierChanged", "operatingCarriers")).toEqual([
      "unknown-carrier",
      "unknown-carrier",
    ]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, unknown]>([
    ["null", null],
    ["nulls", { AirlineID: null, Name: null, FlightNumber: null }],
    ["a code of null", { AirlineID: null }],
    ["blanks", { AirlineID: "", Name: " " }],
    ["the name of the segment", { AirlineID: null, Name: "EXAMPLE  AIR" }],
    ["a flight number only", { FlightNumber: "98" }],
  ])("is accepted when the details state the operating carrier by %s beside a segment with its code", (_, carrier) => {
    const judged = judge({}, changeOf({ OperatingCarrier: carrier }));

    expect(judged.facts("operatingCarrierChanged", "operatingCarriers")).toEqual([false, ["LH"]]);
    expect(judged).toMatchObject(acceptedAsBefore);
  });

  test("is accepted when the operating carrier has the marketing carrier's name and no code", () => {
    expect(judge(listed({ OperatingCarrier: { AirlineID: "", Name: "Example Air" } }))).toMatchObject(acceptedAsBefore);
  });

  test.each<[string, OrderViewOptions]>([
    ["the details", changeOf({ MarketingCarrier: { AirlineID: null, Name: "Eurowings", FlightNumber: "98" } })],
    ["the listed segment", listed({ MarketingCarrier: { Name: "Eurowings", FlightNumber: "98" } })],
  ])("is not accepted when %s state the marketing carrier without a code, in one view or in both", (_, options) => {
    for (const notified of [{}, options]) {
      const judged = judge(notified, options);

      expect(judged.facts("marketingCarrierChanged", "replaced")).toEqual(["unknown-carrier", "unknown-carrier"]);
      expect(judged).toMatchObject(acceptedByNone);
    }
  });

  test.each<[string, Json]>([
    ["no code", { AirportName: "Munich", Date: "2027-05-05", Time: "09:05:00" }],
    ["a code of null", { AirportCode: null, AirportName: "Munich", Date: "2027-05-05", Time: "09:05:00" }],
  ])("is not accepted when an airport is named with %s", (_, Arrival) => {
    for (const status of [changeOf({ Arrival }), listed({ Arrival: { ...Arrival, Time: "08:55:00" } })]) {
      const judged = judge(status.changes === undefined ? status : {}, status);

      expect(judged.facts("airportChanged", "airportMoveKm")).toContain("unknown-airport");
      expect(judged).toMatchObject(acceptedByNone);
    }
  });

  test("is accepted when the details name an airport as the segment does that states its code", () => {
    const Arrival = { AirportName: "example", Date: "2027-05-05", Time: "09:05:00" };

    expect(judge({}, changeOf({ Arrival }))).toMatchObject(acceptedAsBefore);
  });

  const fareBasis = { RBD: "Q", CabinType: "Y" };
  test.each<[string, Json]>([
    ["a segment key that is not listed", { FareComponent: [{ SegmentRefs: "SEG1", FareBasis: fareBasis }] }],
    ["a segment key of null", { FareComponent: [{ SegmentRefs: null, FareBasis: fareBasis }] }],
    ["no segment key", { FareComponent: { FareBasis: fareBasis } }],
    ["a list of fare bases", { FareComponent: [{ SegmentRefs: "Segment1", FareBasis: [fareBasis, fareBasis] }] }],
    ["too many classes", { FareComponent: [{ SegmentRefs: "Segment1", FareBasis: { RBD: "Q M", CabinType: "Y M" } }] }],
    [
      "classes that are objects",
      { FareComponent: [{ SegmentRefs: "Segment1", FareBasis: { RBD: { a: 1 }, CabinType: [{ a: 1 }] } }] },
    ],
    ["nothing but a text", { FareComponent: "Q/Y" }],
    [
      "its component in the fare detail",
      { FareDetail: { FareComponent: [{ SegmentRefs: "Segment1", FareBasis: fareBasis }] } },
    ],
  ])("is not accepted when the only fare of a flight comes with %s, in one view or in both", (_, item) => {
    const fare = { order: { OfferItem: [{ OfferItemID: "OFFERITEMID1", PassengerType: "ADT", ...item }] } };
    for (const notified of [{}, fare]) {
      const judged = judge(notified, fare);

      expect(judged.facts("cabinDowngraded", "rbdChanged", "retimedOnly")).toEqual([
        "unknown-cabin",
        "unknown-booking-class",
        expect.stringMatching(/^unknown-/),
      ]);
      expect(judged).toMatchObject(acceptedByNone);
    }
  });

  test("is accepted when a fare that names no listed flight says what the flight says itself", () => {
    const order = offerItem([{ SegmentRefs: "SEG1", FareBasis: fareBasis }]);
    const segment = (ResBookDesigCode: string) => listed({ Code: { ResBookDesigCode, Cabin: "Y" } });

    expect(judge({ order, ...segment("Q") })).toMatchObject(acceptedAsBefore);
    expect(judge({ order, ...segment("M") }).facts("rbdChanged", "cabinDowngraded")).toEqual([
      "unknown-booking-class",
      false,
    ]);
  });

  test("is accepted when a fare states the same class more often than it names flights", () => {
    const order = offerItem([{ SegmentRefs: "Segment1", FareBasis: { RBD: "Q Q", CabinType: "Y Y" } }]);

    expect(judge({ order })).toMatchObject(acceptedAsBefore);
    expect(judge({ order }).facts("rbdChanged", "cabinDowngraded")).toEqual([false, false]);
  });

  test("is accepted beside the fare of a flight that is not listed any more", () => {
    const flown = { SegmentRefs: "Segment0", FareBasis: { RBD: "M", CabinType: "W" } };
    const left = { SegmentRefs: "Segment1", FareBasis: fareBasis };

    expect(judge({ order: offerItem([flown, left]) })).toMatchObject(acceptedAsBefore);
    const ofAnother = { OfferItem: [...offerItem([left]).OfferItem, ...offerItem([flown]).OfferItem] };
    expect(judge({ order: ofAnother }).facts("rbdChanged")).toEqual(["unknown-booking-class"]);
  });

  test.each<[string, Json, Json]>([
    ["is not listed", priceClass({ Name: "Economy Flex" }), {}],
    ["has no name and no code", priceClass({ Name: "Economy Flex" }), priceClass({ Name: " ", Code: "" })],
    ["was not listed", {}, priceClass({ Name: "Economy Flex" })],
    ["had no name and no code", priceClass({}), priceClass({ Name: "Economy Flex" })],
  ])("is not accepted under a price class that %s", (_, notified, status) => {
    const judged = judge({ dataLists: notified }, { dataLists: status });

    expect(judged.facts("brandChanged", "retimedOnly")).toEqual(["unknown-brand", "unknown-brand"]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, unknown, unknown]>([
    ["that is not stated any more", "FLEX", ""],
    ["that was not stated", "", "FLEX"],
  ])("is not accepted under a brand %s", (_, before, after) => {
    const judged = judge(listed({ BrandId: before }), listed({ BrandId: after }));

    expect(judged.facts("brandChanged", "retimedOnly")).toEqual(["unknown-brand", "unknown-brand"]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("is accepted when the price class is stated by neither view, or not listed in either", () => {
    expect(judge({ dataLists: priceClass({}) })).toMatchObject(acceptedAsBefore);
    expect(judge({ dataLists: {} })).toMatchObject(acceptedAsBefore);
  });

  test("is not accepted when neither of two keys of price classes is listed", () => {
    const order = (PriceClassRef: string) =>
      offerItem([{ PriceClassRef, SegmentRefs: "Segment1", FareBasis: fareBasis }]);
    const judged = judge({ order: order("PCR_1") }, { order: order("PCR_2") });

    expect(judged.facts("brandChanged")).toEqual(["unknown-brand"]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("takes another code of a price class for another brand unless its name says the same", () => {
    const judged = (before: Json, after: Json) =>
      judge({ dataLists: priceClass(before) }, { dataLists: priceClass(after) });

    expect(judged({ Code: "FLEX" }, { Code: "LIGHT" }).facts("brandChanged")).toEqual([true]);
    expect(judged({ Code: "FLEX" }, { Code: "LIGHT" })).toMatchObject(acceptedByNone);
    const named = { Name: "Economy Flex" };
    expect(judged({ ...named, Code: "FLEX" }, { ...named, Code: "EFX" }).facts("brandChanged")).toEqual([false]);
    expect(judged({ ...named, Code: "FLEX" }, { ...named, Code: "EFX" })).toMatchObject(acceptedAsBefore);
  });

  test.each<[string, Json]>([
    ["of UTC where the airport is two hours ahead", { Time: "08:10:00Z" }],
    ["that is not the airport's", { Time: "08:10:00+05:30" }],
    ["of UTC behind the date", { Date: "2027-05-05T08:10:00Z", Time: undefined }],
  ])("is not accepted when a time carries an offset %s", (_, point) => {
    const departure = { AirportCode: "FRA", Date: "2027-05-05", ...point };
    const judged = judge({}, { changes: { Segment1: [{ ...later(), Departure: departure }] } });

    expect(judged.facts("departureLaterMinutes")).toEqual(["offset-contradicted"]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test.each<[string, Json]>([
    ["behind the time", { Time: "08:10:00+02:00" }],
    ["behind the date", { Date: "2027-05-05T08:10:00+0200", Time: undefined }],
  ])("is accepted when the offset %s is that of the airport", (_, point) => {
    const departure = { AirportCode: "FRA", Date: "2027-05-05", ...point };

    expect(judge({}, { changes: { Segment1: [{ ...later(), Departure: departure }] } })).toMatchObject(
      acceptedAsBefore,
    );
  });
});

describe("a notification that states more than its status", () => {
  test.each<[string, Json]>([
    ["another cabin", { Code: { ResBookDesigCode: "L", Cabin: "W" } }],
    ["another operating carrier", { OperatingCarrier: { AirlineID: "CL", Name: "CITYLINE" } }],
    ["a stop on the way", { FlightDetail: { Stops: { Value: 1 } } }],
  ])("is not answered with an accept when it states %s", (_, more) => {
    expect(judge(withStops(changeOf(more)), withStops())).toMatchObject(acceptedByNone);
    expect(judge(withStops(), withStops())).toMatchObject(acceptedAsBefore);
  });

  test.each<OrderViewOptions>([
    { pnrStatus: "FAILED" },
    { order: { OrderStatus: "CANCELLED" } },
    { order: { PaymentStatus: "REFUNDED" } },
  ])("is not answered with an accept when it says that the booking does not stand, %j", (notified) => {
    expect(judge(notified, {})).toMatchObject(acceptedByNone);
  });

  test.each<[string, OrderViewOptions]>([
    ["names no flight", { changes: {}, segments: [], journeys: [] }],
    ["lists the flights as they were booked", { changes: {} }],
  ])("is none when it only states that there is a change and %s", (_, notified) => {
    expect(judge(notified, {})).toMatchObject(acceptedAsBefore);
  });
});

describe("a booking of which something is gone", () => {
  test.each<[string, OrderViewOptions]>([
    ["the order", { order: { BookingStatus: "CANCELED" } }],
    [
      "the flight",
      {
        dataLists: { FlightList: { Flight: [{ FlightKey: "Flight1", SegmentReferences: "Segment1", Status: "HX" }] } },
      },
    ],
  ])("is not accepted when a status says so that the contract does not know, at %s", (_, status) => {
    expect(judge({}, status)).toMatchObject(acceptedByNone);
  });

  test("is not accepted when only one of its references is cancelled", () => {
    const other = { OrderID: "QX7R2M1A", GdsBookingReference: "LHSKD2", PnrStatus: "CANCELLED" };

    expect(judge({ otherOrders: [other] }).facts("bookingStands")).toEqual(["partly-cancelled"]);
    expect(judge({ otherOrders: [other] })).toMatchObject(acceptedByNone);
  });

  test.each<OrderViewOptions>([{ pnrStatus: "HX" }, { order: { OrderStatus: "CANCELLED" } }])(
    "is not closed because nothing is open any more, %j",
    (status) => {
      const closed: OrderViewOptions = {
        pnrStatus: "CONFIRMED",
        scheduleChangeIndicator: false,
        scheduleChangeStatus: "",
        changes: {},
        flags: null,
      };

      expect(Object.values(judge({}, { ...closed }).actions)).toEqual(["none", "none", "none", "none"]);
      expect(Object.values(judge({}, { ...closed, ...status }).actions)).toEqual([
        "review",
        "review",
        "review",
        "review",
      ]);
    },
  );
});

describe("a flight that is not flown as it was", () => {
  test("is not accepted by bus, whatever aircraft was booked", () => {
    const unstated = listed({ Equipment: { AircraftCode: "", Name: "" } });
    const judged = judge({ ...unstated, ...changeOf({ Equipment: { AircraftCode: "BUS" } }) });

    expect(judged.facts("aircraftClassLowered")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });

  test("shows another terminal also when that comes as a list of one", () => {
    const from = (Terminal: unknown) => ({
      Departure: { AirportCode: "FRA", Date: "2027-05-05", Time: "08:10", Terminal },
    });
    const views = { ...listed({ ...from({ Name: "1" }) }), ...changeOf(from([{ Name: "2" }])) };

    expect(judge(views).facts("terminalChanged")).toEqual([true]);
  });

  test.each([
    ["09:06", "review"],
    ["10:49", "review"],
    ["10:50", "accept"],
  ])(
    "leaves time for the next one of the trip, which leaves at %s and may be listed as a journey of its own",
    (at, action) => {
      const next = aSegment("Segment2", "LH1234", `MUC 2027-05-05 ${at}`, "VIE 2027-05-05 12:00");

      expect(judge({ segments: [booked(), next], journeys: [["Segment1"], ["Segment2"]] }).actions).toMatchObject({
        balanced: action,
      });
    },
  );

  test("needs an agent when assistance is named among the services only by its name", () => {
    const definition = {
      ServiceDefinitionID: "SD1",
      ServiceType: "OTHER",
      ServiceCode: "0L8",
      ServiceName: "Wheelchair ramp",
    };
    const { order } = wheelchairService();
    const judged = judge({ order: order!, dataLists: { ServiceDefinitionList: { ServiceDefinition: [definition] } } });

    expect(judged.facts("assistanceRequested")).toEqual([true]);
    expect(judged).toMatchObject(acceptedByNone);
  });
});

const acceptedByNone = {
  actions: Object.fromEntries(shippedPolicyNames.map((name) => [name, expect.not.stringMatching("accept")])),
};
const acceptedAsBefore = { actions: { cautious: "accept", balanced: "accept" } };

const policies = shippedPolicyNames.map((name) => readPolicyFile(name).policy);

/** What each shipped policy does with a status beside the notification of the same change. */
function judge(notified: OrderViewOptions = {}, status: OrderViewOptions = notified) {
  const judgement = evaluateNotification(
    {
      body: bytesOf(tenMinutesLater(notified)),
      statusBody: bytesOf(tenMinutesLater(status)),
      source: "default",
      now: new Date("2027-03-01T08:00:00Z"),
    },
    policies,
  );
  if (!judgement.ok) throw new Error(judgement.message);
  const { verdicts, assessment } = judgement.orders[0]!;
  return {
    actions: Object.fromEntries(shippedPolicyNames.map((name, index) => [name, verdicts[index]!.action])),
    /** Values, or the reasons why they are unknown. */
    facts: (...names: readonly FactName[]) =>
      names.map((name) => {
        const fact = assessment.facts[name];
        return fact.known ? fact.value : fact.reason;
      }),
  };
}

function tenMinutesLater(options: OrderViewOptions): { OrderViewRS: Json } {
  return anOrderView({
    pnrStatus: "SCHEDULE CHANGED",
    scheduleChangeIndicator: true,
    scheduleChangeStatus: "Initiated",
    segments: [booked()],
    changes: { Segment1: [later()] },
    ...options,
  });
}

function booked(overrides: Json = {}): Json {
  return aSegment("Segment1", "LH98", "FRA 2027-05-05 08:00", "MUC 2027-05-05 08:55", overrides);
}

function later(overrides: Json = {}): Json {
  return details("FRA 2027-05-05 08:10", "MUC 2027-05-05 09:05", overrides);
}

/** Flights that are stated to have no stop. */
function withStops(options: OrderViewOptions = {}): OrderViewOptions {
  return { ...listed({ FlightDetail: { Stops: { Value: 0 } } }), ...options };
}

function changeOf(overrides: Json): OrderViewOptions {
  return { changes: { Segment1: [later(overrides)] } };
}

function listed(overrides: Json): OrderViewOptions {
  return { segments: [booked(overrides)] };
}

/** A wheelchair among the services of the order. */
function wheelchairService(): OrderViewOptions {
  const definition = { ServiceDefinitionID: "SD1", ServiceType: "SSR", ServiceCode: "WCHS" };
  return {
    order: { OfferItem: [{ OfferItemID: "SRV-OfferItem-1", Status: "SUCCESS", ServiceDefinitionRef: "SD1" }] },
    dataLists: { ServiceDefinitionList: { ServiceDefinition: [definition] } },
  };
}

function priceClass(values: Json): Json {
  return { PriceClassList: { PriceClass: [{ PriceClassID: "PCR_1", Name: "", Code: "", ...values }] } };
}

function offerItem(FareComponent: unknown) {
  return { OfferItem: [{ OfferItemID: "OFFERITEMID1", PassengerType: "ADT", FareComponent }] };
}

/** The order element of somebody who has booked class D in business class. */
const businessClass: Json = {
  OfferItem: [
    {
      OfferItemID: "OFFERITEMID1",
      PassengerType: "ADT",
      FareComponent: [{ SegmentRefs: "Segment1", FareBasis: { RBD: "D", CabinType: "C" } }],
    },
  ],
};
