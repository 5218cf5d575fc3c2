import { z } from "zod";
import {
  type BulkCommand,
  bulkCasesMax,
  type CaseActionName,
  type CaseCommand,
  caseActionNames,
  closeReasonNames,
  contactAnswerNames,
  contactChannelNames,
} from "../ports.ts";
import { flightNumber, idPattern, localDate, note } from "./requests.ts";

const instant = z.iso
  .datetime({ offset: true, error: "must be an instant with its offset, ISO 8601, such as 2027-03-12T09:00:00Z" })
  .transform((text) => new Date(text));

const common = {
  note: note.optional(),
  version: z.int().min(1).max(2_147_483_647).optional().meta({
    description:
      "The `version` of the case that the action was decided on; another one there answers 409, except to `stop`.",
  }),
};

const approvalId = z.string().regex(idPattern, "must be the id of the approval");

const channel = z
  .enum(contactChannelNames, { error: `must be one of ${contactChannelNames.join(", ")}` })
  .meta({ description: "How the traveller was reached." });
const happenedAt = instant.meta({ description: "When: not in the future, and not more than a year ago." });

/** The parameters of each action. */
const parameters = {
  accept: {},
  cancel: {
    confirm: z
      .string()
      .max(200)
      .optional()
      .meta({ description: "The OrderID, typed: without it nothing is cancelled." }),
  },
  close: {
    reasonCode: z
      .enum(closeReasonNames, { error: `must be one of ${closeReasonNames.join(", ")}` })
      .optional()
      .meta({ description: "Why. `other` takes a note." }),
  },
  recheck: {},
  "confirm-effect": {},
  "refute-effect": {},
  approve: { approvalId },
  "refuse-approval": { approvalId },
  snooze: { until: instant.meta({ description: "At most 30 days away, and not after departure or `dueBy`." }) },
  assign: {
    assignee: z
      .string()
      .trim()
      .min(1)
      .max(64)
      .nullable()
      .meta({ description: "A user name, or `me` for your own; null gives the case back." }),
  },
  note: { note },
  reschedule: {},
  "resolved-elsewhere": {},
  reopen: {},
  stop: {},
  "traveller-informed": { channel, happenedAt },
  "traveller-asked": { channel, happenedAt },
  "traveller-answered": {
    channel,
    happenedAt,
    answer: z
      .enum(contactAnswerNames, { error: `must be one of ${contactAnswerNames.join(", ")}` })
      .meta({ description: "What they said of the change." }),
  },
} as const satisfies Readonly<Record<CaseActionName, z.ZodRawShape>>;

function bodyOf<Name extends CaseActionName>(action: Name) {
  return z.strictObject({ action: z.literal(action), ...common, ...parameters[action] });
}

/** Body of `POST /api/v1/cases/{id}/actions`, by its action. */
const bodies = {
  accept: bodyOf("accept"),
  cancel: bodyOf("cancel"),
  close: bodyOf("close"),
  recheck: bodyOf("recheck"),
  "confirm-effect": bodyOf("confirm-effect"),
  "refute-effect": bodyOf("refute-effect"),
  approve: bodyOf("approve"),
  "refuse-approval": bodyOf("refuse-approval"),
  snooze: bodyOf("snooze"),
  assign: bodyOf("assign"),
  note: bodyOf("note"),
  reschedule: bodyOf("reschedule"),
  "resolved-elsewhere": bodyOf("resolved-elsewhere"),
  reopen: bodyOf("reopen"),
  stop: bodyOf("stop"),
  "traveller-informed": bodyOf("traveller-informed"),
  "traveller-asked": bodyOf("traveller-asked"),
  "traveller-answered": bodyOf("traveller-answered"),
};

/** What tells which of the bodies a body is. */
export const caseActionHead = z.looseObject({
  action: z.enum(caseActionNames, { error: `must be one of ${caseActionNames.join(", ")}` }),
});

