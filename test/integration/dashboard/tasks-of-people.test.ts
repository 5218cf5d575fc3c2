import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { z } from "zod";
import { dialect } from "../../../src/connectors/document/dialect.ts";
import type { taskList, tasksChanged } from "../../../src/dashboard/api/responses.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { newId } from "../../../src/kernel/ids.ts";
import { createAssignees } from "../../../src/store/cases/assignees.ts";
import { createCaseQueries } from "../../../src/store/cases/case-queries.ts";
import { createTasks } from "../../../src/store/cases/tasks.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { insertCase } from "../../builders/case-rows.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type PeopleServer, startPeopleServer } from "./people-server.ts";

let db: TestDatabase;
let server: PeopleServer;
let cookie: string;

beforeAll(async () => {
  db = await createTestDatabase();
  server = await startPeopleServer({
    database: db,
    sourceIds: ["north", "south"],
    queries: createCaseQueries(db.database, dialect),
    tasks: createTasks(db.database, systemClock),
    listAssignees: createAssignees(db.database),
  });
  ({ cookie } = await server.signedIn("ann", "agent"));
  await server.signedIn("vic", "viewer");
  const { id: gone } = await server.signedIn("zoe", "agent");
  const { cookie: admin } = await server.signedIn("ada", "admin");
  await server.send("PATCH", `/users/${gone}`, { cookie: admin, body: { disabled: true } });
  const { id: sam } = await server.signedIn("sam", "supervisor");
  await server.people.editUser(sam, { sources: ["south"] });
});
afterAll(() => server.close());
beforeEach(async () => {
  await sql`delete from skedchange.tasks`.execute(db.ownerDatabase.connection);
});

async function openTask(task: { readonly source?: string; readonly orderId?: string } = {}) {
  const { source = "north" } = task;
  const caseId = await insertCase(db.ownerDatabase, { ...task, source, state: "done" });
  const id = newId(systemClock);
  await sql`
    insert into skedchange.tasks (id, case_id, source, order_id, kind, reasons, opened_at)
    select ${id}, id, source, order_id, 'check-ticket', '[]', now() from skedchange.cases where id = ${caseId}`.execute(
    db.ownerDatabase.connection,
  );
  return { id, caseId };
}

async function change(path: string, body: object) {
  const response = await server.send("POST", `/tasks/${path}`, { cookie, body });
  return { status: response.status, body: response.body as z.output<typeof tasksChanged> & { readonly code?: string } };
}

async function list(query: string) {
  const { body } = await server.send("GET", `/tasks${query}`, { cookie });
  return (body as z.output<typeof taskList>).items;
}

async function eventsOf(caseId: string) {
  const { rows } = await sql<{ kind: string; actor: string; detail: object }>`
    select kind, actor, detail from skedchange.case_events where case_id = ${caseId} order by id`.execute(
    db.database.connection,
  );
  return rows;
}

describe("who can be given work", () => {
  const assignees = async (query = "") => {
    const { body } = await server.send("GET", `/assignees${query}`, { cookie });
    return (body as { readonly items: readonly { readonly username: string }[] }).items;
  };

  test("is every enabled agent and above, by name, with the open cases and tasks they have", async () => {
    await insertCase(db.ownerDatabase, { source: "north", state: "awaiting-agent" });
    await insertCase(db.ownerDatabase, { source: "north", state: "done" });
    await sql`update skedchange.cases set assignee = 'person:ann'`.execute(db.ownerDatabase.connection);
    const { id } = await openTask();
    await change("assign", { ids: [id], assignee: "ann" });

    expect(await assignees()).toEqual([
      { username: "ada", displayName: "ada", openCases: 0, openTasks: 0 },
      { username: "ann", displayName: "ann", openCases: 1, openTasks: 1 },
      { username: "sam", displayName: "sam", openCases: 0, openTasks: 0 },
    ]);
  });

  test("is only who sees the source that is asked for", async () => {
    expect((await assignees("?source=north")).map(({ username }) => username)).toEqual(["ada", "ann"]);
    expect((await assignees("?source=south")).map(({ username }) => username)).toEqual(["ada", "ann", "sam"]);
  });
});

