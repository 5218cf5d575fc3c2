import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { field } from "../../../src/contract/element.ts";
import {
  digits,
  localDate,
  localDateTime,
  localTime,
  pnrStatus,
  references,
  tokens,
  yesNo,
} from "../../../src/contract/elements/codes.ts";
import { moneyObject, penaltyMoney } from "../../../src/contract/elements/money.ts";
import { scheduleChangeElement } from "../../../src/contract/elements/segment.ts";
import { parseJson } from "../../../src/contract/json.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { operationNames, operations } from "../../../src/contract/operations/registry.ts";
import { orderViewResponseSchema } from "../../../src/contract/order-view-schema.ts";
import { createNormaliser } from "../../../src/contract/tolerant.ts";
import { exampleOf } from "../../builders/examples.ts";
import { bytesOf } from "../../builders/order-view.ts";
import { forCorruptBodies } from "../../harness/corrupt-cases.ts";
import { sampleSize } from "../../harness/sample-size.ts";

const order = z.strictObject({
  OrderID: z.string(),
  ScheduleChangeIndicator: z.boolean(),
  PnrStatus: pnrStatus,
  NeedToTicket: yesNo,
  SegmentReferences: field(references, "segments", { aliases: ["SegmentRefs"] }),
  RBD: tokens,
  Stops: z.int(),
  Departs: localDate,
  At: localTime,
  Until: localDateTime,
  GdsBookingReference: z.array(z.string()),
  ShoppingResponseId: digits,
});
const normaliseOrder = createNormaliser(order);

describe("a normalised value", () => {
  test.each([
    ["a key in another letter case", { orderid: "A1" }, { OrderID: "A1" }],
    ["a key under its other name", { SegmentRefs: "S1 S2" }, { SegmentReferences: "S1 S2" }],
    ["a key that nobody knows", { OrderID: "A1", Colour: "red" }, { OrderID: "A1" }],
    ["a number where text belongs", { OrderID: 12_345_678 }, { OrderID: "12345678" }],
    ["text where a number belongs", { Stops: "2" }, { Stops: 2 }],
    ["text that only JavaScript takes for a number", { Stops: "0x10" }, {}],
    ["minus nothing", { Stops: -0 }, { Stops: 0 }],
    ["text where a boolean belongs", { ScheduleChangeIndicator: "true" }, { ScheduleChangeIndicator: true }],
    ["a boolean where Y or N belongs", { NeedToTicket: false }, { NeedToTicket: "N" }],
    ["y", { NeedToTicket: "y" }, { NeedToTicket: "Y" }],
    ["null", { OrderID: null }, {}],
    ["a blank", { OrderID: "  " }, {}],
    ["an empty list", { GdsBookingReference: [] }, {}],
    ["a list with nothing in it", { GdsBookingReference: [null, ""] }, {}],
    ["one thing where a list belongs", { GdsBookingReference: "LHSKD1" }, { GdsBookingReference: ["LHSKD1"] }],
    ["a list where one thing belongs", { OrderID: ["A1"] }, { OrderID: "A1" }],
    ["a list of keys", { SegmentReferences: ["S1", "S2"] }, { SegmentReferences: "S1 S2" }],
    ["keys with commas, twice", { SegmentReferences: "S1, S2,S1" }, { SegmentReferences: "S1 S2" }],
    ["tokens that repeat", { RBD: "Q  Q Y" }, { RBD: "Q Q Y" }],
    ["CANCELED", { PnrStatus: "canceled" }, { PnrStatus: "CANCELLED" }],
    ["a code with an underscore", { PnrStatus: "Schedule_Changed" }, { PnrStatus: "SCHEDULE CHANGED" }],
    ["a code that nobody knows", { PnrStatus: "ON HOLD" }, { PnrStatus: "ON HOLD" }],
    ["a date without hyphens", { Departs: "20270314" }, { Departs: "2027-03-14" }],
    ["a date that is none", { Departs: "tomorrow" }, { Departs: "tomorrow" }],
    ["a time without seconds", { At: "7:30" }, { At: "07:30:00" }],
    ["a time of half a day", { At: "7:30 PM" }, { At: "19:30:00" }],
    ["a time of half a day with seconds", { At: "07:30:00am" }, { At: "07:30:00" }],
    ["noon and midnight of half a day", { At: "12:05 PM", Until: "12:05 AM" }, { At: "12:05:00", Until: "12:05 AM" }],
    ["a time with too many digits", { At: "07:300" }, { At: "07:300" }],
    ["a time with a fraction of a second", { At: "07:30:00.000" }, { At: "07:30:00" }],
    ["a time with a zone", { At: "07:30:00+01:00" }, { At: "07:30:00" }],
    ["a date and time with a blank", { Until: "2027-03-14 07:30:00" }, { Until: "2027-03-14T07:30:00" }],
    ["an object where text belongs", { OrderID: { id: "A1" } }, {}],
  ])("puts right %s", (_, sent, expected) => {
    expect(normaliseOrder(sent)).toEqual(expected);
  });

  test("prefers the exact spelling, unless it says nothing", () => {
    expect(normaliseOrder({ orderid: "B2", OrderID: "A1" })).toEqual({ OrderID: "A1" });
    expect(normaliseOrder({ OrderID: "", orderid: "B2" })).toEqual({ OrderID: "B2" });
    expect(normaliseOrder({ SegmentRefs: "S9", segmentreferences: "S1" })).toEqual({ SegmentReferences: "S1" });
  });

  test.each([
    ["19", "1724067361311310318"],
    ["28", "1724067361311310318172406736"],
  ])("keeps every digit of an identifier of %s digits, sent as a number", (_, id) => {
    const parsed = parseJson(bytesOf(`{"ShoppingResponseId":${id}}`));

    expect(normaliseOrder(parsed.ok && parsed.value)).toEqual({ ShoppingResponseId: id });
  });

  test("writes an identifier that a double holds exactly in full", () => {
    expect(normaliseOrder({ ShoppingResponseId: 1e21 })).toEqual({ ShoppingResponseId: "1000000000000000000000" });
  });

  test.each([[null], [undefined], [""], [7], [[]], [true]])("is nothing when %j is sent", (json) => {
    expect(normaliseOrder(json)).toBeUndefined();
  });

  test("does not take over what an object inherits", () => {
    const sent = Object.create({ OrderID: "A1" }) as object;

    expect(normaliseOrder(sent)).toEqual({});
  });

  test("leaves the prototype of objects alone", () => {
    const rates = createNormaliser(z.record(z.string(), z.strictObject({ Rate: z.string() })));
    const read = rates(JSON.parse('{"__proto__":{"Rate":"1"},"VI":{"Rate":"2","__proto__":{"Rate":"3"}}}'));

    expect(read).toEqual({ VI: { Rate: "2" } });
    expect(({} as Record<string, unknown>)["Rate"]).toBeUndefined();
  });
});