/** The body of an action that is known: its problems are told in the words of that action. */
export function caseActionBodyOf(action: CaseActionName): z.ZodObject {
  return bodies[action];
}

/** All of them, for the description. */
export const caseActionBody = z
  .discriminatedUnion("action", [
    bodies.accept,
    bodies.cancel,
    bodies.close,
    bodies.recheck,
    bodies["confirm-effect"],
    bodies["refute-effect"],
    bodies.approve,
    bodies["refuse-approval"],
    bodies.snooze,
    bodies.assign,
    bodies.note,
    bodies.reschedule,
    bodies["resolved-elsewhere"],
    bodies.reopen,
    bodies.stop,
    bodies["traveller-informed"],
    bodies["traveller-asked"],
    bodies["traveller-answered"],
  ])
  .meta({
    id: "CaseAction",
    description: "`accept` and `cancel` call the gateway after reading the status again.",
  });

export type CaseActionBody = z.output<typeof caseActionBody>;

/** One action of several cases: those of one case only are left out, and versions stand beside it. */
const bulkCommand = z.discriminatedUnion("action", [
  bodies.accept.omit({ version: true }),
  bodies.cancel.omit({ version: true }),
  bodies.close.omit({ version: true }),
  bodies.recheck.omit({ version: true }),
  bodies.snooze.omit({ version: true }),
  bodies.assign.omit({ version: true }),
  bodies.note.omit({ version: true }),
  bodies.reschedule.omit({ version: true }),
  bodies["resolved-elsewhere"].omit({ version: true }),
  bodies.stop.omit({ version: true }),
  bodies["traveller-informed"].omit({ version: true }),
  bodies["traveller-asked"].omit({ version: true }),
  bodies["traveller-answered"].omit({ version: true }),
]);

const caseId = z.string().regex(idPattern, "must be the id of a case");

/** Body of `POST /api/v1/bulk-actions`. */
export const bulkActionBody = z.strictObject({
  dryRun: z.boolean().meta({ description: "`true` tells what would become of each case, and changes nothing." }),
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
  versions: z
    .record(caseId, z.int().min(1).max(2_147_483_647))
    .refine((versions) => Object.keys(versions).length <= bulkCasesMax, `must name at most ${bulkCasesMax} cases`)
    .optional()
    .meta({ description: "The version of each case as the dry run told it. Needed unless it is a dry run." }),
});

/** Body of `POST /api/v1/tasks/{id}/close`. */
export const closeTaskBody = z.strictObject({ note: note.optional() });

/** What the body asks for, with `me` as the name that it stands for. */
export function toCommand(body: CaseActionBody, username: string): CaseCommand {
  switch (body.action) {
    case "cancel":
      return { action: body.action, ...(body.confirm === undefined ? {} : { confirm: body.confirm }) };
    case "close":
      return { action: body.action, ...(body.reasonCode === undefined ? {} : { reasonCode: body.reasonCode }) };
    case "approve":
    case "refuse-approval":
      return { action: body.action, approvalId: body.approvalId.toLowerCase() };
    case "snooze":
      return { action: body.action, until: body.until };
    case "assign":
      return { action: body.action, assignee: assigneeOf(body.assignee, username) };
    case "traveller-informed":
    case "traveller-asked":
      return { action: body.action, channel: body.channel, happenedAt: body.happenedAt };
    case "traveller-answered":
      return { action: body.action, channel: body.channel, happenedAt: body.happenedAt, answer: body.answer };
    default:
      return { action: body.action };
  }
}

/** The same for many cases. */
export function toBulkCommand(body: z.output<typeof bulkCommand>, username: string): BulkCommand {
  return { ...toCommand(body, username), note: noteOf(body.note) } as BulkCommand;
}

/** An empty note is none. */
export function noteOf(given: string | undefined): string | null {
  return given === undefined || given === "" ? null : given;
}

function assigneeOf(assignee: string | null, username: string): string | null {
  return assignee === "me" ? username : (assignee?.toLowerCase() ?? null);
}
