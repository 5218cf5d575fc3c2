import { describe, expect, test } from "vitest";
import { createDomainReader } from "../../../src/contract/domain-shape.ts";
import { fareRuleTopics } from "../../../src/contract/elements/fare-rules.ts";
import { order } from "../../../src/contract/elements/order.ts";
import { airFareRules } from "../../../src/contract/operations/air-fare-rules.ts";
import { airGetBrandedOffers } from "../../../src/contract/operations/air-get-branded-offers.ts";
import { airOfferPrice } from "../../../src/contract/operations/air-offer-price.ts";
import { airOfferSplit } from "../../../src/contract/operations/air-offer-split.ts";
import { airOrderReshop } from "../../../src/contract/operations/air-order-reshop.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { exampleOf } from "../../builders/examples.ts";
import type { Json } from "../../builders/order-view.ts";

type Item = NonNullable<ReturnType<typeof offersOfExamples>[number]["OfferItem"]>[number];

describe("an offer of the examples", () => {
  test.each(offersOfExamples().map((offer) => [offer.OfferID, offer] as const))(
    "%s adds up to the cent",
    (_, offer) => {
      const items = offer.OfferItem ?? [];
      const perPassenger = (item: Item, part: "TotalAmount" | "BaseAmount" | "TaxAmount") =>
        cents(item.FareDetail?.Price[part]) * item.PassengerQuantity;

      expect(items.map(({ PassengerQuantity }) => PassengerQuantity)).toEqual([2, 1, 1]);
      for (const currency of ["BookingCurrencyPrice", "EquivCurrencyPrice"] as const) {
        expect(cents(offer.TotalPrice, currency)).toBe(
          cents(offer.BasePrice, currency) + cents(offer.TaxPrice, currency),
        );
      }
      expect(cents(offer.TotalPrice)).toBe(sum(items.map((item) => cents(item.TotalPriceDetail.TotalAmount))));
      expect(cents(offer.BasePrice)).toBe(sum(items.map((item) => perPassenger(item, "BaseAmount"))));
      for (const item of items) {
        expect(cents(item.TotalPriceDetail.TotalAmount)).toBe(perPassenger(item, "TotalAmount"));
        expect(cents(item.FareDetail?.Price.TaxAmount)).toBe(
          sum((item.FareDetail?.Price.Taxes ?? []).map((tax) => cents(tax))),
        );
      }
    },
  );

  test("has one token of each fare for each segment", () => {
    const components = offersOfExamples().flatMap((offer) =>
      (offer.OfferItem ?? []).flatMap((item) => item.FareComponent ?? []),
    );

    expect(components.some(({ SegmentRefs }) => SegmentRefs.includes(" "))).toBe(true);
    for (const { SegmentRefs, FareBasis } of components) {
      const tokens = [FareBasis?.FareBasisCode?.Code, FareBasis?.RBD, FareBasis?.CabinType, FareBasis?.SeatLeft];
      expect(tokens.map((text) => text?.split(" ").length)).toEqual(tokens.map(() => SegmentRefs.split(" ").length));
    }
  });
});

