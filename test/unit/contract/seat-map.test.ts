import { describe, expect, test } from "vitest";
import { airPostBookingSeatMap } from "../../../src/contract/operations/air-post-booking-seat-map.ts";
import { airSeatMap } from "../../../src/contract/operations/air-seat-map.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { exampleOf } from "../../builders/examples.ts";
import { anOfferRequest } from "../../builders/offer-requests.ts";
import { anErrorResponse, anOrderRequest } from "../../builders/order-view-operations.ts";
import { withValueAt } from "../../builders/value-at.ts";
import { danglingReferences } from "../../harness/dangling-references.ts";

const operations = [airSeatMap, airPostBookingSeatMap] as const;
const root = "AirSeatMapRQ";
const example = exampleOf(airSeatMap).response;
const booked = exampleOf(airPostBookingSeatMap).response;
describe("the seat map operations", () => {
  test.each(operations.map((operation): [string, Operation] => [operation.name, operation]))(
    "%s has an example whose references all lead somewhere",
    (_, operation) => {
      const response = exampleOf(operation).response as Record<string, Parameters<typeof danglingReferences>[1]>;

      expect(danglingReferences("AirSeatMapRS", response["AirSeatMapRS"]!)).toEqual([]);
    },
  );
});

describe("a request of AirSeatMap", () => {
  test("is refused when it names an order, with the operation to use instead", () => {
    expect(airSeatMap.readRequest(anOrderRequest(root))).toEqual({
      ok: false,
      problem: {
        code: "request.names_order",
        path: "/AirSeatMapRQ/Query/OrderID",
        message: "The request names an order and no offer: send it to AirPostBookingSeatMap.",
        businessCode: 29,
      },
    });
  });
});

describe("a request of AirPostBookingSeatMap", () => {
  test("may state the booking reference as text", () => {
    expect(airPostBookingSeatMap.readRequest(anOrderRequest(root, { GdsBookingReference: "LHSKD1" }))).toEqual({
      ok: true,
      query: { orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] },
    });
  });

  test("is refused when it names offers, with the operation to use instead", () => {
    expect(airPostBookingSeatMap.readRequest(anOfferRequest(root))).toEqual({
      ok: false,
      problem: {
        code: "request.names_offer",
        path: "/AirSeatMapRQ/Query/Offer",
        message: "The request names offers and no order: send it to AirSeatMap.",
        businessCode: 29,
      },
    });
  });
});

const map = "AirSeatMapRS/SeatMap/0";

