import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { viewsMax } from "../../../src/dashboard/view-ports.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { sql } from "../../../src/store/database/sql.ts";
import { createViews } from "../../../src/store/views.ts";
import { createTestDatabase, type TestDatabase } from "../../harness/database.ts";
import { type PeopleServer, startPeopleServer } from "./people-server.ts";

let db: TestDatabase;
let server: PeopleServer;
let ann: string;
let ben: string;

beforeAll(async () => {
  db = await createTestDatabase();
  server = await startPeopleServer({ database: db, views: createViews(db.database, systemClock) });
  ({ cookie: ann } = await server.signedIn("ann", "agent"));
  ({ cookie: ben } = await server.signedIn("ben", "viewer"));
});
afterAll(() => server.close());
beforeEach(async () => {
  await sql`delete from skedchange.views`.execute(db.ownerDatabase.connection);
});

async function save(cookie: string, name: string, filters: string) {
  const { status, body } = await server.send("POST", "/views", { cookie, body: { name, filters } });
  return { status, body: body as { readonly id: string; readonly code: string; readonly detail: string } };
}

async function namesOf(cookie: string) {
  const { body } = await server.send("GET", "/views", { cookie });
  return (body as { readonly items: readonly { name: string; filters: string }[] }).items.map(
    ({ name, filters }) => `${name}: ${filters}`,
  );
}

test("a user keeps views of their own, by name, and the same name again replaces the filters", async () => {
  await save(ann, "Lufthansa overdue", "airline=LH&overdue=1");
  await save(ann, "at my desk", "assignee=me");
  await save(ann, "Lufthansa overdue", "airline=LH");
  await save(ben, "Lufthansa overdue", "source=north");

  expect(await namesOf(ann)).toEqual(["at my desk: assignee=me", "Lufthansa overdue: airline=LH"]);
  expect(await namesOf(ben)).toEqual(["Lufthansa overdue: source=north"]);
});

test("a view is removed by its user only", async () => {
  const { id } = (await save(ann, "Mine", "assignee=me")).body;

  expect((await server.send("DELETE", `/views/${id}`, { cookie: ben })).status).toBe(404);
  expect((await server.send("DELETE", `/views/${id}`, { cookie: ann })).status).toBe(204);
  expect(await namesOf(ann)).toEqual([]);
});

test.each([
  ["a text that is searched for", "Smith", "q=smith"],
  ["what is no address", "Odd", "assignee=me<script>"],
  ["no name", "  ", "assignee=me"],
])("a view with %s is refused", async (_, name, filters) => {
  expect(await save(ann, name, filters)).toMatchObject({ status: 422, body: { code: "api.body_invalid" } });
  expect(await namesOf(ann)).toEqual([]);
});

test("a user has a limited number of views, and can still change those", async () => {
  for (let count = 0; count < viewsMax; count += 1) await save(ann, `view ${count}`, "overdue=1");

  expect(await save(ann, "one more", "overdue=1")).toMatchObject({ status: 409, body: { code: "api.too_many_views" } });
  expect((await save(ann, "view 7", "assignee=me")).status).toBe(200);
  expect(await namesOf(ann)).toHaveLength(viewsMax);
});
