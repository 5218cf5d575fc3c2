import { z } from "zod";
import { idPattern } from "../../kernel/ids.ts";
import { caseListQuery } from "../case-filter-ports.ts";
import { notificationListQuery } from "./requests.ts";

const instant = z.iso
  .datetime({ offset: true, error: "must be an instant with its zone, such as 2027-01-01T00:00:00Z" })
  .transform((text) => new Date(text));

/** Of an entry or a link. */
const number = (message: string) =>
  z
    .string("may be given once only")
    .regex(/^[1-9]\d{0,14}$/, message)
    .transform(Number)
    .optional();

export const auditListQuery = z.strictObject({
  since: instant.optional().meta({ description: "Taken down at this instant or later." }),
  until: instant.optional().meta({ description: "Taken down before this instant." }),
  caseId: z.string("may be given once only").regex(idPattern, "must be the id of a case").optional(),
  orderId: caseListQuery.shape.orderId,
  kind: z
    .string("may be given once only")
    .regex(/^[a-z0-9._-]{1,64}$/, "must be a kind, such as decision.made")
    .optional()
    .meta({ description: "The kind, exactly: `decision.made`, `user.changed`, ..." }),
  actor: z
    .string("may be given once only")
    .min(1, "must not be empty")
    .max(200, "is too long")
    .refine((text) => !text.includes("\0"), "must not contain a NUL")
    .optional()
    .meta({ description: "Who did it, exactly: `worker`, `person:mlopez`, ..." }),
  cursor: number("must be the nextCursor of an earlier response of this list").meta({
    description: "`nextCursor` of the page before.",
  }),
  limit: notificationListQuery.shape.limit,
});

export const auditPartQuery = z.strictObject({
  from: number("must be the number of a link, from 1").meta({
    description: "The first link to check. Without it, the newest 10,000.",
  }),
});