describe("several tasks", () => {
  test("are assigned at once, listed by assignee, and shown in the timeline of each case", async () => {
    const [one, two, three] = [await openTask(), await openTask(), await openTask()];

    const { body } = await change("assign", { ids: [one.id, two.id], assignee: "me" });

    expect(body).toEqual({ changed: [one.id, two.id].sort(), closedBefore: [], unknown: [] });
    expect((await list("?assignee=me")).map(({ id }) => id).sort()).toEqual([one.id, two.id].sort());
    expect((await list("?assignee=none")).map(({ id }) => id)).toEqual([three.id]);
    expect((await list("?assignee=ada")).map(({ id }) => id)).toEqual([]);
    expect(await eventsOf(two.caseId)).toMatchObject([
      { kind: "task.assigned", actor: "person:ann", detail: { taskId: two.id, assignee: "person:ann" } },
    ]);
  });

  test("are done at once with one note, and those that were done before stay as they are", async () => {
    const [before, open] = [await openTask(), await openTask()];
    await change("close", { ids: [before.id], note: "first" });
    const unknown = newId(systemClock);

    const { body } = await change("close", { ids: [before.id, open.id, unknown], note: "reissued" });

    expect(body).toEqual({ changed: [open.id], closedBefore: [before.id], unknown: [unknown] });
    const notes = (await list("?state=closed")).map(({ id, note, closedBy }) => [id, note, closedBy]);
    expect(notes.sort()).toEqual(
      [
        [before.id, "first", "person:ann"],
        [open.id, "reissued", "person:ann"],
      ].sort(),
    );
    expect((await eventsOf(before.caseId)).map(({ kind }) => kind)).toEqual(["task.closed"]);
  });

  test("keep their assignee once they are done", async () => {
    const { id } = await openTask();
    await change("assign", { ids: [id], assignee: "ada" });
    await change("close", { ids: [id] });

    expect((await change("assign", { ids: [id], assignee: null })).body).toMatchObject({ closedBefore: [id] });
    expect(await list("?state=closed")).toMatchObject([{ id, assignee: "person:ada" }]);
  });

  test.each(["vic", "zoe", "sam", "nobody"])("are not given to %s, who may not do all of them", async (assignee) => {
    const [north, south] = [await openTask(), await openTask({ source: "south" })];

    const { status, body } = await change("assign", { ids: [north.id, south.id], assignee });

    expect({ status, code: body.code }).toEqual({ status: 422, code: "desk.assignee_unknown" });
    expect(await list("?assignee=none")).toHaveLength(2);
  });

  test("are given to who sees the sources of all of them", async () => {
    const south = await openTask({ source: "south" });

    expect((await change("assign", { ids: [south.id], assignee: "sam" })).status).toBe(200);
  });

  test("of a source that the caller does not see are unknown", async () => {
    const { id } = await openTask();
    const sam = await server.people.addToken(
      { userId: (await server.people.listUsers()).find(({ username }) => username === "sam")!.id, role: "supervisor" },
      { name: "script", role: null, readOnly: false, lifeDays: null },
    );
    if (sam.outcome !== "added") throw new Error(sam.outcome);

    for (const path of ["close", "assign"]) {
      const body = { ids: [id], ...(path === "assign" ? { assignee: null } : {}) };
      const response = await server.send("POST", `/tasks/${path}`, { token: sam.secret, body });
      expect(response.body).toEqual({ changed: [], closedBefore: [], unknown: [id] });
    }
    expect(await list("?state=open")).toMatchObject([{ id, assignee: null }]);
  });
});

describe("a search for tasks", () => {
  test("finds them by part of the order id or of a booking reference of their case", async () => {
    const { id } = await openTask({ orderId: "FINDME77" });
    await openTask();

    for (const text of ["findme", "ME77"]) {
      const { body } = await server.send("POST", "/tasks/search", { cookie, body: { state: "open", text } });
      expect((body as z.output<typeof taskList>).items.map((item) => item.id)).toEqual([id]);
    }
  });
});
