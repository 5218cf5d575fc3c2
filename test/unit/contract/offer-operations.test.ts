import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { airFareRules } from "../../../src/contract/operations/air-fare-rules.ts";
import { airGetBrandedOffers } from "../../../src/contract/operations/air-get-branded-offers.ts";
import { airOfferPrice } from "../../../src/contract/operations/air-offer-price.ts";
import { airOfferSplit } from "../../../src/contract/operations/air-offer-split.ts";
import { airOrderReshop } from "../../../src/contract/operations/air-order-reshop.ts";
import type { Operation } from "../../../src/contract/operations/operation.ts";
import { inLowerCase, numbersAsText } from "../../../src/contract/other-spellings.ts";
import { exampleEnvelope, exampleOf } from "../../builders/examples.ts";

const operations = [airOfferPrice, airOrderReshop, airGetBrandedOffers, airOfferSplit, airFareRules] as const;
const table = operations.map((operation) => [operation.name, operation as Operation] as const);

describe("the operations on offers", () => {
  describe.each(table)("%s", (_, operation) => {
    const { query, request, response } = exampleOf(operation);

    test("sends no trace identifier when there is none", () => {
      const { traceId: _, ...untraced } = query as { traceId?: string };
      const sent = operation.request(untraced, exampleEnvelope);

      expect(operation.requestSchema.safeParse(sent).error).toBeUndefined();
      expect(operation.readRequest(sent)).toEqual({ ok: true, query: untraced });
    });

    test("reads a request in lower case, without Document and Party", () => {
      const {
        Document: _,
        Party: __,
        ...content
      } = (request as { [root: string]: object })[operation.requestRoot] as {
        Document: unknown;
        Party: unknown;
      };

      expect(operation.readRequest(inLowerCase({ [operation.requestRoot]: content }))).toEqual({ ok: true, query });
    });

    test.each([
      ["a lower-case contact", { Contact: [{ emailcontact: "desk@example.com" }] }],
      ["a contact object", { Contact: { EmailContact: { Address: "desk@example.com" } } }],
      ["no contact", {}],
    ])("reads a request with %s", (_spelling, Contacts) => {
      const content = (request as { [root: string]: object })[operation.requestRoot];
      const body = {
        [operation.requestRoot]: { ...content, Party: { Sender: { TravelAgencySender: { Name: "x", Contacts } } } },
      };

      expect(operation.readRequest(body)).toEqual({ ok: true, query });
    });

    test("interprets the same whatever the spelling", () => {
      const read = operation.interpret(response);

      expect(read.ok).toBe(true);
      expect(operation.interpret(inLowerCase(response))).toEqual(read);
      expect(operation.interpret(numbersAsText(response))).toEqual(read);
      expect(operation.interpret((response as { [root: string]: unknown })[operation.responseRoot])).toEqual(read);
    });

    test.each([
      ["an object", { Error: { Code: "26", Value: "INVAILD_OFFER_ID" } }],
      ["a list", { Error: [{ Code: 26, ShortText: "INVAILD_OFFER_ID" }] }],
    ])("lets errors win over content when they are %s", (_form, Errors) => {
      const content = (response as { [root: string]: object })[operation.responseRoot];
      const expected = {
        ok: false,
        problem: {
          code: "gateway.rejected",
          path: `/${operation.responseRoot}/Errors`,
          message: "The gateway responded with errors: INVAILD_OFFER_ID",
          errors: [{ code: "26", text: "INVAILD_OFFER_ID" }],
        },
      };

      expect(operation.interpret({ [operation.responseRoot]: { ...content, Errors } })).toEqual(expected);
      expect(operation.interpret({ Errors })).toMatchObject({ ok: false, problem: { code: "gateway.rejected" } });
    });

    test("says what a response without content lacks", () => {
      expect(operation.interpret({ [operation.responseRoot]: { Success: {} } })).toMatchObject({
        ok: false,
        problem: { code: "gateway.unusable_answer", path: expect.stringMatching(`^/${operation.responseRoot}/\\w+`) },
      });
      expect(operation.interpret("<html>")).toMatchObject({ ok: false, problem: { code: "gateway.unusable_answer" } });
    });

    test("refuses a request under another root", () => {
      expect(operation.readRequest({ AirDocRetreiveRQ: {} })).toEqual({
        ok: false,
        problem: {
          code: "request.no_root",
          businessCode: 29,
          path: `/${operation.requestRoot}`,
          message: `The request has no root object ${operation.requestRoot}.`,
        },
      });
    });

    test("never throws", () => {
      fc.assert(
        fc.property(fc.jsonValue({ maxDepth: 5 }), (json) => {
          for (const root of [operation.requestRoot, operation.responseRoot]) {
            for (const body of [json, { [root]: json }, { [root]: { Query: json, PricedOffer: json, Rules: json } }]) {
              expect(typeof operation.readRequest(body).ok).toBe("boolean");
              expect(typeof operation.interpret(body).ok).toBe("boolean");
            }
          }
        }),
        { numRuns: 100 },
      );
    });
  });
});