describe("an exchange", () => {
  const [example] = exampleOf(airOrderReshop).response.OrderReshopRS.ReshopOffers.flat();

  test("costs the difference and the penalty, of the offer and of each item", () => {
    const differentials = [example, ...(example?.AddOfferItem ?? [])].map((priced) => priced?.ReshopDifferential);

    expect(differentials).toHaveLength(4);
    for (const differential of differentials) {
      expect(cents(differential?.ReshopDue.TotalPrice)).toBe(
        cents(differential?.NewOffer.TotalPrice) -
          cents(differential?.OriginalOrder.TotalPrice) +
          cents(differential?.PenaltyAmount?.TotalPrice),
      );
    }
    expect(cents(example?.ReshopDifferential?.ReshopDue.TotalPrice)).toBe(
      sum((example?.AddOfferItem ?? []).map((item) => cents(item.ReshopDifferential?.ReshopDue.TotalPrice))),
    );
  });

  test.each([
    ["lists of offers", [[example]]],
    ["objects that hold a list", [{ ReshopOffer: [example] }]],
    ["one object that holds a list", { ReshopOffer: [example] }],
    ["objects that hold one offer", [{ ReshopOffer: example }]],
  ])("is read from %s", (_, ReshopOffers) => {
    const documented = airOrderReshop.interpret({ OrderReshopRS: { Success: {}, ReshopOffers: [[example]] } });
    const read = airOrderReshop.interpret({ OrderReshopRS: { Success: {}, ReshopOffers } });

    expect(documented).toMatchObject({ ok: true, result: { reshopOffers: [[{ offerId: example?.OfferID }]] } });
    expect(read).toEqual(documented);
  });

  test("may be searched for and not priced", () => {
    const { ReshopDifferential: _, ...searched } = example ?? { OfferID: "" };
    const read = airOrderReshop.interpret({ OrderReshopRS: { ReshopOffers: [{ ReshopOffer: [searched] }] } });

    expect(read).toMatchObject({ ok: true, result: { reshopOffers: [[{ offerId: example?.OfferID }]] } });
    expect(read.ok && read.result.reshopOffers[0]?.[0]?.reshopDifferential).toBeUndefined();
  });

  test("may be due a cent less than nothing", () => {
    const due = { TotalPrice: { BookingCurrencyPrice: -0.01, EquivCurrencyPrice: "0.01" } };
    const offer = { ...example, ReshopDifferential: { ...example?.ReshopDifferential, ReshopDue: due } };

    expect(airOrderReshop.interpret({ OrderReshopRS: { ReshopOffers: [[offer]] } })).toMatchObject({
      ok: true,
      result: {
        reshopOffers: [
          [
            {
              reshopDifferential: {
                reshopDue: { totalPrice: { bookingCurrencyPrice: "-0.01", equivCurrencyPrice: "0.01" } },
              },
            },
          ],
        ],
      },
    });
  });
});

