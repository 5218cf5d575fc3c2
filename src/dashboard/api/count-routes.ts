import { z } from "zod";
import { success } from "../../http/route.ts";
import type { CountWork } from "../count-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";

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

export const countRoutes = [
  route({
    method: "get",
    path: "/counts",
    role: requiredRoles.readCases,
    operationId: "countWork",
    tag: casesTag,
    summary: "Counts of what waits for people",
    responses: { 200: success("The counts.", workCounts) },
    async handle({ caller }, { countWork }: { readonly countWork: CountWork }) {
      return { body: await countWork(caller.actor, caller.sources) };
    },
  }),
] as const;
