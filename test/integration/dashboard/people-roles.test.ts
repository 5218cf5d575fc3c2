import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { problemSchema } from "../../../src/contract/openapi/problem-schema.ts";
import { apiRoutes } from "../../../src/dashboard/api/routes.ts";
import { sessionRoutes } from "../../../src/dashboard/api/session-routes.ts";
import { isRoleAtLeast, type UserRole, userRoleNames } from "../../../src/dashboard/people/role.ts";
import { cookieOf, type PeopleServer, startPeopleServer } from "./people-server.ts";

const unknownId = "019aa000-0000-7000-8000-000000000000";
const unknownVersion = "0".repeat(64);
const act = (action: string) => ["POST", `/cases/${unknownId}/actions`, { action }] as const;

/** Everything that people can ask for, and the least role that it takes. */
const things: readonly [role: UserRole, method: string, path: string, body?: object][] = [
  ["viewer", "GET", "/session"],
  ["viewer", "POST", "/session/password", { currentPassword: "wrong password", newPassword: "a better passphrase" }],
  ["viewer", "GET", "/sessions"],
  ["viewer", "DELETE", "/sessions"],
  ["viewer", "DELETE", `/sessions/${unknownId}`],
  ["viewer", "GET", "/cases"],
  ["viewer", "POST", "/cases/search", { text: "smith" }],
  ["viewer", "GET", `/cases/${unknownId}`],
  ["viewer", "GET", `/cases/${unknownId}/calls`],
  ["viewer", "GET", "/notifications"],
  ["viewer", "GET", `/notifications/${unknownId}`],
  ["viewer", "GET", "/reconciliation"],
  ["viewer", "GET", "/tasks"],
  ["viewer", "POST", "/tasks/search", {}],
  ["viewer", "GET", "/views"],
  ["viewer", "POST", "/views", { name: "Mine", filters: "assignee=me" }],
  ["viewer", "DELETE", `/views/${unknownId}`],
  ["viewer", "GET", "/bulk-actions"],
  ["viewer", "GET", `/bulk-actions/${unknownId}`],
  ["viewer", "GET", "/orders/UNKNOWN"],
  ["viewer", "GET", "/automation"],
  ["viewer", "GET", "/policies"],
  ["viewer", "GET", "/policies/terms?source=default"],
  ["viewer", "GET", "/policies/shadow-differences?source=default"],
  ["viewer", "GET", `/policies/versions/${unknownVersion}`],
  ["viewer", "GET", `/decisions/${unknownId}/replay`],
  ["viewer", "GET", "/blocked-orders"],
  ["viewer", "GET", "/counts"],
  ["viewer", "GET", "/cases.csv"],
  ["viewer", "POST", "/cases/search.csv", {}],
  ["viewer", "POST", "/tasks/search.csv", {}],
  ["viewer", "GET", "/quarantine"],
  ["viewer", "GET", "/tasks.csv"],
  ["viewer", "GET", "/notifications.csv"],
  ["viewer", "GET", "/blocked-orders.csv"],
  ["viewer", "GET", "/bulk-actions.csv"],
  ["viewer", "GET", `/bulk-actions/${unknownId}/rows.csv`],
  ["viewer", "GET", "/overview"],
  ["viewer", "GET", "/tokens"],
  ["viewer", "POST", "/tokens", { name: "script" }],
  ["viewer", "DELETE", `/tokens/${unknownId}`],

  ["agent", ...act("accept")],
  ["agent", ...act("close")],
  ["agent", ...act("recheck")],
  ["agent", ...act("snooze")],
  ["agent", ...act("assign")],
  ["agent", ...act("note")],
  ["agent", ...act("reschedule")],
  ["agent", ...act("reopen")],
  ["agent", ...act("stop")],
  ["agent", ...act("traveller-informed")],
  ["agent", ...act("traveller-asked")],
  ["agent", ...act("traveller-answered")],
  ["agent", "POST", `/tasks/${unknownId}/close`, {}],
  ["agent", "POST", "/tasks/close", { ids: [unknownId] }],
  ["agent", "POST", "/tasks/assign", { ids: [unknownId], assignee: null }],
  ["agent", "GET", "/assignees"],
  ["agent", "GET", `/notifications/${unknownId}/body`],
  ["agent", "GET", `/cases/${unknownId}/calls/${unknownId}/body`],

  ["agent", "GET", `/cases/${unknownId}/travellers`],
  ["agent", "GET", "/members"],
  ["agent", "GET", "/members/UNKNOWN"],
  ["agent", "GET", "/members/UNKNOWN/marks"],

  ["supervisor", "GET", "/settings"],
  ["supervisor", "GET", "/health"],
  ["supervisor", "GET", "/processes"],
  ["supervisor", "POST", "/quarantine/discard", { ids: [unknownId], note: "a test" }],
  ["supervisor", "POST", "/quarantine/reprocess", { ids: [unknownId] }],
  ["supervisor", ...act("cancel")],
  ["supervisor", ...act("approve")],
  ["supervisor", ...act("refuse-approval")],
  ["supervisor", ...act("resolved-elsewhere")],
  ["supervisor", "POST", "/bulk-actions", { dryRun: true, command: { action: "note" }, caseIds: [unknownId] }],
  ["supervisor", "POST", `/bulk-actions/${unknownId}/stop`],
  ["supervisor", ...act("confirm-effect")],
  ["supervisor", ...act("refute-effect")],
  ["supervisor", "POST", `/notifications/${unknownId}/replay`],
  ["supervisor", "POST", "/orders", {}],
  ["supervisor", "POST", "/policies/activations", {}],
  ["supervisor", "POST", "/policies", { text: "version: 1", note: "a try" }],
  ["supervisor", "POST", "/policies/check", { text: "version: 1" }],
  ["supervisor", "POST", "/policies/backtests", {}],
  ["supervisor", "POST", "/automation/stop", { note: "wrong limits" }],
  ["supervisor", "POST", "/automation/resume", {}],
  ["supervisor", "POST", "/members/UNKNOWN/marks", {}],
  ["supervisor", "POST", "/members/UNKNOWN/marks/withdraw", {}],

  ["supervisor", "GET", "/recipients"],
  ["supervisor", "GET", `/recipients/${unknownId}`],
  ["supervisor", "GET", "/deliveries"],
  ["supervisor", "GET", `/deliveries/${unknownId}`],
  ["supervisor", "GET", `/deliveries/${unknownId}/attempts`],
  ["supervisor", "GET", "/replays"],
  ["supervisor", "GET", `/replays/${unknownId}`],

  ["admin", "POST", "/recipients", { name: "Mid-office", url: "http://127.0.0.1/events" }],
  ["admin", "PATCH", `/recipients/${unknownId}`, { state: "paused" }],
  ["admin", "DELETE", `/recipients/${unknownId}`],
  ["admin", "POST", `/recipients/${unknownId}/test`],
  ["admin", "POST", `/deliveries/${unknownId}/replay`],
  ["admin", "POST", "/replays", { state: "dead" }],
  ["admin", "DELETE", `/replays/${unknownId}`],
  ["viewer", "GET", "/demo-inbox"],
  ["admin", "GET", "/notice-rules"],
  ["admin", "POST", "/notice-rules", {}],
  ["admin", "PATCH", `/notice-rules/${unknownId}`, { paused: true }],
  ["admin", "DELETE", `/notice-rules/${unknownId}`],
  ["admin", "POST", `/notice-rules/${unknownId}/test`],
  ["admin", "GET", "/audit"],
  ["admin", "GET", "/audit/verification"],
  ["admin", "GET", "/audit.csv"],
  ["admin", "GET", "/audit.jsonl"],
  ["admin", "GET", "/users"],
  ["admin", "POST", "/users", { username: "api", role: "viewer" }],
  ["admin", "PATCH", `/users/${unknownId}`, { role: "viewer" }],
  ["admin", "DELETE", `/users/${unknownId}/sessions`],
  ["admin", "DELETE", `/users/${unknownId}/second-factor`],
  ["admin", "GET", "/second-factor-roles"],
  ["admin", "PUT", "/second-factor-roles", { roles: [] }],
  ["admin", "GET", "/tokens?of=everybody"],
];

