import type { z } from "zod";
import { readExample } from "../../src/app/contract-examples.ts";
import type { Envelope } from "../../src/contract/envelope.ts";
import type { Operation } from "../../src/contract/operations/operation.ts";
import type { orderViewResponseSchema } from "../../src/contract/order-view-schema.ts";

/** The examples of an operation; `test/unit/contract/examples.test.ts` holds them to its schemas. */
export function exampleOf<Query, Result, Request, Response>(
  operation: Operation<Query, Result, Request, Response>,
): { readonly query: Query; readonly request: Request; readonly response: Response } {
  const request = readExample(operation.name, "request");
  const read = operation.readRequest(request);
  if (!read.ok) throw new Error(`The example of ${operation.name} is refused: ${read.problem.message}`);
  return {
    query: read.query,
    request: request as Request,
    response: readExample(operation.name, "response") as Response,
  };
}

/** It has every member that the interface document shows. */
export const notificationExample = readExample("OCN", "request") as z.infer<typeof orderViewResponseSchema>;

/** The sender of the requests. */
export const exampleEnvelope: Envelope = {
  documentName: "Skedchange",
  agencyName: "Example Travel",
  iataNumber: "",
  agencyId: "Example Travel",
  contactEmails: ["desk@example.com"],
};
