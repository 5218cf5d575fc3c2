import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import type { bulkAction, taskList } from "../../../src/dashboard/api/responses.ts";
import type { auditList } from "../../../src/dashboard/audit-ports.ts";
import type { caseDetail } from "../../../src/dashboard/case-ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { nameToken } from "../../../src/store/audit/audit-actor.ts";
import { createAuditReading } from "../../../src/store/audit/audit-reading.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { createExportRecord } from "../../../src/store/audit/record-export.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { inTransaction } from "../../../src/store/database/transaction.ts";
import { createNoticeRuleStore } from "../../../src/store/notices/notice-rules.ts";
import { createQuarantine } from "../../../src/store/notifications/quarantine.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type PeopleServer, startPeopleServer } from "./people-server.ts";

let db: TestDatabase;
let server: PeopleServer;
let bulk: ReturnType<typeof createBulkActions>;
let cookie: string;
/** Named `night desk`, of ann. */
let token: { readonly id: string; readonly secret: string };

beforeAll(async () => {
  db = await createTestDatabase();
  bulk = createBulkActions(db.database, systemClock);
  server = await startPeopleServer({
    database: db,
    queries: createCaseQueries(db.database, dialect),
    tasks: createTasks(db.database, systemClock),
    bulk,
    act: createCaseStore(db.database, systemClock, dialect).act,
    audit: createAuditReading(db.database),
    recordExport: createExportRecord(db.database),
    quarantine: createQuarantine(db.database, { clock: systemClock }),
    notices: {
      rules: createNoticeRuleStore(db.database, systemClock),
      sendTest: async () => null,
      demoInbox: null,
      refuseUrl: () => null,
    },
  });
  const ann = await server.signedIn("ann", "admin");
  cookie = ann.cookie;
  const added = await server.people.addToken(
    { userId: ann.id, role: "admin" },
    { name: "night desk", role: null, readOnly: false, lifeDays: null },
  );
  if (added.outcome !== "added") throw new Error(added.outcome);
  token = { id: added.token.id, secret: added.secret };
});
afterAll(() => server.close());

const waitingCase = () => insertCase(db.ownerDatabase, { state: "awaiting-agent", reviewQueue: "agent" });

async function read<T>(path: string): Promise<T> {
  return (await server.send("GET", path, { cookie })).body;
}

const withToken = (method: string, path: string, body?: object) =>
  server.send(method, path, { token: token.secret, ...(body === undefined ? {} : { body }) });

const readCase = (caseId: string) => read<z.output<typeof caseDetail>>(`/cases/${caseId}`);

async function audited(query: string) {
  const { items } = await read<z.output<typeof auditList>>(`/audit?${query}`);
  return items.map(({ kind, actor, token: name, refs }) => ({ kind, actor, name, id: refs["actorToken"] }));
}

const byToken = () => ({ actor: "person:ann", name: "night desk", id: token.id });

