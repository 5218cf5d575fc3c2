import { z } from "zod";
import { element, field } from "./element.ts";

/** The sender of a request, for `Document` and `Party`. */
export interface Envelope {
  /** Free text that names the caller. */
  readonly documentName: string;
  readonly agencyName: string;
  /** May be empty. */
  readonly iataNumber: string;
  /** May be empty; often the agency's name. */
  readonly agencyId: string;
  readonly contactEmails: readonly string[];
}

/** `Document.ReferenceVersion`. @see interface document, "Versioning" */
export const requestVersion = "1.0";
export const responseVersion = "1.2";

const section = "Common request envelope";

/** @see interface document, "Common request envelope" */
export const documentSchema = element(
  "Document",
  section,
  z.strictObject({
    Name: field(z.string(), "free text naming the request"),
    ReferenceVersion: field(z.string(), "numeric value, sent as text: 1.0 in requests, 1.2 or 1.0 in responses"),
  }),
);

/** @see interface document, "Common request envelope" */
export const partySchema = party(
  "Party",
  field(
    z.array(z.strictObject({ EmailContact: field(z.string(), "e-mail address; gateways also spell it emailcontact") })),
    "contacts of the agency",
  ),
);

/** AirFareRules has one contact object. @see interface document, "Common request envelope" */
export const fareRulesPartySchema = party(
  "FareRulesParty",
  field(
    z.strictObject({
      EmailContact: field(
        z.strictObject({ Address: field(z.string(), "e-mail address") }).meta({ bare: "Address" }),
        "how the agency is reached",
      ),
    }),
    "the contact of the agency",
  ),
);

function party<Contact extends z.ZodType>(id: string, contact: Contact) {
  return element(
    id,
    section,
    z.strictObject({
      Sender: field(
        z.strictObject({
          TravelAgencySender: field(
            z.strictObject({
              Name: field(z.string(), "name of the agency"),
              IATA_Number: field(z.string(), "IATA number of the agency; may be empty"),
              AgencyID: field(z.string(), "identifier of the agency, often its name; may be empty"),
              Contacts: field(z.strictObject({ Contact: contact }), "how the agency is reached"),
            }),
            "the agency",
          ),
        }),
        "who sends the request",
      ),
    }),
  );
}

export const requestMetaData = field(
  z.strictObject({ TraceId: field(z.string(), "identifier by which the request is traced") }),
  "data about the request; may be left out",
  { section: "Identifiers" },
);

export const responseMetaData = field(
  z.strictObject({ TraceId: field(z.string(), "trace identifier of the request").optional() }),
  "data about the response; may be empty",
  { section: "DataLists" },
);

export const shoppingResponseId = field(
  z.string().regex(/^\d+$/),
  "identifies one shopping result set; echoed in responses",
  { section: "Identifiers" },
);

/** The first members of every request. */
export const requestEnvelopeFields = {
  Document: field(documentSchema, "names the request"),
  Party: field(partySchema, "who asks"),
};

/**
 * Returns the first members of every successful response.
 * @param version the documented `Document.ReferenceVersion` of the response.
 */
export function responseEnvelope(version: string) {
  return {
    Document: field(documentSchema, `names the gateway; its ReferenceVersion is ${version}`),
    Party: field(partySchema, "repeats who asked"),
    ShoppingResponseId: field(z.string(), "identifies one shopping result set; empty when there is none", {
      section: "Identifiers",
    }).optional(),
    Success: field(z.strictObject({}), "empty object: the request succeeded", { section: "Errors" }),
  };
}

type DocumentElement = z.infer<typeof documentSchema>;
type PartyElement = z.infer<typeof partySchema>;
type FareRulesPartyElement = z.infer<typeof fareRulesPartySchema>;

export function requestEnvelope(envelope: Envelope): { Document: DocumentElement; Party: PartyElement } {
  return {
    Document: { Name: envelope.documentName, ReferenceVersion: requestVersion },
    Party: {
      Sender: {
        TravelAgencySender: {
          ...agency(envelope),
          Contacts: { Contact: envelope.contactEmails.map((email) => ({ EmailContact: email })) },
        },
      },
    },
  };
}

/** The contact of AirFareRules is the first address. */
export function fareRulesEnvelope(envelope: Envelope): { Document: DocumentElement; Party: FareRulesPartyElement } {
  return {
    Document: { Name: envelope.documentName, ReferenceVersion: requestVersion },
    Party: {
      Sender: {
        TravelAgencySender: {
          ...agency(envelope),
          Contacts: { Contact: { EmailContact: { Address: envelope.contactEmails[0] ?? "" } } },
        },
      },
    },
  };
}

function agency(envelope: Envelope) {
  return { Name: envelope.agencyName, IATA_Number: envelope.iataNumber, AgencyID: envelope.agencyId };
}
