import { z } from "zod";
import type { ListedInconsistency } from "../cases/inconsistency.ts";
import { describing, id, instant, type Stored } from "../kernel/stored.ts";

const unattended = z.strictObject({
  count: z.int(),
  notificationIds: z.array(id),
});

/** A state that no transaction leaves behind: from a bug, a restored backup or a manual edit. */
const inconsistency = describing<ListedInconsistency>(
  z.strictObject({
    kind: z.string().meta({ description: "What is wrong; docs/reconciliation.md lists the kinds." }),
    needs: z.enum(["repair", "person"]).meta({ description: "`repair`: `skedchange reconcile` mends it." }),
    text: z.string(),
    source: z.string(),
    orderId: z.string().nullable(),
    caseId: id.nullable(),
    effectId: id.nullable(),
    notificationId: id.nullable(),
    since: instant.nullable(),
  }),
).meta({ id: "Damage" });

/** Acknowledged notifications that are neither decided nor visibly waiting. There are none unless there is a bug. */
export const reconciliation = z.strictObject({
  examined: z.int(),
  pending: z.int().meta({ description: "Of these the cases are about to be opened or woken." }),
  withoutCase: unattended.meta({ description: "They have no case, or have been pending for more than 10 s." }),
  withoutProgress: unattended,
  damage: z.array(inconsistency),
});

/** The result of a reconciliation. Of the ids it lists the oldest, not all. */
export type Reconciliation = Stored<typeof reconciliation>;
