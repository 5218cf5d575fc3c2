import { z } from "zod";
import { caseStates } from "../../cases/lifecycle.ts";
import { answer } from "../../http/route.ts";
import { blockReasonCodes, type LaneQueries, laneStateNames } from "../lane-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";
import { pageFrom, positionAfter } from "./cursor.ts";
import { notificationListQuery } from "./requests.ts";

const { source, cursor, limit } = notificationListQuery.shape;

/** Query of `GET /api/v1/lanes`. */
export const laneListQuery = z.strictObject({
  state: z
    .enum(laneStateNames, { error: `must be one of ${laneStateNames.join(", ")}` })
    .default("blocked")
    .meta({ description: "Only the blocked ones are listed." }),
  source,
  cursor,
  limit,
});

const instant = z.iso.datetime().meta({ description: "Instant in UTC, ISO 8601." });

const blockedLane = z
  .strictObject({
    source: z.string(),
    orderId: z.string(),
    caseId: z.guid().meta({ description: "UUID." }),
    caseState: z.enum(caseStates).meta({ description: "A finished one is due for another look." }),
    since: instant,
    reason: z.strictObject({
      code: z.enum(blockReasonCodes).meta({
        description:
          "`effect-unknown`: whether an accept or a cancel was carried out is not known. `lease-held`: one worker has had the order for longer than work takes. `failing`: try after try fails. `not-picked-up`: it has been due for long and no worker has taken it.",
      }),
      text: z.string().meta({ description: "Why, and what to do." }),
    }),
    failures: z.int().meta({ description: "Failed tries in a row." }),
    nextTryAt: instant.nullable(),
    leasedUntil: instant.nullable().meta({ description: "Until when a worker has it; null when none has." }),
    leasedBy: z.string().nullable().meta({ description: "Host and process id." }),
  })
  .meta({ id: "BlockedLane" });

/** Answer of `GET /api/v1/lanes`. */
export const laneList = z
  .strictObject({
    items: z.array(blockedLane),
    nextCursor: z.string().nullable().meta({ description: "For `cursor`; null on the last page." }),
  })
  .meta({ id: "LaneList" });

/** `/lanes`: orders on which no work gets done, and why. */
export const laneRoutes = [
  route({
    method: "get",
    path: "/lanes",
    role: requiredRoles.readCases,
    operationId: "listLanes",
    tag: casesTag,
    summary: "Orders on which no work gets done and why, those blocked longest first",
    query: laneListQuery,
    responses: { 200: answer("One page.", laneList) },
    async handle({ query }, { lanes }: { readonly lanes: LaneQueries }) {
      const { source = null, cursor, limit } = query;
      const page = await lanes.listBlocked({ source, after: positionAfter("lanes", cursor), limit });
      return { body: pageFrom("lanes", page) };
    },
  }),
] as const;
