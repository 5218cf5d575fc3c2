import { describe, expect, test } from "vitest";
import { airTicketVoid } from "../../../src/contract/operations/air-ticket-void.ts";
import { anEnvelope, type Json } from "../../builders/order-view.ts";
import { anErrorResponse, anOrderRequest } from "../../builders/order-view-operations.ts";

const root = "AirTicketVoidRQ";
const envelope = {
  documentName: "Skedchange",
  agencyName: "Example Travel",
  iataNumber: "",
  agencyId: "",
  contactEmails: [],
};
const query = {
  orderId: "QX7R2M1A",
  gdsBookingReferences: ["LHSKD1"],
  ticketNumbers: ["2202100000001"],
  needToCancelBooking: false,
};

/** A request for one ticket; a member given as undefined is left out. */
function aRequest(members: Json = {}): Json {
  return anOrderRequest(root, { TicketNumber: ["2202100000001"], ...members });
}

function aResponse(result: unknown, content: Json = {}): Json {
  return {
    AirTicketVoidRS: {
      ...anEnvelope("1.2"),
      ShoppingResponseId: "1724067361311310318",
      Success: {},
      Result: result,
      ...content,
    },
  };
}

const result = {
  Status: "SUCCESS",
  ErrorMessage: "",
  TicketDetails: [{ DocumentNumber: "2202100000001", Status: "SUCCESS", Msg: "" }],
  TktRequestId: "17240673",
  ShoppingResponseId: "1724067361311310318",
  BookingStatus: "CANCELED",
};
const read = {
  status: "SUCCESS",
  errorMessage: "",
  tickets: [{ ticketNumber: "2202100000001", status: "SUCCESS", message: "" }],
  tktRequestId: "17240673",
  shoppingResponseId: "1724067361311310318",
  bookingStatus: "CANCELLED",
};

describe("AirTicketVoid", () => {
  test("is named as in the interface document, has a host of its own and is never sent again on its own account", () => {
    expect(airTicketVoid).toMatchObject({
      name: "AirTicketVoid",
      path: "/AirTicketVoid",
      requestRoot: "AirTicketVoidRQ",
      responseRoot: "AirTicketVoidRS",
      readOnly: false,
      resendable: false,
      optionalService: false,
      host: "void",
    });
  });

  test.each([
    ["N", undefined, false],
    ["N", false, false],
    ["Y", true, true],
  ])("sends NeedToCancelBooking %s when asked %j", (sent, asked, expected) => {
    const { needToCancelBooking: _, ...rest } = query;
    const body = airTicketVoid.request(asked === undefined ? rest : { ...rest, needToCancelBooking: asked }, envelope);

    expect(airTicketVoid.requestSchema.safeParse(body).error).toBeUndefined();
    expect(body).toMatchObject({ AirTicketVoidRQ: { Query: { NeedToCancelBooking: sent } } });
    expect(airTicketVoid.readRequest(body)).toEqual({ ok: true, query: { ...query, needToCancelBooking: expected } });
  });

  test.each<[string, Json]>([
    ["lists", aRequest()],
    ["one text for each", aRequest({ GdsBookingReference: "LHSKD1", TicketNumber: "2202100000001" })],
    ["a ticket number sent as a number", aRequest({ TicketNumber: [2202100000001] })],
    ["the same ticket twice", aRequest({ TicketNumber: ["2202100000001", "2202100000001"] })],
    [
      "keys in lower case and no envelope",
      {
        airticketvoidrq: {
          query: { orderid: "QX7R2M1A", gdsbookingreference: ["LHSKD1"], ticketnumber: ["2202100000001"] },
        },
      },
    ],
  ])("reads a request with %s", (_, body) => {
    expect(airTicketVoid.readRequest(body)).toEqual({ ok: true, query });
  });

  test.each([
    [undefined, false],
    [null, false],
    ["", false],
    ["N", false],
    ["n", false],
    ["Y", true],
    [" y ", true],
  ])("reads NeedToCancelBooking %j as %j", (sent, needToCancelBooking) => {
    expect(airTicketVoid.readRequest(aRequest({ NeedToCancelBooking: sent }))).toEqual({
      ok: true,
      query: { ...query, needToCancelBooking },
    });
  });

  test.each([["X"], ["YES"], ["NO"], ["true"], [true], [false], [1], [["Y"]], [{}]])(
    "refuses NeedToCancelBooking %j rather than guess whether a booking is lost",
    (sent) => {
      expect(airTicketVoid.readRequest(aRequest({ NeedToCancelBooking: sent }))).toEqual({
        ok: false,
        problem: {
          code: "request.bad_need_to_cancel_booking",
          path: "/AirTicketVoidRQ/Query/NeedToCancelBooking",
          message: "NeedToCancelBooking of the request for order QX7R2M1A is neither Y nor N.",
          businessCode: 29,
        },
      });
    },
  );

  test.each<[string, unknown, string, string]>([
    ["is no object", null, "request.no_root", "/AirTicketVoidRQ"],
    ["names no order", aRequest({ OrderID: null }), "request.no_order_id", "/AirTicketVoidRQ/Query/OrderID"],
    [
      "names no booking",
      aRequest({ GdsBookingReference: [] }),
      "request.no_booking_reference",
      "/AirTicketVoidRQ/Query/GdsBookingReference",
    ],
    [
      "names no ticket",
      aRequest({ TicketNumber: [] }),
      "request.no_ticket_number",
      "/AirTicketVoidRQ/Query/TicketNumber",
    ],
    [
      "has no tickets",
      aRequest({ TicketNumber: undefined }),
      "request.no_ticket_number",
      "/AirTicketVoidRQ/Query/TicketNumber",
    ],
  ])("refuses a request that %s", (_, body, code, path) => {
    expect(airTicketVoid.readRequest(body)).toMatchObject({ ok: false, problem: { code, path, businessCode: 29 } });
  });

  test.each([["y"], ["X"], [true], [""]])("never sends NeedToCancelBooking %j", (value) => {
    const body = aRequest({ NeedToCancelBooking: value });

    expect(airTicketVoid.requestSchema.safeParse(body).success).toBe(false);
  });
});

