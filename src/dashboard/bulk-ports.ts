import { z } from "zod";
import { acceptDangerNames } from "../cases/accept-dangers.ts";
import type { BulkCommand } from "../cases/case-command.ts";
import type { Caller } from "../cases/visible-sources.ts";
import type { Actor } from "../kernel/actor.ts";
import { decimal, describing, id, instant, type Stored, tokenName } from "../kernel/stored.ts";
import type { CaseSelection } from "./case-filter-ports.ts";
import type { Page, PageRequest } from "./paging-ports.ts";

export const bulkCasesMax = 1_000;

export const bulkPreviewItem = z.strictObject({
  caseId: id,
  orderId: z.string(),
  version: z.int().meta({ description: "To be given as `versions` when it is done." }),
  possible: z.boolean(),
  /** Why it is not possible, or a remark. */
  code: z.string().nullable(),
  message: z.string().nullable(),
  dangers: z.array(z.enum(acceptDangerNames)).meta({
    description: "What speaks against accepting it unchecked. Empty for any other action. Nothing leaves it out.",
  }),
});

export type BulkPreviewItem = Stored<typeof bulkPreviewItem>;

/** What came of an accept or a cancel. */
const gatewayResult = z.strictObject({
  outcome: z.enum(["waiting", "sent", "succeeded", "failed", "unknown", "not-sent"]).meta({
    description: "`not-sent`: the booking was decided on in another way before anything was sent.",
  }),
  message: z.string().nullable().meta({ description: "Why it failed, is unknown or was not sent." }),
  refund: z
    .strictObject({
      expected: z.looseObject({ amount: decimal, currency: z.string() }).nullable(),
      stated: decimal.nullable().meta({ description: "By the gateway, which states no currency." }),
    })
    .nullable()
    .meta({ description: "Of a cancel that succeeded." }),
});

export type BulkGatewayResult = Stored<typeof gatewayResult>;

export const bulkActionRow = z.strictObject({
  ...bulkPreviewItem.pick({ caseId: true, code: true, message: true }).shape,
  orderId: z.string().nullable(),
  version: z.int(),
  outcome: z
    .enum(["accepted", "not-found", "conflict", "refused"])
    .nullable()
    .meta({ description: "Null until it is processed." }),
  doneAt: instant.nullable(),
  gateway: gatewayResult
    .nullable()
    .meta({ description: "What came of an accept or a cancel; null for other actions and before its turn." }),
});

export type BulkActionRow = Stored<typeof bulkActionRow>;

export const bulkActionStateNames = ["running", "stopped", "finished"] as const;

export const bulkActionItem = z
  .strictObject({
    id,
    command: describing<BulkCommand>(z.looseObject({ action: z.string() })).meta({ description: "As it was given." }),
    askedBy: z.string().meta({ description: "`person:` and who." }),
    token: tokenName,
    askedAt: instant,
    state: z.enum(bulkActionStateNames),
    finishedAt: instant.nullable(),
    counts: z
      .strictObject({
        total: z.int(),
        waiting: z.int().meta({ description: "Not processed yet; not processed at all after a stop." }),
        accepted: z.int(),
        notFound: z.int(),
        conflict: z.int().meta({ description: "They had changed since the dry run and were skipped." }),
        refused: z.int(),
      })
      .meta({ id: "BulkActionCounts", description: "The number of cases by outcome." }),
  })
  .meta({ id: "BulkActionItem" });

export type BulkActionItem = Stored<typeof bulkActionItem>;

export interface BulkAction extends BulkActionItem {
  /** In the order of execution. */
  readonly rows: readonly BulkActionRow[];
}

export interface BulkActionFilter extends PageRequest {
  readonly by: Caller;
  /** Null means every state. */
  readonly state: BulkActionItem["state"] | null;
}

/** The given cases; or the open ones that match, or whose change touches one flight. */
export type BulkSelection =
  | { readonly caseIds: readonly string[] }
  | { readonly matching: CaseSelection }
  /** `flight` such as `LH1167`; `date` is its booked local date of departure, yyyy-mm-dd. */
  | { readonly flight: string; readonly date: string };

/** Each method is one transaction. */
export interface BulkActions {
  /** Tries the action on each case and rolls it back. Null if there are more cases than one bulk action may have. */
  preview(command: BulkCommand, selection: BulkSelection, by: Caller): Promise<readonly BulkPreviewItem[] | null>;
  /** Stores the action for the workers and returns its id. */
  start(
    command: BulkCommand,
    cases: readonly { readonly caseId: string; readonly version: number }[],
    by: Actor,
  ): Promise<string>;
  /** Newest first. Only those that the caller has asked for or whose cases they all see, here and below. */
  list(filter: BulkActionFilter): Promise<Page<BulkActionItem>>;
  read(id: string, by: Caller): Promise<BulkAction | null>;
  /** Does not undo anything. @returns whether it was still running; null if there is no such bulk action. */
  stop(id: string, by: Caller): Promise<boolean | null>;
}
