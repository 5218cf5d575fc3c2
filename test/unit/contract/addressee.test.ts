import { describe, expect, test } from "vitest";
import {
  addresseeOf,
  isContactable,
  noOwnAddresses,
  type OwnAddresses,
  whyUnusable,
} from "../../../src/contract/addressee.ts";

const own: OwnAddresses = {
  domains: ["agency.example"],
  addresses: ["desk@mail.example"],
  arrangers: ["travel@client.example", "trips@agency.example"],
};

describe("an email address", () => {
  test.each([
    ["ana@mail.example", null],
    ["ANA@MAIL.EXAMPLE", null],
    ["ana@agency.example", "own-domain"],
    ["ana@Branch.Agency.example", "own-domain"],
    // Only ends alike.
    ["ana@myagency.example", null],
    ["ana@agency.example.com", null],
    ["desk@mail.example", "own-address"],
    ["Desk@mail.example", "own-address"],
    ["desk2@mail.example", null],
    ["travel@client.example", null],
    ["trips@agency.example", null],
    ["", "not-an-address"],
    ["ana", "not-an-address"],
    ["ana@", "not-an-address"],
    ["ana@localhost", "not-an-address"],
    ["ana@mail.example\r\nBcc: all@mail.example", "not-an-address"],
    ["ana@mail.example, eva@mail.example", "not-an-address"],
    ["Ana <ana@mail.example>", "not-an-address"],
    ["ana@eva@mail.example", "not-an-address"],
  ])("%j cannot be used because: %s", (email, why) => {
    expect(whyUnusable(email, own)).toBe(why);
  });
});

describe("messages about an order go", () => {
  test("to the first address that is none of the agency's", () => {
    const emails = ["desk@agency.example", "ana@mail.example", "eva@mail.example"];
    expect(addresseeOf({ emails }, own)).toBe("ana@mail.example");
    expect(addresseeOf({ emails }, noOwnAddresses)).toBe("desk@agency.example");
  });

  test("to an arranger of the agency's own domain, who is named as one", () => {
    expect(addresseeOf({ emails: ["trips@agency.example"] }, own)).toBe("trips@agency.example");
  });

  test("nowhere without one", () => {
    expect(addresseeOf({ emails: [] }, own)).toBeNull();
    expect(addresseeOf({ emails: ["desk@mail.example", "none"] }, own)).toBeNull();
  });
});

describe("a traveller is contactable", () => {
  test.each([
    [{ emails: ["ana@mail.example"], telephones: [] }, true],
    [{ emails: [], telephones: ["+351 912 345 678"] }, true],
    [{ emails: ["desk@agency.example"], telephones: ["+351 912 345 678"] }, true],
    [{ emails: ["desk@agency.example"], telephones: [] }, false],
    [{ emails: ["none"], telephones: [] }, false],
    [{ emails: [], telephones: [] }, false],
  ])("with %j: %s", (contacts, expected) => {
    expect(isContactable(contacts, own)).toBe(expected);
  });
});
