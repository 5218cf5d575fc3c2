import { z } from "zod";
import type { VisibleSources } from "../cases/visible-sources.ts";
import type { Stored } from "../kernel/stored.ts";

const count = z.int().min(0);

export const workCounts = z
  .strictObject({
    needPerson: count.meta({ description: "Cases that wait for an agent." }),
    mine: count.meta({ description: "Open cases assigned to the caller." }),
    overdue: count.meta({ description: "Overdue open cases." }),
    openTasks: count,
    overdueTasks: count.meta({ description: "Overdue open tasks." }),
    blockedOrders: count.meta({ description: "Blocked orders." }),
    quarantined: count.meta({ description: "Notifications in quarantine." }),
  })
  .meta({ id: "WorkCounts" });

export type WorkCounts = Stored<typeof workCounts>;

/** @param actor `person:` and the user name of the caller. */
export type CountWork = (actor: string, visible: VisibleSources) => Promise<WorkCounts>;
