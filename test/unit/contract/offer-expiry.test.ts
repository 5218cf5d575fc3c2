import { describe, expect, test } from "@jest/globals";
import { expired } from "../../../src/contract/offer-expiry.ts";

describe("an offer", () => {
  test.each([
    ["a second before its expiry", "2027-03-01T18:29:59", false],
    ["at its expiry", "2027-03-01T18:30:00", false],
    ["a second after its expiry", "2027-03-01T18:30:01", true],
    ["the day before, later in the day", "2027-02-28T23:59:59", false],
  ])("is judged %s by the gateway's clock", (_, now, value) => {
    expect(expired("2027-03-01T18:30:00", now)).toEqual({ known: true, value });
  });

  test("may state the time behind a blank", () => {
    expect(expired("2027-03-01 18:30:00", "2027-03-01T18:30:01")).toEqual({ known: true, value: true });
  });

  test.each([
    [null, "2027-03-01T18:30:00", "missing-expiry"],
    [" ", "2027-03-01T18:30:00", "missing-expiry"],
    ["2027-02-30T18:30:00", "2027-03-01T18:30:00", "unreadable-expiry"],
    ["2027-03-01", "2027-03-01T18:30:00", "unreadable-expiry"],
    ["2027-03-01T18:30:00", "now", "unreadable-now"],
  ])("is neither valid nor expired when the times are %j and %j", (limit, now, reason) => {
    expect(expired(limit, now)).toEqual({ known: false, reason });
  });
});