describe("a response with a seat map", () => {
  const expected = airSeatMap.interpret(example);

  test("is read with columns, the aisle, rows and seats", () => {
    expect(expected).toMatchObject({
      ok: true,
      result: {
        shoppingResponseId: "1724067361311310318",
        seatResponseId: "1724067361311310320",
        aLaCarteOffer: {
          timeLimits: { offerExpiration: "2027-03-01T18:30:00" },
          aLaCarteOfferItem: [
            { offerItemId: "SeatItem1" },
            { offerItemId: "SeatItem2" },
            { offerItemId: "SeatItem3", price: { total: { bookingCurrencyPrice: "38.68" } } },
          ],
        },
        seatMap: [
          {
            segmentRef: "Segment1",
            columnLayOut: [
              { name: "A", position: "W" },
              { name: "B", position: "C" },
              { name: "C", position: "A" },
              { name: "GAP" },
              { name: "D", position: "A" },
              { name: "E", position: "C" },
              { name: "F", position: "W" },
            ],
            rowInfo: { start: "10", end: "14" },
            wingRow: { start: "11", end: "14" },
            rows: [
              {
                number: "10",
                rowExists: true,
                exitRow: false,
                extraLegRoom: false,
                seat: [
                  {
                    column: "A",
                    seatExists: true,
                    servicable: true,
                    available: true,
                    seatId: "Seat10A",
                    paxRef: ["T1", "T2"],
                    chargable: true,
                    offerItemRefs: ["SeatItem2"],
                  },
                  { column: "B", seatExists: true, servicable: true, available: false, offerItemRefs: [] },
                  {},
                  {},
                  {},
                  {},
                ],
              },
              { number: "11" },
              {
                number: "12",
                exitRow: true,
                extraLegRoom: true,
                seat: [{}, {}, {}, { column: "D", seatExists: false, available: false }, {}, {}],
              },
              { number: "13", rowExists: false, seat: [] },
              { number: "14", seat: [{ chargable: false }, { servicable: false, available: false }, {}, {}, {}, {}] },
            ],
          },
        ],
      },
    });
  });

  test("of a booking holds the facilities of its seats and the spellings of its segments", () => {
    expect(airPostBookingSeatMap.interpret(booked)).toMatchObject({
      ok: true,
      result: {
        seatMap: [
          {
            rows: [
              { number: 10, seat: [{ seatFecilities: ["Window"] }, { available: false }, {}, {}, {}, {}] },
              { number: 11 },
              { number: 12, seat: [{ seatFecilities: ["Window", "Exit row", "Extra leg room"] }, {}, {}, {}, {}, {}] },
              { number: 13 },
              { number: 14 },
            ],
          },
        ],
        dataLists: {
          flightSegmentList: {
            flightSegment: [
              {
                flightRef: "Flight1",
                segmentRef: "Segment1",
                marketingCarrier: { airlineId: "LH", flightNumber: "1167" },
                equipment: { aircraftCode: "32N", aircraftName: "Airbus A320neo" },
                code: { resBookDesigCode: "K", cabin: "Y" },
              },
            ],
          },
        },
      },
    });
  });

  test("of a booking means the same with segments spelled as elsewhere and row numbers as text", () => {
    const segment = "AirSeatMapRS/DataLists/FlightSegmentList/FlightSegment/0";
    const { SegmentRef, Equipment, ...others } = booked.AirSeatMapRS.DataLists.FlightSegmentList.FlightSegment[0]!;
    const respelled = withValueAt(booked, segment, {
      ...others,
      SegmentKey: SegmentRef,
      MarketingCarrier: { AirlineID: "LH", Name: "Lufthansa", FlightNumber: "1167" },
      Equipment: { AircraftCode: Equipment.AircraftCode, Name: Equipment.AircraftName },
    });

    expect(airPostBookingSeatMap.interpret(withValueAt(respelled, `${map}/Rows/0/Number`, "10"))).toEqual(
      airPostBookingSeatMap.interpret(booked),
    );
  });

  test.each<[string, unknown]>([
    ["without its root", example.AirSeatMapRS],
    ["with one map that is no list", withValueAt(example, "AirSeatMapRS/SeatMap", example.AirSeatMapRS.SeatMap[0])],
    ["with a numeric row number", withValueAt(example, `${map}/Rows/0/Number`, 10)],
    ["with numeric ranges", withValueAt(example, `${map}/RowInfo`, { Start: 10, End: 14 })],
    ["with truths as text", withValueAt(example, `${map}/Rows/0/Seat/0/Available`, "true")],
    ["with truths as Y and N", withValueAt(example, `${map}/Rows/2/ExitRow`, "Y")],
    ["with an empty position at the gap", withValueAt(example, `${map}/ColumnLayOut/3/Position`, "")],
    ["with the gap in lower case", withValueAt(example, `${map}/ColumnLayOut/3/Name`, "gap")],
    ["with null beside an unavailable seat", withValueAt(example, `${map}/Rows/0/Seat/1/SeatId`, null)],
    ["with references as lists", withValueAt(example, `${map}/Rows/0/Seat/0/PaxRef`, ["T1", "T2"])],
    ["with no seats where a row does not exist", withValueAt(example, `${map}/Rows/3/Seat`, undefined)],
    ["with keys nobody knows", withValueAt(example, `${map}/Extra`, [])],
  ])("means the same %s", (_, body) => {
    expect(airSeatMap.interpret(body)).toEqual(expected);
  });

  test("never makes a seat available that does not say so", () => {
    const body = withValueAt(example, `${map}/Rows/0/Seat/0/Available`, undefined);
    const read = airSeatMap.interpret(body);

    expect(read.ok && read.result.seatMap[0]?.rows[0]?.seat[0]).not.toHaveProperty("available");
  });

  test("is rejected when it states errors, even beside a map", () => {
    const errors = { Error: { Code: "28", Value: "PAX_MISMATCH_SEAT" } };

    expect(airSeatMap.interpret(withValueAt(example, "AirSeatMapRS/Errors", errors))).toMatchObject({
      ok: false,
      problem: { code: "gateway.rejected", errors: [{ code: "28", text: "PAX_MISMATCH_SEAT" }] },
    });
    expect(airPostBookingSeatMap.interpret(anErrorResponse("AirSeatMapRS"))).toMatchObject({
      problem: { code: "gateway.rejected" },
    });
  });

  test("is of use without Success, which is not always at its place", () => {
    const body = withValueAt(example, "AirSeatMapRS/Success", undefined);

    expect(airSeatMap.interpret(body)).toEqual(withValueAt(expected, "result/success", undefined));
  });

  test.each<[unknown, string, string]>([
    [null, "", "It is no JSON object."],
    [[], "", "It is no JSON object."],
    ["OK", "", "It is no JSON object."],
    [{}, "/SeatMap", "It holds no SeatMap."],
    [{ AirSeatMapRS: { Success: {} } }, "/SeatMap", "It holds no SeatMap."],
    [{ AirSeatMapRS: { Success: {}, SeatMap: "" } }, "/SeatMap", "It holds no SeatMap."],
  ])("is unusable in %j", (body, path, because) => {
    expect(airSeatMap.interpret(body)).toMatchObject({
      ok: false,
      problem: {
        code: "gateway.unusable_answer",
        path: path === "" ? expect.any(String) : `/AirSeatMapRS${path}`,
        message: `The AirSeatMapRS response cannot be used. ${because}`,
        errors: [],
      },
    });
  });
});

