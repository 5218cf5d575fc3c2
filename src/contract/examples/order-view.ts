import type { z } from "zod";
import type { order, orderView } from "../elements/order.ts";
import type { passenger } from "../elements/passengers.ts";
import { exampleResponseEnvelope } from "./envelope.ts";
import { offerListsExample } from "./offer-lists.ts";
import { exampleOffer, inbound, money, outbound } from "./offers.ts";

type OrderView = z.infer<typeof orderView>;

export const exampleOrderQuery = { orderId: "QX7R2M1A", gdsBookingReferences: ["LHSKD1"] } as const;

const [gdsBookingReference] = exampleOrderQuery.gdsBookingReferences;

const {
  AllowHold: _,
  PassportRequired: __,
  ...bookedOffer
} = exampleOffer({
  offerId: "172406736131131031801",
  journeys: [outbound, inbound],
});

const bookedOrder: z.infer<typeof order> = {
  OrderID: exampleOrderQuery.orderId,
  GdsBookingReference: gdsBookingReference,
  OrderStatus: "SUCCESS",
  PaymentStatus: "PAID",
  TicketStatus: "TICKETED",
  PnrStatus: "SCHEDULE CHANGED",
  ScheduleChangeIndicator: true,
  ScheduleChangeStatus: "Initiated",
  OptionalServiceStatus: "SUCCESS",
  NeedToTicket: "N",
  ...bookedOffer,
  PaxSeatInfo: [
    { SeatNumber: "14C", SegmentNumber: 1, Origin: "LIS", Destination: "FRA", PaxRef: "T1", Status: "SUCCESS" },
  ],
  OfferItem: [
    ...bookedOffer.OfferItem,
    {
      OfferItemID: "SRV-OfferItem-1",
      Status: "SUCCESS",
      Service: { OptinalServiceId: "SRV_1", PassengerRefs: "T1", SegmentRefs: "Segment1 Segment2" },
      Price: { Base: money(6_000), Tax: money(0), Total: money(6_000) },
      ServiceDefinitionRef: "SD_1",
    },
  ],
  ScheduleChange: [
    { FlightKey: "Flight1", SegmentRefs: "Segment1 Segment2" },
    { FlightKey: "Flight2", SegmentReferences: "Segment3" },
    { AmendmentsActions: { Accept: "Y", Cancel: "Y", ReSchedule: "N" } },
  ],
};

const ticketDocuments = {
  TicketDocInfo: ["T1", "T2", "T3", "T4"].map((passengerId, position) => ({
    TicketDocument: { TicketDocNbr: `220210000000${position + 1}`, Type: "TKT" },
    PassengerReference: passengerId,
    GdsBookingReference: gdsBookingReference,
  })),
};

/**
 * The notification of a pending change: the first flight leaves twenty minutes later, the second is replaced by two,
 * the third takes longer. It has every field of an order view in the interface document.
 */
export const notificationExample: { OrderViewRS: OrderView } = {
  OrderViewRS: {
    ...exampleResponseEnvelope,
    Payments: {
      Payment: [
        {
          Type: "CARD",
          Amount: "2032.28",
          Method: {
            PaymentCard: {
              CardCode: "VI",
              CardNumber: "card_number_5f1c0d9e7a32b846",
              SeriesCode: "cvv_5f1c0d9e7a32b846",
              CardHolderName: "card_holder_name_5f1c0d9e7a32b846",
              EffectiveExpireDate: { Effective: "", Expiration: "exp_year_5f1c0d9e7a32b846" },
            },
          },
        },
        { Type: "CHECK", PassengerID: "ALL", Amount: 60, ChequeNumber: "100200" },
      ],
    },
    Order: [bookedOrder],
    DataLists: {
      ...offerListsExample,
      PassengerList: {
        Passengers: [
          traveller("T1", "ADT", "Mrs", "Ana", "1985-02-03"),
          traveller("T2", "ADT", "Mr", "Rui", "1983-11-20"),
          traveller("T3", "CHD", "Miss", "Eva", "2018-06-09"),
          traveller("T4", "INF", "Mstr", "Leo", "2026-01-15"),
        ],
      },
      contactEmail: ["traveller@example.com"],
      contactNumber: ["+1 2025550143"],
      ContactAddress: ["1 Example Street"],
      ServiceDefinitionList: {
        ServiceDefinition: [
          {
            ServiceDefinitionID: "SD_1",
            ServiceType: "BAG",
            ServiceCode: "0CC",
            ServiceName: "First checked bag up to 23 kg",
          },
        ],
      },
      ScheduleChangeSegmentList: {
        ScheduleChangeSegment: [
          {
            SegmentKey: "Segment1",
            SegmentDetails: [
              {
                Departure: { Date: "2027-04-12", Time: "06:25:00", Terminal: { Name: "1" } },
                Arrival: { Date: "2027-04-12", Time: "10:25:00" },
              },
            ],
          },
          { SegmentKey: "Segment2", SegmentDetails: replacingFlights() },
          {
            SegmentKey: "Segment3",
            SegmentDetails: [{ FlightDetail: { FlightDuration: { Value: "7 H 5 M" } } }],
          },
        ],
      },
    },
    TicketDocInfos: ticketDocuments,
    MetaData: {},
    threeDsResponse: "",
  },
};

