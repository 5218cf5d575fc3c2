import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { OperationName } from "../../../src/contract/operations/operation.ts";
import { numbersAsText } from "../../../src/contract/other-spellings.ts";
import { createNormaliser } from "../../../src/contract/tolerant.ts";
import { everyOperation } from "../../builders/every-operation.ts";
import {
  aBrandedOffersResponse,
  aFareRulesResponse,
  aFullNotification,
  anOrderCancelResponse,
  aPostBookingSeatMapResponse,
  aPostBookingServiceListResponse,
  aPriceResponse,
  aReshopResponse,
  aSeatMapResponse,
  aServiceListResponse,
  aSplitResponse,
  aTicketDocumentsResponse,
  aVoidResponse,
} from "../../builders/gateway-responses.ts";
import { aMinorDelay, anOrderView, details, type Json } from "../../builders/order-view.ts";
import { aCancelResponse, anAcceptResponse } from "../../builders/order-view-operations.ts";

const id = fc.stringMatching(/^[1-9][0-9]{18,27}$/);
const amount = fc.integer({ min: 0, max: 10_000_000 }).map((cents) => cents / 100);
const status = fc.constantFrom("SUCCESS" as const, "FAILED" as const);
const dateTime = fc
  .integer({ min: 0, max: 10 ** 8 })
  .map((minutes) => new Date(Date.UTC(2027, 0, 1) + minutes * 1_000).toISOString().slice(0, 19));
const ticketNumbers = fc.array(fc.stringMatching(/^[0-9]{13}$/), { minLength: 1, maxLength: 9 });
const optional = { requiredKeys: [] };

const offers = fc.record(
  { offerIds: fc.uniqueArray(id, { minLength: 1, maxLength: 4 }), totalPrice: amount },
  optional,
);
const extras = fc.record({ offerExpiration: dateTime }, optional);
const bookingResult = fc.record(
  { status, message: fc.string({ maxLength: 20 }), bookingStatus: fc.constantFrom("CANCELED", "CONFIRMED") },
  optional,
);
const involuntaryResult = fc.record({ OrderID: id, Status: status, ErrorMsg: fc.string({ maxLength: 20 }) }, optional);
const involuntaryResults = fc.array(involuntaryResult, { minLength: 1, maxLength: 3 });
const orderView = fc.oneof(
  fc
    .record(
      {
        orderId: id,
        passengers: fc.array(fc.constantFrom("ADT", "CHD", "INF"), { minLength: 1 }),
        ticketed: fc.boolean(),
      },
      optional,
    )
    .map(anOrderView),
  fc
    .constantFrom("LIS 2027-03-14 07:30", "LIS 2027-03-15 06:00 1")
    .map((departure) => aMinorDelay({ changes: { Segment1: [details(departure, null)] } })),
  fc.constant(null).map(() => aFullNotification()),
);

/** Whatever the builders of responses build, by operation. */
const built: Readonly<Record<OperationName, fc.Arbitrary<Json>>> = {
  AirOfferPrice: offers.map(aPriceResponse),
  AirOrderReshop: fc
    .tuple(offers, fc.boolean())
    .map(([options, isSearch]) => aReshopResponse({ ...options, isSearch })),
  AirGetBrandedOffers: offers.map(aBrandedOffersResponse),
  AirOfferSplit: offers.map(aSplitResponse),
  AirOfferServiceList: extras.map(aServiceListResponse),
  AirSeatMap: extras.map(aSeatMapResponse),
  AirFareRules: fc
    .record({ fareCodes: fc.array(fc.constantFrom("749", "70J"), { minLength: 1, maxLength: 3 }) }, optional)
    .map(aFareRulesResponse),
  AirDocRetreive: fc.record({ ticketNumbers }, optional).map(aTicketDocumentsResponse),
  AirReservationStatus: orderView,
  AirPostBookingAncillary: extras.map(aPostBookingServiceListResponse),
  AirPostBookingSeatMap: extras.map(aPostBookingSeatMapResponse),
  AirOrderCancel: fc
    .record({ results: fc.array(bookingResult, { minLength: 1, maxLength: 3 }) }, optional)
    .map(anOrderCancelResponse),
  AirTicketVoid: fc
    .tuple(bookingResult, fc.record({ ticketNumbers }, optional))
    .map(([result, tickets]) => aVoidResponse({ ...result, ...tickets })),
  AirOrderInvoluntaryAccept: involuntaryResults.map(anAcceptResponse),
  AirOrderInvoluntaryCancel: involuntaryResults.map(aCancelResponse),
};

describe.each(everyOperation.map((operation) => [operation.name, operation] as const))(
  "a response of %s that a builder makes",
  (name, { responseSchema, interpret }) => {
    test("is what the interface document says, and is read", () => {
      fc.assert(
        fc.property(built[name], (body) => {
          expect(responseSchema.safeParse(body).error).toBeUndefined();
          expect(interpret(body)).toMatchObject({ ok: true });
        }),
        { numRuns: 15 },
      );
    });

    test("is normalised once and for all, and to the same when its numbers come as text", () => {
      const normalise = createNormaliser(responseSchema);
      fc.assert(
        fc.property(built[name], (body) => {
          const once = normalise(body);

          expect(normalise(once)).toEqual(once);
          expect(normalise(numbersAsText(body))).toEqual(once);
        }),
        { numRuns: 15 },
      );
    });
  },
);

describe("any JSON", () => {
  test("is a response or a typed problem with a path, and a request or a typed problem with a path", () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 4 }),
        fc.constantFrom(...everyOperation),
        fc.boolean(),
        (json, operation, isRooted) => {
          const reading = operation.interpret(isRooted ? { [operation.responseRoot]: json } : json);
          const request = operation.readRequest(isRooted ? { [operation.requestRoot]: json } : json);

          if (!reading.ok) expect(reading.problem.path).toMatch(/^\/|^$/);
          if (!request.ok) expect(request.problem.path).toMatch(/^\/|^$/);
        },
      ),
      { numRuns: 3_000 },
    );
  });
});