test("the list has every route that people and programs can ask for", () => {
  const named = (path: string) =>
    path.replace(/\?.*/, "").replaceAll(new RegExp(`${unknownId}|${unknownVersion}|UNKNOWN`, "g"), "{id}");
  const tried = new Set([
    ...things.map(([, method, path]) => `${method} ${named(path)}`),
    "GET /events",
    "DELETE /session",
  ]);
  const missing = Object.values({ ...sessionRoutes, ...apiRoutes })
    .map(({ name }) => name.replaceAll(/\{\w+\}/g, "{id}"))
    .filter((route) => !tried.has(route));

  expect(missing).toEqual([]);
});

let server: PeopleServer;
const cookies = new Map<UserRole, string>();

beforeAll(async () => {
  server = await startPeopleServer();
  for (const role of userRoleNames) cookies.set(role, (await server.signedIn(`the-${role}`, role)).cookie);
});
afterAll(() => server.close());

test("whatever somebody asks for whose password somebody else has set, they must change it first", async () => {
  const { id } = await server.signedIn("newcomer", "admin");
  await server.people.editUser(id, { password: "an initial passphrase" });
  const credentials = { username: "newcomer", password: "an initial passphrase" };
  const cookie = cookieOf(await server.send("POST", "/session", { body: credentials }));

  for (const [, method, path, body] of things.filter((thing) => !/^\/session($|\/)/.test(thing[2]))) {
    const response = await server.send(method, path, { cookie, ...(body === undefined ? {} : { body }) });

    expect([path, problemSchema.parse(response.body).code]).toEqual([path, "people.password_change_needed"]);
  }
});

describe.each(things)("what takes at least a %s: %s %s %j", (needed, method, path, body) => {
  test.each(userRoleNames)("%s", async (role) => {
    const response = await server.send(method, path, {
      cookie: cookies.get(role)!,
      ...(body === undefined ? {} : { body }),
    });

    if (isRoleAtLeast(role, needed)) {
      expect([401, 403, 405, 500, 503]).not.toContain(response.status);
    } else {
      expect(problemSchema.parse(response.body)).toMatchObject({
        status: 403,
        code: "people.role_too_low",
        neededRole: needed,
        detail: `This takes the role '${needed}'; yours is '${role}'. Ask ${needed === "admin" ? "an admin" : "somebody who has it, or an admin"}.`,
      });
    }
  });
});
