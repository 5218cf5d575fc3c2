import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { isInFlightOrFlag } from "../../../src/contract/unread-members.ts";
import { aMinorDelay, aSegment, type Json, type OrderViewOptions } from "../../builders/order-view.ts";

function unreadIn(body: unknown): readonly string[] {
  const reading = readOrderView(body);
  if (!reading.ok) throw new Error(reading.problem.message);
  const { statements, values } = reading.view.unread;
  return [...new Set(statements.map(({ path }) => path)), ...values];
}

const inSegment = (values: Json): OrderViewOptions => ({
  segments: [aSegment("Segment1", "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", values)],
});
const inDetails = (values: object): OrderViewOptions => ({ changes: { Segment1: [values] } });
const inFlags = (flags: object): OrderViewOptions => ({ flags });

const segmentPath = "DataLists.FlightSegmentList.FlightSegment";
const detailsPath = "DataLists.ScheduleChangeSegmentList.ScheduleChangeSegment.SegmentDetails";

describe("what a view states and nobody reads", () => {
  test.each([
    ...readdirSync("samples").map((name) => `samples/${name}`),
    ...["AirReservationStatus.response", "AirDocRetreive.response", "OCN.request"].map(
      (name) => `src/contract/examples/${name}.json`,
    ),
  ])("is nothing in %s", (path) => {
    expect(unreadIn(JSON.parse(readFileSync(path, "utf8")))).toEqual([]);
  });

  test.each<[string, OrderViewOptions, string]>([
    ["a member of a segment", inSegment({ Gate: "B12" }), `${segmentPath}.Gate`],
    [
      "a member of a departure",
      inSegment({ Departure: { AirportCode: "LIS", Hall: "2" } }),
      `${segmentPath}.Departure.Hall`,
    ],
    ["a member of new values", inDetails({ Bus: true }), `${detailsPath}.Bus`],
    [
      "one of two values where one belongs",
      inDetails({ Code: [{ MarriageGroup: "" }, { Cabin: "Y" }] }),
      `${detailsPath}.Code`,
    ],
    ["a list in a list", { changes: { Segment1: [{ BrandId: "FLEX" }, [{ BrandId: "LIGHT" }]] } }, detailsPath],
    ["a scalar in an object", inDetails({ BrandId: { Value: "LIGHT" } }), `${detailsPath}.BrandId`],
    ["a second spelling of a member", inDetails({ BrandId: "FLEX", brandID: "LIGHT" }), `${detailsPath}.BrandId`],
    ["a flag", inFlags({ Accept: "Y", Voucher: "Y" }), "Order.ScheduleChange.AmendmentsActions.Voucher"],
    [
      "an airport that is no text",
      inDetails({ Arrival: { AirportCode: { A: 1 } } }),
      `${detailsPath}.Arrival.AirportCode`,
    ],
    ["equipment that is no object", inDetails({ Equipment: "320" }), `${detailsPath}.Equipment`],
    [
      "a number of stops in words",
      inDetails({ FlightDetail: { Stops: "one" } }),
      `${detailsPath}.FlightDetail.Stops.Value`,
    ],
    ["a date that is none", inDetails({ Arrival: { Date: "14MAR" } }), `${detailsPath}.Arrival.Date`],
  ])("includes %s, where the change may be described", (_, options, path) => {
    expect(unreadIn(aMinorDelay(options))).toEqual([path]);
    expect(isInFlightOrFlag(path)).toBe(true);
  });

  test.each<[string, OrderViewOptions, string]>([
    ["a member of the order", { order: { Remarks: [{ Text: "call us" }] } }, "Order.Remarks.Text"],
    ["a list", { dataLists: { VoucherList: { Voucher: [{ Id: "V1" }] } } }, "DataLists.VoucherList.Voucher.Id"],
  ])("includes %s, where it changes nothing", (_, options, path) => {
    expect(unreadIn(aMinorDelay(options))).toEqual([path]);
    expect(isInFlightOrFlag(path)).toBe(false);
  });

  test.each<[string, OrderViewOptions]>([
    ["what gateways are known to send beyond the contract", inSegment({ FlightDetail: { AirlinePnr: "ABC123" } })],
    ["class and cabin in the code of a segment", inDetails({ Code: { ResBookDesigCode: "L", Cabin: "Y" } })],
    ["flags beside ScheduleChange", { order: { AmendmentsActions: { Accept: "Y" } } }],
    ["members in another letter case", inDetails({ arrival: { airportcode: "FRA", time: "11:40" } })],
    ["values without the object around them", inDetails({ FlightDetail: { FlightDuration: "3 H 10 M", Stops: 0 } })],
    ["unknown members that are empty", inSegment({ Gate: "", Hall: null, Buses: [], Boarding: {} })],
  ])("leaves out %s", (_, options) => {
    expect(unreadIn(aMinorDelay(options))).toEqual([]);
  });

  test("names each path once, however many elements have it", () => {
    const segment = (key: string) =>
      aSegment(key, "LH1167", "LIS 2027-03-14 07:10", "FRA 2027-03-14 11:20", { Gate: key });

    expect(unreadIn(aMinorDelay({ segments: [segment("Segment1"), segment("Segment2")] }))).toEqual([
      `${segmentPath}.Gate`,
    ]);
  });

  test("cuts long names, and leaves out of them what cannot be stored", () => {
    const [path] = unreadIn(aMinorDelay(inSegment({ [`\0${"x".repeat(500)}`]: 1 })));

    expect(path).toBe(`${segmentPath}.${"x".repeat(59)}`);
  });
});