describe("who acts with an API token", () => {
  test("is shown with its name in the timeline, the decision and the audit, and stays the same user", async () => {
    const caseId = await waitingCase();
    const action = { action: "close", reasonCode: "duplicate" };

    const done = await server.send("POST", `/cases/${caseId}/actions`, { token: token.secret, body: action });

    expect(done.status).toBe(202);
    const { timeline, decision, decisions } = await readCase(caseId);
    expect(timeline.map(({ actor, token: name }) => [actor, name])).toEqual([["person:ann", "night desk"]]);
    expect([decision, decisions[0]]).toMatchObject(
      Array.from({ length: 2 }, () => ({ decidedBy: "person:ann", token: "night desk" })),
    );
    expect(await audited(`caseId=${caseId}`)).toEqual([{ kind: "decision.made", ...byToken() }]);
  });

  test("is shown without one when the same user acts in a browser", async () => {
    const caseId = await waitingCase();

    await server.send("POST", `/cases/${caseId}/actions`, { cookie, body: { action: "note", note: "called" } });

    expect((await readCase(caseId)).timeline).toMatchObject([{ actor: "person:ann", token: null }]);
    expect(await audited(`caseId=${caseId}`)).toEqual([
      { kind: "case.noted", actor: "person:ann", name: null, id: undefined },
    ]);
  });

  test("is shown with its name on a bulk action and on what the worker then does for it", async () => {
    const caseId = await waitingCase();
    const body = { dryRun: false, command: { action: "note", note: "strike" }, versions: { [caseId]: 1 } };

    const started = await server.send("POST", "/bulk-actions", { token: token.secret, body });
    const { id } = started.body as { readonly id: string };
    await bulk.workNext();

    expect(await read<z.output<typeof bulkAction>>(`/bulk-actions/${id}`)).toMatchObject({
      askedBy: "person:ann",
      token: "night desk",
    });
    expect((await readCase(caseId)).timeline).toMatchObject([{ actor: "person:ann", token: "night desk" }]);
    expect(await audited("kind=bulk-action.asked")).toEqual([{ kind: "bulk-action.asked", ...byToken() }]);
    expect(await audited("kind=bulk-action.ended")).toMatchObject([{ actor: "system", name: null, id: undefined }]);
  });

  test("is shown with its name on a task that is done", async () => {
    const caseId = await insertCase(db.ownerDatabase, { state: "done" });
    const id = newId(systemClock);
    await sql`
      insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at)
      select ${id}, id, source, order_id, 'check-ticket', '[]', now() from skedchange.cases where id = ${caseId}
    `.execute(db.ownerDatabase.connection);

    await server.send("POST", `/tasks/${id}/close`, { token: token.secret, body: {} });

    const { items } = await read<z.output<typeof taskList>>("/tasks?state=closed");
    expect(items).toMatchObject([{ id, closedBy: "person:ann", closedToken: "night desk" }]);
    expect(await audited(`caseId=${caseId}&kind=task.closed`)).toEqual([
      { kind: "task.closed", ...byToken() },
      { kind: "task.closed", ...byToken() },
    ]);
  });

  test("is shown with its name in the audit of users", async () => {
    const body = { username: "ben", role: "agent" };

    await server.send("POST", "/users", { token: token.secret, body });

    expect((await audited("kind=user.added"))[0]).toEqual({ kind: "user.added", ...byToken() });
  });

  test("is shown with its name on the sessions that they end", async () => {
    const { id } = await server.signedIn("cara", "agent");

    await withToken("DELETE", `/users/${id}/sessions`);

    expect(await audited("kind=session.ended")).toEqual([{ kind: "session.ended", ...byToken() }]);
  });

  test("is shown with its name on every change of a recipient of events", async () => {
    const authorization = { type: "bearer", token: "secret" };
    const added = await withToken("POST", "/recipients", {
      name: "erp",
      url: "https://erp.example.com/events",
      authorization,
    });
    expect(added.status).toBe(201);
    const { id } = added.body as { readonly id: string };
    await withToken("PATCH", `/recipients/${id}`, { name: "crm" });
    await withToken("DELETE", `/recipients/${id}`);

    for (const [kind, count] of [
      ["event-recipient.added", 1],
      ["event-recipient.changed", 2],
    ] as const) {
      expect(await audited(`kind=${kind}`)).toEqual(Array.from({ length: count }, () => ({ kind, ...byToken() })));
    }
  });

  test("is shown with its name on every change of a notice", async () => {
    const destination = { type: "email", addresses: ["desk@agency.example"] };
    const added = await withToken("POST", "/notice-rules", { name: "Desk", when: { type: "at-once" }, destination });
    expect(added.status).toBe(201);
    const { rule } = added.body as { readonly rule: { readonly id: string } };
    await withToken("PATCH", `/notice-rules/${rule.id}`, { name: "Night desk" });
    await withToken("DELETE", `/notice-rules/${rule.id}`);

    for (const kind of ["notice-rule.added", "notice-rule.changed", "notice-rule.removed"]) {
      expect(await audited(`kind=${kind}`)).toEqual([{ kind, ...byToken() }]);
    }
  });

  test("is shown with its name on a list that they export and on their search for a traveller", async () => {
    await server.send("POST", "/cases/search", { cookie, body: { text: "MUELLER" } });
    await withToken("GET", "/cases.csv");
    await withToken("POST", "/cases/search", { text: "MUELLER" });

    expect(await audited("kind=list.exported")).toEqual([{ kind: "list.exported", ...byToken() }]);
    expect(await audited("kind=traveller.searched")).toEqual([
      { kind: "traveller.searched", ...byToken() },
      { kind: "traveller.searched", actor: "person:ann", name: null, id: undefined },
    ]);
  });

  test("is not shown on what the program does in the same transaction", async () => {
    const caseId = await waitingCase();
    await inTransaction(db.ownerDatabase, async (transaction) => {
      await nameToken(transaction, token.id);
      await sql`
        insert into skedchange.case_events (case_id, at, kind, actor)
        values (${caseId}, now(), 'case.noted', 'worker'), (${caseId}, now(), 'case.noted', 'person:ann')
      `.execute(transaction);
    });

    expect((await readCase(caseId)).timeline.map(({ actor, token: name }) => [actor, name])).toEqual([
      ["worker", null],
      ["person:ann", "night desk"],
    ]);
    expect(await audited(`caseId=${caseId}`)).toEqual([
      { kind: "case.noted", ...byToken() },
      { kind: "case.noted", actor: "worker", name: null, id: undefined },
    ]);
  });

  test("is part of a chain that can be verified", async () => {
    while ((await appendToAuditChain(db.database, 1_000)) === 1_000);

    expect(await verifyAudit(db.database, {})).toMatchObject({ broken: null });
  });
});
