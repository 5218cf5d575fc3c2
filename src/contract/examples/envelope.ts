import { type Envelope, requestEnvelope, requestVersion, responseVersion } from "../envelope.ts";

export const exampleEnvelope: Envelope = {
  documentName: "Skedchange",
  agencyName: "Example Travel",
  iataNumber: "",
  agencyId: "Example Travel",
  contactEmails: ["desk@example.com"],
};

const exampleRequestEnvelope = requestEnvelope(exampleEnvelope);

export const exampleResponseEnvelope = envelopeOfVersion(responseVersion);

/** The involuntary operations respond with the version of requests. */
export const exampleInvoluntaryEnvelope = envelopeOfVersion(requestVersion);

function envelopeOfVersion(version: string) {
  return {
    Document: { Name: "API GATEWAY", ReferenceVersion: version },
    Party: exampleRequestEnvelope.Party,
    ShoppingResponseId: "1724067361311310318",
    Success: {},
  };
}
