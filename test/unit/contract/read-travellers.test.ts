import { describe, expect, test } from "vitest";
import { readTravellers } from "../../../src/contract/read-travellers.ts";

const view = {
  OrderViewRS: {
    Order: [
      { OrderID: "A1", GdsBookingReference: "AAAAAA", TicketStatus: "Ticketed" },
      { OrderID: "A1", GdsBookingReference: "BBBBBB", TicketStatus: "NOT TICKETED" },
      { OrderID: "OTHER", GdsBookingReference: "CCCCCC", TicketStatus: "TICKETED" },
    ],
    DataLists: {
      PassengerList: {
        Passengers: [
          {
            attributes: { PassengerID: "T1" },
            PassengerID: "T1",
            PTC: "adt",
            BirthDate: "1986-04-12",
            NameTitle: "Mrs",
            FirstName: "Ana",
            MiddleName: "",
            LastName: "Silva",
            Preference: { WheelChairPreference: { Reason: "WCHR" } },
            SsrRequest: ["VGML", { SSRCode: "PETC", Text: "small dog" }, ""],
            LoyaltyProgramAccount: [
              { ProgramID: "MM", AirlineID: "LH", AccountNumber: "992001" },
              { ProgramID: "MM", AirlineID: "", AccountNumber: "" },
            ],
          },
          { PassengerID: "T2", PTC: "CHD" },
        ],
      },
      contactEmail: ["ana@example.com", "", "ana@example.com"],
      contactNumber: "+351 912 345 678",
    },
    TicketDocInfos: {
      TicketDocInfo: [
        {
          TicketDocument: { TicketDocNbr: "2202100000001", Type: "TKT" },
          PassengerReference: "T1",
          GdsBookingReference: "AAAAAA",
        },
        {
          TicketDocument: { TicketDocNbr: "2202100000002", Type: "EMD" },
          PassengerReference: "T9",
          GdsBookingReference: "BBBBBB",
        },
        {
          TicketDocument: { TicketDocNbr: "2202100000003", Type: "TKT" },
          PassengerReference: "T2",
          GdsBookingReference: "CCCCCC",
        },
      ],
    },
  },
};

describe("the travellers of an order view", () => {
  test("have a name, a type, their tickets with the status of the booking, requests and frequent-flyer accounts", () => {
    expect(readTravellers(view, "A1")).toEqual({
      travellers: [
        {
          name: "Mrs Ana Silva",
          firstName: "Ana",
          type: "ADT",
          birthDate: "1986-04-12",
          tickets: [{ number: "2202100000001", type: "TKT", gdsBookingReference: "AAAAAA", status: "TICKETED" }],
          requests: ["VGML", "PETC small dog", "Wheelchair: WCHR"],
          frequentFlyer: [{ airline: "LH", number: "992001" }],
        },
        { name: null, firstName: null, type: "CHD", birthDate: null, tickets: [], requests: [], frequentFlyer: [] },
      ],
      emails: ["ana@example.com"],
      telephones: ["+351 912 345 678"],
      hasRefusedContact: false,
      otherTickets: [{ number: "2202100000002", type: "EMD", gdsBookingReference: "BBBBBB", status: "NOT TICKETED" }],
      otherOrderIds: ["OTHER"],
    });
  });

  test("are nobody when the view states no list, and the order is named all the same", () => {
    expect(readTravellers({ Order: { OrderID: "A1" } }, "A1")).toEqual({
      travellers: [],
      emails: [],
      telephones: [],
      hasRefusedContact: false,
      otherTickets: [],
      otherOrderIds: [],
    });
  });

  test.each([
    ["another order", view, "B2"],
    ["no order view", { Error: {} }, "A1"],
    ["no object", "x", "A1"],
  ])("cannot be read from %s", (_, json, orderId) => {
    expect(readTravellers(json, orderId)).toBeNull();
  });
});
