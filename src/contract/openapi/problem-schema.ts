import { z } from "zod";

/** The response to a failure everywhere but in the operations of the gateway. @see RFC 9457 */
export const problemSchema = z
  .looseObject({
    type: z.string(),
    /** The same sentence for every problem with this code. */
    title: z.string(),
    status: z.int(),
    /** Dotted, lower case: `receiver.body_too_long`. */
    code: z.string().meta({ description: "Stable; programs branch on it." }),
    /** Contains no secret and no passenger's name. */
    detail: z.string().meta({ description: "What happened and what to do, for people." }),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem document." });
