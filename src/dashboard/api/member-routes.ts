import { z } from "zod";
import { decisionActions } from "../../cases/decision.ts";
import { isVisible } from "../../cases/visible-sources.ts";
import { textParameter } from "../../http/mount-routes.ts";
import type { Problem } from "../../http/problem-document.ts";
import { problem, type ResponseDescription, success } from "../../http/route.ts";
import type { MarkOutcome, Members } from "../member-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { instant } from "../stored.ts";
import { invalidBody, route } from "./api-surface.ts";
import type { Identity } from "./identity.ts";
import { note } from "./policy-requests.ts";
import { memberPathMax, name } from "./requests.ts";

export const memberTag = "Members";

const statementClass = z.enum(["stop", "code", "other"]).meta({
  description:
    "`stop`: it tells to stop, and each value is marked by itself; `code`: a short value, and each is marked by itself; `other`: the path, or an element above it, is marked.",
});
const learning = z
  .strictObject({ observed: z.int().min(0), wanted: z.int().min(1) })
  .nullable()
  .meta({ description: "Orders, while the source still learns: nothing automatic is sent. Null: it does not." });
const path = z.string().meta({ description: "Without positions, such as `Order.Remarks.Text`." });
const valueDigest = z
  .string()
  .regex(/^[0-9a-f]{16,64}$/, "must be the digest of a value")
  .meta({ description: "Tells one value from another; hexadecimal." });
const number = z
  .int()
  .min(0)
  .meta({ description: "Counts the changes of the marks of the source; 0 before the first." });
const reason = z.string().meta({ description: "Why it is harmless." });
const by = z.string().meta({ description: "`person:` and who." });

const mark = z.strictObject({ path, reason, markedBy: by, markedAt: instant }).nullable();
const observedMembers = {
  class: statementClass,
  word: z.string().nullable().meta({ description: "The recognised word that makes it an order to stop." }),
  example: z.string().nullable().meta({ description: "Masked, except for codes outside elements about people." }),
  firstSeenAt: instant,
  views: z.int().min(0),
  orders: z.int().min(0).meta({ description: "Nearly exact up to some hundred; 5000 also stands for more." }),
  unchangedOrders: z
    .int()
    .min(0)
    .meta({ description: "Orders of which a view stated it although no change was open." }),
};

export const memberSources = z
  .strictObject({
    items: z.array(
      z.strictObject({
        source: z.string(),
        openCount: z.int().min(0).meta({ description: "Paths of which something is not marked." }),
        waitingCount: z.int().min(0).meta({ description: "Cases that wait for a person because of them." }),
        learning,
      }),
    ),
  })
  .meta({ id: "MemberSources" });

export const sourceMembers = z
  .strictObject({
    source: z.string(),
    number,
    learning,
    items: z
      .array(
        z.strictObject({
          path,
          ...observedMembers,
          isOpen: z.boolean(),
          waitingCount: z.int().min(0).meta({ description: "Open cases whose decision names it." }),
          markablePaths: z.array(path).meta({
            description: "What may be marked so that it is covered, the nearest first. Empty: only values may.",
          }),
          mark: mark.meta({ description: "Of the path or of an element above it." }),
          values: z.array(z.strictObject({ valueDigest, ...observedMembers, mark })),
          hasManyValues: z.boolean().meta({ description: "It has had more values than are kept." }),
        }),
      )
      .meta({ description: "At most 200, those with the most waiting cases first." }),
    total: z.int().min(0),
    hasMorePaths: z.boolean().meta({ description: "The source states more paths than are kept." }),
  })
  .meta({ id: "SourceMembers" });

export const memberMarks = z
  .strictObject({
    number,
    version: z
      .string()
      .meta({ description: "As decisions name it in `versions.memberMarks`; shipped marks are part of it." }),
    marks: z
      .array(
        z.strictObject({
          path,
          valueDigest: z.string().nullable().meta({ description: "Null: the path and all below it." }),
          keyForms: z.array(z.string()).optional().meta({
            description: "The path has keys of these forms, such as `XXX9`, and codes of them are covered too.",
          }),
          reason,
        }),
      )
      .meta({ description: "Those of the source; the shipped ones are left out." }),
    changes: z
      .array(
        z.strictObject({
          number,
          version: z.string().meta({ description: "As decisions name it in `versions.memberMarks`." }),
          change: z.enum(["marked", "withdrawn"]),
          path,
          valueDigests: z.array(z.string()).meta({ description: "Empty: the path and all below it." }),
          reason,
          changedAt: instant,
          changedBy: by,
        }),
      )
      .meta({ description: "The newest 200, newest first." }),
  })
  .meta({ id: "MemberMarks" });

export const markPreview = z
  .strictObject({
    number,
    waiting: z.int().min(0).meta({ description: "Cases that would be decided anew." }),
    tried: z.int().min(0).meta({ description: "How many of them were tried, the most urgent ones." }),
    released: z.int().min(0).meta({ description: "Of those: which no longer wait for a member or an order to stop." }),
    actions: z
      .partialRecord(z.enum(decisionActions), z.int().min(1))
      .meta({ description: "What would be decided about the released ones." }),
  })
  .meta({ id: "MarkPreview" });

export const marksChanged = z
  .strictObject({
    number,
    casesDue: z.int().min(0).meta({ description: "Cases that are decided anew." }),
  })
  .meta({ id: "MarksChanged" });

