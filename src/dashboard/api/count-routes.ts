import { routes, success } from "../../http/route.ts";
import { type CountWork, workCounts } from "../count-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";

export const countRoutes = routes(casesTag.name, {
  countWork: route("GET /counts", requiredRoles.readCases, {
    summary: "Counts of what waits for people",
    responses: { 200: success("The counts.", workCounts) },
    async handle({ caller }, { countWork }: { readonly countWork: CountWork }) {
      return { body: await countWork(caller.actor, caller.sources) };
    },
  }),
});
