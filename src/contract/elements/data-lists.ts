import { z } from "zod";
import { element, field } from "../element.ts";
import { airportCode, reference, references } from "./codes.ts";
import { fopList } from "./fop-list.ts";
import { offerPassenger, passenger, reshopPassenger } from "./passengers.ts";
import { flightSegment, scheduleChangeSegment } from "./segment.ts";

const section = "DataLists";

export const priceClass = element(
  "PriceClass",
  section,
  z.strictObject({
    PriceClassID: field(reference, "key that PriceClassRef names"),
    Name: field(z.string(), "name of the brand; may be empty"),
    Code: field(z.string(), "code of the brand; may be empty"),
    Descriptions: field(
      z.strictObject({
        Description: field(
          z.array(
            z.strictObject({
              Code: field(z.string(), "code of the feature"),
              Type: field(z.string(), "kind of the feature"),
              Text: field(z.string(), "the feature in words"),
            }),
          ),
          "one entry for each feature",
        ),
      }),
      "what the brand includes",
    ),
  }),
);

const baggageAllowance = element(
  "BaggageAllowance",
  section,
  z.strictObject({
    BaggageAllowanceID: field(reference, "key that BaggageAllowanceRef names"),
    BaggageCategory: field(z.string(), "checked or carried on"),
    AllowanceDescription: field(
      z.strictObject({
        ApplicableParty: field(z.string(), "for whom"),
        Description: field(z.string(), "the allowance in words"),
      }),
      "the allowance in words",
    ),
    PieceAllowance: field(
      z.strictObject({
        ApplicableParty: field(z.string(), "for whom"),
        TotalQuantity: field(z.string(), "how many, as text; the text undefined occurs"),
        Unit: field(z.string(), "Pieces and kg occur").optional(),
      }),
      "how much",
    ),
  }),
);

export const ticketDocInfo = element(
  "TicketDocInfo",
  section,
  z.strictObject({
    TicketDocument: field(
      z.strictObject({
        TicketDocNbr: field(reference, "ticket number"),
        Type: field(z.string(), "TKT, also for documents of ancillaries"),
      }),
      "the document",
    ),
    PassengerReference: field(reference, "key of the passenger"),
    GdsBookingReference: field(reference, "booking that it was issued for"),
  }),
);

export const serviceDefinition = element(
  "ServiceDefinition",
  section,
  z.strictObject({
    ServiceDefinitionID: field(reference, "key that ServiceDefinitionRef names"),
    ServiceType: field(z.string(), "BAG and MEAL occur"),
    ServiceCode: field(z.string(), "code of the service; may contain blanks"),
    ServiceName: field(z.string(), "name of the service", { aliases: ["Name"] }),
  }),
);

const disclosureList = field(
  z.strictObject({ Disclosures: field(z.array(z.unknown()), "disclosures; their form is not shown") }),
  "what must be told to the traveller",
  { section },
);

const fareList = field(
  z.strictObject({
    FareGroup: field(
      z.array(
        z.strictObject({
          FareGroupRef: field(reference, "key of the fare group"),
          FareCode: field(z.string(), "such as 749 or 70J"),
          FareBasisCode: field(z.string(), "fare basis"),
        }),
      ),
      "one entry for each fare",
    ),
  }),
  "the fares",
  { section },
);

export const flightSegmentList = field(
  element(
    "FlightSegmentList",
    section,
    z.strictObject({ FlightSegment: field(z.array(flightSegment), "one entry for each segment") }),
  ),
  "the segments",
  { section },
);

export const flight = z.strictObject({
  FlightKey: field(reference, "key that FlightRefs and FlightReferences name"),
  Journey: field(
    z.strictObject({
      Time: field(z.string(), "duration in words; may be empty").optional(),
      Stops: field(z.int().min(0), "number of stops"),
    }),
    "the journey as a whole",
  ),
  SegmentReferences: field(references, "its segments in order", { aliases: ["SegmentRefs"] }),
});

export const originDestination = z.strictObject({
  OriginDestinationKey: field(reference, "key of the pair"),
  DepartureCode: field(airportCode, "airport or city of departure"),
  ArrivalCode: field(airportCode, "airport or city of arrival"),
  FlightReferences: field(references, "the journeys between them", { aliases: ["FlightRefs"] }),
});

export const flightList = field(
  element(
    "FlightList",
    section,
    z.strictObject({
      Flight: field(z.array(flight), "one entry for each journey"),
    }),
  ),
  "the journeys, each of one or several segments",
  { section },
);

export const originDestinationList = field(
  element(
    "OriginDestinationList",
    section,
    z.strictObject({
      OriginDestination: field(z.array(originDestination), "one entry for each pair"),
    }),
  ),
  "the pairs of places that were asked for",
  { section },
);

const priceClassList = field(
  z.strictObject({ PriceClass: field(z.array(priceClass), "one entry for each brand") }),
  "the brands",
  { section },
);

const baggageAllowanceList = field(
  z.strictObject({ BaggageAllowance: field(z.array(baggageAllowance), "one entry for each allowance") }),
  "the baggage allowances",
  { section },
);

/** A member of the order view, beside `DataLists`. */
export const ticketDocInfos = field(
  z.strictObject({ TicketDocInfo: field(z.array(ticketDocInfo), "one entry for each document") }),
  "the ticket documents",
  { section },
);

export const serviceDefinitionList = field(
  z.strictObject({ ServiceDefinition: field(z.array(serviceDefinition), "one entry for each service") }),
  "what the services are",
  { section },
);

const scheduleChangeSegmentList = field(
  z.strictObject({
    ScheduleChangeSegment: field(z.array(scheduleChangeSegment), "one entry for each segment that changes"),
  }),
  "the new values of segments after an involuntary change; empty when there is none",
  { section: "Schedule-change objects" },
);

function passengerList<Schema extends z.ZodType>(schema: Schema) {
  return field(
    z.strictObject({
      Passengers: field(z.array(schema), "one entry for each passenger", { aliases: ["Passenger"] }),
    }),
    "the passengers",
    { section },
  );
}

export const orderPassengerList = passengerList(passenger);
export const offerPassengerList = passengerList(offerPassenger);
const reshopPassengerList = passengerList(reshopPassenger);

/** In every response with flights and prices. */
const flightLists = {
  DisclosureList: disclosureList.optional(),
  FareList: fareList.optional(),
  FlightSegmentList: flightSegmentList,
  FlightList: flightList,
  OriginDestinationList: originDestinationList,
  PriceClassList: priceClassList.optional(),
  BaggageAllowanceList: baggageAllowanceList.optional(),
  FopList: fopList.optional(),
};

const contacts = (what: string) => field(z.array(z.string()), what).optional();

export const orderDataLists = element(
  "OrderDataLists",
  section,
  z.strictObject({
    PassengerList: orderPassengerList.optional(),
    contactEmail: contacts("e-mail addresses of the traveller"),
    contactNumber: contacts("telephone numbers of the traveller"),
    ContactAddress: contacts("postal address of the traveller"),
    ...flightLists,
    TicketDocInfos: ticketDocInfos.optional(),
    ServiceDefinitionList: serviceDefinitionList.optional(),
    ScheduleChangeSegmentList: scheduleChangeSegmentList.optional(),
  }),
);

export const offerDataLists = element(
  "OfferDataLists",
  section,
  z.strictObject({ PassengerList: offerPassengerList, ...flightLists }),
);

export const reshopDataLists = element(
  "ReshopDataLists",
  section,
  z.strictObject({ PassengerList: reshopPassengerList, ...flightLists }),
);
