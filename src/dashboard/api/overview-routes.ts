import { z } from "zod";
import { decisionActions } from "../../cases/decision.ts";
import { problem, success } from "../../http/route.ts";
import type { Clock } from "../../kernel/clock.ts";
import { isTimeZone } from "../../travel/zones.ts";
import { readOverview } from "../overview.ts";
import type { OverviewQueries } from "../overview-ports.ts";
import { ageNames } from "../overview-ports.ts";
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

const count = z.int().min(0);
const decimal = z.string().meta({ description: "Decimal text." });
const byAge = z.strictObject({ hour: count, "four-hours": count, day: count, older: count }).meta({
  id: "CountsByAge",
  description: `Open for less than 1 h, 4 h, 24 h, or longer: ${ageNames.join(", ")}.`,
});
const proposalCounts = {
  decided: count,
  accepted: count,
  cancelled: count,
  asked: count,
  waited: count,
  reviewed: count,
  closed: count.meta({ description: "Nothing was to be done." }),
};
const proposals = z.strictObject(proposalCounts).meta({
  id: "ProposalCounts",
  description: `First decisions about proposals, by action (${decisionActions.join(", ")}). The automation rate is (accepted + cancelled) ÷ decided.`,
});
const times = z
  .strictObject({ count, medianSeconds: z.number().nullable(), p90Seconds: z.number().nullable() })
  .meta({ id: "TimeToDecision", description: "Accurate to about 5 %." });

const overview = z
  .strictObject({
    asOf: z.iso.datetime(),
    now: z.strictObject({
      open: count,
      ages: byAge,
      severities: z.array(
        z.strictObject({
          severity: z.enum(["critical", "major", "minor", "improvement", "none"]).nullable(),
          open: count,
          ages: byAge,
        }),
      ),
      queues: z.array(z.strictObject({ queue: z.string(), waiting: count, overdue: count })),
      overdue: count,
      askTraveller: count.meta({ description: "Cases whose traveller somebody has to ask." }),
      travellerAsked: count.meta({ description: "Cases that wait for the answer of a traveller who was asked." }),
      effectsPending: count.meta({ description: "Accepts and cancels that can still be stopped." }),
      effectsFailed: count.meta({
        description: "Open cases that wait because an effect failed or its outcome is unknown.",
      }),
      effectsUnknown: count.meta({ description: "Effects whose outcome is unknown." }),
      blocked: count,
    }),
    range: z.strictObject({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      notifications: count,
      decisions: z.strictObject({ policy: count, people: count }),
      proposals,
      step: z.enum(["hour", "day"]),
      overTime: z.array(
        z.strictObject({
          at: z.string().meta({ description: "The instant of an hour, or the date of a day in `zone`." }),
          ...proposalCounts,
        }),
      ),
      airlines: z.array(z.strictObject({ airline: z.string().nullable(), ...proposalCounts })),
      otherAirlines: proposals,
      timeToDecision: z.strictObject({ policy: times, people: times }),
      deadlinesMissed: count,
      effects: z.strictObject({ accepts: count, cancels: count, failed: count }),
      rules: z.array(
        z.strictObject({ rule: z.string(), reviews: count, accepted: count, cancelled: count, closed: count }),
      ),
      refunds: z.array(
        z.strictObject({
          currency: z.string().nullable(),
          cancels: count,
          expected: decimal,
          answered: decimal,
          stated: count,
        }),
      ),
    }),
  })
  .meta({ id: "Overview" });

export const overviewRoutes = [
  route({
    method: "get",
    path: "/overview",
    role: requiredRoles.readCases,
    operationId: "readOverview",
    tag: casesTag,
    summary: "How the agency is doing: what is open now, and what happened in a range of time",
    query: overviewQuery,
    responses: {
      200: success("The figures.", overview),
      422: problem("The range is empty, begins too long ago or ends in the future.", "api.range_invalid"),
    },
    async handle(
      { query, caller },
      { overview, clock }: { readonly overview: OverviewQueries; readonly clock: Clock },
    ) {
      const now = clock.now();
      const to = query.to ?? now;
      const from = query.from ?? new Date(to.getTime() - usualMs);
      const problem = rangeProblem(from, to, now);
      if (problem !== null) {
        return { status: 422, code: "api.range_invalid", title: "The range of time can't be used", detail: problem };
      }
      const range = { from, to, visible: caller.sources, source: query.source ?? null };
      return { body: { asOf: now, ...(await readOverview(overview, range, query.zone, now)) } };
    },
  }),
] as const;

function rangeProblem(from: Date, to: Date, now: Date): string | null {
  if (from.getTime() >= to.getTime()) return "'from' must be before 'to'.";
  if (now.getTime() - from.getTime() > oldestDays * dayMs) return `'from' must be at most ${oldestDays} days ago.`;
  return to.getTime() - now.getTime() > dayMs ? "'to' must not be more than a day ahead." : null;
}
