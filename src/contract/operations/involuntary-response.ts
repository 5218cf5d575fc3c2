import { z } from "zod";
import { field } from "../element.ts";
import { requestVersion, responseEnvelope } from "../envelope.ts";
import { readInvoluntaryResults } from "../involuntary-result.ts";
import { rooted } from "./rooted.ts";

export function involuntaryResponses<Root extends string, Result extends z.ZodType>(
  responseRoot: Root,
  result: Result,
) {
  const body = z.strictObject({
    ...responseEnvelope(requestVersion),
    Result: field(z.array(result).min(1), "one entry for each booking", {
      section: "Result objects of other operations",
    }),
  });
  return {
    responseRoot,
    responseVersion: requestVersion,
    responseSchema: rooted(responseRoot, body),
    interpret: (json: unknown) => readInvoluntaryResults(json, responseRoot),
  };
}