describe("a normalised amount", () => {
  const normaliseMoney = createNormaliser(moneyObject);

  test.each([
    [486.66, "486.66"],
    ["486.660", "486.660"],
    [1e21, "1000000000000000000000"],
    [1e-7, "0.0000001"],
    ["1.5E3", "1500"],
    ["-0.01", "-0.01"],
    [-0, "0"],
    ["007.10", "7.10"],
    ["12345678901234567890.123456789", "12345678901234567890.123456789"],
  ])("of %j is %s", (sent, amount) => {
    expect(normaliseMoney({ BookingCurrencyPrice: sent })).toEqual({ BookingCurrencyPrice: amount });
  });

  test.each([["NA"], ["1,50"], ["EUR 5"], ["1e999"], [true], [{}], ["."]])("of %j is none", (sent) => {
    expect(normaliseMoney({ BookingCurrencyPrice: sent })).toEqual({});
  });

  test("may stand bare", () => {
    expect(normaliseMoney(38.6862)).toEqual({ BookingCurrencyPrice: "38.6862" });
  });

  test("of a penalty may be NA", () => {
    const normalisePenalty = createNormaliser(penaltyMoney);

    expect(normalisePenalty({ BookingCurrencyPrice: "na", EquivCurrencyPrice: 70 })).toEqual({
      BookingCurrencyPrice: "NA",
      EquivCurrencyPrice: "70",
    });
  });
});

describe("a normalised list", () => {
  const offers = z.strictObject({
    ReshopOffers: z.array(z.array(z.strictObject({ OfferID: z.string(), Owner: z.string() }))),
  });
  const normaliseOffers = createNormaliser(offers);
  const inLists = { ReshopOffers: [[{ OfferID: "1" }, { OfferID: "2" }], [{ OfferID: "3" }]] };

  test.each([
    ["lists", inLists],
    [
      "objects that hold a list",
      { ReshopOffers: [{ ReshopOffer: [{ OfferID: 1 }, { OfferID: 2 }] }, { ReshopOffer: { OfferID: 3 } }] },
    ],
  ])("of lists comes from a list of %s", (_, sent) => {
    expect(normaliseOffers(sent)).toEqual(inLists);
  });

  test("of lists may come as its only object, which is not mistaken for one around it", () => {
    expect(normaliseOffers({ ReshopOffers: { OfferID: "1" } })).toEqual({ ReshopOffers: [[{ OfferID: "1" }]] });
    expect(normaliseOffers({ ReshopOffers: { ReshopOffer: [{ OfferID: "1" }] } })).toEqual({
      ReshopOffers: [[{ OfferID: "1" }]],
    });
  });

  test("may come without the object around it", () => {
    const normaliseList = createNormaliser(
      z.strictObject({ FlightList: z.strictObject({ Flight: z.array(z.strictObject({ FlightKey: z.string() })) }) }),
    );
    const expected = { FlightList: { Flight: [{ FlightKey: "F1" }] } };

    expect(normaliseList({ FlightList: [{ FlightKey: "F1" }] })).toEqual(expected);
    expect(normaliseList({ FlightList: { Flight: { FlightKey: "F1" } } })).toEqual(expected);
    expect(normaliseList({ FlightList: [{ Flight: [{ FlightKey: "F1" }] }] })).toEqual(expected);
  });
});

