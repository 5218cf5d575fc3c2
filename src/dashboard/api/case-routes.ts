import { problem, routes, success } from "../../http/route.ts";
import { assertNever } from "../../kernel/app-error.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type CaseOrder, caseListQuery, caseSearchBody } from "../case-filter-ports.ts";
import { type ActOnCase, type CaseQueries, type ChangeReader, caseDetail } from "../case-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { caseActionBody, noteOf, roleOfAction, toCommand } from "./action-requests.ts";
import { noSuch, ofEverySource, route } from "./api-surface.ts";
import { selectionOf, selectionOfQuery } from "./case-selection.ts";
import { pageFrom, positionAfter } from "./cursor.ts";
import { toCaller } from "./identity.ts";
import { presentCase, presentCaseDetail } from "./present-case.ts";
import { actionResponse, caseList, caseSearchPage, reconciliationResponse } from "./responses.ts";

export const casesTag = { name: "Cases", description: "The open work on orders." };

type Reading = {
  readonly queries: CaseQueries;
  readonly changes: ChangeReader;
};

type ReadingOne = Reading & {
  readonly secondPersonAbove: string | null;
};

export const caseRoutes = routes(casesTag.name, {
  listCases: route("GET /cases", requiredRoles.readCases, {
    summary: "Cases, newest or most urgent first",
    query: caseListQuery,
    responses: { 200: success("One page.", caseList) },
    async handle({ query, caller }, { queries, changes }: Reading) {
      const list = listOf(query.order);
      const page = await queries.listCases({
        ...selectionOfQuery(query, caller),
        order: query.order,
        after: positionAfter(list, query.cursor),
        limit: query.limit,
      });
      return { body: pageFrom(list, { ...page, items: page.items.map((item) => presentCase(item, changes)) }) };
    },
  }),
  searchCases: route("POST /cases/search", requiredRoles.readCases, {
    summary: "Cases by traveller, ticket, reference, flight and more",
    description:
      "As GET /cases, with more filters, a total, and travellers: a name must not stand in an address. Agents and above find them; for others the text is looked for elsewhere only.",
    body: caseSearchBody,
    responses: {
      200: success("One page; the first one with the total.", caseSearchPage),
      400: problem("The cursor cannot be read.", "api.cursor_invalid", "api.not_json", "api.bad_request"),
    },
    async handle({ body, caller }, { queries, changes }: Reading) {
      const list = listOf(body.order);
      const after = positionAfter(list, body.cursor);
      const page = await queries.searchCases({
        ...selectionOf(body, caller),
        order: body.order,
        after,
        limit: body.limit,
      });
      return {
        body: {
          ...pageFrom(list, { ...page, items: page.items.map((item) => presentCase(item, changes)) }),
          total: page.total,
        },
      };
    },
  }),
  readCase: route("GET /cases/{id}", requiredRoles.readCases, {
    summary: "One case with all its details",
    responses: { 200: success("The case.", caseDetail), 404: noSuch("case") },
    async handle({ params, caller }, { queries, changes, secondPersonAbove }: ReadingOne) {
      const found = await queries.readCase(params.id, caller.sources);
      return found === null ? null : { body: presentCaseDetail(found, changes, secondPersonAbove) };
    },
  }),
  actOnCase: route("POST /cases/{id}/actions", requiredRoles.readCases, {
    roleOf: roleOfAction,
    summary: "A person's action on a case",
    body: caseActionBody,
    responses: {
      202: success("Accepted. A worker carries it out.", actionResponse),
      404: noSuch("case"),
      409: problem("The case has changed meanwhile. Nothing was done.", "api.case_moved"),
      422: problem(
        "The body is no action (`api.action_invalid`), or the action is not possible on this case: `code` says why. Nothing was done.",
      ),
    },
    async handle({ params, body, caller }, { act }: { readonly act: ActOnCase }) {
      const outcome = await act({
        ...toCommand(body, caller.username),
        caseId: params.id,
        note: noteOf(body.note),
        version: body.version ?? null,
        ...toCaller(caller),
      });
      switch (outcome.outcome) {
        case "accepted": {
          const { caseId, state, decisionId, approvalId } = outcome;
          const approval = approvalId === undefined ? undefined : { id: approvalId, state: "asked" };
          return { status: 202, body: { caseId, state, decisionId, approval } };
        }
        case "not-found":
          return null;
        case "conflict":
          return {
            status: 409,
            code: "api.case_moved",
            title: "Nothing was done",
            detail: outcome.message,
            extensions: { state: outcome.state, version: outcome.version },
          };
        case "refused":
          return { status: 422, code: outcome.code, title: "This action is not possible", detail: outcome.message };
        default:
          return assertNever(outcome);
      }
    },
  }),
  reconcile: route("GET /reconciliation", ofEverySource(requiredRoles.readReconciliation), {
    summary: "Proof that every acknowledged notification is decided or waiting",
    responses: { 200: success("What was found.", reconciliationResponse) },
    async handle(_request, { queries, clock }: { readonly queries: CaseQueries; readonly clock: Clock }) {
      const found = await queries.reconcile(unattendedIdsMax);
      const ok = found.withoutCase.count === 0 && found.withoutProgress.count === 0;
      return { body: { ok, checkedAt: clock.now(), ...found } };
    },
  }),
});

function listOf(order: CaseOrder) {
  if (order === "newest") return "cases";
  return order === "departure" ? "cases-departure" : "cases-urgency";
}

/** Enough examples to see what they have in common. */
const unattendedIdsMax = 100;
