import type { z } from "zod";
import { totalRefunds } from "../../cases/refund-totals.ts";
import type { Problem } from "../../http/problem-document.ts";
import { problem, routes, success } from "../../http/route.ts";
import { isRecord } from "../../kernel/record.ts";
import type { Logger } from "../../telemetry/logger.ts";
import { type BulkAction, type BulkActions, type BulkSelection, bulkCasesMax } from "../bulk-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { bulkActionBody, roleOfAction, toBulkCommand } from "./action-requests.ts";
import { invalidBody, noSuch, route } from "./api-surface.ts";
import { selectionOf } from "./case-selection.ts";
import { pageFrom, positionAfter } from "./cursor.ts";
import { type Identity, toCaller } from "./identity.ts";
import { bodyBytesMax } from "./json-body.ts";
import { bulkActionListQuery } from "./requests.ts";
import { bulkAction, bulkActionList, bulkPreview, bulkStarted, bulkStopped } from "./responses.ts";
import { workTag } from "./task-routes.ts";

type BulkBody = z.output<typeof bulkActionBody>;

type Needs = {
  readonly bulk: BulkActions;
  readonly logger: Logger;
};

export const bulkRoutes = routes(workTag.name, {
  listBulkActions: route("GET /bulk-actions", requiredRoles.readBulkActions, {
    summary: "Actions on many cases and their progress, newest first",
    query: bulkActionListQuery,
    responses: { 200: success("One page.", bulkActionList) },
    async handle({ query, caller }, { bulk }: Needs) {
      const { state = null, cursor, limit } = query;
      const page = await bulk.list({
        by: toCaller(caller),
        state,
        after: positionAfter("bulk-actions", cursor),
        limit,
      });
      return { body: pageFrom("bulk-actions", page) };
    },
  }),
  actOnManyCases: route("POST /bulk-actions", requiredRoles.actOnManyCases, {
    roleOf: (given) => roleOfAction(isRecord(given) ? given["command"] : undefined),
    summary: "Starts one action on many cases, after a dry run",
    body: bulkActionBody,
    // It may name many cases.
    bodyBytesMax: 4 * bodyBytesMax,
    responses: {
      200: success("The expected outcome for each case. Nothing was changed.", bulkPreview),
      202: success("Accepted. Workers process case after case.", bulkStarted),
      422: invalidBody(
        "api.bulk_without_cases",
        "api.bulk_too_many",
        "api.bulk_without_versions",
        "desk.confirmation_missing",
      ),
    },
    handle: ({ body, caller }, needs: Needs) => (body.dryRun ? tryOut : start)(body, caller, needs),
  }),
  readBulkAction: route("GET /bulk-actions/{id}", requiredRoles.readBulkActions, {
    summary: "The progress of a bulk action, case by case",
    responses: { 200: success("The bulk action.", bulkAction), 404: noSuch("bulk action") },
    async handle({ params, caller }, { bulk }: Needs) {
      const found = await bulk.read(params.id, toCaller(caller));
      return found === null ? null : { body: { ...found, ...atGateway(found) } };
    },
  }),
  stopBulkAction: route("POST /bulk-actions/{id}/stop", requiredRoles.actOnManyCases, {
    summary: "Stops a bulk action before its remaining cases",
    responses: {
      200: success("It is stopped. Cases that are done stay done.", bulkStopped),
      404: noSuch("bulk action"),
      409: problem("It is over.", "api.bulk_action_over"),
    },
    async handle({ params: { id }, caller }, { bulk, logger }: Needs) {
      const stopped = await bulk.stop(id, toCaller(caller));
      if (stopped === null) return null;
      if (!stopped) {
        return {
          status: 409,
          code: "api.bulk_action_over",
          title: "The bulk action is over",
          detail: `The bulk action ${id} is already stopped or finished. Its rows list the outcomes.`,
        };
      }
      logger.info({ bulkActionId: id, actor: caller.actor }, "bulk_action.stopped");
      return { body: { id, state: "stopped" as const } };
    },
  }),
});

async function tryOut(body: BulkBody, caller: Identity, { bulk }: Needs) {
  const selection = bulkSelectionOf(body, caller);
  if (selection === null) {
    return refusal("api.bulk_without_cases", "Name the cases with one of 'caseIds', 'cohort' and 'filter'.");
  }
  const items = await bulk.preview(toBulkCommand(body.command, caller.username), selection, toCaller(caller));
  if (items === null) {
    return refusal(
      "api.bulk_too_many",
      `One action takes at most ${bulkCasesMax} cases, and more match. Narrow the filters, or select fewer by id.`,
    );
  }
  return { status: 200, body: { items, count: items.length } };
}

async function start(body: BulkBody, caller: Identity, { bulk, logger }: Needs) {
  const command = toBulkCommand(body.command, caller.username);
  const versions = new Map(Object.entries(body.versions ?? {}).map(([id, version]) => [id.toLowerCase(), version]));
  const ids = body.caseIds ?? [...versions.keys()];
  const cases = ids.flatMap((caseId) => {
    const version = versions.get(caseId);
    return version === undefined ? [] : [{ caseId, version }];
  });
  if (cases.length === 0 || cases.length < ids.length) {
    const detail = "Every case needs its version in 'versions'. Get the versions from a dry run.";
    return refusal("api.bulk_without_versions", detail);
  }
  if (command.action === "cancel" && command.confirm !== String(cases.length)) {
    const detail = `A cancel can't be undone, so 'confirm' must be the number of cases, as text: "${cases.length}".`;
    return refusal("desk.confirmation_missing", detail);
  }
  const id = await bulk.start(command, cases, caller);
  logger.info(
    { bulkActionId: id, action: command.action, cases: cases.length, actor: caller.actor },
    "bulk_action.started",
  );
  return { status: 202, body: { id } };
}

/** Returns null for an action of which nothing goes to the gateway. */
function atGateway({ rows }: BulkAction) {
  const results = rows.flatMap(({ gateway }) => gateway ?? []);
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  const counts = {
    waiting: count("waiting"),
    sent: count("sent"),
    succeeded: count("succeeded"),
    failed: count("failed"),
    unknown: count("unknown"),
    notSent: count("not-sent"),
  };
  return {
    gatewayCounts: results.length === 0 ? null : counts,
    refunds: totalRefunds(results.flatMap(({ refund }) => refund ?? [])),
  };
}

/** Returns null unless they are named in exactly one way. */
function bulkSelectionOf({ caseIds, cohort, filter }: BulkBody, caller: Identity): BulkSelection | null {
  const named: readonly (BulkSelection | undefined)[] = [
    caseIds && { caseIds },
    cohort,
    filter && { matching: selectionOf(filter, caller) },
  ];
  const [selection, ...others] = named.filter((given) => given !== undefined);
  return others.length === 0 ? (selection ?? null) : null;
}

function refusal(code: string, detail: string): Problem {
  return { status: 422, code, title: "Not possible for many cases", detail };
}