describe("an offer", () => {
  const price = { bookingCurrencyPrice: "1.50", equivCurrencyPrice: "2" };
  const agentMarkup = { agentMarkup: price, agentDiscount: price, agentHst: price };

  test.each([
    ["the agency's charges as Onfly…", markup("Onfly"), { agentMarkupInfo: agentMarkup }],
    ["the agency's charges as Agent…", markup("Agent"), { agentMarkupInfo: agentMarkup }],
    ["empty charges of the gateway", { PortalCharges: {} }, { portalCharges: {} }],
    ["a bare price", { TotalPrice: 134.953532 }, { totalPrice: { bookingCurrencyPrice: "134.953532" } }],
    [
      "a penalty that is not available",
      { Penalty: { ChangeFee: { Before: { BookingCurrencyPrice: "NA", EquivCurrencyPrice: "70.00" } } } },
      { penalty: { changeFee: { before: { bookingCurrencyPrice: "NA", equivCurrencyPrice: "70.00" } } } },
    ],
    [
      "an expiry behind a blank",
      { TimeLimits: { OfferExpirationDateTime: "2027-03-01 18:30:00" } },
      { timeLimits: { offerExpirationDateTime: "2027-03-01T18:30:00" } },
    ],
    ["a rate as text", { BookingToEquivExRate: "1.50" }, { bookingToEquivExRate: "1.50" }],
    ["no list of branded variants", { BrandedFareOptions: null }, { brandedFareOptions: [] }],
    ["no items", { OfferItem: undefined }, { offerItem: [] }],
  ])("may have %s", (_, members, expected) => {
    expect(priced(members)).toMatchObject({ ok: true, result: { pricedOffer: [expected] } });
  });

  test.each([
    [true, "true"],
    ["true", "true"],
    ["false", "false"],
    [false, "false"],
    ["0", "false"],
    [1, "true"],
  ])("may say that a fare is refundable with %j", (Refundable, refundable) => {
    expect(priced({ OfferItem: [{ OfferItemID: "1", Refundable }] })).toMatchObject({
      ok: true,
      result: { pricedOffer: [{ offerItem: [{ refundable }] }] },
    });
  });

  test.each([
    ["an object where a list belongs", { Service: { ServiceID: "SV_1", FlightRefs: "Flight1 Flight2" } }],
    ["references in a list", { Service: [{ ServiceID: "SV_1", FlightRefs: ["Flight1", "Flight2"] }] }],
    ["references with commas", { Service: [{ ServiceID: "SV_1", FlightRefs: "Flight1,Flight2" }] }],
  ])("may state its flights as %s", (_, item) => {
    expect(priced({ OfferItem: [item] })).toMatchObject({
      ok: true,
      result: { pricedOffer: [{ offerItem: [{ service: [{ flightRefs: ["Flight1", "Flight2"] }] }] }] },
    });
  });

  test.each(["SegmentRefs", "SegmentReferences", "segmentrefs"])("may name its segments with %s", (key) => {
    expect(priced({ OfferItem: [{ FareComponent: [{ [key]: "Segment1 Segment2" }] }] })).toMatchObject({
      ok: true,
      result: { pricedOffer: [{ offerItem: [{ fareComponent: [{ segmentRefs: ["Segment1", "Segment2"] }] }] }] },
    });
  });

  test.each([
    ["OfferID", { OfferID: null }],
    ["price", { TotalPrice: null }],
  ])("is of no use without %s", (_, members) => {
    expect(priced(members)).toEqual({
      ok: false,
      problem: {
        code: "gateway.unusable_answer",
        path: "/OfferPriceRS/PricedOffer",
        message: "The OfferPriceRS response cannot be used. It holds no PricedOffer with an OfferID and a TotalPrice.",
        errors: [],
      },
    });
  });

  function priced(members: Json) {
    const offer = { OfferID: "1", TotalPrice: { BookingCurrencyPrice: 1, EquivCurrencyPrice: 1 }, ...members };
    return airOfferPrice.interpret({ OfferPriceRS: { Success: {}, PricedOffer: [offer] } });
  }

  function markup(prefix: string) {
    const money = { BookingCurrencyPrice: "1.50", EquivCurrencyPrice: 2 };
    const names = ["Markup", "Discount", "Hst"].map((name) => [`${prefix}${name}`, money]);
    return { AgentMarkupInfo: Object.fromEntries(names) };
  }
});

describe("the items of an order", () => {
  const readOrder = createDomainReader(order);

  test("may be fares and extra services, in one list", () => {
    const fare = {
      OfferItemID: "OFFERITEMID1",
      PassengerType: "ADT",
      Service: [{ ServiceID: "SV_1", FlightRefs: "Flight1" }],
    };
    const service = {
      OfferItemID: "SRV-OfferItem-1",
      Status: "SUCCESS",
      Service: { OptinalServiceId: "Service1", PassengerRefs: "T1", SegmentRefs: "Segment1 Segment2" },
      Price: { Base: 32.5, Tax: { BookingCurrencyPrice: "6.1862", EquivCurrencyPrice: 0 }, Total: "38.6862" },
    };
    const failed = { OfferItemID: "SRV-OfferItem-2", Status: "FAILED", Price: { Total: 38.6862 } };

    expect(readOrder({ OfferItem: [fare, service, failed] })?.offerItem).toMatchObject([
      { offerItemId: "OFFERITEMID1", service: [{ serviceId: "SV_1", flightRefs: ["Flight1"] }] },
      {
        offerItemId: "SRV-OfferItem-1",
        status: "SUCCESS",
        service: { optinalServiceId: "Service1", passengerRefs: ["T1"], segmentRefs: ["Segment1", "Segment2"] },
        price: {
          base: { bookingCurrencyPrice: "32.5" },
          tax: { bookingCurrencyPrice: "6.1862", equivCurrencyPrice: "0" },
          total: { bookingCurrencyPrice: "38.6862" },
        },
      },
      { offerItemId: "SRV-OfferItem-2", status: "FAILED", price: { total: { bookingCurrencyPrice: "38.6862" } } },
    ]);
  });
});

