import { type Envelope, requestEnvelope, requestVersion, responseVersion } from "../envelope.ts";

/** The agency of the examples. */
export const exampleEnvelope: Envelope = {
  documentName: "Skedchange",
  agencyName: "Example Travel",
  iataNumber: "",
  agencyId: "Example Travel",
  contactEmails: ["desk@example.com"],
};

/** `Document` and `Party` of the example requests. */
const exampleRequestEnvelope = requestEnvelope(exampleEnvelope);

/** What the example responses begin with. */
export const exampleResponseEnvelope = envelopeOfVersion(responseVersion);

/** The same for the involuntary operations, which respond with the version of requests. */
export const exampleInvoluntaryEnvelope = envelopeOfVersion(requestVersion);

function envelopeOfVersion(version: string) {
  return {
    Document: { Name: "API GATEWAY", ReferenceVersion: version },
    Party: exampleRequestEnvelope.Party,
    ShoppingResponseId: "1724067361311310318",
    Success: {},
  };
}
