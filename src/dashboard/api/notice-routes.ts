import { z } from "zod";
import type { Problem } from "../../http/problem-document.ts";
import { problem, type ResponseDescription, routes, success } from "../../http/route.ts";
import { Secret } from "../../kernel/secret.ts";
import { describing, failure, instant } from "../../kernel/stored.ts";
import type { CaughtNotice } from "../../notices/demo-inbox.ts";
import type { NoticeText } from "../../notices/describe-notice.ts";
import type { Destination } from "../../notices/ports.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { type Notices, noticeRule } from "../notice-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { done, invalidBody, ofEverySource, route } from "./api-surface.ts";
import { addNoticeBody, editNoticeBody } from "./notice-requests.ts";

export const noticeTag = { name: "Notices", description: "Messages that tell people that cases wait." };

const ruleList = z.strictObject({ items: z.array(noticeRule) }).meta({ id: "NoticeRuleList" });
const ruleResponse = z.strictObject({ rule: noticeRule }).meta({ id: "NoticeRuleResponse" });
const testResult = z
  .strictObject({ problem: failure.nullable().meta({ description: "Why it did not arrive; null if it did." }) })
  .meta({ id: "NoticeTestResult" });
const inbox = z
  .strictObject({
    items: z.array(
      describing<Omit<CaughtNotice, "text"> & NoticeText>(
        z.strictObject({
          at: instant,
          channel: noticeRule.shape.channel,
          to: z.string(),
          subject: z.string(),
          cases: z.array(z.strictObject({ title: z.string(), detail: z.string(), url: z.string().nullable() })),
          more: z.string().nullable(),
          queueUrl: z.string().nullable(),
          reason: z.string(),
        }),
      ),
    ),
  })
  .meta({ id: "DemoInbox" });

type Needs = { readonly notices: Notices; readonly sourceIds: readonly string[]; readonly logger: Logger };

const noSuchRule: ResponseDescription = {
  description: "There is no such notice.",
  codes: ["api.notice_not_found"],
  missing: (given) => ({
    code: "api.notice_not_found",
    title: "No such notice",
    detail: `There is no notice with the id '${given.slice(0, 64)}'.`,
  }),
};

export const noticeRoutes = routes(noticeTag.name, {
  listNoticeRules: route("GET /notice-rules", ofEverySource(requiredRoles.manageNotices), {
    summary: "Which waiting cases are announced where and when",
    responses: { 200: success("The oldest first.", ruleList) },
    async handle(_request, { notices }: Needs) {
      return { body: { items: await notices.rules.listRules() } };
    },
  }),
  addNoticeRule: route("POST /notice-rules", ofEverySource(requiredRoles.manageNotices), {
    summary: "Adds a notice",
    body: addNoticeBody,
    responses: {
      201: success("Added.", ruleResponse),
      409: problem("There are too many notices.", "api.too_many_notices"),
      422: invalidBody("api.notice_refused"),
    },
    async handle({ body, caller }, { notices, sourceIds, logger }: Needs) {
      const mistake = mistakeIn(body, notices, sourceIds);
      if (mistake !== null) return mistake;
      const rule = { ...body, destination: toDestination(body.destination) };
      const added = await notices.rules.addRule(rule, caller);
      if (added === null) {
        return {
          status: 409,
          code: "api.too_many_notices",
          title: "There are too many notices",
          detail: "Remove one that is no longer needed.",
        };
      }
      logger.info({ ruleId: added.id, by: caller.userId }, "notice.rule_added");
      return { body: { rule: added } };
    },
  }),
  changeNoticeRule: route("PATCH /notice-rules/{id}", ofEverySource(requiredRoles.manageNotices), {
    summary: "Changes, pauses or resumes a notice; what is pending is tried again at once",
    body: editNoticeBody,
    responses: {
      200: success("Changed.", ruleResponse),
      404: noSuchRule,
      422: invalidBody("api.notice_refused"),
    },
    async handle({ params, body, caller }, { notices, sourceIds, logger }: Needs) {
      const mistake = mistakeIn(body, notices, sourceIds);
      if (mistake !== null) return mistake;
      const destination = body.destination === undefined ? undefined : toDestination(body.destination);
      const changed = await notices.rules.changeRule(params.id, { ...body, destination }, caller);
      if (changed === null) return null;
      logger.info({ ruleId: changed.id, changed: Object.keys(body), by: caller.userId }, "notice.rule_changed");
      return { body: { rule: changed } };
    },
  }),
  removeNoticeRule: route("DELETE /notice-rules/{id}", ofEverySource(requiredRoles.manageNotices), {
    summary: "Removes a notice; messages of it that are not sent yet never are",
    responses: { 204: done, 404: noSuchRule },
    async handle({ params, caller }, { notices, logger }: Needs) {
      if (!(await notices.rules.removeRule(params.id, caller))) return null;
      logger.info({ ruleId: params.id, by: caller.userId }, "notice.rule_removed");
      return {};
    },
  }),
  testNoticeRule: route("POST /notice-rules/{id}/test", ofEverySource(requiredRoles.manageNotices), {
    summary: "Sends a message that names no case, also of a paused notice",
    responses: { 200: success("The attempt has ended.", testResult), 404: noSuchRule },
    async handle({ params }, { notices }: Needs) {
      const result = await notices.sendTest(params.id);
      return result === null ? null : { body: result };
    },
  }),
  readDemoInbox: route("GET /demo-inbox", ofEverySource(requiredRoles.readDemoInbox), {
    summary: "The notices that demo mode caught instead of sending them, newest first; empty outside demo mode",
    responses: { 200: success("At most 50.", inbox) },
    async handle(_request, { notices }: Needs) {
      const items = (notices.demoInbox?.() ?? []).map(({ text, ...caught }) => ({ ...caught, ...text }));
      return { body: { items } };
    },
  }),
});

type GivenDestination = z.output<typeof addNoticeBody>["destination"];

function toDestination(given: GivenDestination): Destination {
  return given.type === "email" ? given : { type: given.type, webhookUrl: new Secret(given.webhookUrl) };
}

function mistakeIn(
  { destination, sources }: z.output<typeof editNoticeBody>,
  notices: Notices,
  known: readonly string[],
): Problem | null {
  const unknown = sources?.find((source) => !known.includes(source));
  if (unknown !== undefined) {
    return refused("/sources", `has '${unknown}', which is no source; there are ${known.join(", ")}`);
  }
  if (destination === undefined || destination.type === "email") return null;
  const refusal = notices.refuseUrl(new URL(destination.webhookUrl));
  return refusal === null ? null : refused("/destination/webhookUrl", refusal.message);
}

function refused(path: string, message: string): Problem {
  return {
    status: 422,
    code: "api.notice_refused",
    title: "This notice is not possible",
    detail: `'${path.slice(1)}' ${message.replace(/\.$/, "")}.`,
    extensions: { problems: [{ path, message }] },
  };
}
