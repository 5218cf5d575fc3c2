import { z } from "zod";
import { name } from "../request-fields.ts";
import { note } from "./policy-requests.ts";

const source = name.optional().meta({ description: "One source. Not given: all of them together." });

export const stopAutomationBody = z.strictObject({
  source,
  note: note.meta({ description: "The reason; shown to everyone while automation is stopped." }),
});

export const resumeAutomationBody = z.strictObject({
  source,
  stopId: z
    .guid("must be the id of a stop")
    .optional()
    .meta({ description: "The stop that was seen; another one in force responds with 409. Not given: any." }),
});
