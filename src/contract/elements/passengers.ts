import { z } from "zod";
import { element, field } from "../element.ts";
import { localDate, passengerType, reference } from "./codes.ts";

const section = "DataLists";

const passengerKey = field(reference, "key of the passenger: T1, T2 and so on; others such as ADT1 occur");
const passengerCode = field(passengerType, "ADT, CHD or INF");

export const offerPassenger = element(
  "OfferPassenger",
  section,
  z.strictObject({ PassengerID: passengerKey, PTC: passengerCode }),
);

export const passenger = element(
  "Passenger",
  section,
  z.strictObject({
    attributes: field(
      z.strictObject({ PassengerID: field(reference, "key that services and fares may refer to") }),
      "attributes of the element",
    ).optional(),
    PassengerID: passengerKey,
    PTC: passengerCode,
    PassengerRefID: field(z.string(), "links the key to those that services refer to; not always sent").optional(),
    BirthDate: field(localDate, "yyyy-mm-dd").optional(),
    NameTitle: field(z.string(), "Mr, Mrs, Miss, Ms, Mstr").optional(),
    FirstName: field(z.string(), "given name").optional(),
    MiddleName: field(z.string(), "may be empty").optional(),
    LastName: field(z.string(), "family name").optional(),
    Gender: field(z.string(), "gender, in the gateway's words").optional(),
    TravelDocument: field(
      z.strictObject({
        DocumentNumber: field(z.string(), "number of the document"),
        ExpiryDate: field(z.string(), "yyyy-mm-dd, or empty"),
        IssuingCountry: field(z.string(), "country that issued it"),
        DocumentType: field(z.string(), "kind of the document"),
      }),
      "passport or other travel document",
    ).optional(),
    Preference: field(
      z.strictObject({
        WheelChairPreference: field(
          z
            .strictObject({
              Reason: field(z.string(), "why a wheelchair is needed; empty when it is not", { aliases: ["Code"] }),
            })
            .meta({ bare: "Reason" }),
          "need of assistance",
        ).optional(),
        SeatPreference: field(z.string(), "may be empty").optional(),
      }),
      "what the passenger needs and likes",
    ).optional(),
    LoyaltyProgramAccount: field(
      z.array(
        z.strictObject({
          ProgramID: field(z.string(), "identifier of the programme"),
          AirlineID: field(z.string(), "airline of the programme"),
          AccountNumber: field(z.string(), "number of the account"),
        }),
      ),
      "frequent-flyer accounts",
    ).optional(),
    SsrRequest: field(z.array(z.unknown()), "service requests such as WCHS; not in the interface document").optional(),
    ContactInfoRef: field(z.string(), "key of the contact").optional(),
  }),
);

export const reshopPassenger = element(
  "ReshopPassenger",
  section,
  passenger.extend({
    DocumentNumber: field(z.string(), "passenger identification number received at ticketing").optional(),
  }),
);

const requestSection = "Endpoints";

/** For requests that price or list. */
const requestPassenger = element(
  "RequestPassenger",
  requestSection,
  z.strictObject({ PassengerID: passengerKey, PTC: passengerCode }),
);

/** For AirOrderReshop. */
export const reshopRequestPassenger = element(
  "ReshopRequestPassenger",
  requestSection,
  z.strictObject({
    PassengerID: passengerKey,
    PTC: passengerCode,
    NameTitle: field(
      z.enum(["Mr", "Mrs", "Miss", "Ms", "Mstr"]),
      "documented without Mr, which the example uses",
    ).optional(),
    FirstName: field(z.string(), "given name"),
    MiddleName: field(z.string(), "may be empty"),
    LastName: field(z.string(), "family name"),
    DocumentNumber: field(reference, "passenger identification number received at ticketing"),
  }),
);

export const requestDataLists = requestLists(requestPassenger);

export const reshopRequestDataLists = requestLists(reshopRequestPassenger);

function requestLists<Schema extends z.ZodType>(schema: Schema) {
  return field(
    z.strictObject({
      PassengerList: field(
        z.strictObject({
          Passenger: field(z.array(schema).min(1), "everybody who travels", { aliases: ["Passengers"] }),
        }),
        "the passengers",
      ),
    }),
    "lists that the request refers to",
    { section: requestSection },
  );
}
