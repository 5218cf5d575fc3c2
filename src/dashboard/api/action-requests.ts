import { z } from "zod";
import { type CaseActionName, caseActionNames, caseActions } from "../../cases/case-actions.ts";
import { type BulkCommand, bulkActionNames, type CaseCommand, caseActionParameters } from "../../cases/case-command.ts";
import type { BodyChoice } from "../../http/route.ts";
import { idPattern } from "../../kernel/ids.ts";
import { bulkCasesMax } from "../bulk-ports.ts";
import { caseFilter } from "../case-filter-ports.ts";
import type { UserRole } from "../people/role.ts";
import { flightNumber, localDate, note, pageLimitMax } from "../request-fields.ts";
import { notificationListQuery } from "./requests.ts";

const common = {
  note: note.optional(),
  version: z.int().min(1).max(2_147_483_647).optional().meta({
    description:
      "The `version` of the case that the action was decided on; another one there responds with 409, except to `stop`.",
  }),
};

const bodies = new Map(
  caseActionNames.map((action) => {
    const parameters = { ...caseActionParameters[action], ...(action === "note" ? { note } : {}) };
    return [action, z.strictObject({ action: z.literal(action), ...common, ...parameters })];
  }),
);

export type CaseActionBody = CaseCommand & { readonly note?: string; readonly version?: number };
export type BulkCommandBody = Omit<BulkCommand, "note"> & { readonly note?: string };

const caseActionHead = z.looseObject({
  action: z.enum(caseActionNames, { error: `must be one of ${caseActionNames.join(", ")}` }),
});

export function roleOfAction(given: unknown): UserRole | undefined {
  const action = actionOf(given);
  return action === undefined ? undefined : caseActions[action].role;
}

function actionOf(given: unknown): CaseActionName | undefined {
  const head = caseActionHead.safeParse(given);
  return head.success ? head.data.action : undefined;
}

/** Reports the problems of the action that the body names, not those of a union. */
export const caseActionBody: BodyChoice<CaseActionBody> = {
  alternatives: [
    z.discriminatedUnion("action", someOf([...bodies.values()])).meta({
      id: "CaseAction",
      description: "`accept` and `cancel` re-check the booking, then call the gateway.",
    }),
  ],
  invalid: { code: "api.action_invalid", title: "This is not an action" },
  pick: (given) => (bodies.get(actionOf(given)!) ?? caseActionHead) as unknown as z.ZodType<CaseActionBody>,
};

/** Without the parameters that make sense for one case only. Versions are members of the bulk body instead. */
const bulkCommand = z.discriminatedUnion(
  "action",
  someOf(bulkActionNames.map((action) => bodies.get(action)!.omit({ version: true }))),
) as unknown as z.ZodType<BulkCommandBody>;

const caseId = z.string().regex(idPattern, "must be the id of a case");

export const bulkActionBody = z.strictObject({
  dryRun: z.boolean().meta({ description: "`true` previews the outcome for each case and changes nothing." }),
  command: bulkCommand.meta({
    description: "As for one case. `cancel` is confirmed by the number of cases, as text, when it is not a dry run.",
  }),
  caseIds: z
    .array(caseId)
    .min(1)
    .max(bulkCasesMax)
    .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))])
    .optional(),
  cohort: z
    .strictObject({ flight: flightNumber, date: localDate })
    .optional()
    .meta({ description: "All open cases whose change touches this flight on this local date, instead of ids." }),
  filter: caseFilter.optional().meta({
    description: "All open cases that match these filters of `POST /cases/search`, instead of ids.",
  }),
  versions: z
    .record(caseId, z.int().min(1).max(2_147_483_647))
    .refine((versions) => Object.keys(versions).length <= bulkCasesMax, `must name at most ${bulkCasesMax} cases`)
    .optional()
    .meta({ description: "The version of each case as the dry run told it. Needed unless it is a dry run." }),
});

const notificationIds = z
  .array(z.string().regex(idPattern, "must be the id of a notification"))
  .min(1)
  .max(pageLimitMax);

export const discardBody = z.strictObject({
  ids: notificationIds,
  note: note.min(1, "must say why"),
});

export const reprocessBody = z.strictObject({
  ids: notificationIds.optional().meta({ description: "These. Not given: all that match the other members." }),
  state: z.enum(["quarantined", "discarded"]).default("quarantined"),
  ...notificationListQuery.pick({ source: true, code: true, cursor: true }).shape,
});

export const closeTaskBody = z.strictObject({ note: note.optional() });

const taskIds = z
  .array(z.string().regex(idPattern, "must be the id of a task"))
  .min(1)
  .max(pageLimitMax)
  .transform((ids) => [...new Set(ids.map((id) => id.toLowerCase()))]);

export const closeTasksBody = closeTaskBody.extend({ ids: taskIds });

export const assignTasksBody = z.strictObject({
  ids: taskIds,
  assignee: caseActionParameters.assign.assignee,
});

export function toCommand({ note: _, version: __, ...command }: CaseActionBody, username: string): CaseCommand {
  if (command.action !== "assign") return command;
  return { ...command, assignee: assigneeOf(command.assignee, username) };
}

export function toBulkCommand(body: BulkCommandBody, username: string): BulkCommand {
  return { ...toCommand(body as CaseActionBody, username), note: noteOf(body.note) } as BulkCommand;
}

/** An empty note is none. */
export function noteOf(given: string | undefined): string | null {
  return given === undefined || given === "" ? null : given;
}

/** Replaces `me` by the user name. */
export function assigneeOf(assignee: string | null, username: string): string | null {
  return assignee === "me" ? username : (assignee?.toLowerCase() ?? null);
}

/** The type of a union needs a first part. */
function someOf<Body>(all: readonly Body[]): readonly [Body, ...Body[]] {
  return all as unknown as readonly [Body, ...Body[]];
}
