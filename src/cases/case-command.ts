import { z } from "zod";
import type { Actor } from "../kernel/actor.ts";
import { idPattern } from "../kernel/ids.ts";
import { type CaseActionName, caseActionNames } from "./case-actions.ts";
import type { ShownState } from "./lifecycle.ts";
import type { VisibleSources } from "./visible-sources.ts";

export const contactChannels = ["email", "phone", "sms", "chat", "in-person", "letter", "other"] as const;
export type ContactChannel = (typeof contactChannels)[number];

export const contactAnswers = ["accepts", "refuses", "wants-refund", "wants-rerouting", "undecided"] as const;
export type ContactAnswer = (typeof contactAnswers)[number];

export const closeReasons = ["duplicate", "no-longer-travelling", "handled-by-phone", "agency-error", "other"] as const;
export type CloseReason = (typeof closeReasons)[number];

const instant = z.iso
  .datetime({ offset: true, error: "must be an instant with its offset, ISO 8601, such as 2027-03-12T09:00:00Z" })
  .transform((text) => new Date(text));

const approvalId = z
  .string()
  .regex(idPattern, "must be the id of the approval")
  .transform((id) => id.toLowerCase());
/** Record locators have 6 letters and digits; some gateways have longer ones. */
const bookingReferences = z
  .string()
  .trim()
  .toUpperCase()
  .regex(/^[A-Z0-9]{5,20}(?:[\s,]+[A-Z0-9]{5,20}){0,9}$/, "must be a booking reference such as ABC123")
  .transform((text) => [...new Set(text.split(/[\s,]+/))].join(" "));
const channel = oneOf(contactChannels).meta({ description: "How the traveller was reached." });
const happenedAt = instant.meta({ description: "When: not in the future, and not more than a year ago." });

export const caseActionParameters = {
  accept: {},
  cancel: {
    confirm: z
      .string()
      .max(200)
      .optional()
      .meta({ description: "The OrderID, typed: without it nothing is cancelled." }),
  },
  close: { reasonCode: oneOf(closeReasons).optional().meta({ description: "Why. `other` takes a note." }) },
  recheck: {},
  reference: {
    reference: bookingReferences.meta({
      description: "Of the order, such as ABC123; several are separated by blanks or commas. It replaces those known.",
    }),
  },
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
  note: {},
  reschedule: {},
  "resolved-elsewhere": {},
  reopen: {},
  stop: {},
  "traveller-informed": { channel, happenedAt },
  "traveller-asked": { channel, happenedAt },
  "traveller-answered": {
    channel,
    happenedAt,
    answer: oneOf(contactAnswers).meta({ description: "What they said of the change." }),
  },
} as const satisfies Readonly<Record<CaseActionName, z.ZodRawShape>>;

export type CaseActionParameter = {
  [Name in CaseActionName]: keyof (typeof caseActionParameters)[Name];
}[CaseActionName];

/** An action with its parameters. In a bulk action, `confirm` is the number of cases. */
export type CaseCommand = {
  [Name in CaseActionName]: { readonly action: Name } & ParametersOf<(typeof caseActionParameters)[Name]>;
}[CaseActionName];

type ParametersOf<Shape extends z.ZodRawShape> = {
  readonly [Key in keyof Shape as undefined extends z.output<Shape[Key]> ? never : Key]: z.output<Shape[Key]>;
} & {
  readonly [Key in keyof Shape as undefined extends z.output<Shape[Key]> ? Key : never]?: z.output<Shape[Key]>;
};

export type TravellerCommand = Extract<CaseCommand, { readonly channel: ContactChannel }>;

/** Actions on one case only. */
const singleActions = ["approve", "refuse-approval", "reopen", "reference", "confirm-effect", "refute-effect"] as const;
type SingleActionName = (typeof singleActions)[number];

export const bulkActionNames = caseActionNames.filter(
  (name): name is Exclude<CaseActionName, SingleActionName> => !singleActions.some((single) => single === name),
);

export type BulkCommand = Exclude<CaseCommand, { readonly action: SingleActionName }> & {
  readonly note: string | null;
};

/** Parses a command from JSON, where dates are text. */
export function readStoredCommand(stored: BulkCommand): BulkCommand {
  return { ...stored, ...z.object(caseActionParameters[stored.action]).parse(stored) };
}

export type CaseAction = CaseCommand &
  Actor & {
    readonly caseId: string;
    readonly note: string | null;
    /** The version that the person saw. Null, or the action `stop`, applies to any version. */
    readonly version: number | null;
    /** What the actor sees: a case of another source counts as unknown. */
    readonly visible: VisibleSources;
  };

export type CaseActionOutcome =
  | {
      readonly outcome: "accepted";
      readonly caseId: string;
      readonly state: ShownState;
      readonly decisionId: string | null;
      /** Set if a second person must agree first. */
      readonly approvalId?: string;
    }
  | { readonly outcome: "not-found" }
  | { readonly outcome: "conflict"; readonly state: ShownState; readonly version: number; readonly message: string }
  | ActionRefusal;

export interface ActionRefusal {
  readonly outcome: "refused";
  readonly code: string;
  readonly message: string;
}

export function refused(code: string, message: string): ActionRefusal {
  return { outcome: "refused", code, message };
}

function oneOf<const Name extends string>(names: readonly Name[]) {
  return z.enum(names, { error: `must be one of ${names.join(", ")}` });
}
