import { z } from "zod";
import { answer } from "../../http/route.ts";
import type { CountWork } from "../count-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";

const count = z.int().min(0);

/** Answer of `GET /api/v1/counts`. */
export const workCounts = z
  .strictObject({
    needPerson: count.meta({ description: "Cases that wait for a person." }),
    mine: count.meta({ description: "Open cases that the person who asks has taken." }),
    overdue: count.meta({ description: "Open cases that should have been decided by now." }),
    openTasks: count,
    overdueTasks: count.meta({ description: "Open tasks that should have been done by now." }),
    blockedOrders: count.meta({ description: "Orders on which no work gets done." }),
    quarantined: count.meta({ description: "Notifications in quarantine." }),
  })
  .meta({ id: "WorkCounts" });

/** `/counts`: how much waits for people. */
export const countRoutes = [
  route({
    method: "get",
    path: "/counts",
    role: requiredRoles.readCases,
    operationId: "countWork",
    tag: casesTag,
    summary: "How much waits for people",
    responses: { 200: answer("The counts.", workCounts) },
    async handle({ caller }, { countWork }: { readonly countWork: CountWork }) {
      return { body: await countWork(caller.actor) };
    },
  }),
] as const;
