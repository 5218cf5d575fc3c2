import { describe, expect, test } from "vitest";
import { requestReader } from "../../../src/contract/operations/request-reader.ts";
import { readPassengers } from "../../../src/contract/passenger-rules.ts";

const root = "OfferPriceRQ";
const list = `/${root}/DataLists/PassengerList/Passenger`;

describe("a passenger list", () => {
  test.each([
    ["one adult", "ADT"],
    ["nine passengers", "ADT ADT ADT ADT ADT ADT ADT CHD INF"],
    ["as many infants as adults", "ADT ADT INF INF"],
    ["children without limit but nine", "ADT CHD CHD CHD CHD CHD CHD CHD CHD"],
  ])("may hold %s", (_, types) => {
    const passengers = types.split(" ").map((ptc, position) => ({ passengerId: `T${position + 1}`, ptc }));

    expect(readTypes(types)).toEqual({ ok: true, query: passengers });
  });

  test.each([
    ["no adult", "CHD", "request.no_adult", "At least one passenger must be an adult (ADT)."],
    [
      "more than nine passengers",
      "ADT ADT ADT ADT ADT ADT ADT ADT ADT ADT",
      "request.too_many_passengers",
      "The request names 10 passengers; at most 9 can travel on one offer.",
    ],
    [
      "an infant more than adults",
      "ADT INF INF",
      "request.more_infants_than_adults",
      "The request names 2 infants (INF) and 1 adults (ADT); each infant needs an adult.",
    ],
  ])("is refused when it holds %s", (_, types, code, message) => {
    expect(readTypes(types)).toEqual({ ok: false, problem: { code, businessCode: 17, path: list, message } });
  });

  test.each([
    ["the list is empty", { DataLists: { PassengerList: { Passenger: [] } } }],
    ["the list is missing", { DataLists: {} }],
    ["there are no lists", {}],
  ])("is refused when %s", (_, content) => {
    expect(readContent(content)).toEqual({
      ok: false,
      problem: {
        code: "request.no_passenger",
        businessCode: 17,
        path: list,
        message: "The request names no passenger.",
      },
    });
  });

  test.each([
    ["T1 to T9", { PassengerID: "T9", PTC: "ADT" }, "T9"],
    ["other keys", { PassengerID: "ADT1", PTC: "ADT" }, "ADT1"],
    ["a number", { PassengerID: 1, PTC: "ADT" }, "1"],
    ["only the attribute", { attributes: { PassengerID: "T1" }, PTC: "ADT" }, "T1"],
    ["lower-case names and type", { passengerid: "T1", ptc: "adt" }, "T1"],
  ])("reads %s", (_, passenger, passengerId) => {
    expect(read([passenger])).toEqual({ ok: true, query: [{ passengerId, ptc: "ADT" }] });
  });

  test("may be called Passengers, or be one passenger alone", () => {
    const passenger = { PassengerID: "T1", PTC: "ADT" };
    const expected = { ok: true, query: [{ passengerId: "T1", ptc: "ADT" }] };

    const called = { DataLists: { PassengerList: { Passengers: [passenger] } } };
    expect(readContent(called)).toEqual(expected);
    expect(read(passenger)).toEqual(expected);
  });

  test.each([
    [
      "has no PassengerID",
      { PassengerID: " ", PTC: "ADT" },
      {
        code: "request.no_passenger_id",
        businessCode: 34,
        path: "PassengerID",
        message: "A passenger has no PassengerID.",
      },
    ],
    [
      "is no object",
      "T2",
      {
        code: "request.no_passenger_id",
        businessCode: 34,
        path: "PassengerID",
        message: "A passenger has no PassengerID.",
      },
    ],
    [
      "has the key of another",
      { PassengerID: "T1", PTC: "CHD" },
      {
        code: "request.duplicate_passenger_id",
        businessCode: 34,
        path: "PassengerID",
        message: "The PassengerID T1 is given to more than one passenger.",
      },
    ],
    [
      "has another type",
      { PassengerID: "T2", PTC: "CNN" },
      {
        code: "request.passenger_type",
        businessCode: 16,
        path: "PTC",
        message: "The PTC of passenger T2 is not ADT, CHD or INF.",
      },
    ],
    [
      "has no type",
      { PassengerID: "T2" },
      {
        code: "request.passenger_type",
        businessCode: 16,
        path: "PTC",
        message: "The PTC of passenger T2 is not ADT, CHD or INF.",
      },
    ],
  ])("is refused when its second passenger %s", (_, passenger, problem) => {
    expect(read([{ PassengerID: "T1", PTC: "ADT" }, passenger])).toEqual({
      ok: false,
      problem: { ...problem, path: `${list}/1/${problem.path}` },
    });
  });

  test("names no position when the passenger stands alone", () => {
    expect(read({ PassengerID: "T1" })).toMatchObject({ ok: false, problem: { path: `${list}/PTC` } });
  });
});

function readTypes(types: string) {
  return read(types.split(" ").map((ptc, position) => ({ PassengerID: `T${position + 1}`, PTC: ptc })));
}

function read(passengers: unknown) {
  return readContent({ DataLists: { PassengerList: { Passenger: passengers } } });
}

function readContent(content: object) {
  return requestReader(root, (given) => readPassengers(given, (passenger) => passenger))({ [root]: content });
}
