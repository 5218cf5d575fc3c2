import { z } from "zod";
import { problem, routes, success } from "../../http/route.ts";
import type { Clock } from "../../kernel/clock.ts";
import { isTimeZone } from "../../travel/zones.ts";
import { readOverview } from "../overview.ts";
import { type OverviewQueries, overview } from "../overview-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { route } from "./api-surface.ts";
import { casesTag } from "./case-routes.ts";

const dayMs = 24 * 3_600_000;
const oldestDays = 366;
const usualMs = dayMs;

const instant = z
  .string("may be given once only")
  .pipe(z.iso.datetime({ offset: true, error: "must be an instant such as 2026-11-25T00:00:00Z" }))
  .transform((text) => new Date(text));

const zone = z
  .string("may be given once only")
  .max(64, "is too long")
  .refine(isTimeZone, "must be a time zone such as Europe/Berlin")
  .default("UTC");

const overviewQuery = z.strictObject({
  from: instant.optional().meta({ description: "Inclusive. When not given, 24 hours before `to`." }),
  to: instant.optional().meta({ description: "Exclusive. When not given, now." }),
  source: z.string("may be given once only").min(1, "must not be empty").max(200, "is too long").optional().meta({
    description: "The source, exactly. When not given, all that the caller sees.",
  }),
  zone: zone.meta({ description: "The IANA time zone in which days begin. When not given, UTC." }),
});

export const overviewRoutes = routes(casesTag.name, {
  readOverview: route("GET /overview", requiredRoles.readCases, {
    summary: "How the agency is doing: what is open now, and what happened in a range of time",
    query: overviewQuery,
    responses: {
      200: success("The figures.", overview),
      422: problem("The range is empty, begins too long ago or ends in the future.", "api.range_invalid"),
    },
    async handle(
      { query, caller },
      { overview: queries, clock }: { readonly overview: OverviewQueries; readonly clock: Clock },
    ) {
      const now = clock.now();
      const to = query.to ?? now;
      const from = query.from ?? new Date(to.getTime() - usualMs);
      const problem = rangeProblem(from, to, now);
      if (problem !== null) {
        return { status: 422, code: "api.range_invalid", title: "The range of time can't be used", detail: problem };
      }
      const range = { from, to, visible: caller.sources, source: query.source ?? null };
      return { body: { asOf: now, ...(await readOverview(queries, range, query.zone, now)) } };
    },
  }),
});

function rangeProblem(from: Date, to: Date, now: Date): string | null {
  if (from.getTime() >= to.getTime()) return "'from' must be before 'to'.";
  if (now.getTime() - from.getTime() > oldestDays * dayMs) return `'from' must be at most ${oldestDays} days ago.`;
  return to.getTime() - now.getTime() > dayMs ? "'to' must not be more than a day ahead." : null;
}