describe("a response of AirTicketVoid", () => {
  test.each<[string, unknown]>([
    ["as documented", aResponse(result)],
    ["without a root", { Result: result }],
    ["without Success", aResponse(result, { Success: undefined })],
    ["with CANCELLED", aResponse({ ...result, BookingStatus: "Cancelled" })],
    ["with one ticket that is no list", aResponse({ ...result, TicketDetails: result.TicketDetails[0] })],
    ["with the ShoppingResponseId in the envelope only", aResponse({ ...result, ShoppingResponseId: undefined })],
    ["with numbers in place of text", aResponse({ ...result, TktRequestId: 17240673 })],
  ])("is read %s", (_, body) => {
    expect(airTicketVoid.interpret(body)).toEqual({ ok: true, result: read });
  });

  test("holds the status of each ticket, and no booking state when none is stated", () => {
    const { BookingStatus: _, ...withoutBookingStatus } = result;
    const body = aResponse({
      ...withoutBookingStatus,
      Status: "FAILED",
      ErrorMessage: "Not all tickets were voided",
      TicketDetails: [
        { DocumentNumber: "2202100000001", Status: "SUCCESS", Msg: "" },
        { DocumentNumber: "2202100000002", Status: "FAILED", Msg: "The void period has ended" },
      ],
    });

    expect(airTicketVoid.responseSchema.safeParse(body).error).toBeUndefined();
    expect(airTicketVoid.interpret(body)).toEqual({
      ok: true,
      result: {
        ...read,
        status: "FAILED",
        errorMessage: "Not all tickets were voided",
        tickets: [
          { ticketNumber: "2202100000001", status: "SUCCESS", message: "" },
          { ticketNumber: "2202100000002", status: "FAILED", message: "The void period has ended" },
        ],
        bookingStatus: null,
      },
    });
  });

  test("that states what was done counts although it also states an error", () => {
    const body = aResponse(result, { Errors: { Error: { Value: "MAIL_NOT_SENT" } } });

    expect(airTicketVoid.interpret(body)).toEqual({ ok: true, result: read });
  });

  test("is rejected when errors stand in place of the result", () => {
    expect(airTicketVoid.interpret(anErrorResponse("AirTicketVoidRS", { ShortText: "not ticketed" }))).toMatchObject({
      ok: false,
      problem: { code: "gateway.rejected", errors: [{ code: null, text: "not ticketed" }] },
    });
  });

  test.each([
    [null],
    [[]],
    ["SUCCESS"],
    [{}],
    [aResponse({})],
    [aResponse("SUCCESS")],
    [aResponse({ TktRequestId: "1" })],
  ])("is unusable in %j: it says nothing about what was done", (body) => {
    expect(airTicketVoid.interpret(body)).toMatchObject({
      ok: false,
      problem: { code: "gateway.unusable_answer", path: "/AirTicketVoidRS/Result" },
    });
  });
});
