import { describe, expect, test } from "vitest";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { anOrderView, type Json } from "../../builders/order-view.ts";

function contacts({ lists = {}, requests = [] }: { readonly lists?: Json; readonly requests?: readonly unknown[] }) {
  const passenger = { PassengerID: "T1", PTC: "ADT", SsrRequest: requests };
  const read = readOrderView(anOrderView({ dataLists: { PassengerList: { Passengers: [passenger] }, ...lists } }));
  if (!read.ok) throw new Error(JSON.stringify(read));
  return read.view.contacts;
}

describe("the contacts of an order", () => {
  test.each<[Json, readonly string[], readonly string[]]>([
    [{ contactEmail: ["a@example.com"] }, ["a@example.com"], []],
    [{ contactEmail: ["a@example.com", "a@example.com", "b@example.com"] }, ["a@example.com", "b@example.com"], []],
    [{ ContactNumber: "+1 2025550143" }, [], ["+1 2025550143"]],
    [{}, [], []],
    [{ contactEmail: [""], contactNumber: [] }, [], []],
    [{ ContactAddress: ["1 Example Street"] }, [], []],
  ])("of %j are %j and %j", (lists, emails, telephones) => {
    expect(contacts({ lists })).toEqual({ emails, telephones, isRefused: false });
  });

  test("come before those of its passengers, and one of both counts once", () => {
    const requests = ["SSR CTCE YY HK1/ANA//MAIL.EXAMPLE", "SSR CTCE YY HK1/EVA//MAIL.EXAMPLE"];
    expect(contacts({ lists: { contactEmail: ["eva@mail.example"] }, requests }).emails).toEqual([
      "eva@mail.example",
      "ana@mail.example",
    ]);
  });
});

describe("the request CTCE", () => {
  test.each<[unknown, readonly string[]]>([
    ["SSR CTCE YY HK1/POP.MARIN//MAIL.EXAMPLE", ["pop.marin@mail.example"]],
    ["SSRCTCEYYHK1/pop.marin//mail.example/SR", ["pop.marin@mail.example"]],
    ["SR CTCE-POP.MARIN//MAIL.EXAMPLE/P1", ["pop.marin@mail.example"]],
    ["SSR CTCE LH HK1/ANA..SILVA//MY./MAIL.EXAMPLE/PT-1SILVA/ANA MRS", ["ana_silva@my-mail.example"]],
    ["SSR CTCE LH HK1/JEAN./LUC//MAIL.EXAMPLE-1LUC/JEAN MR", ["jean-luc@mail.example"]],
    ["CTCE ANA//MY-MAIL.EXAMPLE", ["ana@my-mail.example"]],
    ["CTCE/ANA@MAIL.EXAMPLE/EN", ["ana@mail.example"]],
    [{ Code: "CTCE", FreeText: "ANA//MAIL.EXAMPLE" }, ["ana@mail.example"]],
    [{ SSRCode: "ctce", Text: "ana//mail.example" }, ["ana@mail.example"]],
    // What a system spells with one slash nobody can tell.
    ["CTCE/JOHN.SMITH/MAIL.EXAMPLE-1.1", []],
    ["SSR CTCE YY HK1/", []],
    ["SSR OTHS YY HK1/ANA//MAIL.EXAMPLE", []],
    ["PCTCEY ANA//MAIL.EXAMPLE", []],
    [42, []],
  ])("%j states %j", (request, emails) => {
    expect(contacts({ requests: [request] })).toEqual({ emails, telephones: [], isRefused: false });
  });

  test("of any length is read in no time", () => {
    expect(contacts({ requests: [`CTCE ${"a.".repeat(500_000)}`] }).emails).toEqual([]);
  }, 2_000);
});

describe("the request CTCM", () => {
  test.each<[unknown, readonly string[]]>([
    ["SSR CTCM LH HK1/351912345678/PT-1SILVA/ANA MRS", ["+351912345678"]],
    ["SSRCTCMYYHK1/602602602", ["+602602602"]],
    ["SR CTCM-40744510888/RO/P1", ["+40744510888"]],
    ["CTCM +351912345678", ["+351912345678"]],
    [{ Code: "CTCM", Text: "0912345678" }, ["0912345678"]],
    ["SSR CTCM LH HK1/123456", []],
    ["SSR CTCM LH HK1/1234567890123456", []],
  ])("%j states %j", (request, telephones) => {
    expect(contacts({ requests: [request] })).toEqual({ emails: [], telephones, isRefused: false });
  });
});

test.each(["SSR CTCR YY HK1/REFUSED-1SILVA/ANA MRS", { Code: "CTCR" }])("%j refuses a contact", (request) => {
  expect(contacts({ requests: [request] })).toEqual({ emails: [], telephones: [], isRefused: true });
});
