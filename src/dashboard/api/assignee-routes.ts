import { z } from "zod";
import { isVisible } from "../../cases/visible-sources.ts";
import { routes, success } from "../../http/route.ts";
import { assignee, type ListAssignees } from "../assignee-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { name } from "../request-fields.ts";
import { route } from "./api-surface.ts";
import { workTag } from "./task-routes.ts";

const assigneeList = z.strictObject({ items: z.array(assignee) }).meta({ id: "AssigneeList" });

export const assigneeRoutes = routes(workTag.name, {
  listAssignees: route("GET /assignees", requiredRoles.readAssignees, {
    summary: "Who can be given cases and tasks, and how many open ones they have",
    query: z.strictObject({
      source: name.optional().meta({ description: "Only users who see this source." }),
    }),
    responses: { 200: success("By user name.", assigneeList) },
    async handle({ query: { source = null }, caller }, { listAssignees }: { readonly listAssignees: ListAssignees }) {
      if (source !== null && !isVisible(source, caller.sources)) return { body: { items: [] } };
      return { body: { items: [...(await listAssignees(caller.sources, source))] } };
    },
  }),
});
