import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { sql } from "kysely";
import type { z } from "zod";
import type { auditList } from "../../../src/dashboard/api/audit-responses.ts";
import type { bulkAction, caseDetail, taskList } from "../../../src/dashboard/api/responses.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { createAuditReading } from "../../../src/store/audit/audit-reading.ts";
import { verifyAudit } from "../../../src/store/audit/audit-verification.ts";
import { createBulkActions } from "../../../src/store/cases/bulk-actions.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createCaseStore } from "../../../src/store/cases/case-store.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
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
    queries: createCaseQueries(db.database),
    tasks: createTasks(db.database, systemClock),
    bulk,
    act: createCaseStore(db.database, systemClock).act,
    audit: createAuditReading(db.database),
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
    `.execute(db.ownerDatabase.kysely);

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

  test("is part of a chain that can be verified", async () => {
    while ((await appendToAuditChain(db.database, 1_000)) === 1_000);

    expect(await verifyAudit(db.database, {})).toMatchObject({ broken: null });
  });
});
