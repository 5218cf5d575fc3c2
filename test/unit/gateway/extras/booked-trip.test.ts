import { describe, expect, test } from "vitest";
import { bookedTrip } from "../../../../src/gateway/extras/booked-trip.ts";
import type { GatewayOrder } from "../../../../src/gateway/ports.ts";
import { bookedAt, gatewayOrder } from "../../../builders/gateway-order.ts";

describe("the flights of a booking", () => {
  test("have the booking class and cabin of their own segment", () => {
    expect(faresOf({ RBD: "K L", CabinType: "Y C" })).toEqual([
      { segmentKey: "Segment1", rbd: "K", cabin: "Y" },
      { segmentKey: "Segment2", rbd: "L", cabin: "C" },
    ]);
  });

  test.each([["L"], ["K L M"]])("have no booking class if %s is not one for each segment", (RBD) => {
    expect(faresOf({ RBD, CabinType: "Y C" })).toEqual([
      { segmentKey: "Segment1", rbd: "", cabin: "Y" },
      { segmentKey: "Segment2", rbd: "", cabin: "C" },
    ]);
  });

  test("are in economy class if there is not one cabin for each segment", () => {
    expect(faresOf({ RBD: "K L", CabinType: "C" })).toMatchObject([{ cabin: "Y" }, { cabin: "Y" }]);
  });
});

/** The fares that a booking of two segments has by these values of its fare basis. */
function faresOf(values: { readonly RBD: string; readonly CabinType: string }) {
  const order = gatewayOrder();
  const { content } = order;
  const stated: GatewayOrder = {
    ...order,
    content: {
      ...content,
      Order: content.Order.map((element) => ({
        ...element,
        OfferItem: element.OfferItem.map((item) => ({
          ...item,
          FareComponent: [{ SegmentRefs: "Segment1 Segment2", FareBasis: { ...values } }],
        })),
      })),
    },
  };
  return bookedTrip(stated, ["LHSKD1"], bookedAt).flights.map(({ segmentKey, rbd, cabin }) => ({
    segmentKey,
    rbd,
    cabin,
  }));
}
