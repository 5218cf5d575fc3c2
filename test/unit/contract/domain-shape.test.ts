import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { type DomainName, domainNameOf } from "../../../src/contract/domain-name.ts";
import { createDomainReader, type DomainShape } from "../../../src/contract/domain-shape.ts";
import { orderView } from "../../../src/contract/elements/order.ts";
import { operationNames, operations } from "../../../src/contract/operations/registry.ts";
import type { Tolerant } from "../../../src/contract/tolerant.ts";
import { notificationExample } from "../../builders/examples.ts";

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;

/** Compiles only when the two types are the same. */
function same<A, B>(..._proof: Same<A, B> extends true ? [] : ["the types differ"]): void {}

describe("the plain name of a key", () => {
  test.each([
    ["OrderID", "orderId"],
    ["PTC", "ptc"],
    ["RBD", "rbd"],
    ["IATA_Number", "iataNumber"],
    ["GdsBookingReference", "gdsBookingReference"],
    ["contactEmail", "contactEmail"],
    ["threeDsResponse", "threeDsResponse"],
    ["ALaCarteOffer", "aLaCarteOffer"],
    ["MaxCardsPerPaxInMFOP", "maxCardsPerPaxInMfop"],
    ["SeatFecilities", "seatFecilities"],
    ["P", "p"],
  ])("%s is %s", (key, name) => {
    expect(domainNameOf(key)).toBe(name);
  });

  test("has the same type as value", () => {
    same<DomainName<"OrderID">, "orderId">();
    same<DomainName<"PTC">, "ptc">();
    same<DomainName<"IATA_Number">, "iataNumber">();
    same<DomainName<"ALaCarteOffer">, "aLaCarteOffer">();
    same<DomainName<"MaxCardsPerPaxInMFOP">, "maxCardsPerPaxInMfop">();
    same<DomainName<"threeDsResponse">, "threeDsResponse">();
    expect.assertions(0);
  });

  test("is given to no two keys of one object", () => {
    for (const name of operationNames) {
      for (const shape of shapesIn(operations[name].responseSchema as z.ZodType)) {
        const names = Object.keys(shape).map(domainNameOf);
        expect(new Set(names).size).toBe(names.length);
      }
    }
  });
});

describe("a value in plain names", () => {
  const read = createDomainReader(orderView);

  test("has lists of keys, amounts as text, and every list", () => {
    const view = read(notificationExample.OrderViewRS);

    expect(view?.order[0]).toMatchObject({
      orderId: "QX7R2M1A",
      gdsBookingReference: "LHSKD1",
      brandedFareOptions: [],
      paxSeatInfo: [{ seatNumber: "14C", segmentNumber: 1, paxRef: ["T1"] }],
      scheduleChange: [
        { flightKey: "Flight1", segmentRefs: ["Segment1", "Segment2"] },
        { flightKey: "Flight2", segmentReferences: ["Segment3"] },
        { amendmentsActions: { accept: "Y", cancel: "Y", reSchedule: "N" } },
      ],
    });
    expect(view?.payments?.payment[1]).toEqual({
      type: "CHECK",
      passengerId: "ALL",
      amount: "60",
      chequeNumber: "100200",
    });
    expect(view?.order[0]?.offerItem[0]?.fareComponent?.[0]?.fareBasis?.rbd).toEqual(["Q", "Q"]);
  });

  test("has its lists even when nothing was sent", () => {
    expect(read({})).toEqual({ order: [] });
  });

  test("has the type that its schema says", () => {
    type View = DomainShape<typeof orderView>;
    type Order = View["order"][number];
    same<Order["orderId"], string | undefined>();
    same<Order["scheduleChangeIndicator"], boolean | undefined>();
    same<Order["brandedFareOptions"], readonly string[]>();
    same<Order["scheduleChange"][number]["segmentRefs"], readonly string[] | undefined>();
    same<NonNullable<Order["totalPrice"]>["bookingCurrencyPrice"], string | undefined>();
    same<NonNullable<Tolerant<typeof orderView>["ShoppingResponseId"]>, string>();
    same<NonNullable<Tolerant<typeof orderView>["Order"]>[number]["PnrStatus"], string | undefined>();
    expect.assertions(0);
  });

  test("is made of any JSON, without an exception", () => {
    const readers = operationNames.map((name) => createDomainReader(operations[name].responseSchema as z.ZodType));

    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...readers), (json, readResponse) => {
        readResponse(json);
        readResponse({ OrderViewRS: json, AirSeatMapRS: json });
      }),
      { numRuns: 500 },
    );
  });
});

/** The shapes of all objects in a schema. */
function shapesIn(schema: z.ZodType): readonly object[] {
  const def = schema._zod.def as unknown as {
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly element?: z.ZodType;
    readonly innerType?: z.ZodType;
    readonly valueType?: z.ZodType;
    readonly options?: readonly z.ZodType[];
  };
  const parts = [
    ...Object.values(def.shape ?? {}),
    ...(def.options ?? []),
    ...[def.element, def.innerType, def.valueType].filter((part) => part !== undefined && typeof part === "object"),
  ];
  return [...(def.shape === undefined ? [] : [def.shape]), ...parts.flatMap(shapesIn)];
}
