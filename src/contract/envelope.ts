import { z } from "zod";

/** Who sends a request: what `Document` and `Party` are filled with. */
export interface Envelope {
  /** `Document.Name`: free text that names the caller. */
  readonly documentName: string;
  readonly agencyName: string;
  /** May be empty. */
  readonly iataNumber: string;
  /** May be empty; often the agency's name. */
  readonly agencyId: string;
  readonly contactEmails: readonly string[];
}

/** `Document.ReferenceVersion` of requests and of responses. @see interface document, "Versioning" */
export const requestVersion = "1.0";
export const responseVersion = "1.2";

/** @see interface document, "Common request envelope" */
export const documentSchema = z.strictObject({ Name: z.string(), ReferenceVersion: z.string() });

/** @see interface document, "Common request envelope" */
export const partySchema = z.strictObject({
  Sender: z.strictObject({
    TravelAgencySender: z.strictObject({
      Name: z.string(),
      IATA_Number: z.string(),
      AgencyID: z.string(),
      Contacts: z.strictObject({ Contact: z.array(z.strictObject({ EmailContact: z.string() })) }),
    }),
  }),
});

export type DocumentElement = z.infer<typeof documentSchema>;
export type PartyElement = z.infer<typeof partySchema>;

/** `Document` and `Party` for a request. */
export function requestEnvelope(envelope: Envelope): { Document: DocumentElement; Party: PartyElement } {
  return {
    Document: { Name: envelope.documentName, ReferenceVersion: requestVersion },
    Party: {
      Sender: {
        TravelAgencySender: {
          Name: envelope.agencyName,
          IATA_Number: envelope.iataNumber,
          AgencyID: envelope.agencyId,
          Contacts: { Contact: envelope.contactEmails.map((email) => ({ EmailContact: email })) },
        },
      },
    },
  };
}
