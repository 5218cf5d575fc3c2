import { afterAll, beforeAll, expect, test } from "vitest";
import { auditList, auditPart } from "../../../src/dashboard/audit-ports.ts";
import { appendToAuditChain } from "../../../src/store/audit/append-to-audit-chain.ts";
import { createAuditReading } from "../../../src/store/audit/audit-reading.ts";
import { createAuditVerification } from "../../../src/store/audit/audit-verification.ts";
import { type PeopleServer, startPeopleServer } from "./people-server.ts";

let server: PeopleServer;
let admin: { readonly id: string; readonly cookie: string };

beforeAll(async () => {
  server = await startPeopleServer({
    audit: {
      listEntries: (filter, page) => createAuditReading(server.database.database).listEntries(filter, page),
    },
    verifyAudit: (from) => createAuditVerification(server.database.database)(from),
  });
  admin = await server.signedIn("boss", "admin");
});
afterAll(() => server.close());

async function list(query: string) {
  const { status, body } = await server.send("GET", `/audit${query}`, { cookie: admin.cookie });
  expect(status).toBe(200);
  return auditList.parse(body);
}

test("an admin reads who did what, newest first, page by page", async () => {
  await server.send("POST", "/users", {
    cookie: admin.cookie,
    body: { username: "mlopez", role: "agent", displayName: "María López" },
  });

  const first = await list("?limit=1");
  expect(first.items[0]).toMatchObject({
    kind: "user.added",
    actor: "person:boss",
    refs: { username: "mlopez", role: "agent" },
    block: null,
  });
  expect(JSON.stringify(first)).not.toContain("López");

  const second = await list(`?limit=1&cursor=${first.nextCursor}`);
  expect(second.items[0]!.id).toBeLessThan(first.items[0]!.id);
});

test("the filters find by kind and by who did it", async () => {
  expect((await list("?kind=session.started")).items.map(({ actor }) => actor)).toEqual(["person:boss"]);
  expect((await list("?actor=person:nobody")).items).toEqual([]);
  expect((await list("?since=2999-01-01T00:00:00Z")).items).toEqual([]);
  expect((await list("?orderId=X&caseId=01890c5e-0000-7000-8000-000000000001")).items).toEqual([]);
});

test.each(["?since=yesterday", "?cursor=abc", "?caseId=12", "?kind=A%20B", "?limit=0", "?other=1"])(
  "a query that cannot be read is refused: %s",
  async (query) => {
    const { status, body } = await server.send("GET", `/audit${query}`, { cookie: admin.cookie });
    expect({ status, body }).toMatchObject({ status: 400, body: { code: "api.query_invalid" } });
  },
);

test("a supervisor may not read it", async () => {
  const { cookie } = await server.signedIn("super", "supervisor");

  expect(await server.send("GET", "/audit", { cookie })).toMatchObject({
    status: 403,
    body: { code: "people.role_too_low" },
  });
});

test("an admin verifies the newest blocks, or those from a given one on", async () => {
  while ((await appendToAuditChain(server.database.database, 2)) > 0);
  const verify = async (query: string) => {
    const { status, body } = await server.send("GET", `/audit/verification${query}`, { cookie: admin.cookie });
    expect(status).toBe(200);
    return auditPart.parse(body);
  };

  const newest = await verify("");
  expect(newest).toMatchObject({ from: 1, next: null, broken: null });
  expect(newest.newest).toBeGreaterThan(1);
  expect(newest.checked).toBeGreaterThan(newest.newest);
  expect(await verify("?from=2")).toMatchObject({
    from: 2,
    checked: newest.checked - 2,
    head: newest.head,
    broken: null,
  });
  expect(await verify("?from=999999")).toMatchObject({ checked: 0, head: newest.head, broken: null });
  const refused = await server.send("GET", "/audit/verification?from=0", { cookie: admin.cookie });
  expect(refused).toMatchObject({ status: 400, body: { code: "api.query_invalid" } });
});
