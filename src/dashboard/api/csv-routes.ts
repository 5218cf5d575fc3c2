import { routes } from "../../http/route.ts";
import type { Logger } from "../../telemetry/logger.ts";
import type { RecordExport } from "../audit-ports.ts";
import type { BulkActions } from "../bulk-ports.ts";
import { requiredRoles } from "../people/required-roles.ts";
import { noSuch, route } from "./api-surface.ts";
import { auditRoutes } from "./audit-routes.ts";
import { blockedOrderRoutes } from "./blocked-order-routes.ts";
import { bulkRoutes } from "./bulk-routes.ts";
import { caseRoutes } from "./case-routes.ts";
import { type Columns, csvHead, csvResponse, csvRoute, csvRows, jsonLinesRoute, sendCsv } from "./csv-route.ts";
import { toCaller } from "./identity.ts";
import { notificationRoutes } from "./notification-routes.ts";
import { taskRoutes, workTag } from "./task-routes.ts";

const bulkRowColumns = {
  Order: ({ orderId }) => orderId,
  Outcome: ({ outcome }) => outcome,
  "At the gateway": ({ gateway }) => gateway?.outcome,
  Reason: ({ gateway, message }) => gateway?.message ?? message,
  "Stated refund": ({ gateway }) => gateway?.refund?.stated,
  "Expected refund": ({ gateway }) => gateway?.refund?.expected?.amount,
  Currency: ({ gateway }) => gateway?.refund?.expected?.currency,
  "Done at": ({ doneAt }) => doneAt,
  Case: ({ caseId }) => caseId,
} satisfies Parameters<typeof csvRows<NonNullable<Awaited<ReturnType<BulkActions["read"]>>>["rows"][number]>>[1];

const caseColumns = {
  Order: ({ orderId }) => orderId,
  References: ({ gdsBookingReferences }) => gdsBookingReferences.join(" "),
  Source: ({ source }) => source,
  State: ({ state }) => state,
  Queue: ({ reviewQueue }) => reviewQueue,
  Severity: ({ severity }) => severity,
  Change: ({ headline }) => headline,
  Departure: ({ departureAt }) => departureAt,
  Travellers: ({ passengerCount }) => passengerCount,
  Value: ({ value }) => value?.amount,
  Currency: ({ value }) => value?.currency,
  Decision: ({ decision }) => decision?.action,
  Rule: ({ decision }) => decision?.rule,
  Reason: ({ decision }) => decision?.reasons[0]?.text,
  "Decide by": ({ dueBy }) => dueBy?.at,
  Overdue: ({ overdue }) => overdue,
  Assignee: ({ assignee }) => assignee,
  Opened: ({ openedAt }) => openedAt,
  Updated: ({ updatedAt }) => updatedAt,
  Closed: ({ closedAt }) => closedAt,
  Case: ({ id }) => id,
} satisfies Columns<Listed<typeof caseRoutes.listCases>>;

const taskColumns = {
  Order: ({ orderId }) => orderId,
  Source: ({ source }) => source,
  Task: ({ kind }) => kind,
  Reason: ({ reasons }) => reasons.map(({ text }) => text).join(" "),
  Due: ({ dueBy }) => dueBy?.at,
  Overdue: ({ dueBy }) => dueBy?.overdue,
  Opened: ({ openedAt }) => openedAt,
  Done: ({ closedAt }) => closedAt,
  "Done by": ({ closedBy }) => closedBy,
  "With token": ({ closedToken }) => closedToken,
  Note: ({ note }) => note,
  Case: ({ caseId }) => caseId,
  Id: ({ id }) => id,
} satisfies Columns<Listed<typeof taskRoutes.listTasks>>;