/** As the response of AirReservationStatus. */
export const orderStatusExample: { OrderViewRS: OrderView } = {
  OrderViewRS: withoutThreeDs(notificationExample.OrderViewRS),
};

/** Before the change, as the response of AirDocRetreive. */
export const ticketDocumentsExample: { OrderViewRS: OrderView } = {
  OrderViewRS: {
    ...orderStatusExample.OrderViewRS,
    Order: [
      {
        ...bookedOrder,
        PnrStatus: "CONFIRMED",
        ScheduleChangeIndicator: false,
        ScheduleChangeStatus: "",
        ScheduleChange: [],
      },
    ],
    DataLists: {
      ...orderStatusExample.OrderViewRS.DataLists,
      ScheduleChangeSegmentList: { ScheduleChangeSegment: [] },
    },
  },
};

function withoutThreeDs({ threeDsResponse: _, ...view }: OrderView): OrderView {
  return view;
}

function traveller(
  passengerId: string,
  ptc: "ADT" | "CHD" | "INF",
  title: string,
  firstName: string,
  birthDate: string,
): z.infer<typeof passenger> {
  return {
    attributes: { PassengerID: passengerId },
    PassengerID: passengerId,
    PTC: ptc,
    BirthDate: birthDate,
    NameTitle: title,
    FirstName: firstName,
    MiddleName: "",
    LastName: "Example",
    Gender: title === "Mr" || title === "Mstr" ? "Male" : "Female",
    TravelDocument: { DocumentNumber: "", ExpiryDate: "", IssuingCountry: "", DocumentType: "" },
    Preference: { WheelChairPreference: { Reason: "" }, SeatPreference: "" },
    LoyaltyProgramAccount: [],
    ContactInfoRef: "Contact1",
  };
}

/** Frankfurt to New York with a stop in London, in place of a nonstop flight. */
function replacingFlights() {
  const [, replaced] = offerListsExample.FlightSegmentList.FlightSegment;
  if (replaced === undefined) return [];
  const { SegmentKey: ___, ...values } = replaced;
  const london = { AirportCode: "LHR", AirportName: "London Heathrow Airport", Date: "2027-04-12" };
  return [
    {
      ...values,
      Arrival: { ...london, Time: "12:45:00", Terminal: { Name: "2" } },
      MarketingCarrier: { ...values.MarketingCarrier, FlightNumber: "910" },
      FlightDetail: { ...values.FlightDetail, FlightDuration: { Value: "1 H 45 M" }, AirMilesFlown: 406 },
    },
    {
      ...values,
      Departure: { ...london, Time: "15:00:00", Terminal: { Name: "2" } },
      Arrival: { ...values.Arrival, Time: "18:10:00" },
      MarketingCarrier: { AirlineID: "UA", Name: "United Airlines", FlightNumber: "941" },
      FlightDetail: { ...values.FlightDetail, FlightDuration: { Value: "8 H 10 M" }, AirMilesFlown: 3451 },
    },
  ];
}
