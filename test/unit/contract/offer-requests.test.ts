import { describe, expect, test } from "vitest";
import { parseJson } from "../../../src/contract/json.ts";
import { airFareRules } from "../../../src/contract/operations/air-fare-rules.ts";
import { airOfferPrice } from "../../../src/contract/operations/air-offer-price.ts";
import { airOfferSplit } from "../../../src/contract/operations/air-offer-split.ts";
import { airOrderReshop } from "../../../src/contract/operations/air-order-reshop.ts";
import { exampleOf } from "../../builders/examples.ts";
import { anOfferRequest, refusedPassengerLists } from "../../builders/offer-requests.ts";
import { bytesOf, type Json } from "../../builders/order-view.ts";

const offersPath = "/OrderReshopRQ/Query/Reshop/OrderServicing/Add/Qualifier/ExistingOrderQualifier/OrderKeys/Offer";

describe("a request that names offers", () => {
  test("may hold ids as numbers, however long, and one offer where a list belongs", () => {
    const text =
      '{"AirSplitOfferRQ":{"ShoppingResponseId":1724067361311310318,"Query":{"Offer":{"OfferID":1724067361311310318402710001}}}}';

    const parsed = parseJson(bytesOf(text));

    expect(airOfferSplit.readRequest(parsed.ok ? parsed.value : null)).toEqual({
      ok: true,
      query: { shoppingResponseId: "1724067361311310318", offerIds: ["1724067361311310318402710001"] },
    });
  });

  test("counts an offer named twice once", () => {
    const body = aSplitRequest({ Query: { Offer: [{ OfferID: "2" }, { OfferID: "1" }, { OfferID: "2" }] } });

    expect(airOfferSplit.readRequest(body)).toMatchObject({ ok: true, query: { offerIds: ["2", "1"] } });
  });

  test.each([
    [
      "no ShoppingResponseId",
      { ShoppingResponseId: "" },
      "request.no_shopping_response_id",
      24,
      "/AirSplitOfferRQ/ShoppingResponseId",
      "The request names no ShoppingResponseId.",
    ],
    [
      "no Query",
      { Query: null },
      "request.no_offer",
      26,
      "/AirSplitOfferRQ/Query/Offer",
      "The request names no offer.",
    ],
    [
      "no offer",
      { Query: { Offer: [] } },
      "request.no_offer",
      26,
      "/AirSplitOfferRQ/Query/Offer",
      "The request names no offer.",
    ],
    [
      "an offer without OfferID",
      { Query: { Offer: [{ OfferID: "1" }, {}] } },
      "request.no_offer_id",
      26,
      "/AirSplitOfferRQ/Query/Offer/1/OfferID",
      "An offer of the request has no OfferID.",
    ],
    [
      "one offer without OfferID",
      { Query: { Offer: { OfferID: null } } },
      "request.no_offer_id",
      26,
      "/AirSplitOfferRQ/Query/Offer/OfferID",
      "An offer of the request has no OfferID.",
    ],
  ])("is refused when it has %s", (_, content, code, businessCode, path, message) => {
    const problem = { code, businessCode, path, message };

    expect(airOfferSplit.readRequest(aSplitRequest(content))).toEqual({ ok: false, problem });
  });

  test.each(refusedPassengerLists)("is refused when it is to be priced for %s", (_, passengers, code) => {
    expect(airOfferPrice.readRequest(anOfferRequest("OfferPriceRQ", { passengers }))).toMatchObject({
      ok: false,
      problem: { code, businessCode: 17, path: "/OfferPriceRQ/DataLists/PassengerList/Passenger" },
    });
  });
});

describe("a request for fare rules", () => {
  const offer = { ShoppingResponseId: "1724067361311310318", OfferID: "172406736131131031840271" };
  const query = { offers: [{ shoppingResponseId: offer.ShoppingResponseId, offerId: offer.OfferID }] };

  test.each([
    ["as documented", [{ attributes: offer }]],
    ["with ResponseID", [{ attributes: { ResponseID: offer.ShoppingResponseId, OfferID: offer.OfferID } }]],
    ["with one offer", { attributes: offer }],
    ["without attributes", [offer]],
    ["in lower case", [{ Attributes: { responseid: offer.ShoppingResponseId, offerid: offer.OfferID } }]],
  ])("is read %s", (_, offers) => {
    expect(airFareRules.readRequest({ FareRulesRQ: { Query: { Offer: offers } } })).toEqual({ ok: true, query });
  });

  test("prefers ShoppingResponseId over ResponseID", () => {
    const attributes = { ResponseID: "1", ...offer };

    expect(airFareRules.readRequest({ FareRulesRQ: { Query: { Offer: [{ attributes }] } } })).toEqual({
      ok: true,
      query,
    });
  });

  test("leaves an access token in the body alone", () => {
    const attributes = { AuthToken: "c0ffee", Version: "IATA2017.2", xmlns: "x" };
    const read = airFareRules.readRequest({ FareRulesRQ: { attributes, Query: { Offer: [{ attributes: offer }] } } });
    const refused = airFareRules.readRequest({ FareRulesRQ: { attributes, Query: { Offer: [{ attributes }] } } });

    expect(read).toEqual({ ok: true, query });
    expect(refused.ok).toBe(false);
    expect(JSON.stringify(refused)).not.toContain("c0ffee");
  });

  test.each([
    ["no offer", [], "request.no_offer", 26, "", "The request names no offer."],
    [
      "an offer without result set",
      [{ attributes: offer }, { attributes: { OfferID: "1" } }],
      "request.no_shopping_response_id",
      24,
      "/1/attributes/ShoppingResponseId",
      "An offer of the request has no ShoppingResponseId.",
    ],
    [
      "one offer without OfferID",
      { attributes: { ResponseID: "1" } },
      "request.no_offer_id",
      26,
      "/attributes/OfferID",
      "An offer of the request has no OfferID.",
    ],
  ])("is refused when it has %s", (_, offers, code, businessCode, path, message) => {
    expect(airFareRules.readRequest({ FareRulesRQ: { Query: { Offer: offers } } })).toEqual({
      ok: false,
      problem: { code, businessCode, path: `/FareRulesRQ/Query/Offer${path}`, message },
    });
  });
});

