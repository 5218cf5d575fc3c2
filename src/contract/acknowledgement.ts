import { z } from "zod";
import { field } from "./element.ts";
import { isRecord, member } from "./lenient-value.ts";

/**
 * What the recipient of a notification responds with.
 *
 * @see interface document, "Events", item 5
 */
export const acknowledgementSchema = z.strictObject({
  AcknowledgeResponse: field(
    z.strictObject({
      Status: field(z.literal("OK"), "the notification is kept"),
      Message: field(z.string(), "for people"),
    }),
    "the acknowledgement",
  ),
});

export type Acknowledgement = z.infer<typeof acknowledgementSchema>;

/** The response to a notification that is kept: the text is the one of the interface document. */
export function acknowledgeResponse(): Acknowledgement {
  return { AcknowledgeResponse: { Status: "OK", Message: "Involuntary schedule change response received" } };
}

/**
 * Whether a response acknowledges a notification: `AcknowledgeResponse.Status` is OK, in any letter case of keys and
 * value. Anything else, however successful its HTTP status looks, is no acknowledgement.
 *
 * @param body the response's body, parsed.
 */
export function readAcknowledgement(body: unknown): boolean {
  const response = isRecord(body) ? member(body, "AcknowledgeResponse") : undefined;
  const status = isRecord(response) ? member(response, "Status") : undefined;
  return typeof status === "string" && status.trim().toUpperCase() === "OK";
}