describe("a path of long names", () => {
  const nested = (name: string, levels: number, innermost: unknown): unknown =>
    levels === 0 ? innermost : { [name]: nested(name, levels - 1, innermost) };

  test.each(["x", "ü", "予", "🧳"])("has at most 600 bytes, of names with %s", (letter) => {
    const paths = unreadIn(
      aMinorDelay({ order: { Tours: nested(letter.repeat(60), 28, { A: 1, B: 2, C: { D: 3 } }) } }),
    );

    expect(paths).toHaveLength(3);
    for (const path of paths) {
      expect(Buffer.byteLength(path)).toBeLessThanOrEqual(600);
      expect(path).toMatch(/^Order\.Tours\..*\.…[0-9a-f]{16}$/);
    }
  });

  test("is below the same elements as before, and the same in every view", () => {
    const view = aMinorDelay({ order: { Tours: nested("予".repeat(60), 16, { A: 1 }) } });

    const [path] = unreadIn(view);

    expect(unreadIn(view)).toEqual([path]);
    expect(path!.split(".").slice(0, -1)).toEqual([
      "Order",
      "Tours",
      "予".repeat(60),
      "予".repeat(60),
      "予".repeat(60),
    ]);
  });

  test.each([
    [580, false],
    [581, true],
  ])("of %i bytes is cut: %s", (bytes, isCut) => {
    const rest = bytes - "Order.Tours".length;
    const [whole, last] = [Math.floor(rest / 51), rest % 51];
    const names = [...Array.from({ length: whole }, () => "x".repeat(50)), "y".repeat(last - 1)];
    const value = names.reduceRight<unknown>((below, name) => ({ [name]: below }), 1);

    const [path] = unreadIn(aMinorDelay({ order: { Tours: value } }));

    expect(path!.includes("…")).toBe(isCut);
  });

  test("cannot be stated by a name that looks like its end", () => {
    const [path] = unreadIn(aMinorDelay({ order: { Tours: { "…0123456789abcdef": 1 } } }));

    expect(path).not.toContain("…");
  });
});

describe("a view with thousands of statements", () => {
  const names = (count: number) =>
    Array.from(
      { length: count },
      (_, at) => `Tour${[...String(at)].map((digit) => "aeioulmrvw"[Number(digit)]).join("")}`,
    );
  const kinds = (count: number) => Object.fromEntries(names(count).map((name) => [name, "Guided"]));
  const statementsIn = (order: object) => {
    const reading = readOrderView(aMinorDelay({ order: { Tours: order } }));
    return reading.ok ? reading.view.unread.statements : [];
  };
  const further = { path: "(further members)", class: "code", value: null, word: null };

  test("states each of 2,000", () => {
    const statements = statementsIn(kinds(2_000));

    expect(statements).toHaveLength(2_000);
    expect(statements).not.toContainEqual(further);
  });

  test("states the first 2,000, and that there are others", () => {
    for (const count of [2_001, 5_000]) {
      const statements = statementsIn(kinds(count));

      expect(statements).toHaveLength(2_001);
      expect(statements.at(-1)).toEqual(further);
    }
  });

  test("has an order to stop if one of the others is one", () => {
    const statements = statementsIn({ ...kinds(2_001), Hint: "Call the airline", Last: "Guided" });

    expect(statements.at(-1)).toMatchObject({ ...further, class: "stop", word: expect.stringMatching(/call/) });
  });

  test("states of many ids the path, which can be marked", () => {
    const ids = Array.from({ length: 5_000 }, (_, at) => `TOUR-99887766-${at}`);
    const statements = statementsIn({ Id: ids });

    expect(statements).toHaveLength(2_001);
    expect(statements.at(-1)).toEqual({ path: "Order.Tours.Id", class: "other", value: null, word: null });
  });

  test("keeps no more paths of ids than it does statements", () => {
    const paths = Object.fromEntries(names(5_000).map((name, at) => [name, `TOUR-99887766-${at}`]));
    const statements = statementsIn(paths);

    expect(statements).toHaveLength(4_001);
    expect(statements.at(-1)).toEqual(further);
  });

  test("keeps the strictest of what is stated twice in one place", () => {
    const statements = statementsIn({ Cancelled1001: { Hint: "XY" }, Tour1002: { Hint: "XY" } });

    expect(statements).toMatchObject([{ path: "Order.Tours.*.Hint", class: "stop" }]);
  });
});

describe("a member that is named by an id", () => {
  test.each([
    ["RM24074"],
    ["4"],
    ["12A"],
    ["2027-03-14"],
    ["d9428888-122b-41e1-b85c-61cd3cbb3210"],
    ["KQ8LMZ"],
    ["T1001"],
  ])("has a position instead of the name %s", (name) => {
    expect(unreadIn(aMinorDelay({ order: { Rooms: { [name]: { Floor: 3 } } } }))).toEqual(["Order.Rooms.*.Floor"]);
  });

  test.each([["Line1"], ["Segment2"], ["Co2"], ["IPv4"], ["ADDRESS1"], ["H264Codec"], ["Address12Line"]])(
    "has the name %s, which is no id",
    (name) => {
      expect(unreadIn(aMinorDelay({ order: { Rooms: { [name]: { Floor: 3 } } } }))).toEqual([
        `Order.Rooms.${name}.Floor`,
      ]);
    },
  );
});
