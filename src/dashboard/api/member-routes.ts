import { z } from "zod";
import { isVisible } from "../../cases/visible-sources.ts";
import { textParameter } from "../../http/mount-routes.ts";
import type { Problem } from "../../http/problem-document.ts";
import { problem, type ResponseDescription, routes, success } from "../../http/route.ts";
import {
  type MarkOutcome,
  type Members,
  markPreview,
  marksChanged,
  marksNumber,
  marksOfSource,
  sourceMembers,
  sourceSummary,
  valueDigest,
} from "../member-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { memberPathMax, name } from "../request-fields.ts";
import { invalidBody, route } from "./api-surface.ts";
import type { Identity } from "./identity.ts";
import { note } from "./policy-requests.ts";

export const memberTag = {
  name: "Members",
  description: "What views state and nothing reads, and what of it is marked as harmless.",
};

export const memberSources = z.strictObject({ items: z.array(sourceSummary) }).meta({ id: "MemberSources" });

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
  replaces: marksNumber.meta({ description: "The number of the marks that were seen; another one responds with 409." }),
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

export const memberRoutes = routes(memberTag.name, {
  listMemberSources: route("GET /members", requiredRoles.readMembers, {
    summary: "The sources, with how much they send that nobody reads",
    responses: { 200: success("Every source.", memberSources) },
    async handle({ caller }, { members }: Needs) {
      return { body: { items: await members.listSources(caller.sources) } };
    },
  }),
  listMembers: route("GET /members/{source}", requiredRoles.readMembers, {
    summary: "What a source sends and nobody reads, path by path",
    params: source,
    query: memberQuery,
    responses: { 200: success("Its members.", sourceMembers), 404: noSource },
    async handle({ params, query: { state = null, path: text = null }, caller }, { members }: Needs) {
      const found = sees(caller, params) ? await members.read(params.source, { state, text }) : null;
      return found === null ? null : { body: found };
    },
  }),
  readMemberMarks: route("GET /members/{source}/marks", requiredRoles.readMembers, {
    summary: "The marks of a source, and how they changed",
    params: source,
    responses: { 200: success("The marks.", marksOfSource), 404: noSource },
    async handle({ params, caller }, { members }: Needs) {
      const found = sees(caller, params) ? await members.readMarks(params.source) : null;
      return found === null ? null : { body: found };
    },
  }),
  markMember: route("POST /members/{source}/marks", requiredRoles.markMembers, {
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
  withdrawMemberMark: route("POST /members/{source}/marks/withdraw", requiredRoles.markMembers, {
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
});

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