/** No names of travellers: whoever may list may export. */
export const csvRoutes = {
  listCasesAsCsv: csvRoute(caseRoutes.listCases, caseColumns),
  searchCasesAsCsv: csvRoute(caseRoutes.searchCases, caseColumns),
  listTasksAsCsv: csvRoute(taskRoutes.listTasks, taskColumns),
  searchTasksAsCsv: csvRoute(taskRoutes.searchTasks, taskColumns),
  listNotificationsAsCsv: csvRoute(notificationRoutes.listNotifications, {
    Received: ({ receivedAt }) => receivedAt,
    Source: ({ source }) => source,
    State: ({ state }) => state,
    Problem: ({ problem }) => problem?.code,
    Location: ({ problem }) => problem?.path,
    Orders: ({ orders }) => orders.ids.join(" "),
    Message: ({ problem }) => problem?.message,
    Receipts: ({ receipts }) => receipts,
    "Last receipt": ({ lastReceiptAt }) => lastReceiptAt,
    Bytes: ({ bodyBytes }) => bodyBytes,
    Id: ({ id }) => id,
  }),
  listBlockedOrdersAsCsv: csvRoute(blockedOrderRoutes.listBlockedOrders, {
    Order: ({ orderId }) => orderId,
    Source: ({ source }) => source,
    "Blocked since": ({ since }) => since,
    Code: ({ reason }) => reason.code,
    Reason: ({ reason }) => reason.text,
    "Failed in a row": ({ failures }) => failures,
    "Next try": ({ nextTryAt }) => nextTryAt,
    "State of the case": ({ caseState }) => caseState,
    Case: ({ caseId }) => caseId,
  }),
  listBulkActionsAsCsv: csvRoute(bulkRoutes.listBulkActions, {
    Action: ({ command }) => command.action,
    State: ({ state }) => state,
    "Asked by": ({ askedBy }) => askedBy,
    "With token": ({ token }) => token,
    "Asked at": ({ askedAt }) => askedAt,
    Finished: ({ finishedAt }) => finishedAt,
    Cases: ({ counts }) => counts.total,
    "Done or queued": ({ counts }) => counts.accepted,
    "Not possible": ({ counts }) => counts.refused,
    "Changed meanwhile": ({ counts }) => counts.conflict,
    "Not found": ({ counts }) => counts.notFound,
    Remaining: ({ counts }) => counts.waiting,
    Note: ({ command }) => command.note,
    Id: ({ id }) => id,
  }),
  listAuditAsCsv: csvRoute(auditRoutes.listAudit, {
    Id: ({ id }) => id,
    At: ({ at }) => at,
    Kind: ({ kind }) => kind,
    Actor: ({ actor }) => actor,
    "With token": ({ token }) => token,
    Source: ({ source }) => source,
    Order: ({ orderId }) => orderId,
    Case: ({ caseId }) => caseId,
    References: ({ refs }) => JSON.stringify(refs),
    "Detail SHA-256": ({ detailDigest }) => detailDigest,
    Block: ({ block }) => block,
  }),
  // The members that `skedchange audit export` writes of an entry.
  listAuditAsJsonLines: jsonLinesRoute(auditRoutes.listAudit, ({ token: _, ...entry }) => entry),
  ...routes(workTag.name, {
    readBulkActionAsCsv: route("GET /bulk-actions/{id}/rows.csv", requiredRoles.readBulkActions, {
      summary: "The outcome of a bulk action for each case, as CSV",
      responses: { 200: csvResponse, 404: noSuch("bulk action") },
      async handle({ params, caller }, { bulk, recordExport, logger }: BulkExport) {
        const found = await bulk.read(params.id, toCaller(caller));
        if (found === null) return null;
        await recordExport("bulk-action", caller);
        const lines = [csvHead(bulkRowColumns), csvRows(found.rows, bulkRowColumns)];
        return (response) => sendCsv(response, "bulk-action", lines, logger);
      },
    }),
  }),
};

type BulkExport = { readonly bulk: BulkActions; readonly recordExport: RecordExport; readonly logger: Logger };

type Listed<
  List extends { handle(...given: never): Promise<{ readonly body: { readonly items: readonly unknown[] } }> },
> = Awaited<ReturnType<List["handle"]>>["body"]["items"][number];
