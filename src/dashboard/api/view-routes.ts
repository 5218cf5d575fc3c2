import { z } from "zod";
import { problem, routes, success } from "../../http/route.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { type Views, viewsMax } from "../view-ports.ts";
import { done, invalidBody, noSuch, route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";
import { sessionNeeded } from "./session-routes.ts";

type Needs = { readonly views: Views };

const view = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    filters: z.string().meta({ description: "As they stand in the address of the queue." }),
  })
  .meta({ id: "View", description: "Filters of the queue under a name." });

const viewBody = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "must not be empty")
    .max(60, "is too long")
    .regex(/^\P{C}*$/u, "must be plain text"),
  filters: z
    .string()
    .max(1_000, "is too long")
    .regex(/^[\w.~%+&=-]*$/, "must be the query of an address")
    .refine((filters) => !new URLSearchParams(filters).has("q"), "must not have a search text, which may be a name"),
});

export const viewRoutes = routes(casesTag.name, {
  listViews: route("GET /views", requiredRoles.ownViews, {
    summary: "The caller's views of the queue, by name",
    responses: { 200: success("All.", z.strictObject({ items: z.array(view) }).meta({ id: "ViewList" })) },
    async handle({ caller: { userId } }, { views }: Needs) {
      // API_TOKEN is no user and has no views.
      return { body: { items: userId === null ? [] : [...(await views.list(userId))] } };
    },
  }),
  saveView: route("POST /views", requiredRoles.ownViews, {
    summary: "Keeps filters of the queue under a name; the same name again replaces them",
    body: viewBody,
    responses: {
      200: success("Saved.", view),
      403: problem(
        "This takes a user.",
        "people.session_needed",
        "people.role_too_low",
        "people.token_read_only",
        "people.password_change_needed",
        "people.second_factor_needed",
        "people.bad_origin",
      ),
      409: problem("There are too many views.", "api.too_many_views"),
      422: invalidBody(),
    },
    async handle({ body, caller: { userId } }, { views }: Needs) {
      if (userId === null) return sessionNeeded("API_TOKEN is no user and has no views.");
      const saved = await views.save(userId, body);
      if (saved !== null) return { body: saved };
      return {
        status: 409,
        code: "api.too_many_views",
        title: "You have too many views",
        detail: `You have ${viewsMax} views. Remove one that is no longer needed.`,
      };
    },
  }),
  removeView: route("DELETE /views/{id}", requiredRoles.ownViews, {
    summary: "Removes a view of the caller",
    responses: { 204: done, 404: noSuch("view") },
    async handle({ params: { id }, caller: { userId } }, { views }: Needs) {
      return userId !== null && (await views.remove(userId, id)) ? {} : null;
    },
  }),
});
