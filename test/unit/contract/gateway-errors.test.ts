import { describe, expect, test } from "vitest";
import { businessCodes, findBusinessCode } from "../../../src/contract/business-codes.ts";
import { businessCodeOf, errorResponse, readErrors } from "../../../src/contract/gateway-errors.ts";

describe("the errors in a response", () => {
  test.each([
    ["one object", { OfferPriceRS: { Errors: { Error: { Value: "a" } } } }, [{ code: null, text: "a" }]],
    [
      "a list",
      { OfferPriceRS: { Errors: { Error: [{ Value: "a" }, { Code: 26, ShortText: "b" }] } } },
      [
        { code: null, text: "a" },
        { code: "26", text: "b" },
      ],
    ],
    ["Value before ShortText", { OfferPriceRS: { Errors: { Error: { ShortText: "s", Value: "v" } } } }, [v("v")]],
    ["ShortText when Value is empty", { OfferPriceRS: { Errors: { Error: { ShortText: "s", Value: "" } } } }, [v("s")]],
    ["without the root", { Errors: { Error: { ShortText: "a" } } }, [v("a")]],
    ["a list under Errors", { OfferPriceRS: { Errors: [{ Value: "a" }] } }, [v("a")]],
    ["a text", { OfferPriceRS: { Errors: "a" } }, [v("a")]],
    ["keys in lower case", { offerpricers: { errors: { error: { value: "a" } } } }, [v("a")]],
    ["no words", { OfferPriceRS: { Errors: { Error: {} } } }, [v("The gateway responded with an error and no text.")]],
    ["none beside a success", { OfferPriceRS: { Errors: {}, Success: {} } }, []],
    ["none when Errors is empty", { OfferPriceRS: { Errors: "" } }, []],
    ["none when Errors is false", { OfferPriceRS: { Errors: false } }, []],
    ["none when Error is null", { OfferPriceRS: { Errors: { Error: null } } }, []],
    ["none in a list of nothing", { OfferPriceRS: { Errors: { Error: [null, ""] } } }, []],
    ["none in what is no object", "x", []],
  ])("are read: %s", (_, json, errors) => {
    expect(readErrors(json, "OfferPriceRS")).toEqual(errors);
  });

  test("are read back from the body that states one", () => {
    const error = { code: "26", text: "INVAILD_OFFER_ID" };

    expect(readErrors(errorResponse("OfferPriceRS", error), "OfferPriceRS")).toEqual([error]);
  });
});

describe("the gateway's table of codes", () => {
  test("has each number and each name once, in order, without the missing 33", () => {
    const numbers = businessCodes.map((entry) => entry.number);
    const names = businessCodes.flatMap((entry) => entry.names);

    expect(numbers).toEqual([...Array.from({ length: 23 }, (_, index) => index + 10), 34, 35, 36, 37, 38, 39]);
    expect(new Set(names).size).toBe(names.length);
  });

  test("keeps the gateway's misspellings", () => {
    expect(findBusinessCode(24)?.names).toEqual(["INVAILD_SHOPPPING_RES_ID"]);
    expect(findBusinessCode(35)?.names).toEqual(["BOOIKN_PAX_MISMATCH"]);
  });

  test.each([
    ["26", 26],
    [26, 26],
    [" 26 ", 26],
    ["INVAILD_OFFER_ID", 26],
    ["invaild_offer_id", 26],
    ["PAX_MISMATCH_SEAT", 28],
    ["PASSPORT_REQUIRED", 39],
  ])("finds %j", (asked, number) => {
    expect(findBusinessCode(asked)?.number).toBe(number);
  });

  test.each(["9", "33", "40", "404", "", "toString", "INVALID_OFFER_ID"])("does not know %j", (asked) => {
    expect(findBusinessCode(asked)).toBeNull();
  });

  test("says that only the gateway's own failure passes by itself", () => {
    expect(businessCodes.filter((entry) => entry.retryable).map((entry) => entry.number)).toEqual([10]);
  });

  test.each([
    ["the code", { code: "26", text: "anything" }, 26],
    ["the text when there is no code", { code: null, text: "INVAILD_PAX_COUNT" }, 17],
    ["the text when the code is an HTTP status", { code: "400", text: "INVAILD_PAX_COUNT" }, 17],
  ])("is asked by %s", (_, error, number) => {
    expect(businessCodeOf(error)?.number).toBe(number);
  });
});

function v(text: string) {
  return { code: null, text };
}
