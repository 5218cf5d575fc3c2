import { z } from "zod";
import { isRecord } from "../kernel/record.ts";
import { field } from "./element.ts";
import { member } from "./lenient-value.ts";

/** @see interface document, "Events", item 5 */
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

/** The text is the one that the interface document shows. */
export function acknowledgeResponse(): Acknowledgement {
  return { AcknowledgeResponse: { Status: "OK", Message: "Involuntary schedule change response received" } };
}

/**
 * Returns whether `AcknowledgeResponse.Status` is OK, in any letter case. The HTTP status alone acknowledges nothing.
 * @param body the parsed body of the response.
 */
export function readAcknowledgement(body: unknown): boolean {
  const response = isRecord(body) ? member(body, "AcknowledgeResponse") : undefined;
  const status = isRecord(response) ? member(response, "Status") : undefined;
  return typeof status === "string" && status.trim().toUpperCase() === "OK";
}
