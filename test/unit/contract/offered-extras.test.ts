import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { z } from "zod";
import { airOfferServiceList } from "../../../src/contract/operations/air-offer-service-list.ts";
import { airPostBookingAncillary } from "../../../src/contract/operations/air-post-booking-ancillary.ts";
import { airPostBookingSeatMap } from "../../../src/contract/operations/air-post-booking-seat-map.ts";
import { airSeatMap } from "../../../src/contract/operations/air-seat-map.ts";
import { inLowerCase, numbersAsText } from "../../../src/contract/other-spellings.ts";
import { anyPostBookingSeatMap, anySeatMap, anyServiceList } from "../../builders/arbitrary-extras.ts";
import { danglingReferences } from "../../harness/dangling-references.ts";

const runs = { numRuns: 30 };

interface Served {
  readonly responseSchema: z.ZodType;
  interpret(json: unknown): unknown;
}

const served: readonly (readonly [string, Served, fc.Arbitrary<object>, string])[] = [
  ["AirOfferServiceList", airOfferServiceList, anyServiceList, "AirServiceListRS"],
  ["AirPostBookingAncillary", airPostBookingAncillary, anyServiceList, "AirServiceListRS"],
  ["AirSeatMap", airSeatMap, anySeatMap, "AirSeatMapRS"],
  ["AirPostBookingSeatMap", airPostBookingSeatMap, anyPostBookingSeatMap, "AirSeatMapRS"],
];

describe("whatever is served strictly", () => {
  test.each(served)("by %s is valid and reads back as the same content", (_, operation, anyBody, root) => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(operation.responseSchema.safeParse(body).error).toBeUndefined();

        const content = (body as Record<string, Content>)[root]!;
        expect(danglingReferences(root, content)).toEqual([]);
        expect(operation.interpret(body)).toMatchObject({
          ok: true,
          result: {
            aLaCarteOffer: plain(content.ALaCarteOffer),
            ...(content.ServiceList === undefined ? {} : { serviceList: plain(content.ServiceList) }),
            ...(content.SeatMap === undefined ? {} : { seatMap: plain(content.SeatMap) }),
          },
        });
      }),
      runs,
    );
  });

  test.each(served)("by %s means the same in other spellings", (_, operation, anyBody) => {
    fc.assert(
      fc.property(anyBody, (body) => {
        expect(operation.interpret(inLowerCase(numbersAsText(body)))).toEqual(operation.interpret(body));
      }),
      runs,
    );
  });
});

type Content = Parameters<typeof danglingReferences>[1];

const keyLists = new Set(["PassengerRefs", "SegmentRefs", "OfferItemRefs", "PaxRef"]);
const amounts = new Set(["BookingCurrencyPrice", "EquivCurrencyPrice"]);
const names: Record<string, string> = {
  ALaCarteOfferItem: "aLaCarteOfferItem",
  OfferItemID: "offerItemId",
  ServiceID: "serviceId",
};

/** What a strict body means, written down independently of the reader: plain names, lists of keys, amounts as text. */
function plain(value: unknown, key = ""): unknown {
  if (keyLists.has(key)) return (value as string).split(" ");
  if (amounts.has(key)) return String(value);
  if (Array.isArray(value)) return value.map((item) => plain(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([wireKey, member]) => [
      names[wireKey] ?? wireKey.charAt(0).toLowerCase() + wireKey.slice(1),
      plain(member, wireKey),
    ]),
  );
}