const memberQuery = z.strictObject({
  state: z.enum(["open", "marked"], { error: "must be open or marked" }).optional().meta({
    description: "`open`: something of it is not marked; `marked`: all of it is. Both when not given.",
  }),
  path: name.optional().meta({ description: "A part of the path, in any case." }),
});

const markMembers = {
  path: z.string().min(1, "must not be empty").max(memberPathMax, "is too long"),
  valueDigests: z
    .array(valueDigest)
    .max(100, "must hold at most 100 values")
    .refine((digests) => new Set(digests).size === digests.length, "must hold each value once")
    .default([])
    .meta({ description: "The values to which it is limited. Empty: the path and all below it." }),
  reason: note.meta({ description: "Why it is harmless, or no longer is; for those who read it later." }),
  replaces: number.meta({ description: "The number of the marks that were seen; another one responds with 409." }),
};

const markBody = z.strictObject({
  ...markMembers,
  dryRun: z.boolean().default(false).meta({ description: "Says what would follow, and changes nothing." }),
});

const withdrawBody = z.strictObject(markMembers);

const source = { source: textParameter };

const noSource: ResponseDescription = {
  description: "There is no such source.",
  codes: ["members.source_not_found"],
  missing: (id) => ({
    code: "members.source_not_found",
    title: "No such source",
    detail: `There is no source '${id.slice(0, 64)}'.`,
  }),
};

const conflict = problem("The marks have changed since.", "members.changed_meanwhile");

type Needs = {
  readonly members: Members;
};

export const memberRoutes = [
  route({
    method: "get",
    path: "/members",
    role: requiredRoles.readMembers,
    operationId: "listMemberSources",
    tag: memberTag,
    summary: "The sources, with how much they send that nobody reads",
    responses: { 200: success("Every source.", memberSources) },
    async handle({ caller }, { members }: Needs) {
      return { body: { items: await members.listSources(caller.sources) } };
    },
  }),
  route({
    method: "get",
    path: "/members/{source}",
    role: requiredRoles.readMembers,
    operationId: "listMembers",
    tag: memberTag,
    summary: "What a source sends and nobody reads, path by path",
    params: source,
    query: memberQuery,
    responses: { 200: success("Its members.", sourceMembers), 404: noSource },
    async handle({ params, query: { state = null, path: text = null }, caller }, { members }: Needs) {
      const found = sees(caller, params) ? await members.read(params.source, { state, text }) : null;
      return found === null ? null : { body: found };
    },
  }),
  route({
    method: "get",
    path: "/members/{source}/marks",
    role: requiredRoles.readMembers,
    operationId: "readMemberMarks",
    tag: memberTag,
    summary: "The marks of a source, and how they changed",
    params: source,
    responses: { 200: success("The marks.", memberMarks), 404: noSource },
    async handle({ params, caller }, { members }: Needs) {
      const found = sees(caller, params) ? await members.readMarks(params.source) : null;
      return found === null ? null : { body: found };
    },
  }),
  route({
    method: "post",
    path: "/members/{source}/marks",
    role: requiredRoles.markMembers,
    operationId: "markMember",
    tag: memberTag,
    summary: "Calls a member, or some values of it, harmless for a source, after a dry run",
    params: source,
    body: markBody,
    responses: {
      200: success("What would follow. Nothing was changed.", markPreview),
      201: success("It is in force in every process, and the cases that waited for it are decided anew.", marksChanged),
      404: noSource,
      409: conflict,
      422: invalidBody(
        "members.value_needed",
        "members.not_observed",
        "members.read_by_skedchange",
        "members.already_marked",
      ),
    },
    async handle({ params, body: { dryRun, ...asked }, caller }, { members }: Needs) {
      if (!sees(caller, params)) return null;
      if (dryRun) {
        const preview = await members.preview({ ...asked, source: params.source });
        if (preview === null) return null;
        return "outcome" in preview ? refusal(preview.code, preview.message) : { status: 200, body: preview };
      }
      const { actor, tokenId } = caller;
      return respond(params.source, await members.mark({ ...asked, source: params.source, actor, tokenId }));
    },
  }),
  route({
    method: "post",
    path: "/members/{source}/marks/withdraw",
    role: requiredRoles.markMembers,
    operationId: "withdrawMemberMark",
    tag: memberTag,
    summary: "Withdraws a mark: what it covered stops automatic actions again",
    params: source,
    body: withdrawBody,
    responses: {
      201: success("It is in force in every process.", marksChanged),
      404: noSource,
      409: conflict,
      422: invalidBody("members.not_marked"),
    },
    async handle({ params, body, caller }, { members }: Needs) {
      if (!sees(caller, params)) return null;
      const { actor, tokenId } = caller;
      return respond(params.source, await members.withdraw({ ...body, source: params.source, actor, tokenId }));
    },
  }),
] as const;

function sees({ sources }: Pick<Identity, "sources">, asked: { readonly source: string }): boolean {
  return isVisible(asked.source, sources);
}

function respond(asked: string, outcome: MarkOutcome | null) {
  if (outcome === null) return null;
  switch (outcome.outcome) {
    case "changed":
      return { status: 201, body: { number: outcome.number, casesDue: outcome.casesDue } };
    case "conflict":
      return {
        status: 409,
        code: "members.changed_meanwhile",
        title: "The marks have changed",
        detail: `Somebody has changed the marks of source ${asked} since: their number is ${outcome.number} now. Check them, then try again.`,
        extensions: { current: outcome.number },
      };
    case "refused":
      return refusal(outcome.code, outcome.message);
  }
}

function refusal(code: string, detail: string): Problem {
  return { status: 422, code, title: "This cannot be marked like this", detail };
}