describe("a seat map that is served", () => {
  const seat = `${map}/Rows/0/Seat/0`;
  const taken = `${map}/Rows/0/Seat/1`;

  test.each<[string, string, unknown, string]>([
    ["an available seat without SeatId", `${seat}/SeatId`, undefined, `${seat}/SeatId`],
    ["an available seat without PaxRef", `${seat}/PaxRef`, undefined, `${seat}/PaxRef`],
    ["an available seat without Chargable", `${seat}/Chargable`, undefined, `${seat}/Chargable`],
    ["an available seat without OfferItemRefs", `${seat}/OfferItemRefs`, undefined, `${seat}/OfferItemRefs`],
    ["a seat that does not say whether it is available", `${seat}/Available`, undefined, `${seat}/Available`],
    ["an unavailable seat with SeatId", `${taken}/SeatId`, "Seat10B", taken],
    ["an unavailable seat with OfferItemRefs", `${taken}/OfferItemRefs`, "SeatItem1", taken],
    ["a truth as text", `${seat}/Chargable`, "true", `${seat}/Chargable`],
    ["keys separated by two blanks", `${seat}/PaxRef`, "T1  T2", `${seat}/PaxRef`],
    ["a gap with a position", `${map}/ColumnLayOut/3/Position`, "A", `${map}/ColumnLayOut/3`],
    ["a column without a position", `${map}/ColumnLayOut/0/Position`, undefined, `${map}/ColumnLayOut/0`],
    ["a cabin without columns", `${map}/ColumnLayOut`, [], `${map}/ColumnLayOut`],
  ])("never has %s", (_, path, value, issuePath) => {
    for (const [operation, response] of [
      [airSeatMap, example],
      [airPostBookingSeatMap, booked],
    ] as const) {
      const { error } = operation.responseSchema.safeParse(withValueAt(response, path, value));

      expect(error?.issues[0]?.path.join("/")).toBe(issuePath);
    }
  });

  test("numbers its rows as text before booking and as numbers after", () => {
    expect(airSeatMap.responseSchema.safeParse(withValueAt(example, `${map}/Rows/0/Number`, 10)).success).toBe(false);
    expect(
      airPostBookingSeatMap.responseSchema.safeParse(withValueAt(booked, `${map}/Rows/0/Number`, "10")).success,
    ).toBe(false);
  });

  test("lists facilities after booking only", () => {
    expect(airSeatMap.responseSchema.safeParse(withValueAt(example, `${seat}/SeatFecilities`, [])).success).toBe(false);
    expect(
      airPostBookingSeatMap.responseSchema.safeParse(withValueAt(booked, `${seat}/SeatFecilities`, undefined)).success,
    ).toBe(false);
  });

  test.each<[string, string, unknown, string]>([
    ["an offer item", "SeatMap/0/Rows/0/Seat/0/OfferItemRefs", "SeatItem9", "SeatItem9"],
    ["one of two offer items", "SeatMap/0/Rows/0/Seat/0/OfferItemRefs", "SeatItem1 SeatItem9", "SeatItem9"],
    ["a passenger", "SeatMap/0/Rows/0/Seat/0/PaxRef", "T9", "T9"],
    ["a column", "SeatMap/0/Rows/0/Seat/1/Column", "K", "K"],
    ["the aisle as a column", "SeatMap/0/Rows/0/Seat/1/Column", "GAP", "GAP"],
    ["a segment", "SeatMap/0/SegmentRef", "Segment9", "Segment9"],
  ])("shows a reference to %s that it does not hold", (_, path, references, key) => {
    for (const response of [example, booked]) {
      const body = withValueAt(response, `AirSeatMapRS/${path}`, references);

      expect(danglingReferences("AirSeatMapRS", body.AirSeatMapRS)).toEqual([{ path: `/AirSeatMapRS/${path}`, key }]);
    }
  });
});