describe("a request for an exchange", () => {
  test("needs no ReferenceVersion, names or titles", () => {
    const passenger = { PassengerID: "T1", PTC: "ADT", DocumentNumber: 2201234567890 };

    expect(airOrderReshop.readRequest(aReshopRequest({ passengers: [passenger] }))).toEqual({
      ok: true,
      query: {
        shoppingResponseId: "1724067361311310318",
        offerIds: ["172406736131131031850399"],
        passengers: [
          {
            passengerId: "T1",
            ptc: "ADT",
            firstName: "",
            middleName: "",
            lastName: "",
            documentNumber: "2201234567890",
          },
        ],
      },
    });
    const [request] = Object.values(exampleOf(airOrderReshop).request);
    const unversioned = { OrderReshopRQ: { ...request, Document: { Name: "Exchange" } } };
    expect(airOrderReshop.requestSchema.safeParse(unversioned).error).toBeUndefined();
  });

  test.each(["Mr", "mrs", "MISS", "Ms", "Mstr"])("takes the title %s", (NameTitle) => {
    const passengers = [{ PassengerID: "T1", PTC: "CHD", NameTitle, DocumentNumber: "1" }, anAdult()];

    expect(airOrderReshop.readRequest(aReshopRequest({ passengers })).ok).toBe(true);
  });

  test.each([
    [
      "a passenger has no DocumentNumber",
      { passengers: [{ ...anAdult(), DocumentNumber: "" }] },
      "request.no_document_number",
      34,
      "/OrderReshopRQ/DataLists/PassengerList/Passenger/0/DocumentNumber",
      "Passenger T9 has no DocumentNumber.",
    ],
    [
      "a title is unknown",
      { passengers: [{ ...anAdult(), NameTitle: "Earl" }] },
      "request.name_title",
      34,
      "/OrderReshopRQ/DataLists/PassengerList/Passenger/0/NameTitle",
      "The NameTitle of passenger T9 is not one of Mr, Mrs, Miss, Ms, Mstr.",
    ],
    [
      "nobody travels",
      { passengers: [] },
      "request.no_passenger",
      17,
      "/OrderReshopRQ/DataLists/PassengerList/Passenger",
      "The request names no passenger.",
    ],
    ["it names no offer", { offers: [] }, "request.no_offer", 26, offersPath, "The request names no offer."],
    [
      "an offer has no OfferID",
      { offers: [{}] },
      "request.no_offer_id",
      26,
      `${offersPath}/0/OfferID`,
      "An offer of the request has no OfferID.",
    ],
  ])("is refused when %s", (_, options, code, businessCode, path, message) => {
    expect(airOrderReshop.readRequest(aReshopRequest(options))).toEqual({
      ok: false,
      problem: { code, businessCode, path, message },
    });
  });

  test.each([
    ["names an order", { OrderID: "QX7R2M1A", GdsBookingReference: ["LHSKD1"] }],
    ["asks for flights", { Reshop: { OrderServicing: { Add: { FlightQuery: {} } } } }],
  ])("is refused as a search when it %s and no result set", (_, Query) => {
    expect(airOrderReshop.readRequest({ OrderReshopRQ: { Query } })).toMatchObject({
      ok: false,
      problem: {
        code: "request.exchange_search",
        businessCode: 29,
        path: "/OrderReshopRQ/ShoppingResponseId",
        message: expect.stringContaining("name the ShoppingResponseId and the OfferID"),
      },
    });
  });
});

function aSplitRequest(content: Json) {
  return anOfferRequest("AirSplitOfferRQ", { content });
}

function anAdult() {
  return { PassengerID: "T9", PTC: "ADT", NameTitle: "Mr", DocumentNumber: "2201234567890" };
}

function aReshopRequest(options: { readonly passengers?: readonly unknown[]; readonly offers?: readonly unknown[] }) {
  const orderKeys = { Offer: options.offers ?? [{ OfferID: "172406736131131031850399" }] };
  return {
    OrderReshopRQ: {
      ShoppingResponseId: "1724067361311310318",
      Query: {
        Reshop: { OrderServicing: { Add: { Qualifier: { ExistingOrderQualifier: { OrderKeys: orderKeys } } } } },
      },
      DataLists: { PassengerList: { Passenger: options.passengers ?? [anAdult()] } },
    },
  };
}
