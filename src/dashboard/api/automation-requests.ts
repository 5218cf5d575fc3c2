import { z } from "zod";
import { note } from "./policy-requests.ts";

export const stopAutomationBody = z.strictObject({
  note: note.meta({ description: "The reason; shown to everyone while automation is stopped." }),
});

export const resumeAutomationBody = z.strictObject({
  stopId: z
    .guid("must be the id of a stop")
    .optional()
    .meta({ description: "The stop that was seen; another one in force responds with 409. Not given: any." }),
});
