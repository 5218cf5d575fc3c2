import { z } from "zod";
import { auditFilter } from "../audit-ports.ts";
import { notificationListQuery } from "./requests.ts";

/** The number of an entry or a block. */
const number = (message: string) =>
  z
    .string("may be given once only")
    .regex(/^[1-9]\d{0,14}$/, message)
    .transform(Number)
    .optional();

export const auditListQuery = auditFilter.extend({
  cursor: number("must be the nextCursor of an earlier response of this list").meta({
    description: "`nextCursor` of the page before.",
  }),
  limit: notificationListQuery.shape.limit,
});

export const auditPartQuery = z.strictObject({
  from: number("must be the number of a block, from 1").meta({
    description: "The first block to check. Without it, those with the newest 10,000 entries.",
  }),
});