describe("grouped offers", () => {
  const both: readonly Operation[] = [airGetBrandedOffers, airOfferSplit];

  test.each(both)("may carry Lowest, Highest and TicketType", (operation) => {
    const { OffersGroup } = Object.values(exampleOf(operation).response as object)[0] as {
      OffersGroup: { AirlineOffers: Json[] };
    };
    const extended = OffersGroup.AirlineOffers.map((group) => ({
      AirlineOfferSnapshot: {
        ...(group["AirlineOfferSnapshot"] as Json),
        Lowest: { BookingCurrencyPrice: 1 },
        Highest: {},
      },
      Offer: (group["Offer"] as Json[]).map((offer) => ({ ...offer, TicketType: "ETKT" })),
    }));
    const body = { [operation.responseRoot]: { Success: {}, OffersGroup: { AirlineOffers: extended } } };
    const plain = { [operation.responseRoot]: { Success: {}, OffersGroup } };

    expect(operation.interpret(body)).toEqual(operation.interpret(plain));
    expect(operation.interpret(plain)).toMatchObject({
      ok: true,
      result: {
        offersGroup: {
          airlineOffers: [
            { airlineOfferSnapshot: { passengerQuantity: 4, matchedOfferQuantity: 2 }, offer: [{ owner: "LH" }, {}] },
          ],
        },
      },
    });
    expect(operation.responseSchema.safeParse(body).success).toBe(false);
  });
});

describe("fare rules", () => {
  test("of the example state every topic", () => {
    const { Rules } = exampleOf(airFareRules).response.AirFareRulesRS;
    const data = Rules.flatMap(({ Rule }) => Rule.flatMap(({ Text }) => (typeof Text === "string" ? [] : [Text])));

    expect(data.flatMap((topics) => Object.keys(topics))).toEqual([...fareRuleTopics]);
  });

  test("keep each paragraph and each statement", () => {
    const read = airFareRules.interpret(exampleOf(airFareRules).response);

    expect(read).toMatchObject({
      ok: true,
      result: {
        rules: [
          {
            airlineId: "LH",
            fareBasisCode: [{ code: "QNR7AV" }],
            rule: expect.arrayContaining([
              { category: "Departure", text: "LIS" },
              { category: "Data", text: expect.objectContaining({ "MIN STAY": ["NO MINIMUM STAY."] }) },
            ]),
          },
        ],
      },
    });
  });

  test("may state a topic in one paragraph, and topics that are not documented", () => {
    const rule = { Category: "Data", Text: { PENALTIES: "NON-REFUNDABLE.", "NEW TOPIC": ["X"] } };

    expect(airFareRules.interpret({ AirFareRulesRS: { Rules: [{ Rule: [rule] }] } })).toMatchObject({
      ok: true,
      result: { rules: [{ rule: [{ text: { PENALTIES: ["NON-REFUNDABLE."], "NEW TOPIC": ["X"] } }] }] },
    });
  });
});

function offersOfExamples() {
  return [
    ...exampleOf(airOfferPrice).response.OfferPriceRS.PricedOffer,
    ...exampleOf(airOrderReshop).response.OrderReshopRS.ReshopOffers.flat(),
    ...exampleOf(airGetBrandedOffers).response.GetBrandedOffersRS.OffersGroup.AirlineOffers.flatMap(
      ({ Offer }) => Offer,
    ),
    ...exampleOf(airOfferSplit).response.AirSplitOfferRS.OffersGroup.AirlineOffers.flatMap(({ Offer }) => Offer),
  ];
}

function cents(
  money: { readonly BookingCurrencyPrice: unknown; readonly EquivCurrencyPrice: unknown } | undefined,
  currency: "BookingCurrencyPrice" | "EquivCurrencyPrice" = "BookingCurrencyPrice",
): number {
  if (money === undefined) throw new Error("The example lacks a price.");
  return Math.round(Number(money[currency]) * 100);
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((total, amount) => total + amount, 0);
}