describe("a normalised union", () => {
  test("of objects has the members of all of them", () => {
    const normaliseChange = createNormaliser(scheduleChangeElement);

    expect(normaliseChange({ FlightKey: "F1", segmentrefs: ["S1"] })).toEqual({ FlightKey: "F1", SegmentRefs: "S1" });
    expect(normaliseChange({ AmendmentsActions: { accept: true } })).toEqual({ AmendmentsActions: { Accept: "Y" } });
  });

  test("of text and object is what was sent", () => {
    const normaliseText = createNormaliser(z.union([z.string(), z.record(z.string(), z.array(z.string()))]));

    expect(normaliseText(" Lisbon ")).toBe("Lisbon");
    expect(normaliseText({ PENALTIES: "None." })).toEqual({ PENALTIES: ["None."] });
  });
});

describe("a normalised body", () => {
  const all: readonly [string, Operation][] = operationNames.map((name) => [name, operations[name]]);
  const normalisers = all.map(([, { responseSchema }]) => createNormaliser(responseSchema));

  test.each(all)("of %s is its example, but for what is blank and for amounts", (_, operation) => {
    const { responseSchema } = operation;
    const { response } = exampleOf(operation);
    const normalised = createNormaliser(responseSchema)(response);

    expect(comparable(normalised)).toEqual(comparable(response));
  });

  test.each(all)("of %s may come without its root", (_, operation) => {
    const { responseSchema, responseRoot } = operation;
    const { response } = exampleOf(operation);
    const normaliseBody = createNormaliser(responseSchema);
    const body = (response as Record<string, unknown>)[responseRoot];

    expect(normaliseBody(body)).toEqual(normaliseBody(response));
  });

  test.each(all)("of %s is the same in any letter case", (_, operation) => {
    const { responseSchema } = operation;
    const { response } = exampleOf(operation);
    const normaliseBody = createNormaliser(responseSchema);

    expect(normaliseBody(inLowerCase(response))).toEqual(normaliseBody(response));
  });

  test("does not change when it is normalised again, however damaged the body was (another eighth of the bodies each day)", () => {
    const bodies = all.map(([, operation]) => ({
      text: JSON.stringify(exampleOf(operation).response),
      normalise: createNormaliser(operation.responseSchema),
    }));

    forCorruptBodies(bodies, 0.05, (bytes, { normalise }) => {
      const parsed = parseJson(bytes);
      const once = parsed.ok ? normalise(parsed.value) : undefined;
      if (!isDeepStrictEqual(normalise(once), once)) throw new Error("Normalising twice is not the same as once.");
    });
    // 5,000 bodies are for this test, each normalised twice; `npm run test:long` takes all of them.
  }, 300_000);

  test("is made of anything, without an exception", () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true }), (sent) => {
        for (const normalise of normalisers) normalise(sent);
      }),
      { numRuns: sampleSize({ quick: 50, proof: 300 }) },
    );
  });

  test("is made of a body that is nested deeper than a stack", () => {
    const deep = JSON.parse(`${'{"OrderViewRS":['.repeat(50_000)}1${"]}".repeat(50_000)}`) as unknown;

    expect(createNormaliser(orderViewResponseSchema)(deep)).toEqual({ OrderViewRS: {} });
  });
});

/** Without blank members and empty lists, amounts and numbers as text, dates in one form: what normalising leaves alone. */
function comparable(value: unknown): unknown {
  if (typeof value === "number") return String(value);
  if (typeof value === "string" && /^\d{4}-\d{2}-\d{2} /.test(value)) return value.replace(" ", "T");
  if (value === null || value === "") return undefined;
  if (Array.isArray(value)) return value.length === 0 ? undefined : value.map(comparable);
  if (typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, comparable(member)]));
}

function inLowerCase(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inLowerCase);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [/[a-z]/.test(key) ? key.toLowerCase() : key, inLowerCase(member)]),
  );
}
