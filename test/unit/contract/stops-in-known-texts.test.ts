import { expect, test } from "vitest";
import { readOrderView } from "../../../src/contract/read-order-view.ts";
import { aMinorDelay, type Json } from "../../builders/order-view.ts";

function statementsIn(member: Json, order: Json = {}): readonly string[] {
  const body = aMinorDelay({ order }) as { OrderViewRS: Json & { DataLists: Json } };
  const { DataLists, ...others } = member;
  const lists = { ...body.OrderViewRS.DataLists, ...(DataLists as Json | undefined) };
  const reading = readOrderView({ OrderViewRS: { ...body.OrderViewRS, ...others, DataLists: lists } });
  if (!reading.ok) throw new Error(reading.problem.message);
  return reading.view.unread.statements.map(({ path, class: kind }) => `${kind} ${path}`);
}

const inNewValues = (values: Json): Json => ({
  DataLists: {
    ScheduleChangeSegmentList: { ScheduleChangeSegment: [{ SegmentKey: "Segment1", SegmentDetails: [values] }] },
  },
});
const inPassenger = (values: Json): Json => ({
  DataLists: { PassengerList: { Passengers: [{ PassengerID: "T1", PTC: "ADT", ...values }] } },
});

test.each<[string, Json]>([
  ["a terminal", inNewValues({ Departure: { Terminal: { Name: "CANCELLED" } } })],
  ["a terminal that is no object", inNewValues({ Departure: { Terminal: "Annulliert" } })],
  ["an airport", inNewValues({ Arrival: { AirportName: "FLIGHT CANCELLED - CALL" } })],
  ["an airline", inNewValues({ MarketingCarrier: { Name: "Do not accept" } })],
  ["an operating airline", inNewValues({ OperatingCarrier: { Name: "NOT OPERATING" } })],
  ["an aircraft", inNewValues({ Equipment: { Name: "CANCELADO" } })],
  ["a duration", inNewValues({ FlightDetail: { FlightDuration: { Value: "cancelled" } } })],
  ["the airline's reference", inNewValues({ FlightDetail: { AirlinePnr: "CANCELLED" } })],
  ["a journey", { DataLists: { FlightList: { Flight: [{ FlightKey: "F1", Journey: { Time: "CANCELLED" } }] } } }],
  ["the type of a ticket", { TicketDocInfos: { TicketDocInfo: [{ TicketDocument: { Type: "VOID" } }] } }],
  ["the number of a ticket", { TicketDocInfos: { TicketDocInfo: [{ TicketDocument: { TicketDocNbr: "VOIDED" } }] } }],
  ["the type of a payment", { Payments: { Payment: [{ Type: "REFUND", Amount: 20 }] } }],
  ["the answer of a card's bank", { threeDsResponse: "FAILED: contact issuer" }],
  ["the seat that is liked", inPassenger({ Preference: { SeatPreference: "DO NOT REBOOK" } })],
])("a known text of %s may be an order to stop", (_, member) => {
  expect(statementsIn(member)).toEqual([expect.stringMatching(/^stop /)]);
});

test.each<[string, Json]>([
  ["names", inPassenger({ FirstName: "Wait", LastName: "Warner", MiddleName: "Held" })],
  ["addresses", { DataLists: { ContactAddress: ["1 Cancelled Street, Lost"], contactEmail: ["refund@deny.example"] } }],
  ["airlines", inNewValues({ MarketingCarrier: { Name: "Contact Air" }, OperatingCarrier: { Name: "Air Call" } })],
  ["airports", inNewValues({ Departure: { AirportName: "CFS Alert" }, Arrival: { AirportName: "Blind River" } })],
  ["terminals", inNewValues({ Departure: { Terminal: { Name: "Terminal 2E" } } })],
  ["a seat that is needed", inPassenger({ Preference: { SeatPreference: "Aisle, wheelchair" } })],
  [
    "a fare",
    {
      DataLists: {
        PriceClassList: {
          PriceClass: [
            {
              PriceClassID: "P1",
              Name: "Light, no refund if cancelled",
              Code: "CANCELLED",
              Descriptions: { Description: [{ Code: "REFUND", Type: "TEXT", Text: "Refunded if cancelled" }] },
            },
          ],
        },
      },
    },
  ],
  [
    "services",
    {
      DataLists: {
        ServiceDefinitionList: {
          ServiceDefinition: [{ ServiceDefinitionID: "S1", ServiceType: "SMS", ServiceName: "Alerts and lost bags" }],
        },
      },
    },
  ],
  ["tickets", { TicketDocInfos: { TicketDocInfo: [{ TicketDocument: { TicketDocNbr: "2201", Type: "EMD-A" } }] } }],
])("what %s are called is no order to stop", (_, member) => {
  expect(statementsIn(member)).toEqual([]);
});

const fare = (Status: string): Json => ({ OfferItem: [{ OfferItemID: "O1", PassengerType: "ADT", Status }] });

test.each([
  ...["GEANNULEERD", "VERVALLEN", "PERUTTU", "AVBOKAD", "TÖRÖLVE", "ОТМЕНЕНО", "已取消", "キャンセル", "ΑΚΥΡΩΘΗΚΕ"],
  ...["X", "C", "ZZTOP9"],
])("a fare in the state %s is not known to stand", (state) => {
  expect(statementsIn({}, fare(state))).toEqual(["code Order.OfferItem.Status"]);
  expect(statementsIn({}, { OptionalServiceStatus: state })).toEqual(["code Order.OptionalServiceStatus"]);
});

test.each(["SUCCESS", "Confirmed", "HK", "TK", "Ticketed", "BOOKED", "ok", "Schedule Changed"])(
  "a fare in the state %s stands",
  (state) => {
    expect(statementsIn({}, fare(state))).toEqual([]);
    expect(statementsIn({}, { OptionalServiceStatus: state })).toEqual([]);
  },
);

test("an order to stop is found in a request for a ticket number", () => {
  const texts = ["ADTK 1A TO LH BY 05DEC26 1000 OTHERWISE WILL BE XLD", "SSR ADTK LH ADV TKT NBR"];

  for (const SsrRequest of texts) {
    expect(statementsIn(inPassenger({ SsrRequest: [SsrRequest] }))).toEqual([
      "stop DataLists.PassengerList.Passengers.SsrRequest",
    ]);
  }
});

test.each<[string, Json, Json]>([
  ["Payment", { Payments: { Payment: [{ AmountDue: 120.5 }] } }, {}],
  ["Balance", { Payments: { BalanceDue: { Amount: 120.5 } } }, {}],
  ["Payments", { Payments: { Outstanding: 50.25 } }, {}],
  ["TaxPrice", {}, { TaxPrice: { AdditionalCollection: 35.5 } }],
  ["FareDetail", {}, { OfferItem: [{ OfferItemID: "O1", FareDetail: { AddCollectAmount: 35.5 } }] }],
])("money that is still to be paid is an order to stop: %s", (_, member, order) => {
  expect(statementsIn(member, order)).toEqual([expect.stringMatching(/^stop /)]);
  const paid = JSON.parse(JSON.stringify([member, order]).replaceAll(/\d+\.\d+/g, "0")) as [Json, Json];
  expect(statementsIn(...paid).filter((statement) => statement.startsWith("stop"))).toEqual([]);
});

test.each(["NO ACEPTAR", "NON ACCETTARE", "NÃO ACEITAR", "Ne pas accepter", "Nicht annehmen"])(
  "%s is an order to stop",
  (Info) => {
    expect(statementsIn({}, { Info })).toEqual(["stop Order.Info"]);
  },
);
